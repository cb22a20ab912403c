"""The dates of games, and reports to the rating officer, in a record without a database."""

from __future__ import annotations

from typing import Any, Final

import pytest

from pairing.record.replay import replay
from tests.record.records import AT, EVENT, UnsignedLine, lines_of

NONE: Final = {"board": 1, "white": 10, "black": 30, "starts_at": None, "place": ""}
DATE: Final = {**NONE, "starts_at": "2026-11-24T18:00:00+00:00", "place": "Lyon"}
LATER: Final = {**DATE, "starts_at": "2026-11-25T18:00:00+00:00"}
PUBLISHED: Final = EVENT[:8]


def fault(*lines: UnsignedLine) -> str:
    found = replay(lines_of([*PUBLISHED, *lines]))[1]
    return found.message if found else ""


def dated(before: dict[str, Any], after: dict[str, Any], number: int = 1) -> UnsignedLine:
    return UnsignedLine("game.scheduled", before, after, number)


def test_record_a_date_is_set_changed_and_removed() -> None:
    changes = (dated(NONE, DATE), dated(DATE, LATER), dated(LATER, NONE))
    assert fault(*changes) == ""
    state, _ = replay(lines_of([*PUBLISHED, *changes[:2]]))
    assert state.rounds[1].boards[1].dates == {1: ("2026-11-25T18:00:00.000000+00:00", "Lyon")}


RESULT: Final = UnsignedLine(
    "result.recorded", {"board": 1, "result": ""}, {"board": 1, "result": "10"}, 1
)


@pytest.mark.parametrize(
    "lines, wanted",
    [
        ((dated(DATE, LATER),), "before it, the date of board 1 was nothing"),
        ((dated(NONE, DATE), dated(NONE, LATER)), "before it, the date of board 1 was"),
        (
            (dated({**NONE, "white": 20}, {**DATE, "white": 20}),),
            "its players sit at another board.",
        ),
        ((dated(NONE, {**DATE, "board": 2}),), "it changes the board."),
        ((dated(NONE, {**NONE, "place": "Lyon"}),), "it has a place without a date."),
        ((dated({**NONE, "game": 2}, {**DATE, "game": 2}),), "there is no game 2 at its board."),
        ((dated(NONE, DATE, 2),), "its round is not published."),
        ((RESULT, dated(NONE, DATE)), "its game has a result."),
    ],
)
def test_record_a_forged_date_is_refused(lines: tuple[UnsignedLine, ...], wanted: str) -> None:
    assert fault(*lines).startswith(wanted)


GAME: Final = {"round": 1, "board": 1, "white": 10, "black": 30, "results": ["10"]}
OTHER: Final = {"round": 1, "board": 2, "white": 40, "black": 20, "results": ["=="]}


def report(
    number: int, *games: dict[str, Any], corrected: tuple[Any, ...] = (), **more: str
) -> UnsignedLine:
    values = {
        "number": number,
        "sha256": "ab" * 32,
        "until": None,
        "games": [*games],
        "corrected": [*corrected],
        **more,
    }
    return UnsignedLine("report.sent", {}, values)


def reported(*lines: UnsignedLine) -> str:
    found = replay(lines_of([*EVENT, *lines]))[1]
    return found.message if found else ""


FIRST: Final = report(1, GAME)
WITHDRAWN: Final = UnsignedLine("report.withdrawn", FIRST.after, {}, None, "the mail came back")


@pytest.mark.parametrize(
    "lines",
    [
        (FIRST, report(2, OTHER)),
        (FIRST, WITHDRAWN, report(2, GAME, OTHER)),
        (report(3, {**GAME, "round": 7}, restored="cd" * 32),),
    ],
)
def test_record_honest_reports_are_consistent(lines: tuple[UnsignedLine, ...]) -> None:
    assert reported(*lines) == ""


@pytest.mark.parametrize(
    "lines, wanted",
    [
        ((FIRST, report(2, GAME)), "it reports the game of round 1, board 1 twice."),
        (
            (report(1, GAME, {**GAME, "white": 30, "black": 10}),),
            "it reports the game of round 1, board 1 twice.",
        ),
        ((report(2, GAME),), "it has the number 2 and not 1."),
        ((FIRST, report(1, OTHER)), "it has the number 1 and not 2."),
        ((FIRST, WITHDRAWN, report(1, GAME)), "it has the number 1 and not 2."),
        (
            (report(1, {**GAME, "results": ["=="]}),),
            "the game of round 1, board 1 ended otherwise.",
        ),
        ((report(1, {**GAME, "black": 20}),), "its players sit at another board."),
        ((report(1, {**GAME, "round": 2}),), "the results of round 2 are not published."),
        (
            (report(1, corrected=({"report": 1, "before": GAME, "after": GAME},)),),
            "the game of round 1, board 1 was",
        ),
        ((WITHDRAWN,), "there is no report."),
        (
            (FIRST, UnsignedLine("report.withdrawn", report(1, OTHER).after, {}, None, "x")),
            "before it, the newest report was",
        ),
    ],
)
def test_record_a_forged_report_is_refused(lines: tuple[UnsignedLine, ...], wanted: str) -> None:
    assert reported(*lines).startswith(wanted)


DRAWN: Final = {**GAME, "results": ["=="]}
CORRECTED: Final = UnsignedLine(
    "result.corrected",
    {"board": 1, "result": "10"},
    {
        "board": 1,
        "result": "==",
        "effect": "next_round",
        "waiting": False,
        "reported": AT,
        "entered": AT,
    },
    1,
    "both say so",
)


def test_record_a_corrected_game_is_reported_once_more_from_how_it_was_sent() -> None:
    change = {"report": 1, "before": GAME, "after": DRAWN}
    assert reported(FIRST, CORRECTED, report(2, corrected=(change,))) == ""
    again = report(3, corrected=({"report": 1, "before": DRAWN, "after": GAME},))
    assert reported(FIRST, CORRECTED, report(2, corrected=(change,)), again) == ""
    assert (
        reported(FIRST, report(2, corrected=(change,)))
        == "the game of round 1, board 1 ended otherwise."
    )
    for other in ({"report": 2}, {"before": DRAWN}, {"after": OTHER}):
        forged = report(2, corrected=({**change, **other},))
        assert (
            reported(FIRST, CORRECTED, forged) == "the game of round 1, board 1 was not sent so."
        ), other
