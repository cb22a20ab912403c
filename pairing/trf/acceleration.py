"""The virtual points a report gives its players: records 250 and XXA as points by round."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from pairing.engine.errors import text as _
from pairing.engine.model import TPN, Points

from .document import TrfDocument, VirtualPoints, VirtualPointsHistory
from .errors import TrfError

MAX_ACCELERATED_ROUNDS = 200_000
"""Rounds that the records 250 of one file may name together: three thousand players one by one, over 66 rounds."""


def virtual_points(document: TrfDocument, tpns: Iterable[TPN], rounds: int) -> dict[TPN, tuple[Points, ...]]:
    """The virtual points (tenths) by round up to *rounds*: XXA, overridden by the ranges of 250 in file order.

    Only players in *tpns* who have any are named. The records 250 are taken from the last to the first, and what one
    has given is passed over by those before it: the cost is the rounds they name together and the players times
    *rounds*, not the product of records, players and rounds. Raises ``trf.too_many_accelerations`` where they name
    more than :data:`MAX_ACCELERATED_ROUNDS` rounds together.
    """
    order = sorted(tpns)
    known = frozenset(order)
    points = {
        record.tpn: [*record.points[:rounds], *[Points(0)] * (rounds - len(record.points))]
        for record in document.of(VirtualPointsHistory)
        if record.tpn in known
    }
    free: dict[int, list[int]] = {}
    for record in reversed(_within_bounds(document, rounds)):
        first, last = bisect_left(order, record.first_tpn), bisect_right(order, record.last_tpn)
        for index in range(record.first_round - 1, min(record.last_round, rounds)):
            next_free = free.get(index) or free.setdefault(index, list(range(len(order) + 1)))
            place = _first_free(next_free, first)
            while place < last:
                points.setdefault(order[place], [Points(0)] * rounds)[index] = record.points
                next_free[place] = place + 1
                place = _first_free(next_free, place)
    return {tpn: tuple(values) for tpn, values in points.items()}


def _within_bounds(document: TrfDocument, rounds: int) -> tuple[VirtualPoints, ...]:
    named = 0
    for line, record in document.numbered(VirtualPoints):
        named += max(0, min(record.last_round, rounds) - record.first_round + 1)
        if named > MAX_ACCELERATED_ROUNDS:
            raise TrfError(
                "trf.too_many_accelerations",
                _("The records 250 name more than %(most)s rounds together: too many to be meant."),
                line=line,
                column=15,
                most=f"{MAX_ACCELERATED_ROUNDS:,}",
            )
    return document.of(VirtualPoints)


def _first_free(next_free: list[int], place: int) -> int:
    """The first place from *place* on that has nothing yet; shortens the way there for those who ask again."""
    end = place
    while next_free[end] != end:
        end = next_free[end]
    while next_free[place] != end:
        next_free[place], place = end, next_free[place]
    return end
