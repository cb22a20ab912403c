"""Rating changes and performances of an event of 120 players, computed again in another way.

The second computation uses fractions, the lists of the regulations as other tables (the smallest
difference of each row instead of the largest), and matrices of results instead of games.
"""

from __future__ import annotations

import random
from datetime import date
from fractions import Fraction
from math import floor

import pytest

from pairing.ratings.change import rating_change
from pairing.ratings.initial import initial_rating
from pairing.ratings.model import Event, Game, Kind, Person, Rate
from pairing.ratings.performance import performance

PLAYERS, ROUNDS = 120, 9
# From which difference on the stronger player is expected to score one hundredth more.
STEPS = """4 11 18 26 33 40 47 54 62 69 77 84 92 99 107 114 122 130 138 146 154 163 171 180 189 198
207 216 226 236 246 257 268 279 291 303 316 329 345 358 375 392 412 433 457 485 518 560 620 736"""
# The difference for 50, 51, … 100 per cent, as steps from each to the next.
DIFFERENCES = """7 7 7 8 7 7 7 7 8 7 8 7 8 7 8 7 8 8 8 8 9 8 9 9 9 9 9 9 10 10 11 11 11 11 12 13 13 14
15 15 17 18 21 22 26 31 37 51 88 123"""


def expected(difference: int) -> Fraction:
    passed = sum(abs(difference) >= int(step) for step in STEPS.split())
    higher = Fraction(50 + passed, 100)
    return higher if difference >= 0 else 1 - higher


def difference_for(share: Fraction) -> int:
    percent = floor(share * 100 + Fraction(1, 2))
    steps = [int(step) for step in DIFFERENCES.split()]
    distance = abs(percent - 50)
    found = sum(steps[:distance])
    return found if percent >= 50 else -found


@pytest.mark.parametrize("rate", list(Rate))
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_an_event_of_120_players_agrees(seed: int, rate: Rate) -> None:
    draw = random.Random(seed)
    people = [
        Person(
            rating=None if draw.random() < 0.1 else draw.randint(1400, 2850),
            k=draw.choice([10, 20, 40]),
            number=number,
        )
        for number in range(PLAYERS)
    ]
    minutes = {Rate.STANDARD: 90, Rate.RAPID: 25, Rate.BLITZ: 5}[rate]
    event = Event(rounds=ROUNDS, rate=rate, start=date(2026, 9, 5), seconds=60 * minutes)
    # results[round][player] is the opponent and the points, None without a game that is played.
    results: list[dict[int, tuple[int, Fraction] | None]] = []
    games: dict[int, list[Game]] = {number: [] for number in range(PLAYERS)}
    for number in range(1, ROUNDS + 1):
        order = draw.sample(range(PLAYERS), PLAYERS)
        row: dict[int, tuple[int, Fraction] | None] = {}
        for one, other in zip(order[::2], order[1::2], strict=True):
            halves, is_played = draw.choice([0, 1, 2]), draw.random() > 0.05
            for me, you, mine in ((one, other, halves), (other, one, 2 - halves)):
                row[me] = (you, Fraction(mine, 2)) if is_played else None
                kind = Kind.PLAYED if is_played else Kind.FORFEIT_WIN
                games[me].append(Game(number, kind, mine, people[you]))
        results.append(row)
    for me, person in enumerate(people):
        rated = [
            (people[found[0]].rating or 0, found[1])
            for row in results
            if (found := row[me]) and people[found[0]].rating
        ]
        if person.rating is None:
            first = initial_rating(person, event, games[me])
            assert first is not None
            rated = [game for game in rated if is_long_enough(game[0], rate)]
            count = len(rated) + 2
            average = Fraction(sum(rating for rating, _ in rated) + 3600, count)
            share = (sum((points for _, points in rated), Fraction()) + 1) / count
            assert first.uncapped == floor(average + difference_for(share) + Fraction(1, 2))
            continue
        own = person.rating
        counted = [game for game in rated if is_rated(own, game[0], rate)]
        total = Fraction(0)
        for theirs, points in counted:
            difference = own - theirs
            if not (rate is Rate.STANDARD and own >= 2650):
                difference = min(400, max(-400, difference))
            total += points - expected(difference)
        change = rating_change(person, event, games[me])
        assert change is not None
        assert len(change.games) == len(counted)
        assert Fraction(change.change, 100) == (person.k or 0) * total
        made = performance(change.games)
        if counted:
            average = Fraction(sum(rating for rating, _ in counted), len(counted))
            share = sum((points for _, points in counted), Fraction()) / len(counted)
            assert made is not None
            assert made.rating == floor(average + Fraction(1, 2)) + difference_for(share)
        else:
            assert made is None


def is_rated(own: int, theirs: int, rate: Rate) -> bool:
    """Return whether the regulations rate the game: 90 minutes are too short from 2400 on
    [B.02/2024 1.1]; 600 points are too many above 2600 [B.02R/2024 7.3.1].
    """
    if rate is Rate.STANDARD:
        return is_long_enough(max(own, theirs), rate)
    return not (abs(own - theirs) >= 600 and max(own, theirs) > 2600)


def is_long_enough(higher: int, rate: Rate) -> bool:
    return rate is not Rate.STANDARD or higher < 2400
