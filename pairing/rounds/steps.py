"""Helpers for all actions on a round: its facts and its version."""

from __future__ import annotations

from pairing.rounds.versions import round_version
from pairing.rules import rounds as policy
from pairing.rules.rounds import RoundFacts
from tournaments.core.actions import require_seen
from tournaments.models import Round


def require_seen_version(round_: Round, seen_version: int | None) -> None:
    """Raise :class:`Conflict` if boards or results of *round_* have changed since *seen_version*. One query."""
    if seen_version is not None:
        version = round_version(round_.tournament, round_.number)
        require_seen(seen_version, version, "round.changed_meanwhile", round=round_.number)


def facts_of(round_: Round, missing: tuple[int, ...] = ()) -> RoundFacts:
    """Return the round as the policies read it; *missing* are the boards without a result."""
    return RoundFacts(number=round_.number, state=policy.RoundState(round_.state), missing=missing)
