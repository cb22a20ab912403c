"""Allocate the pairing-allocated bye before any pairing [C.04.5/2026 3.4]."""

from __future__ import annotations

from pairing.engine.errors import NoLegalPairingError
from pairing.engine.matching.cardinality import bits, maximum_matching, missable

from . import NO_LEGAL_PAIRING
from .field import MatchField


def assigned_bye(field: MatchField) -> int | None:
    """Return the rank of the receiver of the PAB; None in an even field.

    The receiver may have it [C2] and leaves a legal pairing for all others. Of these players it
    goes to the lowest score, then the most matches played, then the largest TPN
    [C.04.5/2026 3.4.1-3.4.4]. Raises :class:`NoLegalPairingError` if no round-pairing is complete
    [C.04.5/2026 3.3.3].

    Cost: one matching. If it leaves one player alone, one search finds the others that a matching
    of that size can leave alone (``missable``). If it leaves more than the parity requires, no
    round-pairing is complete.
    """
    everybody = field.everybody
    if len(field.tpns) % 2 == 0:
        if not field.completes(everybody):
            raise NoLegalPairingError(NO_LEGAL_PAIRING)
        return None
    mate = maximum_matching(field.may_meet, everybody)
    exposed = [rank for rank in bits(everybody) if mate[rank] < 0]
    candidates = 0
    if len(exposed) == 1:
        candidates = missable(field.may_meet, everybody, mate, exposed[0]) & field.may_receive_pab
    if not candidates:
        raise NoLegalPairingError(NO_LEGAL_PAIRING)
    return max(
        bits(candidates),
        key=lambda rank: (-field.scores[rank], field.matches_played[rank], field.tpns[rank]),
    )
