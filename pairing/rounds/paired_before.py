"""Find the actions that paired a round, and the rounds that were ever paired."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.db.models import Max

from tournaments.models import Action, Decision, Tournament
from tournaments.models.payloads import RoundPaired, RoundPairedByHand

PAIRED = (Action.ROUND_PAIRED, Action.ROUND_PAIRED_BY_HAND)


def ever_paired(tournament: Tournament) -> int:
    """Return the number of the last round ever paired, discarded drafts included; 0 without any.

    One query.
    """
    paired = Decision.objects.filter(tournament=tournament, action__in=PAIRED)
    return paired.aggregate(last=Max("round_number"))["last"] or 0


def engine_gave(decision: Decision | None) -> frozenset[tuple[int, int]] | None:
    """Return the engine's boards by entry id; empty without a pairing, None if unrecorded."""
    match decision.payload if decision else None:
        case RoundPairedByHand():
            return frozenset()
        case RoundPaired(after=after):
            return frozenset((white, black) for white, black in after["boards"])
        case _:
            return None


def boards_unlike(
    given: Collection[tuple[int, int]], boards: Mapping[int, tuple[int, int]]
) -> tuple[int, ...]:
    """Return the numbers of *boards* (White, Black) not among the pairs *given* by the engine."""
    return tuple(number for number, pair in sorted(boards.items()) if pair not in given)
