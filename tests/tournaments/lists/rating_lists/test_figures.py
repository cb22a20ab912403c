"""K, games and the title of women come from the list of the start, and stay as they were then."""

from __future__ import annotations

from datetime import date, datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.pair import round_pair
from tests.tournaments import factories
from tournaments.desk.undo import action_undo
from tournaments.lists.imports.entry_lists import entries_import
from tournaments.lists.imports.reading import read_list
from tournaments.lists.rating_lists.comparing import Difference, compare, refresh
from tournaments.lists.rating_lists.search import search_lists
from tournaments.models import Decision, Entry, Tournament
from tournaments.reports.record_against_tables import differences
from tournaments.setup.tournaments import tournament_update

from .conftest import Load
from .test_fide_formats import COMBINED

pytestmark = pytest.mark.on_postgres("many rows in one statement")

FIGURES = ("fide_rating", "women_title", "k_factor", "list_games", "rating_list")
BY_RATE = {
    "standard": (2410, "WGM", 10, 9, "FIDE 2026-11"),
    "rapid": (2380, "WGM", 10, None, "FIDE 2026-11 rapid"),
    "blitz": (2290, "WGM", 20, 12, "FIDE 2026-11 blitz"),
}
LATER = COMBINED.replace("2410  9   10 ", "2389  4   20 ")
"""The list of a later month: another rating, K and number of games."""
DECEMBER = datetime(2026, 12, 5, tzinfo=factories.NOW.tzinfo)


def figures(entry: Entry) -> tuple[object, ...]:
    return tuple(getattr(entry, name) for name in FIGURES)


def offered(event: Tournament) -> list[Difference]:
    """Return the differences of the player with a FIDE ID."""
    return [each for one in compare(event).different if not one.by_name for each in one.differences]


def compared(event: Tournament) -> dict[str, object]:
    return {each.field: each.new for each in offered(event)}


def take(event: Tournament, actor: User, *fields: str, reason: str = "") -> None:
    keys = {each.key for each in offered(event) if each.field in fields}
    refresh(tournament_id=event.pk, actor=actor, now=factories.NOW, keys=keys, reason=reason)


@pytest.fixture
def event(load: Load, ready: Tournament, chief_arbiter: User) -> Tournament:
    """Eight players with numbers, the first in FIDE's list."""
    load(COMBINED.encode())
    Entry.objects.filter(tournament=ready, tpn=1).update(fide_id=2000016)
    tournament_update(
        tournament_id=ready.pk,
        actor=chief_arbiter,
        now=factories.NOW,
        start_date=date(2026, 11, 14),
    )
    ready.refresh_from_db()
    return ready


@pytest.mark.parametrize("rate", BY_RATE)
def test_b02_8_3_3_a_hit_has_k_and_games_of_the_rate_of_play(
    rate: str, load: Load, chief_arbiter: User
) -> None:
    load(COMBINED.encode())
    event = factories.make_tournament(chief_arbiter, rate_of_play=rate)
    (hit,) = search_lists(event, "abara")
    assert tuple(hit.values.get(name) for name in FIGURES) == BY_RATE[rate]


@pytest.mark.costly
def test_the_form_of_a_player_is_filled_and_saved_with_them(
    client: Client, load: Load, tournament: Tournament, chief_arbiter: User
) -> None:
    load(COMBINED.encode())
    client.force_login(chief_arbiter)
    url = reverse("entry-add", args=[tournament.slug])
    (hit,) = search_lists(tournament, "abara")
    form = client.post(url, {"name": "Abara", "listed": hit.key}).context["form"]
    sent = {name: form[name].value() or "" for name in form.fields if name != "initials"}
    assert client.post(url, sent).status_code == 302
    entry = Entry.objects.get(tournament=tournament, fide_id=2000016)
    assert (entry.title, figures(entry)) == ("IM", BY_RATE["standard"])
    assert [*differences(tournament)] == []


