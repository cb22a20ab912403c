"""Divide prize money among players who share a place, in whole cents without losing any.

The Laws and C.07 leave the division to the regulations of the event. This module knows three
methods. Places are counted among the players who can win the category.
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
    """The method for dividing the prizes of several places."""

    BY_RANK = "by_rank"
    """By the place after all tie-breaks; only players who share a place share its prizes."""
    EQUAL = "equal"
    """Players with the same points share the prizes of all their places equally."""
    HORT = "hort"
    """One half by the place after all tie-breaks, the other half equally
    among the players with the same points.
    """


@dataclass(frozen=True, slots=True)
class Placed:
    """A player with the rank in the standings.

    Players equal in everything have the same ``rank``. Points are tenths.
    """

    tpn: TPN
    rank: int
    points: Points


@dataclass(frozen=True, slots=True)
class Category:
    """A list of prizes in cents, the first place first, for ``members``; None: for all players."""

    name: str
    amounts: tuple[int, ...]
    members: frozenset[TPN] | None = None


@dataclass(frozen=True, slots=True)
class Award:
    """The money of one player in one category, in cents;
    ``place`` is counted in the category and may be shared.
    """

    place: int
    tpn: TPN
    amount: int


@dataclass(frozen=True, slots=True)
class Awards:
    """The awards of one category, best place first;
    ``left_over`` are the cents that no player could win.
    """

    name: str
    awards: tuple[Award, ...]
    left_over: int


def hand_out(
    categories: Sequence[Category], field: Sequence[Placed], division: Division, *, one_each: bool
) -> tuple[Awards, ...]:
    """Return the awards of all *categories*, in their order.

    *one_each*: a player who has won money in an earlier category does not take part in the later
    ones, and the others move up. The awards and the left-over of a category add up to its prizes,
    to the cent. Cost: players times categories.
    """
    winners: set[TPN] = set()
    found = []
    for category in categories:
        able = [
            player
            for player in field
            if (category.members is None or player.tpn in category.members)
            and not (one_each and player.tpn in winners)
        ]
        awards = divide(category.amounts, able, division)
        winners |= {award.tpn for award in awards}
        found.append(
            Awards(
                category.name, awards, sum(category.amounts) - sum(award.amount for award in awards)
            )
        )
    return tuple(found)


def divide(
    amounts: Sequence[int], field: Sequence[Placed], division: Division
) -> tuple[Award, ...]:
    """Divide *amounts* (cents, the first place first) among the players of *field*;
    return only players who get money.

    Fractions of a cent are cut. The remaining cents go one each to the largest fractions; between
    equal fractions to the better rank, then to the lower TPN.
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


def _shared(
    ordered: Sequence[Placed], prizes: Sequence[int], key: Callable[[Placed], int]
) -> list[Fraction]:
    """Give each player the average prize of the places of all players with the same *key*."""
    shares: list[Fraction] = []
    for _, group in groupby(ordered, key=key):
        size = len(list(group))
        total = sum(prizes[len(shares) : len(shares) + size])
        shares += [Fraction(total, size)] * size
    return shares


def _whole(shares: Sequence[Fraction]) -> list[int]:
    """Return *shares*, whose sum is whole, as whole cents with the same sum;
    the largest remainders are rounded up.
    """
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
