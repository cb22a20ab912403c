"""Players with equal names are shown with their numbers (TPN),
also where a narrow list leaves numbers out.
"""

from __future__ import annotations

import re
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments import factories
from tournaments.entries.entries import entry_add, numbers_assign
from tournaments.events.sections import event_create, section_add
from tournaments.models import Tournament
from tournaments.standings.forecasts import forecast_make

TWO = {2: "Ng, Xu", 5: "NG,  Xù"}
"""Equal names, written in two ways."""


def call_alike(tournament: Tournament) -> None:
    for tpn, name in TWO.items():
        tournament.entries.filter(tpn=tpn).update(name=name)


@pytest.fixture
@factories.cached
def alike(chief_arbiter: User) -> Tournament:
    """Round 1 with results, round 2 published."""
    tournament = factories.make_ready(chief_arbiter, players=8)
    call_alike(tournament)
    factories.play_rounds(tournament, [1], chief_arbiter)
    factories.pair_and_publish(tournament, 2, chief_arbiter)
    tournament.refresh_from_db()
    return tournament


def shown(client: Client, address: str, **query: str) -> str:
    """Return the words of the page at *address*;
    ``[2]`` is a number that lists of all widths have.
    """
    text = client.get(address, query).content.decode().partition("<main")[2]
    marked = re.sub(r'<span class="tpn needed[^"]*">(\d+)</span>', r"[\1]", text)
    return " ".join(re.sub(r"<[^>]*>", " ", marked).split())


def needed(text: str) -> set[int]:
    return {int(number) for number in re.findall(r"\[(\d+)\]", text)}


def opponent_of(tournament: Tournament, number: int, tpn: int) -> int:
    boards = factories.boards(tournament, number)
    return next(
        black if white == tpn else white for white, black, _ in boards if tpn in (white, black)
    )


def test_every_list_has_the_numbers_of_namesakes_and_of_nobody_else(
    alike: Tournament, client: Client
) -> None:
    pairings, standings, crosstable = (
        reverse(name, args=[alike.slug, *more])
        for name, *more in (("pairings-public", 2), ("standings",), ("crosstable",))
    )
    pages = {
        "by board": shown(client, pairings),
        "by name": shown(client, pairings, order="name"),
        "found": shown(client, pairings, q="ng"),
        "found by name": shown(client, pairings, order="name", q="ng"),
        "standings": shown(client, standings),
        "found in the standings": shown(client, standings, q="ng"),
        "crosstable": shown(client, crosstable),
    }
    for name, text in pages.items():
        assert needed(text) == set(TWO), name
        assert "[2] Ng, Xu" in text, name
        assert "[5] NG, Xù" in text, name
    # Once in the own row, once as an opponent.
    assert [pages["by name"].count(f"[{tpn}]") for tpn in TWO] == [2, 2]
    # By number the rows of the crosstable have it already.
    assert needed(shown(client, crosstable, order="tpn")) == set()


@pytest.mark.costly
def test_an_opponent_is_named_with_the_number(alike: Tournament, client: Client) -> None:
    before, next_one = opponent_of(alike, 1, 2), opponent_of(alike, 2, 2)
    assert "against [2] Ng, Xu" in shown(client, factories.player_address(alike, next_one))
    assert re.search(
        r"(White|Black) \[2\] Ng, Xu", shown(client, factories.player_address(alike, before))
    )
    assert " 2 Ng, Xu" in shown(
        client, factories.player_address(alike, before, after=1)
    )  # parts of a tie-break
    for name in ("crosstable", "crosstable-picture"):
        drawn = client.get(reverse(name, args=[alike.slug])).content.decode()
        assert re.search(r'(against|,) 2 Ng, Xu["\W]', drawn), name


@pytest.mark.costly
def test_no_page_has_the_number_of_a_namesake_of_another_tournament(
    alike: Tournament, client: Client, chief_arbiter: User
) -> None:
    other = factories.make_ready(chief_arbiter, players=4, name="Second")
    other.entries.filter(tpn=1).update(name=TWO[2])
    factories.play_rounds(other, [1], chief_arbiter)
    assert needed(shown(client, reverse("standings", args=[other.slug]))) == set()


def test_the_searches_of_an_event_tell_them_apart(client: Client, chief_arbiter: User) -> None:
    by = {"actor": chief_arbiter, "now": factories.NOW}
    first = factories.make_ready(chief_arbiter, players=6)
    call_alike(first)
    event = event_create(tournament_id=first.pk, name="City Open", label="A", **by)
    second = section_add(event_id=event.pk, like_id=first.pk, label="B", limits={}, **by)
    entry_add(tournament_id=second.pk, name=TWO[2], **by)
    numbers_assign(tournament_id=second.pk, **by)
    assert "[2] Ng, Xu A [5] NG, Xù A" in shown(client, reverse("event", args=[event.slug]), q="ng")
    client.force_login(chief_arbiter)
    text = shown(client, reverse("event-find", args=[event.slug]), q="ng")
    assert ("A · No. 2" in text, "A · No. 5" in text, "B · No. 1" in text) == (True, True, False)
    verbs = shown(client, reverse("event-find", args=[event.slug]), q="bye ng")
    assert ("A · No. 2" in verbs, "A · No. 5" in verbs, "B · No. 1" in verbs) == (True, True, False)


@pytest.mark.costly
def test_a_forecast_tells_them_apart(client: Client, chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter, players=6, rounds=3, forecast_public=True)
    call_alike(tournament)
    factories.play_rounds(tournament, [1], chief_arbiter)

    def clock() -> datetime:
        return factories.NOW

    assert forecast_make(tournament.pk, clock, most=2)
    assert needed(shown(client, reverse("forecast", args=[tournament.slug]))) == set(TWO)
