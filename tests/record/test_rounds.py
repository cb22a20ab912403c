"""Rounds and corrections in a record without a database."""

from __future__ import annotations

from typing import Any, Final

from pairing.record.replay import replay
from pairing.record.state import State
from tests.record.records import AT, EVENT, ROUND, SETTINGS, UnsignedLine, entry, lines_of

DRAFTED: Final = EVENT[:7]
PUBLISHED: Final = EVENT[:8]
MOVED: Final = {"boards": {"1": [10, 20], "2": [30, 40]}, "byes": {}}
AS_PAIRED: Final = {"boards": {"1": [10, 30], "2": [40, 20]}, "byes": {}}
LATER: Final = "2026-11-21T09:10:00.000000+00:00"


def state_after(*lines: UnsignedLine, hidden: bool = True) -> State:
    state, fault = replay(lines_of(lines, hidden=hidden))
    assert fault is None, fault
    return state


def fault(*lines: UnsignedLine) -> str:
    found = replay(lines_of(lines))[1]
    return found.message if found else ""


def boards(state: State, number: int = 1) -> dict[int, tuple[int, int]]:
    return {board: (each.white, each.black) for board, each in state.rounds[number].boards.items()}


# Pairings


BY_HAND: Final = UnsignedLine(
    "round.paired_by_hand",
    {"state": "planned"},
    {"state": "draft", "boards": {"2": [30, 10]}, "byes": {"20": "U"}, "not_paired": [4]},
    1,
)


def test_c04_3_1_9_3_a_round_is_paired_by_hand() -> None:
    state = state_after(*EVENT[:6], BY_HAND)
    assert (boards(state), state.rounds[1].byes) == ({2: (30, 10)}, {20: "U", 40: "Z"})
    assert fault(*PUBLISHED, BY_HAND) == "its round is published."


def test_c04_1_3_the_engine_allocates_a_bye() -> None:
    three = (*EVENT[:4], EVENT[5]._replace(
        before={"tpn": {"10": None, "20": None, "30": None}},
        after={"tpn": {"10": 1, "20": 2, "30": 3}, "names": EVENT[5].after["names"]},
    ))  # fmt: skip
    paired = ROUND._replace(
        after={**ROUND.after, "pairs": [[1, 2]], "boards": [[10, 20]], "pairing_allocated_bye": 3},
    )
    assert state_after(*three, paired).rounds[1].byes == {30: "U"}
    nobody = paired._replace(after={**paired.after, "pairing_allocated_bye": 4})
    assert fault(*three, nobody) == "there is no player with number 4."


def test_c04_2_2_4_who_arrives_later_gets_the_bye_of_late_entries_and_who_withdrew_nothing() -> (
    None
):
    created = UnsignedLine("tournament.created", {}, {**SETTINGS, "late_entry_bye": "H"})
    late = UnsignedLine(
        "entry.added", {}, {**entry(1), "entry": 50, "tpn": 5, "name": "Eriksen", "first_round": 2}
    )
    gone = UnsignedLine(
        "entry.withdrawn", {"value": None}, {"entry": 40, "tpn": 4, "name": "Dumont", "value": 1}
    )
    requested = UnsignedLine("bye.requested", {"value": None}, {"entry": 20, "value": "H"}, 1)
    paired = ROUND._replace(
        after={**ROUND.after, "pairs": [[1, 3]], "boards": [[10, 30]], "not_paired": [2, 4, 5]},
    )
    state = state_after(created, *EVENT[1:6], late, gone, requested, paired)
    assert state.rounds[1].byes == {20: "H", 40: "Z", 50: "H"}


def test_the_people_who_opened_a_draft_are_kept_when_it_ends() -> None:
    views = [{"person": 1, "at": "2026-11-21T10:05:00+01:00"}]
    discarded = UnsignedLine(
        "round.discarded", {"state": "draft"}, {"state": "planned", "views": views}, 1
    )
    state = state_after(*DRAFTED, discarded, hidden=False)
    assert state.views == {(1, AT): {1: "2026-11-21T09:05:00.000000+00:00"}}
    assert (state.rounds[1].state, boards(state)) == ("planned", {})
    assert state_after(*DRAFTED, discarded).views == {}  # in an exported record they are hidden


