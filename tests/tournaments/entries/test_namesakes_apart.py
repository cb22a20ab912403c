"""Two players of one name get distinct names in the lists of arbiters, entered both,
and kept apart (UI3).
"""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments import factories
from tests.tournaments.factories import NOW
from tournaments.core.namesakes import disambiguate
from tournaments.entries.check_in import check_in_open
from tournaments.entries.entries import entry_add, entry_withdraw
from tournaments.lists.imports.comparing import compare
from tournaments.lists.imports.entry_lists import Choice, list_import
from tournaments.lists.imports.reading import read_list
from tournaments.models import Entry, Tournament
from tournaments.models.regulations import pairs_of

pytestmark = pytest.mark.django_db

NAME = "Ng, Xu"


@pytest.fixture
def small(chief_arbiter: User, client: Client) -> Tournament:
    client.force_login(chief_arbiter)
    tournament = factories.make_tournament(chief_arbiter)
    factories.make_entries(tournament, chief_arbiter, 4)
    return tournament


def add(tournament: Tournament, **fields: object) -> Entry:
    return entry_add(
        tournament_id=tournament.pk, actor=tournament.created_by, now=NOW, name=NAME, **fields
    )  # type: ignore[arg-type]


def apart(tournament: Tournament) -> list[str]:
    entries = list(Entry.objects.filter(tournament=tournament).order_by("pk"))
    disambiguate(entries)
    return [entry.apart for entry in entries if entry.apart]


@pytest.mark.parametrize(
    "first, second, words",
    [
        ({"birth_date": "1990/00/00"}, {"birth_date": "2011/00/00"}, ["born 1990", "born 2011"]),
        ({"fide_rating": 1800}, {"fide_rating": 1500}, ["rating 1800", "rating 1500"]),
        ({"club": "Rochade"}, {}, ["Rochade", ""]),
        ({"club": "A", "fide_rating": 1500}, {"club": "B", "fide_rating": 1500}, ["A", "B"]),
        ({}, {}, ["1 of 2 with this name", "2 of 2 with this name"]),
    ],
)
def test_only_what_is_needed_is_said(
    small: Tournament, first: dict[str, object], second: dict[str, object], words: list[str]
) -> None:
    add(small, **first)
    assert apart(small) == []
    add(small, **second)
    assert apart(small) == [each for each in words if each]
    for number, entry in enumerate(
        Entry.objects.filter(tournament=small, name=NAME).order_by("pk"), start=7
    ):
        Entry.objects.filter(pk=entry.pk).update(tpn=number)
    numbered = apart(small)
    assert [text.split(",")[0] for text in numbered] == ["No. 7", "No. 8"]


def test_everybody_reads_no_year_of_birth(small: Tournament) -> None:
    add(small, birth_date="1990/00/00", club="Rochade")
    add(small, birth_date="2011/00/00", club="Gambit")
    entries = list(Entry.objects.filter(tournament=small))
    disambiguate(entries, is_public=True)
    assert {entry.apart for entry in entries} == {"", "Rochade", "Gambit"}


@pytest.mark.costly
def test_every_list_of_arbiters_tells_them_apart(
    small: Tournament, client: Client, chief_arbiter: User
) -> None:
    add(small, birth_date="1990/00/00", fide_rating=1500)
    second = add(small, birth_date="2011/00/00", fide_rating=1500)
    check_in_open(tournament_id=small.pk, actor=chief_arbiter, now=NOW)
    lists = {
        "entries": reverse("entries", args=[small.slug]),
        "check-in": reverse("check-in", args=[small.slug]),
        "missing": reverse("round-missing", args=[small.slug, 1]),
        "keep apart": reverse("prohibited-pairs", args=[small.slug]),
    }
    for name, address in lists.items():
        text = client.get(address).content.decode()
        assert ("born 1990" in text, "born 2011" in text) == (True, True), name
    entry_withdraw(entry_id=second.pk, actor=chief_arbiter, now=NOW)
    page = client.get(reverse("round", args=[small.slug, 1])).content.decode()
    away = page.partition("Not playing in round 1")[2].partition("</section>")[0]
    assert "Ng, Xu (born 2011)" in away


