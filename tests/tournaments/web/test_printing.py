"""*Print & share*: the lists as sheets, as text and as a file."""

from __future__ import annotations

import html
import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from pairing.rounds.table_codes import code_of, table_codes_make
from tests.tournaments import factories
from tests.tournaments.large import make_large
from tournaments.entries.byes import bye_request
from tournaments.entries.entries import entry_withdraw
from tournaments.models import Appointment, Eligible, Event, Role, Section, Tournament
from tournaments.standings.prize_plan import CategoryPlan, PrizePlan
from tournaments.standings.prizes import prizes_set
from tournaments.web.printing import chromium
from tournaments.web.printing.kinds import KINDS
from tournaments.web.printing.slips import stack_cut

pytestmark = pytest.mark.django_db


@pytest.fixture
def in_play(chief_arbiter: User) -> Tournament:
    """Round 1 is played, and round 2 is published with a result that is not."""
    tournament = factories.make_ready(chief_arbiter, players=9, rounds=4)
    factories.play_rounds(tournament, [1], chief_arbiter)
    factories.pair_and_publish(tournament, 2, chief_arbiter)
    factories.enter_results(tournament, 2, chief_arbiter)
    return tournament


@pytest.fixture
def desk(client: Client, chief_arbiter: User) -> Client:
    client.force_login(chief_arbiter)
    return client


def sheets_of(tournament: Tournament, client: Client, query: str, status: int = 200) -> str:
    """Return the text of the sheets of *query* without marks."""
    response = client.get(f"{reverse('sheets', args=[tournament.slug])}?{query}")
    assert response.status_code == status
    main = response.content.decode().partition("<main")[2]
    return html.unescape(" ".join(re.sub(r"<[^>]+>", " ", main).split()))


def test_the_page_has_a_row_for_each_list(in_play: Tournament, desk: Client) -> None:
    text = desk.get(reverse("print-and-share", args=[in_play.slug])).content.decode()
    rows = re.findall(
        r'<th scope="row" class="name">(.*?)</th>\s*<td class="number">(?:<span.*?</span>)? ?(\d*)</td>',
        text,
    )
    assert [html.unescape(label) for label, _number in rows] == [
        str(kind.label) for kind in KINDS.values() if kind.is_listed
    ]
    listed = [name for name, kind in KINDS.items() if kind.is_listed]
    numbers = dict(zip(listed, (number for _label, number in rows), strict=True))
    assert {name: number for name, number in numbers.items() if number} == {
        "boards": "2",
        "names": "2",
        "slips": "2",
        "standings": "1",
        "crosstable": "1",
    }


@pytest.mark.parametrize("name", KINDS)
def test_every_list_can_be_printed(name: str, in_play: Tournament, desk: Client) -> None:
    shown = sheets_of(in_play, desk, f"list={name}&notice=Tea+is+%3Cfree%3E")
    assert {
        "place-cards": "Abara, Player 1",
        "certificates": "Certificates are there once",
        "receipts": "Prizes have winners once",
        "signatures": "Prizes have winners once",
        "notice": "Tea is <free>",
        "wall-chart": "1 2 3 4 Points",
    }.get(name, in_play.name) in shown
    if KINDS[name].has_text:
        text = desk.get(f"{reverse('sheets', args=[in_play.slug])}?as=text&list={name}")
        assert in_play.name in text.context["text"]
        assert "&#x27;" not in text.context["text"]


@pytest.mark.costly
def test_no_result_before_its_publication(in_play: Tournament, desk: Client) -> None:
    page = desk.get(f"{reverse('sheets', args=[in_play.slug])}?list=boards").content.decode()
    assert re.findall(r'<td class="result">(.*?)</td>', page) == [""] * 4
    older = desk.get(f"{reverse('sheets', args=[in_play.slug])}?list=boards&round=1")
    assert older.content.decode().count('<td class="result"><abbr') == 4
    for name in ("standings", "crosstable"):
        assert "after round 1" in sheets_of(in_play, desk, f"list={name}&round=2")


def test_the_standings_name_the_time_for_reports_until_it_is_over(
    in_play: Tournament, desk: Client
) -> None:
    now = timezone.now()
    for minutes, is_named in ((30, True), (-30, False)):
        until = now + timedelta(minutes=minutes)
        Tournament.objects.filter(pk=in_play.pk).update(corrections_until=until)
        text = sheets_of(in_play, desk, "list=standings")
        assert ("Report mistakes in the results of round 1" in text) == is_named


@pytest.mark.parametrize("name", ["boards", "names", "slips"])
def test_no_draft_on_paper(name: str, draft_round: object, desk: Client) -> None:
    tournament = draft_round.tournament  # type: ignore[attr-defined]
    assert sheets_of(tournament, desk, f"list={name}") == "> There is nothing to print yet."