def test_a_publication_can_leave_fide_mode_once_and_names_group_a() -> None:
    leaves = PUBLISHED[7]._replace(
        after={**PUBLISHED[7].after, "leaves_fide_mode": True, "group_a_last": 2}
    )
    state = state_after(*DRAFTED, leaves)
    assert (state.settings["left_fide_mode"], state.settings["group_a_last"]) == (1, 2)
    second = ROUND._replace(
        after={**ROUND.after, "pairs": [[2, 1], [3, 4]], "boards": [[20, 10], [30, 40]]},
        round_number=2,
    )
    again = leaves._replace(round_number=2)
    assert fault(*DRAFTED, leaves, *EVENT[8:], second, again) == "FIDE mode was left before."


# Changes of pairings


def moved(
    action: str, before: dict[str, Any] = AS_PAIRED, after: dict[str, Any] = MOVED
) -> UnsignedLine:
    return UnsignedLine(action, before, after, 1)


def test_c04_2_4_4_places_are_exchanged_in_a_draft_or_after_publication() -> None:
    for event, action in ((DRAFTED, "round.arranged"), (PUBLISHED, "round.changed")):
        state = state_after(*event, moved(action))
        assert boards(state) == {1: (10, 20), 2: (30, 40)}, action
    assert fault(*PUBLISHED, moved("round.arranged")) == "its round is in another state."
    assert fault(*DRAFTED, moved("round.changed")) == "its round is in another state."


def test_c04_2_4_4_a_change_starts_from_the_places_and_leaves_nobody_out() -> None:
    one = {"boards": {"1": [10, 30]}, "byes": {}}
    wrong = {"boards": {"1": [30, 10]}, "byes": {}}
    assert fault(*DRAFTED, moved("round.arranged", wrong)).startswith("before it, board 1 was")
    bye = {"boards": {}, "byes": {"10": "U"}}
    assert (
        fault(*DRAFTED, moved("round.arranged", bye))
        == "before it, the bye of entry 10 was nothing and not “U”."
    )
    second = {"boards": {"2": [10, 30]}, "byes": {}}
    assert fault(*DRAFTED, moved("round.arranged", one, second)) == "there are two boards 2."
    assert fault(*DRAFTED, moved("round.arranged", one, {"boards": {}, "byes": {"10": "U"}})) == (
        "it leaves a player without a place."
    )
    unknown = {"boards": {}, "byes": {"10": "U", "30": "X"}}
    assert fault(*DRAFTED, moved("round.arranged", one, unknown)) == "it has an unknown bye."


def test_c04_2_4_4_4_a_late_entry_who_gets_a_board_plays_from_this_round_on() -> None:
    late = UnsignedLine(
        "entry.added", {}, {**entry(1), "entry": 50, "tpn": 5, "name": "Eriksen", "first_round": 2}
    )
    one = {"boards": {"1": [10, 30]}, "byes": {}}
    change = moved("round.changed", one, {"boards": {"1": [10, 50]}, "byes": {"30": "U"}})
    state = state_after(*PUBLISHED, late, change)
    assert [state.players[entry]["first_round"] for entry in (10, 30, 50)] == [1, 1, 1]
    assert state_after(*PUBLISHED, late).players[50]["first_round"] == 2


# Results


def test_c04_2_3_1_open_games_are_adjourned_and_others_are_not() -> None:
    adjourned = UnsignedLine("games.adjourned", {}, {"boards": [2]}, 1)
    assert state_after(*EVENT[:9], adjourned).rounds[1].boards[2].results == ["??"]
    assert fault(*EVENT[:10], adjourned) == "board 2 has a result."


def test_c04_2_4_3_the_time_to_report_mistakes_ends_with_the_next_publication() -> None:
    created = UnsignedLine("tournament.created", {}, {**SETTINGS, "correction_minutes": 15})
    state = state_after(created, *EVENT[1:])
    until = "2026-11-21T09:15:00.000000+00:00"
    assert state.settings["corrections_until"] == until
    cut = UnsignedLine("deadline.cut_short", {"until": until}, {"until": AT}, 1)
    assert fault(created, *EVENT[1:], cut) == ""
    assert fault(created, *EVENT[1:], cut._replace(before={"until": LATER})).startswith(
        "before it, the deadline was"
    )


# Corrections

