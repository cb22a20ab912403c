"""A large event for tests of pages and their cost: its rows are written at once,
without engine and without actions.
"""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Final

from django.contrib.auth.models import User

from pairing.rules.rounds import RoundState
from tournaments.models import ByeKind, Entry, Game, Round, Seat, Tournament

from .factories import NOW, SURNAMES, make_tournament

RESULTS: Final = {"10": (10, 0), "==": (5, 5), "01": (0, 10)}


def make_large(actor: User, *, players: int, rounds: int = 9, played: int = 8) -> Tournament:
    """Make an event of *players* with the results of *played* rounds published,
    and the pairings of the next one.

    The boards of a round are neighbours by points, and results are drawn from a fixed seed: nobody
    checks whether two players meet twice. The record has only the line of the new tournament.
    """
    chance = random.Random(players)
    tournament = make_tournament(actor, rounds=rounds, name="Large Open")
    Entry.objects.bulk_create(
        Entry(
            tournament=tournament,
            name=f"{SURNAMES[number % len(SURNAMES)]}{'abcdefghij'[number % 10]}, Given {number}",
            title=("GM", "IM", "FM", "")[min(number // 50, 3)],
            federation=("FRA", "GER", "ITA")[number % 3],
            fide_id=10_000_000 + number,
            fide_rating=2700 - number * 1700 // players,
            rating=2700 - number * 1700 // players,
            tpn=number,
            created_at=NOW,
        )
        for number in range(1, players + 1)
    )
    entries = list(Entry.objects.filter(tournament=tournament).order_by("tpn"))
    points = dict.fromkeys((entry.pk for entry in entries), 0)
    for number in range(1, min(played + 1, rounds) + 1):
        order = sorted(points, key=lambda pk: (-points[pk], chance.random()))
        _round(tournament, number, order, points, chance, over=number <= played)
    tournament.refresh_from_db()
    return tournament


def _round(
    tournament: Tournament,
    number: int,
    order: list[int],
    points: dict[int, int],
    chance: random.Random,
    *,
    over: bool,
) -> None:
    state = RoundState.RESULTS_PUBLISHED if over else RoundState.PAIRINGS_PUBLISHED
    Round.objects.filter(tournament=tournament, number=number).update(
        state=state, paired_at=NOW, published_at=NOW, results_published_at=NOW if over else None
    )
    row = Round.objects.get(tournament=tournament, number=number)
    pairs = list(pairwise(order))[::2]
    Game.objects.bulk_create(
        Game(round=row, board=board, result=chance.choice(list(RESULTS)) if over else "")
        for board in range(1, len(pairs) + 1)
    )
    seats = []
    for (white, black), game in zip(
        pairs, Game.objects.filter(round=row).order_by("board"), strict=True
    ):
        seats += [Seat(round=row, entry_id=white, game=game, colour="w")]
        seats += [Seat(round=row, entry_id=black, game=game, colour="b")]
        if over:
            points[white] += RESULTS[game.result][0]
            points[black] += RESULTS[game.result][1]
    if len(order) % 2:
        seats.append(Seat(round=row, entry_id=order[-1], bye=ByeKind.PAIRING_ALLOCATED))
    Seat.objects.bulk_create(seats)