@pytest.mark.costly
def test_players_who_do_not_come_are_named_on_the_lists(
    in_play: Tournament, desk: Client, chief_arbiter: User
) -> None:
    """A withdrawn player has no box to tick, and a bye is named."""
    gone, resting = (factories.entry_of(in_play, tpn) for tpn in (9, 8))
    entry_withdraw(entry_id=gone.pk, actor=chief_arbiter, now=factories.NOW)
    bye_request(
        entry_id=resting.pk, actor=chief_arbiter, now=factories.NOW, round_number=3, kind="H"
    )
    for name in ("check-in", "wall-chart", "start-list"):
        assert f"{gone.name} (withdrawn)" in sheets_of(in_play, desk, f"list={name}"), name
    page = desk.get(f"{reverse('sheets', args=[in_play.slug])}?list=check-in").content.decode()
    assert page.count('<td class="tick"><span>') == 8
    assert page.count('<td class="tick"></td>') == 1
    assert f"{resting.name} (bye)" in sheets_of(in_play, desk, "list=check-in")


@pytest.mark.costly
def test_no_prize_is_promised_that_nobody_can_win(desk: Client, chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter, players=4, rounds=1)
    assert "No prizes are defined." in sheets_of(tournament, desk, "list=prizes")
    old = CategoryPlan("Veterans", Eligible.BORN_UNTIL, "1900", (7000,))
    plan = PrizePlan("EUR", categories=(old,))
    prizes_set(tournament_id=tournament.pk, plan=plan, actor=chief_arbiter, now=factories.NOW)
    assert "70.00 EUR" in sheets_of(tournament, desk, "list=prizes")
    factories.play_rounds(tournament, [1], chief_arbiter)
    text = desk.get(f"{reverse('sheets', args=[tournament.slug])}?as=text&list=prizes")
    for shown in (sheets_of(tournament, desk, "list=prizes"), text.context["text"]):
        assert "No player can win a prize in this category." in shown
        assert "1. 70.00" not in shown
        assert "Provisional: the standings are not final yet." in shown


def test_an_older_round_can_be_printed_again(in_play: Tournament, desk: Client) -> None:
    assert "Round 1: pairings by board" in sheets_of(in_play, desk, "list=boards&round=1")


@pytest.mark.costly
def test_the_files_of_an_older_round_are_those_of_its_sheets(
    chief_arbiter: User, desk: Client
) -> None:
    played = factories.make_ready(chief_arbiter, players=6, rounds=4)
    factories.play_rounds(played, [1, 2], chief_arbiter)
    address = reverse("print-and-share", args=[played.slug])
    page = html.unescape(desk.get(f"{address}?round=1").content.decode())
    for name in ("standings", "crosstable"):
        assert f"{reverse(f'api:{name}-csv', args=[played.slug])}?after_round=1" in page
    assert reverse("api:pairings-csv", args=[played.slug, 1]) in page
    for more in ("", "&as=text", "&size=large"):
        assert f'{reverse("sheets", args=[played.slug])}?list=names&round=1{more}"' in page


@pytest.mark.costly
def test_all_sections_of_an_event_are_printed_at_once(
    in_play: Tournament, desk: Client, chief_arbiter: User
) -> None:
    event = Event.objects.create(
        name="Autumn Festival", slug="festival", created_by=chief_arbiter, created_at=factories.NOW
    )
    other = factories.make_ready(chief_arbiter, players=6, rounds=4, name="B Open")
    factories.pair_and_publish(other, 1, chief_arbiter)
    third = factories.make_ready(chief_arbiter, players=6, rounds=4, name="C Open")
    for label, tournament in zip("ABC", (in_play, other, third), strict=True):
        Section.objects.create(event=event, tournament=tournament, label=label)
    Appointment.objects.filter(tournament=third).delete()
    page = desk.get(reverse("event-desk", args=[event.slug])).content.decode()
    query = "list=boards&list=names&for=event"
    assert f"{reverse('sheets', args=[in_play.slug])}?{query}" in html.unescape(page)
    text = sheets_of(in_play, desk, query)
    heads = re.findall(r"Autumn Festival · (\w) Round (\d): pairings by (\w+)", text)
    assert heads == [
        (label, number, order)
        for label, number in (("A", "2"), ("B", "1"))
        for order in ("board", "name")
    ]