TIMES: Final = {"reported": AT, "entered": AT}
WAITS: Final = {"effect": "next_pairing", "waiting": True, **TIMES}
NOW: Final = {"effect": "next_round", "waiting": False, **TIMES}
AS_IT_IS: Final = {"board": 1, "white": 10, "black": 30}
TURNED: Final = {"board": 1, "white": 30, "black": 10}


def corrected(
    before: dict[str, Any], after: dict[str, Any], effect: dict[str, Any], number: int | None = 1
) -> UnsignedLine:
    kind = "result" if "result" in after else "colours" if "white" in after else "rating"
    return UnsignedLine(f"{kind}.corrected", before, {**after, **effect}, number, "both say so")


WAITING: Final = corrected({"board": 1, "result": "10"}, {"board": 1, "result": "+-"}, WAITS)


def test_c04_2_4_3_2_results_turn_with_the_colours_also_those_that_wait() -> None:
    state = state_after(*EVENT, WAITING, corrected(AS_IT_IS, TURNED, NOW))
    board = state.rounds[1].boards[1]
    assert (board.white, board.black, board.results) == (30, 10, ["01"])
    assert state.waiting == {("result", 1, 1, 1, "result"): "-+"}
    waiting = state.corrections[0]
    assert (waiting.before["result"], waiting.after["result"], waiting.waiting) == (
        "01",
        "-+",
        True,
    )
    unchanged = state_after(*EVENT, WAITING, corrected(AS_IT_IS, AS_IT_IS, NOW))
    assert unchanged.rounds[1].boards[1].results == ["10"]
    others = corrected(AS_IT_IS, {"board": 1, "white": 20, "black": 10}, NOW)
    assert fault(*EVENT, others) == "its players sit at another board."


def test_c04_2_4_3_a_newer_correction_replaces_one_that_waits() -> None:
    newer = corrected({"board": 1, "result": "+-"}, {"board": 1, "result": "=="}, WAITS)
    state = state_after(*EVENT, WAITING, newer)
    assert [(each.after["result"], each.waiting) for each in state.corrections] == [("==", True)]
    forgotten = corrected({"board": 1, "result": "10"}, {"board": 1, "result": "=="}, WAITS)
    assert (
        fault(*EVENT, WAITING, forgotten)
        == "before it, the result of board 1 was “+-” and not “10”."
    )
    assert (
        fault(*EVENT, UnsignedLine("result.corrected", {}, {"board": 1, **NOW}, 1))
        == "it corrects nothing."
    )


def test_c04_2_4_3_3_a_corrected_rating_ranks_the_player_unless_it_is_an_estimate() -> None:
    rating = corrected(
        {"entry": 10, "fide_rating": 1999}, {"entry": 10, "fide_rating": 2099}, NOW, None
    )
    player = state_after(*EVENT, rating).players[10]
    assert (player["fide_rating"], player["rating"], player["rating_source"]) == (
        2099,
        2099,
        "fide",
    )
    estimate = UnsignedLine(
        "entry.updated",
        {"entry": 10, "rating_source": "fide"},
        {"entry": 10, "rating_source": "estimate"},
    )
    player = state_after(*EVENT, estimate, rating).players[10]
    assert (player["fide_rating"], player["rating"], player["rating_source"]) == (
        2099,
        1999,
        "estimate",
    )
    assert fault(*EVENT, rating, rating).startswith("before it, fide_rating was “2099”")


def test_c04_2_4_3_a_correction_that_waited_is_done_once() -> None:
    later = corrected(
        {"entry": 10, "fide_rating": 1999}, {"entry": 10, "fide_rating": 2099}, WAITS, 1
    )
    applied = UnsignedLine(
        "correction.applied",
        {"entry": 10, "fide_rating": 1999},
        {"entry": 10, "fide_rating": 2099},
        1,
    )
    state = state_after(*EVENT, later, applied)
    assert ([each.waiting for each in state.corrections], state.players[10]["rating"]) == (
        [False],
        2099,
    )
    assert (
        fault(*EVENT, later, applied, applied)
        == "before it, fide_rating that waits was nothing and not “2099”."
    )
    other = applied._replace(after={"entry": 10, "fide_rating": 2100})
    assert (
        fault(*EVENT, later, other)
        == "before it, fide_rating that waits was “2099” and not “2100”."
    )
