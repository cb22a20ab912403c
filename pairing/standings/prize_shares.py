"""Divide the prizes of a category among its players, in whole cents without losing any.

The Laws and C.07 leave the division to the regulations of the event.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, groupby

from pairing.engine.model import TPN

from .prize_rules import Division, Placed, PrizeRules, in_order_of_rank


@dataclass(frozen=True, slots=True)
class Share:
    """How a player comes to a sum in a category, before it is rounded.

    The ``sharers`` divide ``prizes`` (cents), those of their places from ``first`` on. ``own`` is
    the prize of the player's own place with Hort, else None. ``exact`` is the sum in cents.
    """

    first: int
    prizes: tuple[int, ...]
    sharers: int
    own: Fraction | None
    exact: Fraction


class Fund:
    """The prizes of a category, and the share that each player of a group gets."""

    def __init__(self, amounts: Sequence[int], rules: PrizeRules) -> None:
        self.amounts = tuple(amounts)
        self._rules = rules
        self._sums = (0, *accumulate(amounts))

    def share(self, start: int, ranks: Sequence[int], rank: int) -> Share:
        """Return the share of a player with *rank* in a group whose *ranks* are in order.

        The group has the places after *start*. Cost: the logarithm of the size of the group.
        """
        sharers = self._sharers(start, ranks)
        better = bisect_left(ranks, rank)
        if better >= sharers:
            return Share(start + 1, (), 0, None, Fraction(0))
        prizes = self.amounts[start : start + sharers]
        common = Fraction(self._sum(start, sharers), sharers)
        if self._rules.division is not Division.HORT:
            return Share(start + 1, prizes, sharers, None, common)
        equals = bisect_right(ranks, rank) - better
        own = Fraction(self._sum(start + better, equals), equals)
        return Share(start + 1, prizes, sharers, own, (own + common) / 2)

    def _sum(self, start: int, places: int) -> int:
        last = len(self.amounts)
        return self._sums[min(start + places, last)] - self._sums[min(start, last)]

    def _sharers(self, start: int, ranks: Sequence[int]) -> int:
        """Return how many of a group share: all, or as many as get the minimum.

        Never fewer than there are prizes, and players equal in everything are not separated.
        """
        size, prizes = len(ranks), len(self.amounts) - start
        if not self._rules.minimum or prizes <= 0 or size <= prizes:
            return size
        least = self._rules.minimum * (2 if self._rules.division is Division.HORT else 1)
        most = max(prizes, self._sum(start, size) // least)
        return size if most >= size else bisect_right(ranks, ranks[most - 1])


def groups(ordered: Sequence[Placed], division: Division) -> Iterator[list[Placed]]:
    """Yield the players who share their prizes: those of one rank, else of the same points."""
    by_rank = division is Division.BY_RANK
    for _, group in groupby(ordered, key=lambda player: player.rank if by_rank else player.points):
        yield list(group)


@dataclass(frozen=True, slots=True)
class Award:
    """The money of one player in one category, in cents;
    ``place`` is counted in the category and may be shared.

    ``uncapped`` is the rounded sum before the cap, 0 if the award comes from a cap alone.
    """

    place: int
    tpn: TPN
    amount: int
    uncapped: int
    share: Share


def divide(amounts: Sequence[int], field: Sequence[Placed], rules: PrizeRules) -> tuple[Award, ...]:
    """Divide *amounts* (cents, the first place first) among the players of *field*;
    return only players who get money.

    Parts of the unit are cut. What remains goes in whole units to the largest parts; between equal
    ones to the better rank, then to the lower TPN.
    """
    ordered = in_order_of_rank(field)
    fund = Fund(amounts, rules)
    shares: list[Share] = []
    cents: list[int] = []
    for group in groups(ordered, rules.division):
        ranks = [player.rank for player in group]
        start = len(shares)
        of_group = [fund.share(start, ranks, player.rank) for player in group]
        shares += of_group
        cents += _whole([share.exact for share in of_group], rules.unit)
    return tuple(
        Award(place, player.tpn, amount, amount, share)
        for place, player, amount, share in zip(
            places(ordered), ordered, cents, shares, strict=True
        )
        if amount
    )


def _whole(shares: Sequence[Fraction], unit: int) -> list[int]:
    """Return *shares*, whose sum is whole, in whole *unit* with the same sum;
    the largest remainders are rounded up.

    If the sum itself is not in whole *unit*, the rest goes to the first.
    """
    cents = [int(share // unit) * unit for share in shares]
    units, rest = divmod(int(sum(shares)) - sum(cents), unit)
    for index in sorted(range(len(shares)), key=lambda i: (cents[i] - shares[i], i))[:units]:
        cents[index] += unit
    cents[0] += rest
    return cents


def cut_to_caps(amounts: Sequence[int], most: Sequence[int], unit: int) -> tuple[list[int], int]:
    """Return *amounts* cut to *most*, and the cents that nobody may get.

    What is over a cap is divided equally among the others who got money, the better first.
    """
    paid = [min(amount, limit) for amount, limit in zip(amounts, most, strict=True)]
    over = sum(amounts) - sum(paid)
    while over:
        below = [i for i, limit in enumerate(most) if amounts[i] and paid[i] < limit]
        if not below:
            break
        each = max(over // len(below) // unit * unit, min(unit, over))
        for index in below:
            more = min(each, most[index] - paid[index], over)
            paid[index] += more
            over -= more
    return paid, over


def places(ordered: Sequence[Placed]) -> Iterator[int]:
    """Yield the place of each player; players of one rank share it."""
    place, last = 0, None
    for index, player in enumerate(ordered, start=1):
        if player.rank != last:
            place, last = index, player.rank
        yield place
