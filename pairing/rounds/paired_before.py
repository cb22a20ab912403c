"""Find the actions that paired a round, and the rounds that were ever paired."""

from __future__ import annotations

from django.db.models import Max

from tournaments.models import Action, Decision, Tournament

PAIRED = (Action.ROUND_PAIRED, Action.ROUND_PAIRED_BY_HAND)


def ever_paired(tournament: Tournament) -> int:
    """Return the number of the last round ever paired, discarded drafts included; 0 without any. One query."""
    paired = Decision.objects.filter(tournament=tournament, action__in=PAIRED)
    return paired.aggregate(last=Max("round_number"))["last"] or 0


def engine_gave(decision: Decision | None) -> frozenset[tuple[int, int]] | None:
    """Return the boards of the engine's pairing by entry id; empty if it found none, None if they are not on record."""
    if decision is not None and decision.action == Action.ROUND_PAIRED_BY_HAND:
        return frozenset()
    if decision is None or "boards" not in decision.after:
        return None
    return frozenset((white, black) for white, black in decision.after["boards"])