def test_the_slips_have_the_codes_of_their_tables(
    in_play: Tournament, desk: Client, chief_arbiter: User, settings: Settings
) -> None:
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "192.168.1.20"]
    codes = table_codes_make(
        tournament_id=in_play.pk, actor=chief_arbiter, now=factories.NOW, secret="drawn"
    )
    response = desk.get(f"{reverse('sheets', args=[in_play.slug])}?list=slips")
    assert response.content.decode().count('class="qr"') == 4
    assert code_of(codes, 1) != code_of(codes, 2)


@pytest.mark.costly
def test_the_posters_have_the_codes_of_the_round(
    in_play: Tournament, desk: Client, settings: Settings, chief_arbiter: User
) -> None:
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "192.168.1.20"]
    text = sheets_of(in_play, desk, "list=posters")
    assert "Round 2 All pairings of the round, without network" in text
    planned = factories.make_ready(chief_arbiter, players=6, name="B Open")
    factories.pair_only(planned, 1, chief_arbiter)
    assert "All pairings of the round" not in sheets_of(planned, desk, "list=posters")


def test_a_cut_pile_is_in_order() -> None:
    sheets = stack_cut(range(1, 32), 3)
    piles = [[sheet[place] for sheet in sheets if place < len(sheet)] for place in range(3)]
    assert [number for pile in piles for number in pile] == list(range(1, 32))


@pytest.mark.parametrize("name", ["slips", "check-in", "signatures", "receipts"])
def test_a_reader_gets_no_codes_and_no_phone_numbers(
    name: str, in_play: Tournament, client: Client, stranger: User
) -> None:
    Appointment.objects.create(
        tournament=in_play, person=stranger, role=Role.READER, since=factories.NOW
    )
    client.force_login(stranger)
    sheets_of(in_play, client, "list=boards")
    sheets_of(in_play, client, f"list={name}", status=404)
    page = client.get(reverse("print-and-share", args=[in_play.slug])).content.decode()
    assert f"list={name}" not in page


def test_an_unknown_list_is_not_found(in_play: Tournament, desk: Client) -> None:
    sheets_of(in_play, desk, "list=everything", status=404)


@pytest.mark.costly
def test_without_a_browser_the_sheets_say_so(
    in_play: Tournament, desk: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chromium.shutil, "which", lambda name: None)
    response = desk.get(f"{reverse('sheets', args=[in_play.slug])}?as=pdf&list=boards")
    assert response.status_code == 503
    assert "did not make the file" in response.content.decode()
    page = desk.get(reverse("print-and-share", args=[in_play.slug])).content.decode()
    assert "as=pdf" not in page
    assert "the server has no Chromium" in page


@pytest.mark.costly
def test_a_browser_that_fails_leaves_the_sheets(
    in_play: Tournament, desk: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chromium, "NAMES", ("false",))
    response = desk.get(f"{reverse('sheets', args=[in_play.slug])}?as=pdf&list=boards")
    assert response.status_code == 503


@pytest.mark.costly
def test_a_second_file_does_not_wait_for_a_slow_browser(
    in_play: Tournament, desk: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chromium, "browser", lambda: "false")
    monkeypatch.setattr(chromium, "WAIT", 0.01)
    monkeypatch.setattr(chromium, "_run", lambda *arguments: pytest.fail("two at once"))
    with chromium._one_at_a_time:
        response = desk.get(f"{reverse('sheets', args=[in_play.slug])}?as=pdf&list=boards")
    assert response.status_code == 503
    assert "did not make the file" in response.content.decode()


QUERIES = {
    "boards": 17,
    "names": 12,
    "slips": 13,
    "blank-slips": 7,
    "standings": 12,
    "crosstable": 14,
    "start-list": 10,
    "check-in": 16,
    "prizes": 11,
    "schedule": 9,
    "regulations": 10,
    "posters": 18,
    "wall-chart": 10,
    "place-cards": 10,
    "badges": 10,
    "table-numbers": 11,
    "signatures": 11,
    "receipts": 11,
    "certificates": 7,
    "it1": 14,
    "it3": 14,
    "it4": 16,
    "fa1": 14,
    "ia1": 14,
    "report": 23,
    "full-report": 23,
    "notice": 7,
}


@pytest.mark.costly
def test_a_long_list_needs_no_more_queries(desk: Client, chief_arbiter: User) -> None:
    found = {}
    for players in (10, 60):
        tournament = make_large(chief_arbiter, players=players, rounds=4, played=2)
        for name in KINDS:
            with CaptureQueriesContext(connection) as queries:
                sheets_of(tournament, desk, f"list={name}")
            found[name, players] = len(queries)
    assert {name: found[name, 10] for name in KINDS} == {name: found[name, 60] for name in KINDS}
    assert {name: found[name, 60] for name in KINDS if found[name, 60] > QUERIES[name]} == {}
