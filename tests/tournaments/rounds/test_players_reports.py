"""Players' reports: both sides, the arbiter who accepts, and everything that must not happen."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied

from pairing.rounds.corrections import Report, colours_correct
from pairing.rounds.players_reports import Reported, ReportedBy, players_report_give, reports_of
from pairing.rounds.publish import results_publish
from pairing.rounds.report_acceptance import report_accept
from pairing.rounds.results import result_record
from pairing.rounds.table_codes import (
    KIOSK,
    code_of,
    codes_of,
    is_code,
    number_of_tables,
    players_reports_close,
    players_reports_open,
    table_codes_make,
)
from pairing.rules.verdict import Refused
from tests.tournaments import factories
from tests.tournaments.factories import NOW
from tests.tournaments.neighbour import own
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.core.request_limits import KIOSK as FROM_THE_KIOSK, LIMITS, REPORT, count_request
from tournaments.models import Appointment, Decision, Game, PlayersReport, Role, Round, Tournament
from tournaments.reports.record_against_tables import differences

SECRET = "not-a-real-secret"


@pytest.fixture
def running(published_round: Round, chief_arbiter: User) -> Round:
    """Round 1 is running, and players may report."""
    by = {"tournament_id": published_round.tournament_id, "actor": chief_arbiter, "now": NOW}
    players_reports_open(**by, secret=SECRET)
    published_round.tournament.refresh_from_db()
    return published_round


def game_of(round_: Round, board: int) -> Game:
    return Game.objects.get(round=round_, board=board)


def give(round_: Round, board: int, side: str, result: str, seen: int = 0) -> PlayersReport:
    game = game_of(round_, board)
    return players_report_give(
        game_id=game.pk, side=side, result=result, now=NOW, seen_version=seen
    )


def reports_by_board(round_: Round) -> dict[int, tuple[str, str]]:
    """Return who has reported what, by board."""
    boards = dict(Game.objects.filter(round=round_).values_list("pk", "board"))
    found = reports_of(round_.tournament, round_.number)
    return {boards[game]: (each.by.value, each.result) for game, each in found.items()}


def test_two_equal_reports_agree_and_others_differ() -> None:
    cases = {
        ("10", ""): "white",
        ("", "=="): "black",
        ("10", "10"): "both",
        ("10", "01"): "different",
        ("", ""): "",
    }
    assert {sides: Reported(*sides).by.value for sides in cases} == cases
    assert [Reported(*sides).result for sides in cases] == ["10", "==", "10", "", ""]
    assert Reported("10", "01").by is ReportedBy.DIFFERENT


def test_both_report_and_nothing_else_changes(running: Round) -> None:
    lines = own(Decision).count()
    give(running, 1, "w", "10")
    give(running, 2, "b", "==")
    give(running, 3, "w", "10")
    give(running, 3, "b", "01")
    assert reports_by_board(running) == {
        1: ("white", "10"),
        2: ("black", "=="),
        3: ("different", ""),
    }
    give(running, 1, "b", "10")
    give(running, 3, "w", "01")  # the player of one side has made a mistake
    assert reports_by_board(running) == {1: ("both", "10"), 2: ("black", "=="), 3: ("both", "01")}
    assert [board[2] for board in factories.boards(running.tournament, 1)] == [""] * 4
    assert own(Decision).count() == lines
    assert differences(running.tournament) == []


def test_twice_is_once_and_an_open_page_sees_what_is_new(running: Round) -> None:
    first = give(running, 1, "w", "10")
    assert give(running, 1, "w", "10") == first
    assert (own(PlayersReport).count(), codes_of(running.tournament).reports) == (1, 1)


@pytest.mark.parametrize(
    "side, result", [("x", "10"), ("", "10"), ("w", "--"), ("w", "??"), ("b", ""), ("b", "+-")]
)
def test_only_three_results_of_two_sides_can_be_reported(
    side: str, result: str, running: Round
) -> None:
    with pytest.raises(BadInput):
        give(running, 1, side, result)
    assert not own(PlayersReport).exists()


def refused(round_: Round, board: int = 1, seen: int = 0) -> str:
    with pytest.raises((RuleRefused, Conflict)) as error:
        give(round_, board, "w", "10", seen)
    return error.value.code


def test_reports_are_off_until_an_arbiter_switches_them_on(
    published_round: Round, chief_arbiter: User
) -> None:
    by = {"tournament_id": published_round.tournament_id, "actor": chief_arbiter, "now": NOW}
    assert refused(published_round) == "players_report.off"
    table_codes_make(**by, secret=SECRET)
    assert refused(published_round) == "players_report.off"
    for _ in range(2):
        players_reports_open(**by, secret="another secret")
    assert codes_of(published_round.tournament).secret == SECRET  # the printed sheets still work
    give(published_round, 1, "w", "10")
    for _ in range(2):
        players_reports_close(**by)
    assert refused(published_round) == "players_report.off"
    assert reports_by_board(published_round) == {1: ("white", "10")}
    lines = own(Decision).order_by("sequence").values_list("action", flat=True)
    assert list(lines)[-3:] == [
        "table_codes.made",
        "players_reports.opened",
        "players_reports.closed",
    ]


def test_only_arbiters_make_codes_and_switch_reports(
    published_round: Round, stranger: User
) -> None:
    tournament = published_round.tournament
    Appointment.objects.create(
        tournament=tournament, person=stranger, role=Role.RESULT_DESK, since=NOW
    )
    for action in (table_codes_make, players_reports_open):
        with pytest.raises(PermissionDenied):
            action(tournament_id=tournament.pk, actor=stranger, now=NOW, secret=SECRET)
    with pytest.raises(PermissionDenied):
        players_reports_close(tournament_id=tournament.pk, actor=stranger, now=NOW)


def test_a_result_of_an_arbiter_is_never_overwritten(running: Round, deputy: User) -> None:
    give(running, 1, "w", "10")
    give(running, 1, "b", "10")
    game = game_of(running, 1)
    result_record(game_id=game.pk, result="01", actor=deputy, now=NOW)
    assert reports_by_board(running) == {}
    assert (refused(running), refused(running, seen=1)) == ("players_report.entered",) * 2
    assert game_of(running, 1).result == "01"
    # The arbiter clears it: what the players have reported is there again, and an old page cannot
    # report.
    result_record(game_id=game.pk, result="", actor=deputy, now=NOW)
    assert reports_by_board(running) == {1: ("both", "10")}
    assert refused(running) == "players_report.moved"
    assert give(running, 1, "w", "==", seen=2).result == "=="


def test_c04_2_4_2_reports_end_with_the_publication_of_the_results(
    running: Round, chief_arbiter: User
) -> None:
    for board in (1, 2):
        give(running, board, "w", "10")
    factories.enter_results(running.tournament, 1, chief_arbiter, factories.white_wins)
    results_publish(round_id=running.pk, actor=chief_arbiter, now=NOW)
    assert not own(PlayersReport).exists()
    assert refused(running, seen=1) == "players_report.round_over"


def test_c04_2_4_3_2_reports_turn_with_the_colours(running: Round, chief_arbiter: User) -> None:
    give(running, 1, "w", "10")
    give(running, 2, "w", "10")
    give(running, 2, "b", "01")
    report = Report(reported_at=NOW, reason="White and Black were exchanged")
    for board in (1, 2):
        colours_correct(
            game_id=game_of(running, board).pk, report=report, actor=chief_arbiter, now=NOW
        )
    found = reports_of(running.tournament, 1)
    assert found == {
        game_of(running, 1).pk: Reported("", "01"),
        game_of(running, 2).pk: Reported("10", "01"),
    }
    assert refused(running, 1) == "players_report.moved"


def test_a_game_that_is_gone_cannot_be_reported(running: Round) -> None:
    with pytest.raises(Conflict):
        players_report_give(game_id=999_999, side="w", result="10", now=NOW, seen_version=0)


def accept(round_: Round, board: int, result: str, actor: User, seen: int | None = 0) -> Game:
    return report_accept(
        game_id=game_of(round_, board).pk, result=result, actor=actor, now=NOW, seen_version=seen
    )


def test_an_accepted_report_is_the_result_of_the_arbiter(running: Round, deputy: User) -> None:
    give(running, 1, "w", "10")
    give(running, 1, "b", "10")
    for _ in range(2):  # sent twice
        assert accept(running, 1, "10", deputy).result == "10"
    line = own(Decision).filter(action="result.recorded").get()
    assert (line.actor_name, line.after) == ("Dan Deputy", {"board": 1, "result": "10"})
    assert differences(running.tournament) == []


def test_a_report_is_accepted_only_as_the_arbiter_saw_it(
    running: Round, deputy: User, chief_arbiter: User
) -> None:
    with pytest.raises(Conflict) as error:
        accept(running, 1, "10", deputy)  # nothing is reported
    assert error.value.code == "players_report.changed"
    give(running, 1, "w", "10")
    give(running, 1, "b", "01")
    with pytest.raises(Conflict):
        accept(running, 1, "10", deputy)  # they differ now
    give(running, 1, "b", "10")
    result_record(game_id=game_of(running, 1).pk, result="==", actor=chief_arbiter, now=NOW)
    with pytest.raises(Conflict) as error:
        accept(running, 1, "10", deputy)
    assert error.value.code == "result.changed_meanwhile"
    assert game_of(running, 1).result == "=="


def test_players_and_read_only_people_accept_nothing(running: Round, stranger: User) -> None:
    give(running, 1, "w", "10")
    for role in (None, Role.READER, Role.CHECK_IN_DESK):
        Appointment.objects.filter(person=stranger).delete()
        if role:
            Appointment.objects.create(
                tournament=running.tournament, person=stranger, role=role, since=NOW
            )
        with pytest.raises(PermissionDenied):
            accept(running, 1, "10", stranger)
    assert game_of(running, 1).result == ""


def test_each_table_has_its_own_code_and_new_codes_end_the_old(
    running: Round, chief_arbiter: User
) -> None:
    codes = codes_of(running.tournament)
    printed = [code_of(codes, place) for place in (1, 2, 12, KIOSK)]
    assert (len(set(printed)), {len(code) for code in printed}) == (4, {16})
    assert is_code(codes, 12, printed[2])
    assert not is_code(codes, 1, printed[2])
    table_codes_make(
        tournament_id=running.tournament_id, actor=chief_arbiter, now=NOW, secret="new"
    )
    renewed = codes_of(running.tournament)
    assert not is_code(renewed, 12, printed[2])
    assert renewed.takes_reports
    nothing = codes_of(Tournament(pk=0))
    assert not is_code(nothing, 1, code_of(nothing, 1))


def test_there_are_codes_for_every_table(running: Round) -> None:
    assert number_of_tables(running.tournament) == 4
    entry = factories.entry_of(running.tournament, 1)
    entry.fixed_table = 9
    entry.save()
    assert number_of_tables(running.tournament) == 9


def test_reports_of_one_table_are_limited_and_others_go_on(db: None) -> None:
    for kind in (REPORT, FROM_THE_KIOSK):
        most, span = LIMITS[kind]
        for _ in range(most):
            count_request(kind, "table 1", now=NOW, busy=Refused("players_report.busy"))
        with pytest.raises(RuleRefused) as error:
            count_request(kind, "table 1", now=NOW, busy=Refused("players_report.busy"))
        assert error.value.code == "players_report.busy"
        count_request(kind, "table 2", now=NOW)
        count_request(kind, "table 1", now=NOW + span + timedelta(seconds=1))
