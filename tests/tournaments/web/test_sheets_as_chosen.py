"""Sheets of *Print & share* with chosen columns and in several languages."""

from __future__ import annotations

import html
import re

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import Settings

from tests.tournaments import factories
from tests.tournaments.large import make_large
from tournaments.core.frame import tournament_frame
from tournaments.models import Appointment, Eligible, Entry, Role, Tournament
from tournaments.standings.further_columns import COLUMNS
from tournaments.standings.player import player_page
from tournaments.standings.prize_plan import CategoryPlan, PrizePlan, replace_plan
from tournaments.web.printing.kinds import FOR_FIDE, KINDS
from tournaments.web.templatetags.fide_ratings import signed_hundredths

pytestmark = pytest.mark.django_db

ALL = "&".join(f"columns={column.name}" for column in COLUMNS)


@pytest.fixture
def played(chief_arbiter: User) -> Tournament:
    tournament = factories.make_ready(chief_arbiter, players=10, rounds=5)
    factories.play_rounds(tournament, [1, 2, 3], chief_arbiter)
    rated = Entry.objects.filter(tournament=tournament, tpn__lte=7)
    for entry in rated:
        entry.fide_rating = entry.rating
        entry.club = f"Club {entry.tpn} & sons"
        entry.save()
    return tournament


@pytest.fixture
def desk(client: Client, chief_arbiter: User) -> Client:
    client.force_login(chief_arbiter)
    return client


def page_of(tournament: Tournament, client: Client, query: str) -> str:
    response = client.get(f"{reverse('sheets', args=[tournament.slug])}?{query}")
    assert response.status_code == 200
    return response.content.decode()


def rows_of(page: str) -> list[list[str]]:
    """Return the texts of the cells of each row of the first table: first its heads."""
    table = re.sub(
        r"<tfoot>.*?</tfoot>", "", page.partition("<table")[2].partition("</table>")[0], flags=re.S
    )
    return [
        [html.unescape(" ".join(re.sub(r"<[^>]+>", "", cell).split())) for cell in cells]
        for cells in (
            re.findall(r"<t[hd]\b.*?>(.*?)</t[hd]>", row, re.S)
            for row in re.findall(r"<tr>(.*?)</tr>", table, re.S)
        )
    ]


def test_the_usual_columns_are_federation_and_rating(played: Tournament, desk: Client) -> None:
    heads, *lines = rows_of(page_of(played, desk, "list=standings"))
    assert heads[:5] == ["Rank", "Name", "Fed.", "Rating", "Points"]
    assert len(lines) == 10
    assert {len(line) for line in lines} == {len(heads)}


def test_nothing_chosen_leaves_rank_name_and_points(played: Tournament, desk: Client) -> None:
    heads, *_lines = rows_of(page_of(played, desk, "list=standings&columns=&columns=%3Cb%3E"))
    assert heads[:3] == ["Rank", "Name", "Points"]


def test_performance_and_change_are_those_of_the_players_page(
    played: Tournament, desk: Client
) -> None:
    frame = tournament_frame(played, runs=False)
    pages = [player_page(frame, entry.pk) for entry in Entry.objects.filter(tournament=played)]
    expected = {
        page.entry.name: (
            str(page.performance.rating) if page.performance else "",
            signed_hundredths(page.rating.change.change)
            if page.rating and page.rating.change
            else "",
        )
        for page in pages
        if page
    }
    assert len({change for _performance, change in expected.values()}) > 3
    for name in ("standings", "crosstable"):
        page = page_of(played, desk, f"list={name}&columns=performance&columns=change")
        heads, *lines = rows_of(page)
        first = heads.index("Perf.")
        assert heads[first + 1] == "Change"
        found = {line[1]: (line[first], line[first + 1]) for line in lines}
        assert found == expected


def test_the_category_is_that_of_the_prizes(played: Tournament, desk: Client) -> None:
    plan = PrizePlan(
        "",
        categories=(
            CategoryPlan("Main", Eligible.EVERYBODY, "", (100,)),
            CategoryPlan("Below & co", Eligible.CLUB, "Club 2 & sons", (50,)),
        ),
    )
    replace_plan(played, plan)
    heads, *lines = rows_of(page_of(played, desk, f"list=standings&{ALL}"))
    place, club = heads.index("Category"), heads.index("Club")
    assert {line[club]: line[place] for line in lines if line[place]} == {
        "Club 2 & sons": "Below & co"
    }


