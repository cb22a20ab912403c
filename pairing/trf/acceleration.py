"""Return the virtual points in a report: records 250 and XXA as points by round."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from pairing.engine.acceleration import allows_baku, baku, last_of_group_a
from pairing.engine.errors import text as _
from pairing.engine.model import TPN, Points

from .document import RoundCount, TrfDocument, VirtualPoints, VirtualPointsHistory
from .errors import TrfError
from .fields import BAKU_SUFFIX
from .rounds import paired_in_round_1
from .scoring import point_system

MAX_ACCELERATED_ROUNDS = 200_000
"""The number of rounds that the records 250 of one file may name together:
3,000 players one by one, over 66 rounds.
"""


def virtual_points(
    document: TrfDocument, tpns: Iterable[TPN], rounds: int
) -> dict[TPN, tuple[Points, ...]]:
    """Return the virtual points (tenths) by round up to *rounds*:
    XXA, overridden by the ranges of 250 in file order.

    Without any, and if record 192 names Baku, the points are those of Baku (:func:`implied_baku`).
    The dict contains only players of *tpns* with virtual points. The records 250 are read from the
    last to the first, and each skips the places that a later record has filled. So the cost is the
    number of rounds they name together, plus players times *rounds*, and not the product of
    records, players and rounds. Raise ``trf.too_many_accelerations`` if they name more than
    :data:`MAX_ACCELERATED_ROUNDS` rounds together.
    """
    order = sorted(tpns)
    known = frozenset(order)
    points = {
        record.tpn: [*record.points[:rounds], *[Points(0)] * (rounds - len(record.points))]
        for record in document.of(VirtualPointsHistory)
        if record.tpn in known
    }
    free: dict[int, list[int]] = {}
    for record in reversed(_within_bounds(document, rounds) or implied_baku(document)):
        first, last = bisect_left(order, record.first_tpn), bisect_right(order, record.last_tpn)
        for index in range(record.first_round - 1, min(record.last_round, rounds)):
            next_free = free.get(index) or free.setdefault(index, list(range(len(order) + 1)))
            place = _first_free(next_free, first)
            while place < last:
                points.setdefault(order[place], [Points(0)] * rounds)[index] = record.points
                next_free[place] = place + 1
                place = _first_free(next_free, place)
    return {tpn: tuple(values) for tpn, values in points.items()}


def implied_baku(document: TrfDocument) -> tuple[VirtualPoints, ...]:
    """Return the records 250 that ``_BAKU`` in record 192 replaces; C.04.7 fixes their values.

    Empty if *document* has virtual points of its own, does not declare its rounds, or has points
    for which Baku is not defined. Group A ends with the last player of the first half, rounded up
    to even, of the players paired in round 1 (or, before round 1, to be paired in it). Cost: one
    look at every player.
    """
    has_own = bool(document.of(VirtualPoints)) or bool(document.of(VirtualPointsHistory))
    if has_own or not declares_baku(document):
        return ()
    points = point_system(document)
    declared = {record.code: record.rounds for record in reversed(document.of(RoundCount))}
    rounds = declared.get("142") or declared.get("XXR")
    last = last_of_group_a(sorted(paired_in_round_1(document)))
    if rounds is None or last is None or not allows_baku(points):
        return ()
    records = baku(last, total_rounds=rounds, win=points.of_whole_rounds().win)
    return tuple(
        VirtualPoints(one.points, one.first_round, one.last_round, TPN(1), last) for one in records
    )


def declares_baku(document: TrfDocument) -> bool:
    """Return whether the system in record 192 has Baku acceleration."""
    return next(filter(None, document.texts("192")), "").upper().endswith(BAKU_SUFFIX)


def _within_bounds(document: TrfDocument, rounds: int) -> tuple[VirtualPoints, ...]:
    named = 0
    for line, record in document.numbered(VirtualPoints):
        named += max(0, min(record.last_round, rounds) - record.first_round + 1)
        if named > MAX_ACCELERATED_ROUNDS:
            raise TrfError(
                "trf.too_many_accelerations",
                _("The records 250 cover more than %(most)s rounds in total. Check the file."),
                line=line,
                column=15,
                most=f"{MAX_ACCELERATED_ROUNDS:,}",
            )
    return document.of(VirtualPoints)


def _first_free(next_free: list[int], place: int) -> int:
    """Return the first empty place from *place* on; shorten the path for later calls."""
    end = place
    while next_free[end] != end:
        end = next_free[end]
    while next_free[place] != end:
        next_free[place], place = end, next_free[place]
    return end
