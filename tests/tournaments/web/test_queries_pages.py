"""List pages run the same number of queries for 1, 3 and 60 boards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, cast

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from pairing.rules.rounds import RoundState
from tests.conftest import forget_pages
from tests.tournaments import factories
from tournaments.core.frame import tournament_frame
from tournaments.models import (
    Decision,
    Entry,
    Game,
    PublishedList,
    RequestedBye,
    Round,
    Seat,
    Tournament,
)
from tournaments.reports.published_lists import list_now

LISTS = {
    "desk": 20,
    "find": 7,
    "keys": 5,
    "check-in": 10,
    "entries": 9,
    "points": 9,
    "numbers": 11,
    "round": 20,
    "round-player": 20,
    "round-board": 15,
    "round-floor": 12,
    "second-reading": 11,
    "reading-differences": 10,
    "round-why": 7,
    "players": 7,
    "pairings-public": 11,
    "standings": 10,
    "crosstable": 10,
    "crosstable-picture": 9,
    "player-page": 14,
    "progress": 7,
    "forecast": 4,
    "event-report": 15,
    "prizes": 5,
    "record": 8,
    "fingerprints": 6,
    "record-file": 5,
    "trf-export": 11,
    "tournament": 14,
    "final-standings": 13,
    "open-games": 6,
    "games-calendar": 7,
    "rounds-calendar": 7,
    "rating-reports": 21,
    "protests": 6,
    "protest": 6,
    "published-lists": 8,
    "published-list": 11,
}
"""The maximum number of queries per page.

