"""Every read runs the same number of queries for 1, 3 and 60 items."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from pairing.rules.rounds import RoundState
from tests.tournaments import factories
from tournaments.core import record
from tournaments.models import Entry, Game, Round, Seat, Tournament

from .asking import get, read

COUNTS = (1, 3, 60)


def event(chief: User, boards: int) -> Tournament:
    """Make a tournament of one declared round with that many boards, byes and actions;
    every result is 1-0.
    """
    tournament = factories.make_tournament(chief, rounds=1, name=f"Event of {boards}")
    entries = Entry.objects.bulk_create(
        Entry(tournament=tournament, name=f"Player {n}", tpn=n, created_at=factories.NOW)
        for n in range(1, 3 * boards + 1)
    )
    round_ = factories.round_of(tournament, 1)
    Round.objects.filter(pk=round_.pk).update(
        state=RoundState.RESULTS_PUBLISHED,
        published_at=factories.NOW,
        results_published_at=factories.NOW,
    )
    games = Game.objects.bulk_create(
        Game(round=round_, board=n, result="10") for n in range(1, boards + 1)
    )
    whites, blacks, absent = entries[:boards], entries[boards : 2 * boards], entries[2 * boards :]
    seats = [
        Seat(round=round_, entry=entry, game=game, colour=colour)
        for colour, side in (("w", whites), ("b", blacks))
        for entry, game in zip(side, games, strict=True)
    ]
    Seat.objects.bulk_create(
        [*seats, *(Seat(round=round_, entry=entry, bye="Z") for entry in absent)]
    )
    for _ in range(boards):
        record.append(tournament=tournament, action="test.action", actor=chief, now=factories.NOW)
    return tournament


def queries(client: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert get(client, address).status_code == 200
    return len(captured)


@pytest.mark.costly
@pytest.mark.parametrize(
    "rest, expected",
    [
        ("", 5),
        ("entries/?page_size=500", 5),
        ("rounds/", 4),
        ("rounds/1/", 5),
        ("rounds/1/pairings/", 8),
        ("standings/", 10),
        ("crosstable/", 8),
        ("crosstable/csv/", 9),
        ("trf/", 11),
        ("record/?page_size=500", 5),
    ],
)
def test_queries_do_not_grow_with_the_tournament(
    rest: str, expected: int, client: Client, chief_arbiter: User
) -> None:
    tournaments = [event(chief_arbiter, boards) for boards in COUNTS]
    queries_of = [
        queries(client, f"tournaments/{tournament.slug}/{rest}") for tournament in tournaments
    ]
    assert queries_of == [expected] * len(COUNTS)


def test_queries_do_not_grow_with_the_number_of_rounds(client: Client, chief_arbiter: User) -> None:
    tournaments = [factories.make_tournament(chief_arbiter, rounds=rounds) for rounds in (1, 3, 99)]
    queries_of = [
        queries(client, f"tournaments/{tournament.slug}/rounds/") for tournament in tournaments
    ]
    assert queries_of == [4] * 3


def test_queries_do_not_grow_with_the_number_of_tournaments(
    client: Client, chief_arbiter: User
) -> None:
    queries_of = []
    for count in COUNTS:
        Tournament.objects.bulk_create(
            Tournament(
                slug=f"t{n}",
                name=f"T{n}",
                total_rounds=5,
                created_by=chief_arbiter,
                created_at=factories.NOW,
                listed=True,
            )
            for n in range(Tournament.objects.filter(listed=True).count(), count)
        )
        assert read(client, "tournaments/")["count"] == count
        queries_of.append(queries(client, "tournaments/?page_size=500"))
    assert queries_of == [2] * len(COUNTS)


def test_an_account_takes_one_more_queries(
    client: Client, logged_in: Callable[[User], Client], chief_arbiter: User
) -> None:
    """The session, the user and the role; what visitors get is kept,
    and that asks for the state twice.
    """
    tournament = event(chief_arbiter, 1)
    address = f"tournaments/{tournament.slug}/rounds/1/pairings/"
    assert queries(logged_in(chief_arbiter), address) == queries(client, address) + 1
