"""Change the declared rounds during the event: limits and consequences [C.04.1/2026 1]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from types import MappingProxyType
from typing import Final

from pairing.engine.acceleration import baku
from pairing.engine.model import TPN, Points

from .rounds import RoundFacts, RoundState, is_over, last_paired
from .verdict import ALLOWED, Refused, Verdict

LAST_ROUND_ARTICLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "dutch_2026": "C.04.3 1.8, 2.1.3, 2.4.5, 2.4.6",
        "dutch_2017": "C.04.3 A.7, C.3, C.8, C.9",
        "dutch_pre2017": "C.04.3 A10, B2",
        "double_swiss_2026": "C.04.5 2.3.4, 2.3.5",
    }
)
"""For each pairing system, the articles that differ in the last round:
topscorers, floaters of Double-Swiss.
"""


class LastPaired(Enum):
    """How a new number of rounds affects the last paired round."""

    BECOMES_LAST = "becomes_last"
    """It was paired as an ordinary round and is now the last one."""
    NO_LONGER_LAST = "no_longer_last"
    """It was paired as the last round, with its exceptions, and is now an ordinary one."""
    NEITHER = "neither"


def becomes_of_last_paired(rounds: Sequence[RoundFacts], total: int) -> LastPaired:
    """Return how changing the number of *rounds* to *total* affects the last paired one.

    No other paired round is affected, because each of them is followed by a later one under both
    numbers.
    """
    number = last_paired(rounds)
    if number == total != len(rounds):
        return LastPaired.BECOMES_LAST
    if number == len(rounds) != total:
        return LastPaired.NO_LONGER_LAST
    return LastPaired.NEITHER


def may_change_number(
    rounds: Sequence[RoundFacts],
    total: int,
    *,
    accelerated: bool,
    lots_drawn: bool = False,
    adjourned: Sequence[str] = (),
) -> Verdict:
    """Check whether the event may have *total* instead of *rounds*, after round 1 is paired.

    Before that the number is an ordinary setting. It can never be lower than the number of paired
    rounds. With Baku acceleration (*accelerated*) the virtual points stay as announced
    [C.04.2/2026 1.1], so only a number with the same virtual points is possible [C.04.7/2026]. Once
    the final standings are published, and lots possibly drawn [C.07/2026 4.2], no round is added.
    If the change makes the latest results final, no game of the event may be *adjourned* (given as
    text, round/board) [C.04.2/2026 3.1].
    """
    paired = last_paired(rounds)
    if not paired:
        return Refused("rounds.not_begun", "C.04.1 1")
    if lots_drawn:
        return Refused("rounds.lots_drawn", "C.07 4.2")
    if is_over(rounds):
        return Refused("rounds.final", "C.04.1 1")
    if total < paired:
        return Refused("rounds.below_paired", "C.04.1 1", {"round": paired})
    if accelerated and not same_virtual_points(len(rounds), total):
        return Refused("rounds.acceleration", "C.04.2 1.1", {"rounds": total})
    if total == paired and rounds[paired - 1].state is RoundState.RESULTS_PUBLISHED and adjourned:
        return Refused("results.adjourned", "C.04.2 3.1", {"games": tuple(adjourned)})
    return ALLOWED


def same_virtual_points(one: int, other: int) -> bool:
    """Return whether Baku gives all rounds the same virtual points with
    *one* number of rounds as with the *other*.
    """
    schedules = [baku(TPN(1), total_rounds=total, win=Points(2)) for total in (one, other)]
    return schedules[0] == schedules[1]
