"""The question about missing players in a large event:
parts of 200 by name, each saved on its own.
"""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.attendance import attendance
from tests.tournaments import factories
from tests.tournaments.large import make_large
from tournaments.entries.check_in import check_in_open
from tournaments.models import Entry, Game, Round, Seat, Tournament

pytestmark = pytest.mark.django_db


def make_waiting(actor: User, *, players: int, missing: int) -> Tournament:
    """Make an event before round 1, with the check-in open and
    all but *missing* players present.
    """
    large = make_large(actor, players=players, rounds=3, played=0)
    Seat.objects.filter(round__tournament=large).delete()
    Game.objects.filter(round__tournament=large).delete()
    Round.objects.filter(tournament=large).update(
        state="planned", published_at=None, paired_at=None
    )
    Tournament.objects.filter(pk=large.pk).update(initial_colour="w")
    check_in_open(tournament_id=large.pk, actor=actor, now=factories.NOW)
    Entry.objects.filter(tournament=large, tpn__gt=missing).update(checked_in=True)
    large.refresh_from_db()
    return large


@pytest.fixture
@factories.cached
def large(chief_arbiter: User) -> Tournament:
    return make_waiting(chief_arbiter, players=410, missing=250)


@pytest.fixture(autouse=True)
def _logged_in(chief_arbiter: User, client: Client) -> None:
    client.force_login(chief_arbiter)


def url(tournament: Tournament) -> str:
    return reverse("round-missing", args=[tournament.slug, 1])


def names_on(page: str) -> list[int]:
    return [int(key) for key in re.findall(r'<li id="missing-(\d+)"', page)]


def form_of(page: str, button: str, answer: str = "skip") -> dict[str, str]:
    """Return what the form of *page* sends with *answer* for everybody."""
    fields = dict(
        re.findall(
            r'<input type="hidden" name="(entry-\d+|seen_\w+|confirmed)" value="([^"]*)"', page
        )
    )
    return {**fields, **{f"answer-{pk}": answer for pk in names_on(page)}, button: "yes"}


@pytest.mark.costly
def test_every_missing_player_is_in_one_part_by_name(large: Tournament, client: Client) -> None:
    everybody = [entry.pk for entry in attendance(large).not_there]
    parts = [
        names_on(client.get(f"{url(large)}?page={number}").content.decode()) for number in (1, 2)
    ]
    assert parts == [everybody[:200], everybody[200:]]
    assert names_on(client.get(f"{url(large)}?page=9").content.decode()) == parts[1]
    page = client.get(url(large)).content.decode()
    assert '<span class="badge">250</span>' in page
    assert "50 players who are not on this page have no answer yet." in page
    assert 'name="go_on"' in page
    assert 'name="pair"' not in page


@pytest.mark.costly
def test_each_part_is_saved_and_the_last_one_pairs(large: Tournament, client: Client) -> None:
    """The question whether so many shall be left out is asked once, in the first part,
    and about all parts.
    """
    first = client.get(url(large)).content.decode()
    answer = client.post(url(large), form_of(first, "go_on"))
    assert answer.status_code == 409
    assert "250 of 410 players would not be paired." in answer.content.decode()
    assert not attendance(large).skipped
    saved = client.post(url(large), form_of(answer.content.decode(), "go_on"))
    assert saved.headers["Location"] == f"{url(large)}?page=2&confirmed=yes"
    assert len(attendance(large).skipped) == 200
    second = client.get(saved.headers["Location"]).content.decode()
    assert "All players who are not on this page have an answer." in second
    assert 'name="go_on"' not in second
    paired = client.post(saved.headers["Location"], form_of(second, "pair"))
    assert paired.headers["Location"] == reverse("round", args=[large.slug, 1])
    assert (
        Seat.objects.filter(round__tournament=large, round__number=1, game__isnull=False).count()
        == 160
    )


@pytest.mark.costly
def test_the_next_part_begins_with_the_first_player_without_an_answer(
    large: Tournament, client: Client
) -> None:
    """Withdrawn players leave the list, so the others move up: no player is passed over."""
    everybody = [entry.pk for entry in attendance(large).not_there]
    first = client.get(url(large)).content.decode()
    sent = form_of(first, "go_on", "withdraw") | {"confirmed": "yes"}
    assert client.post(url(large), sent).headers["Location"] == f"{url(large)}?confirmed=yes"
    assert names_on(client.get(url(large)).content.decode()) == everybody[200:]


@pytest.mark.costly
def test_the_search_looks_through_all_parts(large: Tournament, client: Client) -> None:
    last = attendance(large).not_there[-1]
    page = client.get(url(large), {"q": last.name.split(", ")[1]}).content.decode()
    assert last.pk in names_on(page)
    assert len(names_on(page)) < 20
    assert "have no answer yet." in page
    assert (
        "No player matches your search." in client.get(url(large), {"q": "nobody"}).content.decode()
    )
    # A player not on the page stays without an answer.
    client.post(f"{url(large)}?q=x", form_of(page, "save", "coming") | {"confirmed": "yes"})
    assert len(attendance(large).coming) == len(names_on(page))


def test_200_missing_players_are_one_list(client: Client, chief_arbiter: User) -> None:
    small = make_waiting(chief_arbiter, players=300, missing=200)
    page = client.get(url(small)).content.decode()
    assert len(names_on(page)) == 200
    assert 'name="pair"' in page
    assert "Parts of the list" not in page
    assert "Show all" not in page
    assert 'id="q"' not in page
