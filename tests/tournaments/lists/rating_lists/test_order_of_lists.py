"""The order of the national lists: which one gives the rating of a player [C.04.2/2026 2.1]."""

from __future__ import annotations

import html
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.trf.writer import write
from tests.tournaments import factories
from tournaments.entries.entries import entry_add
from tournaments.lists.rating_lists.comparing import compare
from tournaments.lists.rating_lists.search import OpenLists
from tournaments.models import Tournament
from tournaments.reports.trf_export import trf_document

from .conftest import PLAYERS, Load, text_list

SWISS = (
    "Nr FFE;Nom;Prénom;Code FIDE;Elo;Rapide;Club;NeLe\n"
    "1;ABARA;Player 1;2000016;2222;2333;Bern;1990\n"
    "2;Blomqvist;Player 2;2000024;2250;;Bern;1988\n"
    "3;Noir;Zoé;;1700;;Bern;2001\n"
)
FRENCH = (
    "Nr FFE;Nom;Prénom;Code FIDE;Elo;Rapide;Club;NeLe\n"
    "A1;ABARA;Player 1;2000016;2431;;Lyon;1990\n"
    "A2;Blomqvist;Player 2;2000024;;;Lyon;1988\n"
    "A3;Noir;Zoé;;;;Lyon;2001\n"
)


@pytest.mark.costly
@pytest.mark.parametrize(
    "order, rate, ratings",
    [
        ("FRA SUI", "standard", [2431, 2250, 1700]),
        ("SUI FRA", "standard", [2222, 2250, 1700]),
        ("FRA", "standard", [2431, None, None]),
        ("", "standard", [2431, None, None]),
        # The first list gives its standard rating before the next one its rapid rating.
        ("FRA SUI", "rapid", [2431, 2250, 1700]),
        ("SUI FRA", "rapid", [2333, 2250, 1700]),
        ("GER SUI", "standard", [2222, 2250, 1700]),
    ],
)
def test_c04_2_2_1_the_first_list_with_a_rating_gives_it_and_the_next_fill_gaps(
    load: Load, chief_arbiter: User, order: str, rate: str, ratings: list[int | None]
) -> None:
    event = factories.make_tournament(
        chief_arbiter, federation="FRA", national_lists=order, rate_of_play=rate
    )
    load(text_list())
    load(FRENCH.encode(), "f.csv", federation="FRA")
    load(SWISS.encode(), "s.csv", federation="SUI")
    with OpenLists(event) as lists:
        found = lists.by_fide_ids([2000016, 2000024])
        listed = [found[2000016], found[2000024]]
        assert [each.national_rating for each in listed] == ratings[:2]
    # A new entry, and the comparison with those that are there, follow the same order.
    by = {"tournament_id": event.pk, "actor": chief_arbiter, "now": factories.NOW}
    entry_add(**by, name="Abara, Player 1", fide_id=2000016)
    entry_add(**by, name="Blomqvist, Player 2", fide_id=2000024)
    entry_add(**by, name="Noir, Zoé", birth_date="2001/00/00")
    new = {
        one.entry.name: each.new
        for one in compare(event).different
        for each in one.differences
        if each.field == "national_rating"
    }
    assert [
        new.get(name) for name in ("Abara, Player 1", "Blomqvist, Player 2", "Noir, Zoé")
    ] == ratings
    assert compare(event).not_loaded == (["GER"] if order == "GER SUI" else [])


@pytest.mark.costly
def test_a_player_without_fide_id_in_two_lists_of_the_order_is_one(
    load: Load, chief_arbiter: User
) -> None:
    event = factories.make_tournament(chief_arbiter, federation="FRA", national_lists="FRA SUI")
    load(text_list([*PLAYERS, (2000067, "Noir, Zoé", "FRA", "F", "", 1650, 0, 0, 2001)]))
    load(FRENCH.replace(";;;;Lyon;2001", ";;1555;;Lyon;2001").encode(), "f.csv", federation="FRA")
    load(SWISS.encode(), "s.csv", federation="SUI")
    with OpenLists(event) as lists:
        listed = lists.by_fide_ids([2000067])[2000067]
    assert (listed.fide_rating, listed.national_rating, listed.list_names) == (
        1650, 1555, "FIDE 2026-11; FRA 2026-11",
    )  # fmt: skip


@pytest.mark.parametrize(
    "order, namesake, rating",
    [
        # Two players of the list have that name and year: which one it is nobody knows.
        ("FRA", "A4;Noir;Zoé;;1999;;Nice;2001\n", None),
        ("FRA SUI", "A4;Noir;Zoé;;1999;;Nice;2001\n", 1700),
        ("FRA", "A4;Noir;Zoé;;1999;;Nice;2002\n", None),
        ("FRA SUI", "", 1700),
        # Without an order it can be anybody of several lists.
        ("", "", None),
    ],
)
def test_a_namesake_gives_nobody_a_rating(
    load: Load, chief_arbiter: User, order: str, namesake: str, rating: int | None
) -> None:
    event = factories.make_tournament(chief_arbiter, national_lists=order)
    load((FRENCH + namesake).encode(), "f.csv", federation="FRA")
    load(SWISS.encode(), "s.csv", federation="SUI")
    entry = entry_add(
        tournament_id=event.pk, actor=chief_arbiter, now=factories.NOW,
        name="Noir, Zoé", birth_date="2001/00/00",
    )  # fmt: skip
    found = [
        each.new
        for one in compare(event).different
        for each in one.differences
        if one.entry == entry and each.field == "national_rating"
    ]
    assert found == ([rating] if rating else [])


def test_the_report_names_the_federation_of_the_list(chief_arbiter: User) -> None:
    event = factories.make_ready(chief_arbiter, players=4)
    Tournament.objects.filter(pk=event.pk).update(federation="FRA", national_lists="FRA SUI")
    for tpn, name in enumerate(("FIDE 2026-11; SUI 2026-11", "FRA 2026-11", ""), start=1):
        listed = event.entries.filter(tpn=tpn)
        listed.update(national_rating=1700, rating_list=name)
    event.refresh_from_db()
    lines = write(trf_document(event, public=False)).splitlines()
    assert [line[:3] for line in lines if line[:3] in ("FRA", "SUI")] == ["SUI", "FRA", "FRA"]


@pytest.mark.costly
def test_the_form_accepts_codes_as_people_type_them(
    ready: Tournament, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    url = reverse("settings-ratings", args=[ready.slug])
    shown = re.search(r'name="shown" value="([^"]*)"', client.get(url).content.decode())
    assert shown
    sent = {"shown": html.unescape(shown[1]), "rate_of_play": "standard", "rating_method": "FIDON"}
    refused = client.post(url, sent | {"national_lists": "FIDE France"})
    assert refused.status_code == 422
    assert "three letters for each list" in refused.content.decode()
    client.post(url, sent | {"national_lists": "fra, sui;FRA"})
    ready.refresh_from_db()
    assert ready.national_lists == "FRA SUI"
