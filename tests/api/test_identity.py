"""Players keep their identity when pairing numbers move:
rows have the entry's id and FIDE ID, addresses the id.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from pairing.standings.prize_rules import Division
from tests.tournaments import factories
from tournaments.entries.entries import entry_add, entry_withdraw
from tournaments.models import Eligible, Entry, Tournament
from tournaments.standings.prize_plan import CategoryPlan, PrizePlan
from tournaments.standings.prizes import prizes_set

from .asking import get, read

FIDE_ID = 14_000_000


@pytest.fixture
@factories.cached
def over(chief_arbiter: User) -> Tournament:
    """Two rounds of seven players, both over, with prizes;
    made after a tournament with the same numbers.
    """
    factories.play_rounds(
        factories.make_ready(chief_arbiter, players=7, rounds=2), [1, 2], chief_arbiter
    )
    tournament = factories.make_ready(chief_arbiter, players=7, rounds=2, name="Spring Open")
    for entry in Entry.objects.filter(tournament=tournament):
        Entry.objects.filter(pk=entry.pk).update(fide_id=FIDE_ID + (entry.tpn or 0))
    plan = PrizePlan(
        "EUR", Division.EQUAL, True, (CategoryPlan("Main", Eligible.EVERYBODY, "", (300, 200)),)
    )
    prizes_set(tournament_id=tournament.pk, actor=chief_arbiter, now=factories.NOW, plan=plan)
    stays_away = entry_of_last(tournament)
    entry_withdraw(entry_id=stays_away.pk, actor=chief_arbiter, now=factories.NOW, from_round=2)
    factories.play_rounds(
        tournament, [1], chief_arbiter, lambda board, white, black: "+-" if board == 1 else "10"
    )
    factories.play_rounds(tournament, [2], chief_arbiter)
    return tournament


def entry_of_last(tournament: Tournament) -> Entry:
    return factories.entry_of(tournament, 7)


def persons(body: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every object in *body* that names a player, with its place."""
    if isinstance(body, dict):
        if "name" in body and "tpn" in body:
            yield str(sorted(body)), body
        for value in body.values():
            yield from persons(value)
    elif isinstance(body, list):
        for value in body:
            yield from persons(value)


ROWS = ["entries/", "standings/", "crosstable/", "prizes/", "rounds/1/pairings/", "report/"]


@pytest.mark.parametrize("rest", ROWS)
def test_every_row_about_a_player_has_the_ids(
    rest: str, over: Tournament, logged_in: Callable[[User], Client], chief_arbiter: User
) -> None:
    found = list(persons(read(logged_in(chief_arbiter), f"tournaments/{over.slug}/{rest}")))
    assert found
    for where, row in found:
        entry = Entry.objects.get(tournament=over, pk=row["id"])
        assert (row["tpn"], row["name"], row["fide_id"]) == (
            entry.tpn,
            entry.name,
            FIDE_ID + (entry.tpn or 0),
        ), where


@pytest.mark.parametrize("rest", ROWS)
def test_every_row_of_a_spreadsheet_has_the_ids(
    rest: str, over: Tournament, logged_in: Callable[[User], Client], chief_arbiter: User
) -> None:
    response: HttpResponse = get(logged_in(chief_arbiter), f"tournaments/{over.slug}/{rest}csv/")
    rows = list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))
    seen = 0
    for row in rows:
        for side in ("", "white_", "black_"):
            if row.get(f"{side}id"):
                entry = Entry.objects.get(tournament=over, pk=row[f"{side}id"])
                assert (row[f"{side}name"], row[f"{side}fide_id"]) == (
                    entry.name,
                    str(entry.fide_id),
                )
                seen += 1
    assert seen


def test_an_opponent_and_a_forfeit_name_entries(
    over: Tournament, logged_in: Callable[[User], Client], chief_arbiter: User
) -> None:
    pk_of = {entry.tpn: entry.pk for entry in Entry.objects.filter(tournament=over)}
    for player in read(Client(), f"tournaments/{over.slug}/crosstable/")["players"]:
        for cell in player["rounds"]:
            assert cell["opponent_id"] == (pk_of[cell["opponent"]] if cell["opponent"] else None)
    (forfeit,) = read(logged_in(chief_arbiter), f"tournaments/{over.slug}/report/")["forfeits"]
    for side in ("white", "black"):
        entry = Entry.objects.get(tournament=over, pk=forfeit[f"{side}_id"])
        assert (forfeit[side], forfeit[f"{side}_fide_id"]) == (entry.name, entry.fide_id)


@pytest.mark.costly
def test_c04_2_2_4_the_address_of_a_player_stays_when_a_late_entry_moves_the_numbers(
    client: Client, chief_arbiter: User
) -> None:
    factories.make_ready(chief_arbiter)
    tournament = factories.make_ready(chief_arbiter, name="Spring Open")
    factories.play_rounds(tournament, [1], chief_arbiter)
    first = factories.entry_of(tournament, 1)
    addresses = [
        factories.player_address(tournament, 1),
        factories.player_address(tournament, 1, after=1),
    ]
    entry_add(
        tournament_id=tournament.pk,
        actor=chief_arbiter,
        now=factories.NOW,
        name="Late, Strong",
        fide_rating=2900,
    )
    first.refresh_from_db()
    assert first.tpn == 2
    for address in addresses:
        page = client.get(address).content.decode()
        assert first.name in page
        assert "Late, Strong" not in page
    row = next(
        row
        for row in read(client, f"tournaments/{tournament.slug}/standings/")["standings"]
        if row["tpn"] == 2
    )
    assert (row["id"], row["name"]) == (first.pk, first.name)


@pytest.mark.costly
@pytest.mark.parametrize("number", [1, 2, 99])
def test_an_address_with_a_former_number_shows_no_player(
    number: int, over: Tournament, client: Client
) -> None:
    for old, to in (
        (f"players/{number}/", reverse("players", args=[over.slug])),
        (f"standings/1/{number}/", reverse("standings-after", args=[over.slug, 1])),
    ):
        response = client.get(f"/t/{over.slug}/{old}")
        assert (response.status_code, response.headers["Location"]) == (301, to)
        assert response.content == b""
        assert client.post(f"/t/{over.slug}/{old}").status_code == 405


@pytest.mark.costly
def test_a_player_of_another_tournament_has_no_page_in_this_one(
    over: Tournament, client: Client
) -> None:
    for entry in Entry.objects.exclude(tournament=over):
        for name, args in (("player-page", [entry.pk]), ("player-standing", [1, entry.pk])):
            assert client.get(reverse(name, args=[over.slug, *args])).status_code == 404
