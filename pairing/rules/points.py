"""Points given or taken by hand: when that is possible, how many, and from which round on they count.

    … │ round N published │ its results │ draft of N+1 │ round N+1 published │ …
        └────────── points given or taken now belong to round N ────────────┘└── to round N+1

They are a decision of the arbiter's, not the correction of a mistake, so no deadline of [C.04.2/2026 4.3] runs. Points
of round N are in the standings from round N on and in the pairings from round N + 1 on: no published pairing and no
earlier standings change [C.04.2/2026 4.4].
"""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd
from typing import Final

from pairing.engine.model import Points, PointSystem

from .rounds import RoundFacts
from .verdict import ALLOWED, Refused, Verdict

MOST: Final = Points(99)
"""How far all that one player was given or has lost may go, either way: −9.9 is what the column of a report holds."""


def unit(system: PointSystem) -> Points:
    """The smallest step between two scores of *system*, in tenths: half a point by 1, ½, 0, a point by 3, 1, 0."""
    return Points(gcd(*system.table()) or 1)


def amounts(system: PointSystem) -> tuple[Points, ...]:
    """What can be given or taken at once, in tenths, the least first: what scores of *system* can differ by."""
    step = unit(system)
    return tuple(Points(amount) for amount in range(step, MOST + 1, step))


def counts_from(rounds: Sequence[RoundFacts]) -> int | None:
    """The round that points given or taken now belong to: the newest published one; None before the first."""
    return max((facts.number for facts in rounds if facts.stage.is_public), default=None)


def may_adjust(
    rounds: Sequence[RoundFacts],
    round_number: int,
    *,
    system: PointSystem,
    sum_after: int = 0,
    lots_drawn: bool = False,
) -> Verdict:
    """Whether somebody may be given points, or lose some, that belong to round *round_number*.

    *sum_after* is all that the player would have been given by then, in tenths. A round of two games has no place for
    it: record 299 of a report does not say it. Once lots are drawn the standings are final [C.07/2026 4.2].
    """
    if system.games > 1:
        return Refused("points.of_matches")
    refusal = _belongs_to_now(rounds, round_number, lots_drawn=lots_drawn)
    if isinstance(refusal, Refused):
        return refusal
    if abs(sum_after) > MOST:
        return Refused("points.too_many", "", {"most": MOST / 10})
    return ALLOWED


def may_withdraw_points(rounds: Sequence[RoundFacts], round_number: int, *, lots_drawn: bool = False) -> Verdict:
    """Whether points of round *round_number* may be withdrawn, as if they had never been given or taken.

    Only until the next pairings are published, which count them and stay [C.04.2/2026 4.4]: from then on they are
    evened out by points of a newer round.
    """
    return _belongs_to_now(rounds, round_number, lots_drawn=lots_drawn)


def _belongs_to_now(rounds: Sequence[RoundFacts], round_number: int, *, lots_drawn: bool) -> Verdict:
    newest = counts_from(rounds)
    if newest is None:
        return Refused("points.not_begun")
    if lots_drawn:
        return Refused("points.lots_drawn", "C.07 4.2")
    if round_number < newest:
        return Refused("points.counted", "C.04.2 4.4", {"round": round_number, "next": round_number + 1, "now": newest})
    if round_number > newest:
        return Refused("points.to_come", "", {"round": round_number, "now": newest})
    return ALLOWED
