"""Two players of one name are distinguished on the pages of an arbiter, and nobody else."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments import factories
from tests.tournaments.factories import NOW
from tournaments.core.namesakes import apart_of
from tournaments.entries.entries import entry_add
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db

YEARS = ("1968", "2009")


@pytest.fixture
def alike(chief_arbiter: User) -> Tournament:
    """A tournament without numbers: two players called Martin, and one other."""
    tournament = factories.make_tournament(chief_arbiter)
    players = [("Martin, Pierre", year) for year in YEARS] + [("Abara, Chidi", "1990")]
    for name, year in players:
        entry_add(
            tournament_id=tournament.pk,
            actor=chief_arbiter,
            now=NOW,
            name=name,
            birth_date=f"{year}/00/00",
            fide_rating=1610,
        )
    return tournament


@pytest.mark.costly
def test_the_lists_the_finder_and_the_pages_of_both_have_the_year_of_birth(
    alike: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    slug, shown = alike.slug, {}
    for name in ("entries", "check-in", "numbers", "prohibited-pairs"):
        text = client.get(reverse(name, args=[slug])).content.decode()
        shown[name] = [f"born {year}" in text for year in (*YEARS, "1990")]
    for typed in ("martin", "abara"):
        text = client.get(reverse("find", args=[slug]), {"q": typed}).content.decode()
        shown[typed] = [f"born {year}" in text for year in (*YEARS, "1990")]
    both = [True, True, False]
    assert shown.pop("abara") == [False, False, False]
    assert set(map(tuple, shown.values())) == {tuple(both)}, shown
    for entry in Entry.objects.filter(tournament=alike):
        year = entry.birth_date[:4]
        pages = (
            reverse("entry-edit", args=[slug, entry.pk]),
            reverse("round-player", args=[slug, 1, entry.pk]),
        )
        is_alike = year in YEARS
        for page in pages:
            assert (f"born {year}" in client.get(page).content.decode()) is is_alike, page
        assert apart_of(entry) == (f"born {year}" if is_alike else "")


def test_players_of_one_name_can_be_kept_apart(
    alike: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    url = reverse("prohibited-pairs", args=[alike.slug])
    text = client.get(url).content.decode()
    for year in YEARS:
        assert f"Martin, Pierre (born {year})" in text