def test_a_comparison_takes_them_over_and_an_undo_restores_them(
    event: Tournament, chief_arbiter: User
) -> None:
    before = factories.entry_of(event, 1)
    assert compared(event) == {
        "fide_rating": 2410, "title": "IM", "women_title": "WGM", "k_factor": 10, "birth_date": "1990/00/00",
        "sex": "w",
    }  # fmt: skip
    take(event, chief_arbiter, "fide_rating", "k_factor", "women_title")
    assert figures(factories.entry_of(event, 1)) == BY_RATE["standard"]
    event.refresh_from_db()
    action_undo(
        tournament_id=event.pk, sequence=event.version, actor=chief_arbiter, now=factories.NOW
    )
    assert figures(factories.entry_of(event, 1)) == figures(before)


@pytest.mark.costly
def test_b01_1_4_6_a_later_list_does_not_change_those_of_the_start(
    event: Tournament, load: Load, chief_arbiter: User
) -> None:
    take(event, chief_arbiter, "fide_rating", "k_factor", "women_title")
    started = figures(factories.entry_of(event, 1))
    round_pair(round_id=factories.round_of(event, 1).pk, actor=chief_arbiter, now=factories.NOW)
    load(LATER.encode(), now=DECEMBER, month=date(2026, 12, 1))
    event.refresh_from_db()
    assert "k_factor" not in compared(event)
    assert figures(factories.entry_of(event, 1)) == started


@pytest.mark.costly
def test_until_the_start_a_newer_list_counts_and_afterwards_a_mistake_is_corrected_from_the_list_of_the_start(
    event: Tournament, load: Load, chief_arbiter: User
) -> None:
    take(event, chief_arbiter, "k_factor")
    load(LATER.encode(), now=DECEMBER, month=date(2026, 11, 1))
    assert compared(event)["k_factor"] == 20
    round_pair(round_id=factories.round_of(event, 1).pk, actor=chief_arbiter, now=factories.NOW)
    event.refresh_from_db()
    take(event, chief_arbiter, "k_factor", reason="wrong list")
    assert factories.entry_of(event, 1).k_factor == 20
    assert Decision.objects.filter(tournament=event).latest("sequence").after["k_factor"] == 20


def test_own_columns_of_a_list_of_players(
    client: Client, tournament: Tournament, chief_arbiter: User
) -> None:
    text = "Name;Title;WTit;K;Rated games;Rating list\nAbara, Player 1;IM;WGM;10;9;FIDE 2026-11\n"
    reading = read_list(text + "Blomqvist, Player 2;;;;;\n")
    assert reading.doubtful == []
    entries_import(
        tournament_id=tournament.pk, actor=chief_arbiter, now=factories.NOW, rows=reading.rows
    )
    first, second = Entry.objects.filter(tournament=tournament).order_by("name")
    assert figures(first)[1:] == BY_RATE["standard"][1:]
    assert figures(second) == (None, "", None, None, "")
    shown = client.get(f"/api/v1/tournaments/{tournament.slug}/entries/").json()
    rows = shown["results"] if isinstance(shown, dict) else shown
    assert {row["name"]: (row["women_title"], row["k_factor"], row["rating_list"]) for row in rows} == {
        "Abara, Player 1": ("WGM", 10, "FIDE 2026-11"), "Blomqvist, Player 2": (None, None, ""),
    }  # fmt: skip


@pytest.mark.parametrize("cells", ["Name;K\nA, B;Cadet\n", "Name;K\nA, B;1\n"])
def test_a_column_k_with_other_cells_is_not_read(cells: str) -> None:
    (row,) = read_list(cells).rows
    assert row.k_factor is None


@pytest.mark.parametrize("cells", ["Name;WTit\nA, B;GM\n", "Name;K factor\nA, B;41\n"])
def test_values_that_nobody_has_wait(cells: str) -> None:
    assert [row.problems[0].code for row in read_list(cells).doubtful] in (
        ["csv.title_unknown"],
        ["csv.number_range"],
    )
