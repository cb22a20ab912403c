"""A player reports a wrong result; an arbiter finds the report, corrects, or settles it."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from pairing.rounds.mistakes import count_of_mistakes, mistakes
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish, round_publish
from pairing.rounds.results import result_record
from pairing.rounds.table_codes import code_of, codes_of, table_codes_make
from pairing.rules.corrections import MistakeFacts, may_report_mistake
from pairing.rules.verdict import Allowed, Refused
from tests.tournaments import factories
from tests.tournaments.factories import entry_of, round_of
from tests.tournaments.rounds.test_report_pages import text_of
from tournaments.models import Decision, Game, MistakeReport, Seat, Tournament
from tournaments.standings.final import standings_make_final

NOW = timezone.now().replace(microsecond=0)


@pytest.fixture
def entered(chief_arbiter: User) -> Tournament:
    """Round 1 of six players with results, not published; they may be reported for 30 minutes."""
    tournament = factories.make_ready(chief_arbiter, players=6, rounds=3, correction_minutes=30)
    before = timezone.now() - timedelta(minutes=20)
    round_pair(round_id=round_of(tournament, 1).pk, actor=chief_arbiter, now=before)
    round_publish(round_id=round_of(tournament, 1).pk, actor=chief_arbiter, now=before)
    for game in Game.objects.filter(round__tournament=tournament):
        result_record(game_id=game.pk, result="10", actor=chief_arbiter, now=before)
    return Tournament.objects.get(pk=tournament.pk)


@pytest.fixture
def published(entered: Tournament, chief_arbiter: User) -> Tournament:
    publish(entered, chief_arbiter, timezone.now() - timedelta(minutes=10))
    return Tournament.objects.get(pk=entered.pk)


def publish(tournament: Tournament, actor: User, at: datetime) -> None:
    results_publish(round_id=round_of(tournament, 1).pk, actor=actor, now=at)


def game_of(tournament: Tournament, tpn: int, number: int = 1) -> Game:
    return Game.objects.get(
        round__tournament=tournament, round__number=number, seats__entry__tpn=tpn
    )


def address(tournament: Tournament, tpn: int) -> str:
    return reverse("mistake", args=[tournament.slug, entry_of(tournament, tpn).pk])


def table_address(tournament: Tournament, number: int) -> str:
    code = code_of(codes_of(tournament), number)
    return reverse("table-mistake", args=[tournament.slug, number, code])


def form(tournament: Tournament, tpn: int, right: str) -> dict[str, Any]:
    game = game_of(tournament, tpn)
    seat = game.seats.get(entry__tpn=tpn)
    return {"game": game.pk, "version": game.version, "side": seat.colour, "right": right}


@pytest.mark.costly
@pytest.mark.parametrize("when", ["entered", "published"])
def test_c04_2_4_3_a_report_is_with_the_arbiters_with_its_time_and_changes_nothing(
    when: str,
    request: pytest.FixtureRequest,
    client: Client,
    logged_in: Callable[[User], Client],
    chief_arbiter: User,
) -> None:
    tournament: Tournament = request.getfixturevalue(when)
    lines = Decision.objects.filter(tournament=tournament).count()
    visitor = client.get(reverse("player-page", args=[tournament.slug, entry_of(tournament, 4).pk]))
    page = client.get(address(tournament, 4))
    assert page.status_code == 200
    assert "no-store" in page["Cache-Control"]
    before = timezone.now()
    answer = client.post(address(tournament, 4), form(tournament, 4, "=="))
    assert answer.status_code == 302
    text = text_of(client.get(address(tournament, 4)))
    assert f"{entry_of(tournament, 4).name} reported at" in text
    assert "The arbiters have it." in text
    (found,) = mistakes(tournament)
    assert (found.board, found.by, found.side) == (1, entry_of(tournament, 4).name, "b")
    assert (found.result, found.report.right, found.report.at_table) == ("10", "==", False)
    assert before <= found.report.at <= timezone.now()
    # Neither the result nor the record nor a public page has changed.
    assert game_of(tournament, 4).result == "10"
    assert Decision.objects.filter(tournament=tournament).count() == lines
    again = client.get(reverse("player-page", args=[tournament.slug, entry_of(tournament, 4).pk]))
    assert again.content == visitor.content
    # The arbiter finds it on Now and on the page of the corrections; nobody else does.
    arbiter = logged_in(chief_arbiter)
    now = text_of(arbiter.get(reverse("desk", args=[tournament.slug])))
    assert "1 player reports a wrong result" in now
    corrections = reverse("corrections", args=[tournament.slug])
    listed = text_of(arbiter.get(corrections))
    assert entry_of(tournament, 4).name in listed
    assert "at My board" in listed
    assert client.get(corrections).status_code == 302


@pytest.mark.costly
def test_the_correction_takes_over_answer_and_time_and_settles_the_report(
    published: Tournament, client: Client, logged_in: Callable[[User], Client], chief_arbiter: User
) -> None:
    client.post(address(published, 4), form(published, 4, "=="))
    report = MistakeReport.objects.get(game=game_of(published, 4))
    MistakeReport.objects.filter(pk=report.pk).update(at=timezone.now() - timedelta(minutes=3))
    report.refresh_from_db()
    arbiter = logged_in(chief_arbiter)
    page = arbiter.get(reverse("corrections", args=[published.slug])).content.decode()
    link = reverse("round-correct", args=[published.slug, 1])
    query = f"?kind=result&board=1&report={report.pk}"
    assert f"{link}{query}".replace("&", "&amp;") in page
    shown = arbiter.get(link + query)
    initial = shown.context["form"].initial
    assert initial["result"] == "=="
    assert initial["reported_at"] == report.at.replace(microsecond=0)
    values = {
        "version": game_of(published, 4).version,
        "result": "==",
        "reported_at": timezone.localtime(report.at).strftime("%Y-%m-%dT%H:%M"),
        "because": "other",
        "reason": initial["reason"],
        "save": "yes",
    }
    saved = arbiter.post(link + query, values)
    assert saved.status_code == 302, text_of(saved)
    assert game_of(published, 4).result == "=="
    report.refresh_from_db()
    assert report.settled_at is not None
    assert mistakes(published) == []
    assert count_of_mistakes(published) == 0


@pytest.mark.costly
def test_a_report_that_was_right_needs_nobody_once_the_result_is_entered_so(
    entered: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.post(address(entered, 4), form(entered, 4, "01"))
    assert count_of_mistakes(entered) == 1
    game = game_of(entered, 4)
    result_record(
        game_id=game.pk,
        result="01",
        actor=chief_arbiter,
        now=timezone.now(),
        seen_version=game.version,
    )
    assert count_of_mistakes(entered) == 0


@pytest.mark.costly
def test_both_players_report_once_each_and_the_same_again_keeps_its_time(
    published: Tournament, client: Client
) -> None:
    for _ in range(2):
        client.post(address(published, 4), form(published, 4, "=="))
    first = MistakeReport.objects.get(game=game_of(published, 4))
    client.post(address(published, 1), form(published, 1, "01"))
    client.post(address(published, 4), form(published, 4, "=="))
    assert [(each.by, each.report.right) for each in mistakes(published)] == [
        (entry_of(published, 4).name, "=="),
        (entry_of(published, 1).name, "01"),
    ]
    first.refresh_from_db()
    assert mistakes(published)[0].report.at == first.at
    client.post(address(published, 4), form(published, 4, "colours"))
    assert {each.report.right for each in mistakes(published)} == {"01", "colours"}


@pytest.mark.costly
def test_with_the_code_of_the_table_the_report_says_so(
    entered: Tournament, client: Client, chief_arbiter: User
) -> None:
    table_codes_make(
        tournament_id=entered.pk, actor=chief_arbiter, now=timezone.now(), secret="7" * 64
    )
    here = table_address(entered, 1)
    page = text_of(client.get(here))
    assert "Who are you?" in page
    assert client.post(here, form(entered, 1, "==")).status_code == 302
    (found,) = mistakes(entered)
    assert found.report.at_table
    # The code is for the game at this table only, and for this event.
    other = client.post(here, form(entered, 2, "=="))
    assert other.status_code == 409
    wrong = here.replace("/table/1/", "/table/2/")
    assert client.get(wrong).status_code == 404
    assert len(mistakes(entered)) == 1


@pytest.mark.costly
def test_without_the_code_nobody_replaces_the_report_from_the_table(
    entered: Tournament, client: Client, chief_arbiter: User
) -> None:
    table_codes_make(
        tournament_id=entered.pk, actor=chief_arbiter, now=timezone.now(), secret="7" * 64
    )
    client.post(address(entered, 1), form(entered, 1, "=="))
    (first,) = mistakes(entered)
    # The same with the code: it has its time, and the arbiter reads that it is from the table.
    assert client.post(table_address(entered, 1), form(entered, 1, "==")).status_code == 302
    (proven,) = mistakes(entered)
    assert proven.report.at_table
    assert proven.report.at == first.report.at
    answer = client.post(address(entered, 1), form(entered, 1, "01"))
    assert answer.status_code == 409
    assert "another report from the table" in text_of(answer)
    assert client.post(address(entered, 1), form(entered, 1, "==")).status_code == 302
    assert [each.report.at_table for each in mistakes(entered)] == [True]
    assert mistakes(entered)[0].report.right == "=="
    assert client.post(table_address(entered, 1), form(entered, 1, "01")).status_code == 302
    assert [each.report.right for each in mistakes(entered)] == ["01"]


@pytest.mark.costly
def test_the_report_of_a_player_who_sits_elsewhere_by_now_waits_for_nobody(
    entered: Tournament, client: Client, logged_in: Callable[[User], Client], chief_arbiter: User
) -> None:
    client.post(address(entered, 4), form(entered, 4, "=="))
    mine, theirs = (game_of(entered, tpn).seats.get(entry__tpn=tpn) for tpn in (4, 5))
    assert mine.game_id != theirs.game_id
    theirs.delete()
    Seat.objects.filter(pk=mine.pk).update(entry=theirs.entry)
    assert mistakes(entered) == []
    assert count_of_mistakes(entered) == 0


@pytest.mark.costly
def test_nobody_reports_for_another_player_on_my_board(entered: Tournament, client: Client) -> None:
    values = form(entered, 1, "==")
    assert client.post(address(entered, 4), values).status_code == 409
    assert client.post(address(entered, 2), values).status_code == 409
    assert mistakes(entered) == []


@pytest.mark.costly
@pytest.mark.parametrize(
    "change, status",
    [
        ({"right": "10"}, 400),
        ({"right": "+-"}, 400),
        ({"right": ""}, 400),
        ({"side": "x"}, 400),
        ({"version": "7"}, 409),
        ({"version": ""}, 409),
        ({"game": "0"}, 409),
        ({"game": "x"}, 409),
    ],
)
def test_odd_and_stale_forms_save_nothing(
    change: dict[str, str], status: int, entered: Tournament, client: Client
) -> None:
    answer = client.post(address(entered, 4), {**form(entered, 4, "=="), **change})
    assert answer.status_code == status
    assert mistakes(entered) == []


@pytest.mark.costly
def test_c04_2_4_3_after_the_time_for_reports_the_page_says_so(
    entered: Tournament, chief_arbiter: User, client: Client
) -> None:
    publish(entered, chief_arbiter, timezone.now() - timedelta(minutes=10))
    values = form(entered, 4, "==")
    Tournament.objects.filter(pk=entered.pk).update(
        corrections_until=timezone.now() - timedelta(seconds=1)
    )
    text = text_of(client.get(address(entered, 4)))
    assert "The time to report mistakes ended at" in text
    assert "(C.04.2 4.3)" in text
    assert "Send to the arbiters" not in text
    answer = client.post(address(entered, 4), values)
    assert answer.status_code == 409
    assert mistakes(entered) == []


@pytest.mark.costly
def test_c04_2_4_2_where_nobody_reads_entered_results_nobody_reports_before_the_publication(
    entered: Tournament, client: Client, chief_arbiter: User
) -> None:
    Tournament.objects.filter(pk=entered.pk).update(entered_results="none")
    text = text_of(client.get(address(entered, 4)))
    assert "Results are shown when the round is published" in text
    assert "1 – 0" not in text
    assert client.post(address(entered, 4), form(entered, 4, "==")).status_code == 409
    publish(entered, chief_arbiter, timezone.now())
    assert client.post(address(entered, 4), form(entered, 4, "==")).status_code == 302


def test_an_arbiter_settles_a_report_once_and_others_do_not(
    entered: Tournament,
    client: Client,
    logged_in: Callable[[User], Client],
    chief_arbiter: User,
    stranger: User,
    neighbour: Tournament,
) -> None:
    client.post(address(entered, 4), form(entered, 4, "=="))
    report = MistakeReport.objects.get(game=game_of(entered, 4))
    here = reverse("mistake-settle", args=[entered.slug, report.pk])
    assert client.post(here).status_code == 302  # to log in
    assert logged_in(stranger).post(here).status_code == 403
    assert count_of_mistakes(entered) == 1
    arbiter = logged_in(chief_arbiter)
    for _ in range(2):
        assert arbiter.post(here).status_code == 302
        report.refresh_from_db()
        assert report.settled_by
    assert mistakes(entered) == []
    theirs = MistakeReport.objects.get(game__round__tournament=neighbour)
    assert (
        arbiter.post(reverse("mistake-settle", args=[entered.slug, theirs.pk])).status_code == 302
    )
    theirs.refresh_from_db()
    assert theirs.settled_at is None
    # Reported again, it is there again, with the new time.
    client.post(address(entered, 4), form(entered, 4, "=="))
    assert count_of_mistakes(entered) == 1


@pytest.mark.costly
def test_reports_are_limited_by_board_and_by_address(entered: Tournament, client: Client) -> None:
    for n in range(6):
        answer = client.post(address(entered, 4), form(entered, 4, ("==", "01")[n % 2]))
        assert answer.status_code == 302
    assert client.post(address(entered, 4), form(entered, 4, "01")).status_code == 409
    assert client.post(address(entered, 2), form(entered, 2, "01")).status_code == 302
    assert count_of_mistakes(entered) == 2


@pytest.mark.costly
def test_my_board_and_the_table_lead_to_the_page(
    entered: Tournament, client: Client, chief_arbiter: User
) -> None:
    entry = entry_of(entered, 4)
    fragment = client.get(reverse("entered-result", args=[entered.slug, entry.pk]))
    assert address(entered, 4) in fragment.content.decode()
    public = reverse("player-page", args=[entered.slug, entry.pk])
    assert address(entered, 4) not in client.get(public).content.decode()
    publish(entered, chief_arbiter, timezone.now())
    assert address(entered, 4) in client.get(public).content.decode()


def own_result(client: Client, tournament: Tournament, tpn: int) -> str:
    """Return what My board asks for while its page is open."""
    entry = entry_of(tournament, tpn)
    return text_of(client.get(reverse("entered-result", args=[tournament.slug, entry.pk])))


def test_my_board_says_what_was_reported_and_offers_only_to_change_it(
    entered: Tournament, client: Client, chief_arbiter: User
) -> None:
    assert "Report it here" in own_result(client, entered, 4)
    client.post(address(entered, 4), form(entered, 4, "=="))
    report = MistakeReport.objects.get(game=game_of(entered, 4))
    at = timezone.localtime(report.at).strftime("%H:%M")
    words = f"{entry_of(entered, 4).name} reported at {at}: ½ – ½ . The arbiters have it."
    reported = own_result(client, entered, 4)
    assert "Entered: 1 – 0" in reported
    assert reported.endswith(f"{words} Change the report")
    assert "Report it here" not in reported
    # The opponent reads it too, and reports for herself.
    theirs = own_result(client, entered, 1)
    assert words in theirs
    assert "Report it here" in theirs
    assert "Change the report" not in theirs
    # After the publication it is still said, until the time for reports is over.
    publish(entered, chief_arbiter, timezone.now())
    assert own_result(client, entered, 4) == f"{words} Change the report"
    assert own_result(client, entered, 2) == ""
    Tournament.objects.filter(pk=entered.pk).update(
        corrections_until=timezone.now() - timedelta(seconds=1)
    )
    assert own_result(client, entered, 4) == words


@pytest.mark.costly
def test_the_page_does_not_offer_the_same_report_again(
    entered: Tournament, client: Client, chief_arbiter: User
) -> None:
    table_codes_make(
        tournament_id=entered.pk, actor=chief_arbiter, now=timezone.now(), secret="7" * 64
    )
    here, table = address(entered, 4), table_address(entered, 1)

    def offered(page: str) -> list[str]:
        text = client.get(page).content.decode()
        folded = "folded" if "<summary>Change the report</summary>" in text else "open"
        return [folded, *re.findall(r'name="right" value="([^"]+)"', text)]

    assert offered(here) == ["open", "==", "01", "colours"]
    client.post(here, form(entered, 4, "colours"))
    assert offered(here) == ["folded", "==", "01"]
    assert offered(table) == ["open", "==", "01", "colours"]  # the opponent may report too
    client.post(table, form(entered, 1, "=="))
    assert offered(table) == ["folded", "==", "01", "colours"]
    # What came from the table is not changed without its code.
    client.post(table, form(entered, 4, "=="))
    assert offered(here) == ["open"]
    assert "To change this report, use the code of the table" in text_of(client.get(here))
    assert "Change the report" not in own_result(client, entered, 4)


@pytest.mark.costly
def test_nobody_is_led_to_report_a_game_that_has_no_result(
    chief_arbiter: User, client: Client
) -> None:
    tournament = factories.make_ready(chief_arbiter, players=4)
    factories.pair_and_publish(tournament, 1, chief_arbiter)
    table_codes_make(
        tournament_id=tournament.pk, actor=chief_arbiter, now=timezone.now(), secret="7" * 64
    )
    for board, result in ((1, "??"), (2, "10")):
        game = Game.objects.get(round__tournament=tournament, board=board)
        result_record(game_id=game.pk, result=result, actor=chief_arbiter, now=factories.NOW)
    results_publish(round_id=round_of(tournament, 1).pk, actor=chief_arbiter, now=factories.NOW)
    led = {}
    for tpn in (1, 2, 3, 4):
        player = entry_of(tournament, tpn)
        page = client.get(reverse("player-page", args=[tournament.slug, player.pk]))
        led[game_of(tournament, tpn).board] = "Report a wrong result" in page.content.decode()
    assert led == {1: False, 2: True}
    tables = [table_address(tournament, number).replace("/mistake/", "/") for number in (1, 2)]
    at_tables = ["Report a wrong result" in text_of(client.get(table)) for table in tables]
    assert at_tables == [False, True]


@pytest.mark.costly
def test_a_player_without_a_game_is_not_led_to_the_page(
    chief_arbiter: User, client: Client
) -> None:
    tournament = factories.make_ready(chief_arbiter, players=3)
    factories.play_rounds(tournament, [1], chief_arbiter)
    led = []
    for tpn in (1, 2, 3):
        player = entry_of(tournament, tpn)
        page = client.get(reverse("player-page", args=[tournament.slug, player.pk]))
        led.append("Report a wrong result" in page.content.decode())
    assert led == [True, True, False]


def test_in_final_standings_nothing_is_reported(chief_arbiter: User, client: Client) -> None:
    tournament = factories.make_ready(chief_arbiter, players=4, rounds=1)
    factories.play_rounds(tournament, [1], chief_arbiter)
    standings_make_final(
        tournament_id=tournament.pk, actor=chief_arbiter, now=timezone.now(), ties_stay=True
    )
    text = text_of(client.get(address(tournament, 1)))
    assert "The standings are final." in text
    assert client.post(address(tournament, 1), form(tournament, 1, "==")).status_code == 409


def test_before_round_1_there_is_nothing_to_report(ready: Tournament, client: Client) -> None:
    text = text_of(client.get(address(ready, 1)))
    assert "There is no result yet that could be wrong." in text
    assert client.post(address(ready, 1), {}).status_code == 400


@pytest.mark.parametrize(
    "facts, code",
    [
        ({"is_running": True}, ""),
        ({"is_running": True, "is_hidden": True}, "mistake.hidden"),
        ({"is_published": True, "is_hidden": True}, ""),
        ({"is_published": True, "until": NOW}, ""),
        ({"is_published": True, "until": NOW - timedelta(seconds=1)}, "mistake.too_late"),
        ({"is_published": True, "is_final": True}, "mistake.final"),
        ({}, "mistake.nothing"),
    ],
)
def test_c04_2_4_3_when_a_mistake_can_be_reported(facts: dict[str, Any], code: str) -> None:
    known = {"is_running": False, "is_published": False, "is_hidden": False, "is_final": False}
    verdict = may_report_mistake(MistakeFacts(**{**known, "until": None, **facts}), NOW)
    assert isinstance(verdict, Refused if code else Allowed)
    assert getattr(verdict, "code", "") == code
