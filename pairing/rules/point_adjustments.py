"""Check point adjustments: when, how large, and from which round on they count.

    … │ round N published │ its results │ draft of N+1 │ round N+1 published │ …
        └────────── points given or taken now belong to round N ────────────┘└── to round N+1

A point adjustment is a decision of the arbiter, not the correction of a mistake, so no deadline of
[C.04.2/2026 4.3] applies. Points of round N are in the standings from round N on and in the
pairings from round N + 1 on. No published pairing and no earlier standings change
[C.04.2/2026 4.4].
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import Final

from pairing.engine.model import Points, PointSystem

from .rounds import RoundFacts
from .verdict import ALLOWED, Refused, Verdict

MOST: Final = Points(99)
"""The limit for the sum of one player's adjustments, up or down:
the column of a report has room for −9.9.
"""


def unit(system: PointSystem) -> Points:
    """Return the smallest step of scores, in tenths: half a point for 1-½-0, one for 3-1-0."""
    return Points(gcd(*system.table()) or 1)


def amounts(system: PointSystem) -> tuple[Points, ...]:
    """Return the adjustments of one action, in tenths, smallest first: score differences."""
    step = unit(system)
    return tuple(Points(amount) for amount in range(step, MOST + 1, step))


def counts_from(rounds: Sequence[RoundFacts]) -> int | None:
    """Return the round of an adjustment made now: the last published; None before the first."""
    return max((facts.number for facts in rounds if facts.state.is_public), default=None)


def may_adjust(
    rounds: Sequence[RoundFacts],
    round_number: int,
    *,
    system: PointSystem,
    sum_after: int = 0,
    lots_drawn: bool = False,
) -> Verdict:
    """Check whether a player may be given or lose points that belong to round *round_number*.

    *sum_after* is the sum of the player's adjustments afterwards, in tenths. Rounds of two games
    have no adjustments, because record 299 of a report cannot express them. Once lots are drawn the
    standings are final [C.07/2026 4.2].
    """
    if system.games > 1:
        return Refused("points.of_matches")
    refusal = _belongs_to_now(rounds, round_number, lots_drawn=lots_drawn)
    if isinstance(refusal, Refused):
        return refusal
    if abs(sum_after) > MOST:
        return Refused("points.too_many", "", {"most": MOST / 10})
    return ALLOWED


def may_withdraw_points(
    rounds: Sequence[RoundFacts], round_number: int, *, lots_drawn: bool = False
) -> Verdict:
    """Check whether an adjustment of *round_number* may be withdrawn as if never made.

    This is possible until the next pairings are published, because those count it and cannot change
    [C.04.2/2026 4.4]. Afterwards an adjustment in a newer round balances it.
    """
    return _belongs_to_now(rounds, round_number, lots_drawn=lots_drawn)


def _belongs_to_now(
    rounds: Sequence[RoundFacts], round_number: int, *, lots_drawn: bool
) -> Verdict:
    newest = counts_from(rounds)
    if newest is None:
        return Refused("points.not_begun")
    if lots_drawn:
        return Refused("points.lots_drawn", "C.07 4.2")
    if round_number < newest:
        return Refused(
            "points.counted",
            "C.04.2 4.4",
            {"round": round_number, "next": round_number + 1, "now": newest},
        )
    if round_number > newest:
        return Refused("points.to_come", "", {"round": round_number, "now": newest})
    return ALLOWED
