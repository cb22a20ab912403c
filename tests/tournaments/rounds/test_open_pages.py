"""A page that stays open on a phone shows what is new, and where the next round is."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.publish import results_publish
from tests.tournaments import factories
from tests.tournaments.markup import tidy
from tournaments.models import Tournament

HTMX = {"HX-Request": "true"}


@pytest.fixture
@factories.cached
def event(chief_arbiter: User) -> Tournament:
    """Round 1 published; beside it an event with the same numbers at a later point."""
    neighbour = factories.make_ready(chief_arbiter, players=4, rounds=3, name="Beside")
    factories.play_rounds(neighbour, [1, 2, 3], chief_arbiter, factories.white_wins)
    tournament = factories.make_ready(chief_arbiter, rounds=3)
    factories.pair_and_publish(tournament, 1, chief_arbiter)
    return tournament


class Phone:
    """An open page that polls for news."""

    def __init__(self, url: str) -> None:
        self.client = Client()
        self.text = self.client.get(url).content.decode()

    def poll(self) -> str | None:
        """Return the news, or None without news; the page then polls with its new version."""
        address = re.search(r'hx-get="([^"]+)"', self.text)
        assert address is not None
        answer = self.client.get(address[1].replace("&amp;", "&"), headers=HTMX)
        if answer.status_code == 204:
            return None
        assert answer.status_code == 200
        self.text = answer.content.decode()
        return self.text


def finish(event: Tournament, number: int, actor: User) -> None:
    factories.enter_results(event, number, actor)
    results_publish(round_id=factories.round_of(event, number).pk, actor=actor, now=factories.NOW)


@pytest.mark.costly
@pytest.mark.parametrize("query", ["", "?order=name", "?q=abara"])
def test_the_pairings_of_a_round_link_to_the_next_round(
    event: Tournament, chief_arbiter: User, query: str
) -> None:
    phone = Phone(reverse("pairings-public", args=[event.slug, 1]) + query)
    second = reverse("pairings-public", args=[event.slug, 2])
    assert second not in phone.text
    assert phone.poll() is None
    finish(event, 1, chief_arbiter)
    news = phone.poll()
    assert news is not None
    assert "results published" in news
    assert second not in news
    factories.pair_and_publish(event, 2, chief_arbiter)
    news = phone.poll()
    assert news is not None
    live, *around = re.split(r'(?=<(?:nav|div) id="[a-z-]+")', news)[1:]
    assert f'<a class="alone" href="{second}{query}">Pairings of round 2</a>' in tidy(live)
    for place in ("published-rounds", "event-tabs"):
        (found,) = [part for part in around if f'id="{place}"' in part]
        assert 'hx-swap-oob="true"' in found
        assert f'href="{second}' in found
    assert phone.poll() is None


@pytest.mark.costly
def test_the_card_of_a_player_shows_the_next_board(event: Tournament, chief_arbiter: User) -> None:
    phone = Phone(factories.player_address(event, 1))
    assert "Board 1" in phone.text
    assert phone.poll() is None
    finish(event, 1, chief_arbiter)
    news = phone.poll()
    assert news is not None
    assert "After round 1: rank" in news
    assert 'aria-label="Next board"' not in news
    factories.pair_and_publish(event, 2, chief_arbiter)
    news = phone.poll()
    assert news is not None
    assert 'aria-label="Next board"' in news
    assert "<p>Round 2</p>" in news
    assert phone.poll() is None


@pytest.mark.costly
def test_the_standings_follow_the_rounds(event: Tournament, chief_arbiter: User) -> None:
    phone = Phone(reverse("standings", args=[event.slug]))
    assert "The standings are available after" in phone.text
    finish(event, 1, chief_arbiter)
    news = phone.poll()
    assert news is not None
    assert "<h1>Standings after round 1</h1>" in tidy(news)
    assert (
        reverse("standings-after", args=[event.slug, 1])
        in news.partition('id="finished-rounds"')[2]
    )
    factories.play_rounds(event, [2], chief_arbiter)
    after_first = Phone(reverse("standings-after", args=[event.slug, 1]))
    assert (
        f'<a class="alone" href="{reverse("standings", args=[event.slug])}">Standings after round 2</a>'
        in tidy(after_first.text)
    )


def test_the_list_of_players_follows_new_entries(event: Tournament, chief_arbiter: User) -> None:
    phone = Phone(reverse("players", args=[event.slug]))
    factories.make_entries(event, chief_arbiter, 1)
    news = phone.poll()
    assert news is not None
    assert '<h1>Players <span class="badge">9</span></h1>' in news