def test_a_reader_chooses_no_category(played: Tournament, client: Client, stranger: User) -> None:
    """It would show the age or the sex of players, which only arbiters read."""
    Appointment.objects.create(
        tournament=played, person=stranger, role=Role.READER, since=factories.NOW
    )
    client.force_login(stranger)
    heads, *_lines = rows_of(page_of(played, client, f"list=standings&{ALL}"))
    assert "Category" not in heads
    assert "Perf." in heads
    page = client.get(reverse("print-and-share", args=[played.slug])).content.decode()
    assert 'value="club"' in page
    assert 'value="category"' not in page


def test_many_columns_lie_across(played: Tournament, desk: Client) -> None:
    upright = "columns=federation&columns=rating&columns=performance&columns=change"
    for query, style in ((upright, "of-standings"), ("columns=club", "of-standings wide")):
        page = page_of(played, desk, f"list=standings&{query}")
        assert f'class="sheets {style}"' in page


@pytest.mark.costly
@pytest.mark.parametrize("name", KINDS)
def test_titles_and_heads_in_two_languages(
    name: str, played: Tournament, desk: Client, settings: Settings
) -> None:
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "192.168.1.20"]
    factories.pair_and_publish(played, 4, User.objects.get(pk=played.created_by_id))
    query = f"list={name}&notice=Tea"
    both = page_of(played, desk, f"{query}&language=fr&language=en&language=fr&language=xx")
    pairs = re.findall(
        r'<span lang="fr">(.*?)</span><span class="or"> / </span><span lang="en">(.*?)</span>',
        both,
    )
    assert pairs or name in (
        "place-cards",
        "badges",
        "table-numbers",
        "notice",
        "receipts",
        "certificates",
    )
    assert all(french != english for french, english in pairs)
    assert 'lang="fr">' in both.partition("<article")[2]
    french, english = (page_of(played, desk, f"{query}&language={code}") for code in ("fr", "en"))
    assert '<span lang="' not in french + english
    words = {
        "boards": ("Échiquier", "Board"),
        "standings": ("Place", "Rank"),
        "slips": ("Signature des Blancs", "Signature of White"),
        "posters": ("Mon échiquier", "My board"),
    }.get(name)
    if words:
        assert words in pairs
        assert words[0] in french
        assert words[1] in english


def test_equal_words_are_there_once(played: Tournament, desk: Client) -> None:
    heads, *_lines = rows_of(
        page_of(played, desk, "list=standings&columns=club&language=en&language=fr")
    )
    assert heads[:4] == ["Rank / Place", "Name / Nom", "Club", "Points"]


def test_the_choice_is_in_the_links_of_all_lists(played: Tournament, desk: Client) -> None:
    address = reverse("print-and-share", args=[played.slug])
    query = "columns=&columns=club&language=fr&language=en"
    page = html.unescape(desk.get(f"{address}?round=2&{query}").content.decode())
    sheets = reverse("sheets", args=[played.slug])
    chosen = "&language=fr&language=en"
    assert f'{sheets}?list=standings&round=2{chosen}&columns=&columns=club"' in page
    assert f'{sheets}?list=boards&round=2{chosen}"' in page
    assert f'{sheets}?list=boards&list=names&round=2{chosen}"' in page
    boxes = dict(re.findall(r'type="checkbox" name="\w+" value="(\w+)" (checked)?', page))
    assert [name for name, is_on in boxes.items() if is_on] == ["club", "en", "fr"]
    assert f'href="?round=1&{query}"' in page
    assert f'{sheets}?list=standings&round=3"' in desk.get(address).content.decode().replace(
        "&amp;", "&"
    )


@pytest.mark.costly
def test_chosen_columns_need_as_many_queries_for_many_players(
    desk: Client, chief_arbiter: User
) -> None:
    found = []
    for players in (10, 60):
        tournament = make_large(chief_arbiter, players=players, rounds=4, played=2)
        for name in ("standings", "crosstable"):
            with CaptureQueriesContext(connection) as queries:
                page_of(tournament, desk, f"list={name}&{ALL}")
            found.append(len(queries))
    assert found[:2] == found[2:]
    assert max(found) <= 17


@pytest.mark.costly
def test_reports_and_sheets_for_fide_need_as_many_queries_for_many_players(
    desk: Client, chief_arbiter: User
) -> None:
    query = "&".join(f"list={name}" for name in (*FOR_FIDE, "report", "full-report"))
    found = []
    for players in (10, 100):
        tournament = make_large(chief_arbiter, players=players, rounds=4, played=2)
        with CaptureQueriesContext(connection) as queries:
            page = page_of(tournament, desk, query)
        assert page.count("<article") == len(FOR_FIDE) + 2
        found.append(len(queries))
    assert found[0] == found[1]