@pytest.mark.costly
@pytest.mark.parametrize("typed", ["Ng, Xu (born 2011)", "ng, xu (born 2011)", "4100018"])
def test_one_of_them_is_kept_apart_from_a_third(
    small: Tournament, client: Client, typed: str
) -> None:
    add(small, birth_date="1990/00/00")
    wanted = add(small, birth_date="2011/00/00", fide_id=4100018)
    other = Entry.objects.filter(tournament=small).exclude(name=NAME).order_by("pk")[0]
    address = reverse("prohibited-pairs", args=[small.slug])
    page = client.post(address, {"by": "names", "name": [typed, other.name]})
    assert page.status_code == 200, page.content.decode()
    assert page.context["requested"] == [sorted([other.pk, wanted.pk])]
    both = client.post(address, {"by": "names", "name": [typed, "Ng, Xu (born 1990)"]})
    confirmed = {"confirmed": "yes", "was": both.context["was"]}
    one, two = both.context["requested"][0]
    assert (
        client.post(address, {**confirmed, "one": one, "other": two, "last": 0}).status_code == 302
    )
    assert pairs_of(small) == [[one, two]]
    assert "Ng, Xu (born 1990) – Ng, Xu (born 2011)" in client.get(address).content.decode()
    assert client.post(address, {"by": "names", "name": [NAME, other.name]}).status_code == 400


def test_the_form_says_who_is_entered_and_takes_the_second(
    small: Tournament, client: Client
) -> None:
    add(small, fide_rating=1500, club="Rochade")
    address = reverse("entry-add", args=[small.slug])
    answer = client.post(address, {"name": NAME, "club": "Gambit"})
    assert answer.status_code == 409
    assert "Already entered: Ng, Xu (rating 1500, Rochade)." in answer.content.decode()
    again = {"name": NAME, "club": "Gambit", "same": answer.context["same"]}
    assert client.post(address, again).status_code == 302
    assert Entry.objects.filter(tournament=small, name=NAME).count() == 2


LIST = "Name;Elo;Club\nNg, Xu;1500;Rochade\nNg, Xu;1800;Gambit\n"


@pytest.mark.costly
def test_a_list_with_both_finds_each_of_them_again(
    small: Tournament, client: Client, chief_arbiter: User
) -> None:
    """The second row waits and is entered; then the same list changes nobody,
    and a newer one one of them.
    """
    first = read_list(LIST)
    given = {"tournament_id": small.pk, "actor": chief_arbiter, "now": NOW}
    assert [len(compare(first, small).new), len(compare(first, small).doubtful)] == [1, 1]
    list_import(reading=first, choice=Choice(), **given)  # type: ignore[arg-type]
    waiting = small.waiting_entries.get()
    page = client.get(reverse("waiting", args=[small.slug]))
    fields = {
        f"row-{waiting.pk}-{name}": text
        for name, text in {**waiting.fields, "confirmed": "on"}.items()
    }
    small.refresh_from_db()
    form = {**fields, "shown": page.context["rows"][0].shown, "seen_line": small.version}
    assert (
        client.post(reverse("waiting-enter", args=[small.slug, waiting.pk]), form).status_code
        == 302
    )
    assert sorted(Entry.objects.filter(name=NAME).values_list("fide_rating", "club")) == [
        (1500, "Rochade"),
        (1800, "Gambit"),
    ]
    again = compare(first, small)
    assert (again.new, again.changed, again.doubtful, len(again.unchanged)) == ([], [], [], 2)
    turned = compare(read_list("Name;Elo;Club\nNg, Xu;1800;Gambit\nNg, Xu;1500;Rochade\n"), small)
    assert (turned.doubtful, len(turned.unchanged)) == ([], 2)
    third = compare(read_list(LIST + "Ng, Xu;1200;Tempo\n"), small)
    assert (len(third.doubtful), len(third.unchanged)) == (1, 2)
    assert re.search("1200", str(third.doubtful[0].values))
