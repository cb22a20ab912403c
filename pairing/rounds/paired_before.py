"""Which decisions paired a round, and which rounds were ever paired."""

from __future__ import annotations

from django.db.models import Max

from tournaments.models import Action, Decision, Tournament

PAIRED = (Action.ROUND_PAIRED, Action.ROUND_PAIRED_BY_HAND)


def ever_paired(tournament: Tournament) -> int:
    """The number of the last round that was ever paired here, a discarded draft included; 0 for none. One query."""
    paired = Decision.objects.filter(tournament=tournament, action__in=PAIRED)
    return paired.aggregate(last=Max("round_number"))["last"] or 0


def engine_gave(decision: Decision | None) -> frozenset[tuple[int, int]] | None:
    """Return the boards that the engine gave, as entry ids; none where it found no pairing, None where the record
    does not contain them."""
    if decision is not None and decision.action == Action.ROUND_PAIRED_BY_HAND:
        return frozenset()
    if decision is None or "boards" not in decision.after:
        return None
    return frozenset((white, black) for white, black in decision.after["boards"])