Pages for arbiters include session, user and role; pages for visitors include the lookup in
the cache, and the question whether something was published meanwhile.
"""
FOR_ARBITERS = {
    "points",
    "round-why",
    "check-in",
    "event-report",
    "desk",
    "find",
    "keys",
    "entries",
    "numbers",
    "round",
    "round-player",
    "round-board",
    "round-floor",
    "second-reading",
    "reading-differences",
    "final-standings",
    "rating-reports",
    "protests",
    "protest",
}


def make_big(actor: User, boards: int) -> Tournament:
    """Save a tournament with two rounds of *boards* boards, one bye, and for each board a line of
    the record, a protest and a list as published.

    The rows are written straight into the tables: the lists do not depend on legal pairings.
    """
    tournament = factories.make_tournament(actor, rounds=2, name=f"Big {boards}")
    entries = Entry.objects.bulk_create(
        Entry(
            tournament=tournament,
            name=f"Player {n}",
            tpn=n,
            rating=2500 - n,
            created_at=factories.NOW,
        )
        for n in range(1, 2 * boards + 2)
    )
    RequestedBye.objects.bulk_create(
        RequestedBye(entry=entry, round_number=2, kind="H") for entry in entries[:boards]
    )
    for round_ in Round.objects.filter(tournament=tournament):
        games = Game.objects.bulk_create(
            Game(round=round_, board=n, result="10") for n in range(1, boards + 1)
        )
        Seat.objects.bulk_create(
            [
                Seat(round=round_, entry=entries[2 * i], game=game, colour="w")
                for i, game in enumerate(games)
            ]
            + [
                Seat(round=round_, entry=entries[2 * i + 1], game=game, colour="b")
                for i, game in enumerate(games)
            ]
            + [Seat(round=round_, entry=entries[-1], bye="U")]
        )
    Round.objects.filter(tournament=tournament, number=1).update(
        state=RoundState.RESULTS_PUBLISHED,
        published_at=factories.NOW,
        results_published_at=factories.NOW,
    )
    Round.objects.filter(tournament=tournament, number=2).update(
        state=RoundState.PAIRINGS_PUBLISHED, published_at=factories.NOW
    )
    common: dict[str, Any] = {
        "tournament": tournament,
        "actor": actor,
        "actor_name": "x",
        "at": factories.NOW,
    }
    lines = Decision.objects.bulk_create(
        Decision(sequence=1000 + n, action="entry.added", hash=f"{n}", **common)
        for n in range(boards)
    )
    made = {"by": "x", "at": factories.NOW.isoformat(), "subject": "x"}
    Decision.objects.bulk_create(
        Decision(
            sequence=2000 + n,
            action="protest.lodged",
            hash=f"p{n}",
            after={"protest": n, **made},
            **common,
        )
        for n in range(1, boards + 1)
    )
    content = cast(
        Mapping[str, object], list_now(tournament_frame(tournament, runs=False), "standings", 1)
    )
    listed = {"tournament": tournament, "kind": "standings", "round_number": 1, "content": content}
    PublishedList.objects.bulk_create(
        PublishedList(number=n, decision=line, **listed) for n, line in enumerate(lines, start=1)
    )
    Tournament.objects.filter(pk=tournament.pk).update(public_fingerprint=f"{boards - 1}")
    return tournament


def address(name: str, tournament: Tournament) -> str:
    numbered = {
        "round": 2,
        "round-floor": 2,
        "second-reading": 2,
        "reading-differences": 2,
        "round-why": 2,
        "pairings-public": 2,
        "protest": 1,
    }
    if name == "player-page":
        return factories.player_address(tournament, 2)
    if name == "round-player":
        return reverse(
            name,
            args=[
                tournament.slug,
                2,
                Entry.objects.filter(tournament=tournament).earliest("pk").pk,
            ],
        )
    if name == "round-board":
        return reverse(name, args=[tournament.slug, 2, 1])
    if name == "published-list":
        return reverse(
            name,
            args=[
                tournament.slug,
                PublishedList.objects.filter(tournament=tournament).latest("pk").pk,
            ],
        )
    return reverse(name, args=[tournament.slug, *([numbered[name]] if name in numbered else [])])


def count(ask: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as context:
        ask()
    return len(context)


@pytest.mark.costly
def test_queries_do_not_grow_with_the_list(client: Client, chief_arbiter: User) -> None:
    arbiter = Client()
    arbiter.force_login(chief_arbiter)
    counts: dict[str, list[int]] = {name: [] for name in LISTS}
    for boards in (1, 3, 60):
        tournament = make_big(chief_arbiter, boards)
        for name, counted in counts.items():
            ask = partial(
                (arbiter if name in FOR_ARBITERS else client).get, address(name, tournament)
            )
            assert ask().status_code == 200, name
            # The second request loads nothing for the first time, and the page is made again.
            forget_pages()
            counted.append(count(partial(ask, {"q": "player"})))
    growing = {name: counted for name, counted in counts.items() if len(set(counted)) > 1}
    too_many = {name: counted for name, counted in counts.items() if max(counted) > LISTS[name]}
    assert (growing, too_many) == ({}, {})


def test_the_home_page_is_rendered_with_seven_queries_and_sent_again_with_two(
    client: Client, chief_arbiter: User
) -> None:
    counts = {}
    for more in (1, 2):
        for n in range(more):
            factories.make_tournament(chief_arbiter, name=f"Event {more} {n}")
        Tournament.objects.filter(name__startswith="Event").update(listed=True)
        counts[more] = [count(lambda: client.get(reverse("home"))) for _ in range(2)]
    assert counts == {1: [7, 2], 2: [7, 2]}


@pytest.mark.costly
@pytest.mark.on_postgres("largest and smallest of joined rows")
def test_saving_a_result_takes_the_same_queries_in_a_big_round(
    client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    counts = {}
    for boards in (1, 3, 60):
        game = Game.objects.filter(
            round__tournament=make_big(chief_arbiter, boards), round__number=2
        ).first()
        assert game is not None
        url = reverse("game-result", args=[game.round.tournament.slug, game.pk])
        counts[boards] = count(
            lambda url=url: client.post(url, {"result": "==", "seen_version": "0"})
        )  # type: ignore[misc]
    # One of them asks whether a phone is to be notified of the result.
    assert counts[1] == counts[3] == counts[60] <= 15


@pytest.mark.costly
def test_the_lists_of_300_players_are_small_when_compressed(
    client: Client, chief_arbiter: User
) -> None:
    tournament = make_big(chief_arbiter, 150)
    client.force_login(chief_arbiter)
    for name in ("entries", "numbers", "round"):
        response = client.get(address(name, tournament), headers={"Accept-Encoding": "gzip"})
        assert response.headers["Content-Encoding"] == "gzip", name
        assert len(response.content) < 30_000, name
