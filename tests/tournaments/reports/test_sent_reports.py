"""Each game is reported to the rating officer exactly once, in parts while games are open."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from pairing.rounds.game_dates import game_schedule
from pairing.rounds.publish import results_publish
from pairing.rounds.results import result_record
from pairing.trf.reader import read
from pairing.trf.writer import write
from tests.plugins.empty_tables import guard_lifted
from tests.tournaments import factories
from tests.tournaments.factories import NOW
from tests.tournaments.reports.wanderers import checked, exported, verified
from tests.tournaments.rounds.test_correction_actions import correct, game_of
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.models import Decision, Game, Tournament
from tournaments.reports.rating_report import rating_report
from tournaments.reports.report_restore import MAX_BYTES, reports_restore
from tournaments.reports.sent_reports import ledger, next_report, report_mark_sent, report_withdraw

Places = list[tuple[int, int]]


@pytest.fixture
@factories.cached
def adjourned(chief_arbiter: User) -> Tournament:
    """Round 1 of two is over with board 2 adjourned, and round 2 is played."""
    tournament = factories.make_ready(chief_arbiter, players=4, rounds=2, correction_minutes=10)
    round_ = factories.pair_and_publish(tournament, 1, chief_arbiter)
    enter(tournament, 1, 1, "10", chief_arbiter)
    results_publish(round_id=round_.pk, actor=chief_arbiter, now=NOW, adjourning=[2])
    tournament.refresh_from_db()
    return tournament


def enter(tournament: Tournament, number: int, board: int, result: str, actor: User) -> None:
    game = Game.objects.get(round__tournament=tournament, round__number=number, board=board)
    result_record(game_id=game.pk, result=result, actor=actor, now=NOW, confirmed=True)


def send(
    tournament: Tournament, actor: User, until: date | None = None, now: datetime = NOW
) -> Places:
    """Confirm the next report, and return the rounds and boards in it."""
    digest = next_report(tournament, until).sha256
    sent = report_mark_sent(
        tournament_id=tournament.pk, sha256=digest, until=until, actor=actor, now=now
    )
    return [(game["round"], game["board"]) for game in sent["games"]]


def in_file(tournament: Tournament) -> dict[int, str]:
    """Return the results in the next report by pairing number; ``·`` is a blank round."""
    document = read(next_report(tournament).text)
    return {
        player.tpn: "".join(
            cell.result.value if cell and cell.result else "·" for cell in player.rounds
        )
        for player in document.players
    }


def comments(tournament: Tournament) -> list[str]:
    return [line for line in next_report(tournament).text.splitlines() if line.startswith("### ")]


@pytest.mark.costly
def test_c04_2_3_1_a_part_has_the_finished_games_and_later_the_others(
    adjourned: Tournament, chief_arbiter: User
) -> None:
    white, black = 4, 2
    assert [in_file(adjourned)[tpn] for tpn in (1, 3)] == ["1", "0"]
    assert {in_file(adjourned)[tpn] for tpn in (white, black)} <= {"", "·"}
    assert "### Open game @ Round 1: 4 – 2" in comments(adjourned)
    assert send(adjourned, chief_arbiter) == [(1, 1)]
    enter(adjourned, 1, 2, "01", chief_arbiter)
    assert {tpn: in_file(adjourned)[tpn] for tpn in (white, black)} == {white: "0", black: "1"}
    assert send(adjourned, chief_arbiter) == [(1, 2)]
    assert verified(adjourned) == ""
    assert checked(exported(adjourned, runs=True)) is None
    assert checked(exported(adjourned, runs=False)) is None


def test_c04_2_3_1_the_points_of_a_part_are_those_of_its_games(
    adjourned: Tournament, chief_arbiter: User
) -> None:
    send(adjourned, chief_arbiter)
    enter(adjourned, 1, 2, "==", chief_arbiter)
    text = next_report(adjourned).text
    assert {player.tpn: player.points for player in read(text).players} == {1: 0, 2: 5, 3: 0, 4: 5}
    assert write(read(text)) == text


def test_the_first_report_of_a_finished_event_is_the_whole_report(
    adjourned: Tournament, chief_arbiter: User
) -> None:
    enter(adjourned, 1, 2, "==", chief_arbiter)
    report = next_report(adjourned)
    assert report.text == rating_report(adjourned)
    assert send(adjourned, chief_arbiter) == [(1, 1), (1, 2)]


def test_a_game_whose_results_are_not_published_waits(
    adjourned: Tournament, chief_arbiter: User
) -> None:
    factories.pair_and_publish(adjourned, 2, chief_arbiter)
    enter(adjourned, 2, 1, "10", chief_arbiter)
    assert [game.round_number for game in next_report(adjourned).selection.games] == [1]


def test_the_first_report_has_no_result_that_is_entered_but_not_published(
    adjourned: Tournament, chief_arbiter: User
) -> None:
    enter(adjourned, 1, 2, "==", chief_arbiter)
    factories.pair_and_publish(adjourned, 2, chief_arbiter)
    for board in (1, 2):
        enter(adjourned, 2, board, "10", chief_arbiter)
    report = next_report(adjourned)
    assert [game.round_number for game in report.selection.games] == [1, 1]
    assert sum(letter != "·" for letters in in_file(adjourned).values() for letter in letters) == 4


def test_only_games_until_the_end_of_the_period_are_in_it(
    adjourned: Tournament, chief_arbiter: User
) -> None:
    late = Game.objects.get(round__tournament=adjourned, board=2)
    game_schedule(game_id=late.pk, starts_at=NOW + timedelta(days=20), actor=chief_arbiter, now=NOW)
    enter(adjourned, 1, 2, "==", chief_arbiter)
    assert send(adjourned, chief_arbiter, until=date(2026, 11, 30)) == [(1, 1)]
    assert send(adjourned, chief_arbiter) == [(1, 2)]


@pytest.mark.django_db(transaction=True)
def test_the_report_is_made_before_the_lock(adjourned: Tournament, chief_arbiter: User) -> None:
    digest = next_report(adjourned).sha256
    locked = []

    def watch(execute: Callable[..., object], sql: str, *rest: object) -> object:
        locked.append(connection.in_atomic_block and 'FROM "tournaments_seat"' in sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(watch):
        report_mark_sent(
            tournament_id=adjourned.pk, sha256=digest, until=None, actor=chief_arbiter, now=NOW
        )
    assert True not in locked


def test_a_result_entered_while_the_report_is_made_is_noticed(
    adjourned: Tournament, chief_arbiter: User
) -> None:
    digest = next_report(adjourned).sha256
    done = []

    def enter_after_the_games_are_read(
        execute: Callable[..., object], sql: str, *rest: object
    ) -> object:
        answer = execute(sql, *rest)
        if 'FROM "tournaments_game"' in sql and not done:
            done.append(sql)
            enter(adjourned, 1, 2, "==", chief_arbiter)
        return answer

    with connection.execute_wrapper(enter_after_the_games_are_read), pytest.raises(Conflict):
        report_mark_sent(
            tournament_id=adjourned.pk, sha256=digest, until=None, actor=chief_arbiter, now=NOW
        )
    assert done


def test_nothing_is_sent_twice(adjourned: Tournament, chief_arbiter: User, deputy: User) -> None:
    digest = next_report(adjourned).sha256
    report_mark_sent(tournament_id=adjourned.pk, sha256=digest, until=None, actor=deputy, now=NOW)
    with pytest.raises(RuleRefused) as refused:
        send(adjourned, chief_arbiter)
    assert refused.value.code == "report.nothing_new"
    for _ in range(2):
        with pytest.raises(Conflict) as stale:
            report_mark_sent(
                tournament_id=adjourned.pk, sha256=digest, until=None, actor=chief_arbiter, now=NOW
            )
        assert stale.value.code == "report.moved_meanwhile"
        enter(adjourned, 1, 2, "==", chief_arbiter)
    assert Decision.objects.filter(tournament=adjourned, action="report.sent").count() == 1


@pytest.mark.costly
def test_c04_2_4_3_1_a_correction_of_a_sent_game_is_named_and_not_sent_again(
    adjourned: Tournament, chief_arbiter: User
) -> None:
    assert send(adjourned, chief_arbiter) == [(1, 1)]
    correct(game_of(adjourned, 1), chief_arbiter, result="==")
    assert in_file(adjourned)[1] in ("", "·")
    expected = "### Correction of rating report 1 @ Round 1: 1 – 3 10 -> 1 – 3 =="
    assert expected in comments(adjourned)
    assert send(adjourned, chief_arbiter) == []
    assert verified(adjourned) == ""
    assert not next_report(adjourned).selection.corrected
    # Corrected once more: it starts from the last report.
    correct(game_of(adjourned, 1), chief_arbiter, result="01")
    assert "### Correction of rating report 1 @ Round 1: 1 – 3 == -> 1 – 3 01" in comments(
        adjourned
    )


def test_only_the_chief_arbiter_withdraws_a_report(
    adjourned: Tournament, chief_arbiter: User, deputy: User
) -> None:
    send(adjourned, deputy)
    with pytest.raises(PermissionDenied):
        report_withdraw(
            tournament_id=adjourned.pk, number=1, reason="it came back", actor=deputy, now=NOW
        )
    assert len(ledger(adjourned).reports) == 1


def test_the_newest_report_was_not_sent_after_all(
    adjourned: Tournament, chief_arbiter: User
) -> None:
    send(adjourned, chief_arbiter)
    given = {"tournament_id": adjourned.pk, "now": NOW}
    with pytest.raises(BadInput):
        report_withdraw(number=1, reason=" ", actor=chief_arbiter, **given)
    report_withdraw(number=1, reason="the mail came back", actor=chief_arbiter, **given)
    assert ledger(adjourned).reports == ()
    assert send(adjourned, chief_arbiter) == [(1, 1)]
    # A page that still shows report 1 does not withdraw report 2.
    with pytest.raises(RuleRefused) as refused:
        report_withdraw(number=1, reason="the mail came back", actor=chief_arbiter, **given)
    assert refused.value.code == "report.not_the_newest"
    assert verified(adjourned) == ""


@pytest.mark.costly
def test_the_page_shows_the_next_report_and_confirms_it(
    adjourned: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    url = reverse("rating-reports", args=[adjourned.slug])
    report = next_report(adjourned)
    page = client.get(url).content.decode()
    assert report.sha256 in page
    file = client.get(reverse("rating-report-next", args=[adjourned.slug]))
    assert file.content.decode() == report.text
    assert (
        file.headers["Content-Disposition"]
        == f'attachment; filename="{adjourned.slug}-rating-1.trf"'
    )
    assert client.post(url, {"sha256": "0" * 64}).status_code == 409
    assert client.post(url, {"sha256": report.sha256}).status_code == 302
    assert client.post(url, {"sha256": report.sha256}).status_code == 409
    page = client.get(url).content.decode()
    assert "There is nothing to report" in page
    assert report.sha256 in page
    withdraw = reverse("rating-report-withdraw", args=[adjourned.slug, 1])
    assert client.post(withdraw, {"reason": ""}).status_code == 400
    assert client.post(withdraw, {"reason": "the mail came back"}).status_code == 302
    assert "No report was sent." in client.get(url).content.decode()


@pytest.mark.costly
def test_a_part_of_matches_has_both_games_or_none(chief_arbiter: User) -> None:
    event = factories.make_ready(chief_arbiter, players=4, rounds=2, system="double_swiss_2026")
    round_ = factories.pair_and_publish(event, 1, chief_arbiter)
    first, second = Game.objects.filter(round=round_, board=1).order_by("pk")
    other = Game.objects.filter(round=round_, board=2).order_by("pk")
    for game in (first, second, other[0]):
        result_record(game_id=game.pk, result="10", actor=chief_arbiter, now=NOW)
    results_publish(round_id=round_.pk, actor=chief_arbiter, now=NOW, adjourning=[2])
    assert [game.results for game in next_report(event).selection.games] == [("10", "10")]
    assert send(event, chief_arbiter) == [(1, 1)]
    result_record(game_id=other[1].pk, result="==", actor=chief_arbiter, now=NOW)
    assert send(event, chief_arbiter) == [(1, 2)]
    assert verified(event) == ""


def test_a_report_can_be_sent_after_the_end_by_the_chief_arbiter(
    adjourned: Tournament, chief_arbiter: User, deputy: User
) -> None:
    Tournament.objects.filter(pk=adjourned.pk).update(final_at=NOW)
    adjourned.refresh_from_db()
    with pytest.raises(PermissionDenied):
        send(adjourned, deputy)
    assert send(adjourned, chief_arbiter) == [(1, 1)]


def backup_without(lines: int, tournament: Tournament) -> None:
    """Restore a backup that lacks the newest *lines* of the record, which changed nothing else."""
    kept = Decision.objects.filter(tournament=tournament).order_by("-sequence")
    newest = [line.pk for line in kept[:lines]]
    with guard_lifted(connection):
        Decision.objects.filter(pk__in=newest).delete()
    last = Decision.objects.filter(tournament=tournament).latest("sequence")
    Tournament.objects.filter(pk=tournament.pk).update(version=last.sequence, fingerprint=last.hash)
    tournament.refresh_from_db()


def take_over(tournament: Tournament, file: bytes, actor: User, now: datetime = NOW) -> int:
    return reports_restore(tournament_id=tournament.pk, file=file, actor=actor, now=now)


@pytest.mark.costly
def test_a_restored_backup_takes_over_what_was_sent_from_the_record_file(
    adjourned: Tournament, chief_arbiter: User, client: Client
) -> None:
    send(adjourned, chief_arbiter)
    file = b"".join(exported(adjourned, runs=True))
    backup_without(1, adjourned)
    assert len(next_report(adjourned).selection.games) == 1
    client.force_login(chief_arbiter)
    url = reverse("rating-reports-restore", args=[adjourned.slug])
    assert client.post(url).status_code == 400
    assert client.post(url, {"file": SimpleUploadedFile("record.jsonl", file)}).status_code == 302
    assert next_report(adjourned).selection.games == ()
    page = client.get(reverse("rating-reports", args=[adjourned.slug])).content.decode()
    assert "taken over from a record file" in page
    with pytest.raises(RuleRefused) as refused:
        take_over(adjourned, file, chief_arbiter)
    assert refused.value.code == "report.nothing_to_restore"
    assert verified(adjourned) == ""
    assert checked(exported(adjourned, runs=True)) is None


@pytest.mark.costly
def test_after_a_restore_the_next_report_names_the_day_on_which_the_first_was_sent(
    adjourned: Tournament, chief_arbiter: User
) -> None:
    send(adjourned, chief_arbiter)
    file = b"".join(exported(adjourned, runs=True))
    backup_without(1, adjourned)
    take_over(adjourned, file, chief_arbiter, NOW + timedelta(days=2))
    enter(adjourned, 1, 2, "01", chief_arbiter)
    assert f"### Rating report 1, {NOW.date().isoformat()}: 1 games" in "\n".join(
        comments(adjourned)
    )
    assert send(adjourned, chief_arbiter) == [(1, 2)]
    assert [one.report["number"] for one in ledger(adjourned).reports] == [1, 2]
    assert verified(adjourned) == ""
    assert checked(exported(adjourned, runs=True)) is None


def test_a_report_sent_again_after_a_restore_is_taken_over_without_its_games(
    adjourned: Tournament, chief_arbiter: User
) -> None:
    send(adjourned, chief_arbiter)
    file = b"".join(exported(adjourned, runs=True))
    # Somebody sends the report again before the file is taken over: the record names both.
    backup_without(1, adjourned)
    send(adjourned, chief_arbiter, now=NOW + timedelta(minutes=5))
    assert take_over(adjourned, file, chief_arbiter) == 1
    numbers = [
        (one.report["number"], len(one.report["games"])) for one in ledger(adjourned).reports
    ]
    assert numbers == [(1, 1), (2, 0)]


@pytest.mark.costly
def test_a_record_that_is_foreign_or_changed_is_refused(
    adjourned: Tournament, chief_arbiter: User
) -> None:
    send(adjourned, chief_arbiter)
    other = factories.make_ready(chief_arbiter, players=4, name="Other")
    file = b"".join(exported(adjourned, runs=True))
    cases = {
        "report.no_record": b"this is no record",
        "report.file_too_large": b"x" * (MAX_BYTES + 1),
        "report.other_record": b"".join(exported(other, runs=True)),
        "report.faulty_record": file.replace(b'"results":["10"]', b'"results":["01"]'),
    }
    for code, data in cases.items():
        with pytest.raises(BadInput) as refused:
            take_over(adjourned, data, chief_arbiter)
        assert refused.value.code == code


def test_a_file_signed_with_the_key_of_another_tournament_is_refused(
    adjourned: Tournament, chief_arbiter: User, settings: Settings
) -> None:
    own_key = settings.SIGNING_KEY
    settings.SIGNING_KEY = "34" * 32
    other = factories.make_ready(chief_arbiter, players=4, name="Other")
    send(adjourned, chief_arbiter)
    settings.SIGNING_KEY = own_key
    file = b"".join(exported(adjourned, runs=True))
    newest = adjourned.decisions.latest("sequence")
    backup_without(1, adjourned)
    # The key signed every line of the other tournament, and none of this one.
    assert set(other.decisions.values_list("key", flat=True)) == {newest.key}
    assert not adjourned.decisions.filter(key=newest.key).exists()
    with pytest.raises(BadInput) as refused:
        take_over(adjourned, file, chief_arbiter)
    assert refused.value.code == "report.faulty_record"
    assert adjourned.decisions.filter(action="report.sent").count() == 0
