"""What the rating officer gets [C.04.2/2026 3.1], and when personal data may go."""

from datetime import UTC, datetime, timedelta

from pairing.rules.personal_data import due_at, may_delete_data
from pairing.rules.reports import may_report_for_rating
from pairing.rules.sent_games import Change, ReportedGame, Selection, may_send, selected
from pairing.rules.verdict import ALLOWED, Refused

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)


def game(number: int, board: int, white: int, black: int, *results: str) -> ReportedGame:
    return ReportedGame(number, board, white, black, results or ("1", "0"))


def test_each_game_is_sent_once_and_later_only_its_corrections() -> None:
    same, turned, otherwise, new = (
        game(1, 1, 4, 2),
        game(1, 2, 3, 1),
        game(2, 1, 1, 4, "=", "="),
        game(2, 2, 2, 3),
    )
    before = game(1, 2, 1, 3), game(2, 1, 1, 4)
    sent = {(1, 2, 4): (1, same), (1, 1, 3): (1, before[0]), (2, 1, 4): (2, before[1])}
    assert selected([same, turned, otherwise, new], sent) == Selection(
        (new,), (Change(1, before[0], turned), Change(2, before[1], otherwise))
    )


def test_a_report_needs_a_game_or_a_correction() -> None:
    new, change = (game(1, 1, 1, 2),), (Change(1, game(1, 1, 1, 2), game(1, 1, 2, 1)),)
    assert may_send(Selection((), ())) == Refused("report.nothing_new")
    assert may_send(Selection(new, ())) == may_send(Selection((), change)) == ALLOWED


def test_c04_2_3_1_no_rating_report_while_games_are_open() -> None:
    assert may_report_for_rating([]) == ALLOWED
    assert may_report_for_rating([(3, 1, 2), (2, 5, 6), (2, 7, 8)]) == Refused(
        "report.games_open", "C.04.2 3.1", {"round": 2, "games": ["5 – 6", "7 – 8"]}
    )


def test_personal_data_go_after_the_final_standings_or_90_quiet_days() -> None:
    def answer(*, is_final: bool, quiet: timedelta) -> object:
        return may_delete_data(is_final=is_final, last_action=NOW - quiet, now=NOW)

    assert answer(is_final=True, quiet=DAY) == ALLOWED
    assert answer(is_final=False, quiet=90 * DAY) == Refused("data.needed", params={"days": 90})
    assert answer(is_final=False, quiet=90 * DAY + timedelta(seconds=1)) == ALLOWED


def test_personal_data_are_due_some_days_after_the_end() -> None:
    assert due_at(30, NOW) == NOW + 30 * DAY
    assert due_at(0, NOW) == NOW
    assert due_at(None, NOW) is due_at(30, None) is None
