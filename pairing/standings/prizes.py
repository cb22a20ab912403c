"""Prize money divided among those who share a place: whole cents, and not one lost.

The Laws and C.07 leave the division to the regulations of the event; three are known here. Places are counted among
those who can win the category.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from itertools import groupby
from typing import assert_never

from pairing.engine.model import TPN, Points


class Division(Enum):
    """How the prizes of several places are divided."""

    BY_RANK = "by_rank"
    """By the place after all tie-breaks; only who shares a place shares its prizes."""
    EQUAL = "equal"
    """Who has the same points shares the prizes of all their places equally."""
    HORT = "hort"
    """One half by the place after all tie-breaks, the other half equally among those with the same points."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A player as the standings rank him; who is equal in everything has the same ``rank``. Points are tenths."""

    tpn: TPN
    rank: int
    points: Points


@dataclass(frozen=True, slots=True)
class Category:
    """A list of prizes in cents, the first place first, for ``members``; None: for everybody."""

    name: str
    amounts: tuple[int, ...]
    members: frozenset[TPN] | None = None


@dataclass(frozen=True, slots=True)
class Award:
    """What one player gets in one category, in cents; ``place`` is counted in the category and may be shared."""

    place: int
    tpn: TPN
    amount: int


@dataclass(frozen=True, slots=True)
class Awards:
    """The awards of one category, best place first; ``left_over`` are the cents nobody was there to win."""

    name: str
    awards: tuple[Award, ...]
    left_over: int


def hand_out(
    categories: Sequence[Category], field: Sequence[Placed], division: Division, *, one_each: bool
) -> tuple[Awards, ...]:
    """The awards of all *categories*, in their order.

    *one_each*: who has won money in an earlier category takes no part in the later ones, in which the others move up.
    The awards and the left-over of a category are its prizes, to the cent. Cost: players times categories.
    """
    winners: set[TPN] = set()
    found = []
    for category in categories:
        able = [
            player
            for player in field
            if (category.members is None or player.tpn in category.members) and not (one_each and player.tpn in winners)
        ]
        awards = divide(category.amounts, able, division)
        winners |= {award.tpn for award in awards}
        found.append(Awards(category.name, awards, sum(category.amounts) - sum(award.amount for award in awards)))
    return tuple(found)


def divide(amounts: Sequence[int], field: Sequence[Placed], division: Division) -> tuple[Award, ...]:
    """What *amounts* (cents, the first place first) give to the players of *field*; who gets nothing is not named.

    Fractions of a cent are cut, and the cents so left go one each to the largest fractions; between equal fractions to
    the better rank, then to the lower TPN.
    """
    ordered = sorted(field, key=lambda player: (player.rank, player.tpn))
    prizes = [*amounts[: len(ordered)], *[0] * (len(ordered) - len(amounts))]
    by_rank = _shared(ordered, prizes, lambda player: player.rank)
    match division:
        case Division.BY_RANK:
            shares = by_rank
        case Division.EQUAL:
            shares = _shared(ordered, prizes, lambda player: player.points)
        case Division.HORT:
            equal = _shared(ordered, prizes, lambda player: player.points)
            shares = [(own + common) / 2 for own, common in zip(by_rank, equal, strict=True)]
        case _:
            assert_never(division)
    key = _rank if division is Division.BY_RANK else _points
    cents: list[int] = []
    for _, group in groupby(zip(ordered, shares, strict=True), key=lambda pair: key(pair[0])):
        cents += _whole([share for _, share in group])
    return tuple(
        Award(place, player.tpn, amount)
        for place, player, amount in zip(_places(ordered), ordered, cents, strict=True)
        if amount
    )


def _rank(player: Placed) -> int:
    return player.rank


def _points(player: Placed) -> int:
    return player.points


def _shared(ordered: Sequence[Placed], prizes: Sequence[int], key: Callable[[Placed], int]) -> list[Fraction]:
    """To everybody the average prize of the places of those with the same *key*."""
    shares: list[Fraction] = []
    for _, group in groupby(ordered, key=key):
        size = len(list(group))
        total = sum(prizes[len(shares) : len(shares) + size])
        shares += [Fraction(total, size)] * size
    return shares


def _whole(shares: Sequence[Fraction]) -> list[int]:
    """*shares*, whose sum is whole, as whole cents with the same sum; the largest remainders are rounded up."""
    cents = [int(share) for share in shares]
    missing = int(sum(shares)) - sum(cents)
    for index in sorted(range(len(shares)), key=lambda i: (cents[i] - shares[i], i))[:missing]:
        cents[index] += 1
    return cents


def _places(ordered: Sequence[Placed]) -> Iterator[int]:
    place, last = 0, None
    for index, player in enumerate(ordered, start=1):
        if player.rank != last:
            place, last = index, player.rank
        yield place
