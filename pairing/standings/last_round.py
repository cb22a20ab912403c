"""What the last round can still change: bounds of a player's place and money.

Only the published points and the pairings of the last round are known. A player's own result is
given, and every other game may end in any of the *results* (White wins, draw, Black wins), each
board for itself. Forfeits of both players and penalties are left out.

**Places.** Nobody knows the tie-breaks before the games. So the best place counts the players who
surely have more points, and the worst place those who may have as many. Each board is free, so the
fewest and the most players ahead are sums over the boards: no better and no worse number is
possible, and both are reached by points. Whether tie-breaks reach them too is not computed.

**Money.** A share is the average of the prizes of consecutive places, none of them better than the
best place and none worse than the worst. With prizes that do not rise it lies between these two.
With a limit of prizes for each player, better players may leave a category for others, and this
one moves up by as many places. In equilibrium (:mod:`.prize_choice`) each of them gets no less
there than this one gets here: so this one gets no more than the first prize of another category,
and the prizes of the others together pay them all. And nobody gains by a move: a player gets at
least the prize of the worst place.

Cost: boards and players once for :class:`Scores`; for a player and a result the number of different
pairs of points, about fifty with 300 players and 100 with 5,000.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pairing.engine.model import TPN

from .prize_rules import Choice, Division, PrizeRules

Pair = tuple[int | None, int | None]
"""The points (tenths) of White and Black before the round; None for one who is not counted."""
Gains = tuple[int, int]
"""What a result adds to the points of White and of Black."""


class Bounds(NamedTuple):
    """A place between ``best`` and ``worst``, both from 1."""

    best: int
    worst: int


@dataclass(frozen=True, slots=True)
class Scores:
    """The points of the players who are counted: all, or those of a category.

    ``pairs`` are the boards by the points before the round, ``singles`` the players without a game
    by the points after it, each with its number.
    """

    pairs: Mapping[Pair, int]
    singles: Mapping[int, int]

    @classmethod
    def of(
        cls,
        points: Mapping[TPN, int],
        boards: Iterable[tuple[TPN, TPN]],
        gains: Mapping[TPN, int],
        members: Collection[TPN] | None = None,
    ) -> Scores:
        """Count the *members* of *points*, which are those before the round.

        *gains* are the points that players without a game get in the round; a player at no board
        and without gains gets nothing.
        """
        counted = {tpn: each for tpn, each in points.items() if members is None or tpn in members}
        pairs: Counter[Pair] = Counter()
        playing: set[TPN] = set()
        for white, black in boards:
            playing.update((white, black))
            pair = counted.get(white), counted.get(black)
            if pair != (None, None):
                pairs[pair] += 1
        singles = Counter(
            each + gains.get(tpn, 0) for tpn, each in counted.items() if tpn not in playing
        )
        return cls(pairs, singles)


def bounds_at_board(
    scores: Scores, own: Pair, *, is_white: bool, gains: Gains, results: Sequence[Gains]
) -> Bounds:
    """Return the places of the player at the board *own*, if it ends with *gains*.

    *own* is one of the pairs of *scores*, in which the player is counted.
    """
    white, black = (
        None if each is None else each + gain for each, gain in zip(own, gains, strict=True)
    )
    mine, theirs = (white, black) if is_white else (black, white)
    assert mine is not None
    found = _ahead(scores, mine, results, without=own)
    more, as_many = found
    if theirs is not None:
        more, as_many = more + (theirs > mine), as_many + (theirs >= mine)
    return Bounds(more + 1, as_many + 1)


def bounds_without_game(scores: Scores, after: int, results: Sequence[Gains]) -> Bounds:
    """Return the places of a player without a game, who has *after* points after the round."""
    more, as_many = _ahead(scores, after, results)
    return Bounds(more + 1, as_many)


def _ahead(
    scores: Scores, points: int, results: Sequence[Gains], without: Pair | None = None
) -> tuple[int, int]:
    """Return how many others at least have more *points*, and how many at most have as many."""
    more = as_many = 0
    for each, n in scores.singles.items():
        if each >= points:
            as_many += n
            more += n if each > points else 0
    most = max(map(max, results))
    for pair, n in scores.pairs.items():
        boards = n - (pair == without)
        white, black = (points - most - 1 if each is None else each for each in pair)
        if not boards or (white + most < points and black + most < points):
            continue
        # One who is not counted stays below the points with every result.
        ends = [(white + whites - points, black + blacks - points) for whites, blacks in results]
        more += boards * min([(one > 0) + (other > 0) for one, other in ends])
        as_many += boards * max([(one >= 0) + (other >= 0) for one, other in ends])
    return more, as_many


class Chance(NamedTuple):
    """The prizes of a category (cents) and the places in it that the player can come to; None if
    the player cannot win there.
    """

    amounts: tuple[int, ...]
    places: Bounds | None


def money_bounds(chances: Sequence[Chance], rules: PrizeRules) -> tuple[int, int] | None:
    """Return the least and the most money (cents) of a player; None where nothing is proven.

    That is so with a cap or a minimum, with prizes that rise from one place to the next, and if a
    limit of prizes goes with Hort or with categories in an order. *chances* are all categories
    whose prizes are money for players; those of clubs count for no limit.
    """
    paying = [chance for chance in chances if chance.amounts]
    has_steps = any(list(each.amounts) != sorted(each.amounts, reverse=True) for each in paying)
    if rules.cap or rules.minimum or has_steps:
        return None
    is_limited = bool(rules.most_each) and len(paying) > 1
    if is_limited and (rules.choice is Choice.IN_ORDER or rules.division is Division.HORT):
        return None
    least, most = [], []
    for chance in paying:
        if chance.places is None:
            continue
        best, worst = chance.places
        others = [other.amounts for other in paying if other is not chance]
        least.append(_prize(chance, worst))
        most.append(_most(chance, best, others if is_limited else [], rules.unit))
    limit = rules.most_each or len(paying)
    return sum(sorted(least)[::-1][:limit]), sum(sorted(most)[::-1][:limit])


def _most(chance: Chance, best: int, others: Sequence[Sequence[int]], unit: int) -> int:
    """Return the most money in a category from which players may leave for the *others*."""
    found = _prize(chance, best)
    if others:
        first, together = max(max(each) for each in others), sum(map(sum, others))
        for leave in range(max(1, best - len(chance.amounts)), best):
            each = -(-together // (leave * unit)) * unit
            found = max(found, min(_prize(chance, best - leave), first, each))
    return found


def _prize(chance: Chance, place: int) -> int:
    return chance.amounts[place - 1] if place <= len(chance.amounts) else 0
