"""The answer to a search is a page like others: it has the lines of the players who are found."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments import factories
from tournaments.entries.entries import entry_withdraw
from tournaments.events.sections import event_create
from tournaments.models import Tournament


def played(chief: User) -> Tournament:
    """Round 1 with results, round 2 in play."""
    tournament = factories.make_ready(chief, players=9)
    factories.play_rounds(tournament, [1], chief)
    factories.pair_and_publish(tournament, 2, chief)
    tournament.refresh_from_db()
    return tournament


def test_nothing_of_one_search_is_in_the_next_answer(client: Client, chief_arbiter: User) -> None:
    url = reverse("pairings-public", args=[played(chief_arbiter).slug, 2])
    client.get(url, {"q": "player planted"})
    assert "planted" not in client.get(url, {"q": "player other"}).content.decode()


@pytest.mark.costly
def test_a_new_state_is_found_at_once(client: Client, chief_arbiter: User) -> None:
    tournament = played(chief_arbiter)
    url = reverse("players", args=[tournament.slug])
    assert "withdrawn" not in client.get(url, {"q": "player 2"}).content.decode()
    entry_withdraw(
        entry_id=factories.entry_of(tournament, 2).pk, actor=chief_arbiter, now=factories.NOW
    )
    assert "withdrawn" in client.get(url, {"q": "player 2"}).content.decode()


@pytest.mark.costly
def test_an_answer_in_parts_has_its_pages(client: Client, chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter, players=202)
    url = reverse("players", args=[tournament.slug])
    pages = [client.get(url, {"q": "player", **page}).content for page in ({}, {"page": "2"})]
    assert [page.count(b'id="entry-') for page in pages] == [200, 2]
    assert client.get(url, {"q": "player 1", "page": "2"}).status_code == 404


@pytest.mark.costly
def test_every_list_says_which_of_several_names_is_not_found(
    client: Client, chief_arbiter: User
) -> None:
    tournament = played(chief_arbiter)
    event = event_create(
        tournament_id=tournament.pk,
        name="City Open",
        label="A",
        actor=chief_arbiter,
        now=factories.NOW,
    )
    first, second = (factories.entry_of(tournament, number).name for number in (1, 2))
    lists = [
        reverse("pairings-public", args=[tournament.slug, 2]),
        *(reverse(n, args=[tournament.slug]) for n in ("players", "standings", "follow", "me")),
        *(reverse(n, args=[event.slug]) for n in ("event", "event-me")),
    ]
    asked = {
        f"{first}; <Nobody>; {second}": True,
        f"{first}; {second}": False,
        "<Nobody>; <None>": False,  # no player matches at all
    }
    for typed, is_said in asked.items():
        for url in lists:
            page = client.get(url, {"q": typed}).content.decode()
            text = " ".join(re.sub(r"<[^>]+>", " ", page).split())
            assert ("Not found: &lt;nobody&gt;" in text) is is_said, (url, typed)
            assert ("No player matches" in text) is ("None" in typed), (url, typed)
