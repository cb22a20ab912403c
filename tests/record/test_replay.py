"""Each line must start from what the lines before it left."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pairing.record.replay import replay
from pairing.record.state import RESULTS
from tests.record.records import AT, EVENT, ROUND, UnsignedLine, entry, lines_of
from tournaments.models import Action, GameResult

TIMES = {"reported": AT, "entered": AT}
NOT_IN_TIME = {"effect": "rating_only", "waiting": False, **TIMES}
LATER = "2026-11-21T09:10:01.000000+00:00"
OVER = {"state": "results_published"}


def found(*lines: UnsignedLine, after: int = len(EVENT)) -> str:
    """Return what is wrong with the lines *lines* after the first *after* lines of the event."""
    _, fault = replay(lines_of([*EVENT[:after], *lines]))
    return str(fault or "")


def test_a_consistent_record_gives_its_state() -> None:
    state, fault = replay(lines_of(EVENT))
    assert fault is None
    assert [
        (n, board.white, board.black, board.results) for n, board in state.rounds[1].boards.items()
    ] == [
        (1, 10, 30, ["10"]),
        (2, 40, 20, ["=="]),
    ]
    assert (state.rounds[1].state, state.rounds[2].state) == ("results_published", "planned")
    assert [values["tpn"] for values in state.players.values()] == [1, 2, 3, 4]


def test_every_action_and_every_result_has_a_reading() -> None:
    from pairing.record.replay import READINGS

    assert {*READINGS} == {*Action}, (
        "Say in READINGS of pairing/record/replay.py what the action changes; `nothing` if a "
        "replay compares nothing of it: docs/developer/add-an-action.md"
    )
    assert {*GameResult.values} == RESULTS


SWAPPED = {"board": 1, "white": 30, "black": 10}
AS_IT_IS = {"board": 1, "white": 10, "black": 30}
UNDONE = UnsignedLine(
    "result.undone",
    {"board": 2, "result": "=="},
    {"board": 2, "result": "", "undone": 10, "action": "result.recorded"},
    1,
)
WRONG: dict[str, tuple[int, UnsignedLine]] = {
    "#12: there is no action “round.won”.": (11, UnsignedLine("round.won")),
    "#1: the record does not begin with a new tournament.": (0, ROUND),
    "#12: the tournament exists already.": (11, EVENT[0]),
    "#12: what it says cannot be read; the tables are not compared with the record.": (
        11,
        UnsignedLine("round.paired", {"state": "planned"}, {}, 2),
    ),
    "#12: before it, name was “Autumn Open” and not “Spring Open”.": (
        11,
        UnsignedLine("tournament.updated", {"name": "Spring Open"}, {"name": "Winter Open"}),
    ),
    "#6: entry 10 exists already.": (5, UnsignedLine("entry.added", {}, entry(1))),
    "#6: before it, fide_rating was “1999” and not “2100”.": (
        5,
        UnsignedLine(
            "entry.updated", {"entry": 10, "fide_rating": 2100}, {"entry": 10, "fide_rating": 2200}
        ),
    ),
    "#6: there is no entry 70.": (
        5,
        UnsignedLine(
            "entry.withdrawn",
            {"value": None},
            {"entry": 70, "tpn": None, "name": "Nobody", "value": 2},
        ),
    ),
    "#12: before it, the withdrawal was nothing and not “1”.": (
        11,
        UnsignedLine(
            "entry.withdrawn", {"value": 1}, {"entry": 10, "tpn": 1, "name": "Abara", "value": 2}
        ),
    ),
    "#12: its round is published.": (
        11,
        UnsignedLine("bye.requested", {"value": None}, {"entry": 10, "value": "H"}, 1),
    ),
    "#12: “X” is no bye.": (
        11,
        UnsignedLine("bye.requested", {"value": None}, {"entry": 10, "value": "X"}, 2),
    ),
    "#12: there is no round 3.": (
        11,
        UnsignedLine("bye.requested", {"value": None}, {"entry": 10, "value": "H"}, 3),
    ),
    "#7: its boards and its pairing numbers differ.": (
        6,
        ROUND._replace(after={**ROUND.after, "boards": [[10, 40], [30, 20]]}),
    ),
    "#7: it does not give every player a place.": (
        6,
        ROUND._replace(after={**ROUND.after, "boards": [[10, 30]], "pairs": [[1, 3]]}),
    ),
    "#7: a player has two places in its round.": (
        6,
        ROUND._replace(
            after={**ROUND.after, "boards": [[10, 30], [10, 20]], "pairs": [[1, 3], [1, 2]]}
        ),
    ),
    "#7: its round is no draft.": (
        6,
        UnsignedLine("pairings.published", {"state": "planned"}, OVER, 1),
    ),
    "#9: there is no board 3 in its round.": (
        8,
        UnsignedLine(
            "result.recorded", {"board": 3, "result": ""}, {"board": 3, "result": "10"}, 1
        ),
    ),
    "#9: “11” is no result.": (
        8,
        UnsignedLine(
            "result.recorded", {"board": 1, "result": ""}, {"board": 1, "result": "11"}, 1
        ),
    ),
    "#9: before it, the result of board 1 was nothing and not “01”.": (
        8,
        UnsignedLine(
            "result.recorded", {"board": 1, "result": "01"}, {"board": 1, "result": "10"}, 1
        ),
    ),
    "#9: a board has no result.": (
        8,
        UnsignedLine("results.published", {"state": "pairings_published"}, OVER, 1),
    ),
    "#12: before it, the result of board 1 was “10” and not “01”.": (
        11,
        UnsignedLine(
            "result.corrected",
            {"board": 1, "result": "01"},
            {"board": 1, "result": "==", **NOT_IN_TIME},
            1,
        ),
    ),
    "#12: before it, the white of board 1 was “10” and not “30”.": (
        11,
        UnsignedLine("colours.corrected", SWAPPED, {**AS_IT_IS, **NOT_IN_TIME}, 1),
    ),
    "#12: it waits for the wrong publication.": (
        11,
        UnsignedLine(
            "result.corrected",
            {"board": 1, "result": "10"},
            {"board": 1, "result": "==", "effect": "next_pairing", "waiting": False, **TIMES},
            1,
        ),
    ),
    "#12: there is no such point adjustment.": (
        11,
        UnsignedLine("points.withdrawn", {"entry": 10, "name": "Abara", "points": 5}, {}, 1),
    ),
    "#12: it undoes a line that is not there.": (
        11,
        UnsignedLine("action.undone", {}, {"undone": 9, "action": "round.paired"}, 1),
    ),
    "#12: it does not exchange before and after.": (
        11,
        UnsignedLine("action.undone", {}, {"undone": 10, "action": "result.recorded"}, 1),
    ),
    "#12: it is about another round.": (11, UNDONE._replace(round_number=2)),
    "#12: line #10 can no longer be undone: line #11 is about the same thing.": (11, UNDONE),
    "#12: “results.published” cannot be undone.": (
        11,
        UnsignedLine(
            "action.undone",
            OVER,
            {"state": "pairings_published", "undone": 11, "action": "results.published"},
            1,
        ),
    ),
}


@pytest.mark.parametrize("message", WRONG)
def test_a_line_that_contradicts_the_lines_before_it_is_named(message: str) -> None:
    after, shown = WRONG[message]
    assert found(shown, after=after) == message


def test_an_honest_undo_of_an_older_line_is_read_once_and_in_time() -> None:
    first = UNDONE._replace(
        before={"board": 1, "result": "10"},
        after={"board": 1, "result": "", "undone": 9, "action": "result.recorded"},
    )
    state, fault = replay(lines_of([*EVENT[:10], first]))
    assert (fault, state.rounds[1].boards[1].results) == (None, [""])
    assert found(UNDONE, first, after=10) == ""
    assert found(first, first, after=10) == "#12: line #9 was undone before."
    late = [
        replace(line, at=LATER) if line.sequence == 11 else line
        for line in lines_of([*EVENT[:10], first])
    ]
    assert str(replay(late)[1]) == "#11: it undoes line #9 too late."
    last = [
        replace(line, at=LATER) if line.sequence == 11 else line
        for line in lines_of([*EVENT[:10], UNDONE])
    ]
    assert replay(last)[1] is None


def test_c04_2_4_3_a_correction_that_waits_counts_with_the_next_pairings() -> None:
    waiting = {"board": 1, "result": "01", "effect": "next_pairing", "waiting": True, **TIMES}
    lines = [
        UnsignedLine("result.corrected", {"board": 1, "result": "10"}, waiting, 1, "both say so"),
        ROUND._replace(
            after={**ROUND.after, "pairs": [[2, 1], [3, 4]], "boards": [[20, 10], [30, 40]]},
            round_number=2,
        ),
        UnsignedLine("pairings.published", {"state": "draft"}, {"state": "pairings_published"}, 2),
    ]
    applied = UnsignedLine(
        "correction.applied", {"board": 1, "result": "10"}, {"board": 1, "result": "01"}, 1
    )
    state, fault = replay(lines_of([*EVENT, *lines]))
    assert (fault, state.rounds[1].boards[1].results) == (None, ["10"])
    state, fault = replay(lines_of([*EVENT, *lines, applied]))
    assert (fault, state.rounds[1].boards[1].results, state.waiting) == (None, ["01"], {})
    again = found(*lines, applied, applied)
    assert again == "#16: before it, the result of board 1 that waits was nothing and not “01”."
