"""Helpers for all actions on a round: its facts, its version, its line in the record."""

from __future__ import annotations

from collections.abc import Mapping

from pairing.rounds.versions import round_version
from pairing.rules import rounds as policy
from pairing.rules.rounds import PUBLIC_STATES, RoundFacts, RoundState
from tournaments.core.actions import OpenAction, require_seen
from tournaments.models import Action, Round


def require_seen_version(round_: Round, seen_version: int | None) -> None:
    """Raise :class:`Conflict` if boards or results of *round_* have changed since *seen_version*. One query."""
    if seen_version is not None:
        version = round_version(round_.tournament, round_.number)
        require_seen(seen_version, version, "round.changed_meanwhile", round=round_.number)


def facts_of(round_: Round, missing: tuple[int, ...] = ()) -> RoundFacts:
    """Return the round as the policies read it; *missing* are the boards without a result."""
    return RoundFacts(number=round_.number, state=policy.RoundState(round_.state), missing=missing)


def record_step(
    action: OpenAction,
    code: Action,
    round_: Round,
    *,
    before: RoundState,
    article: str = "",
    more: Mapping[str, object] | None = None,
) -> None:
    """Record that *round_* changed from one state to the next, with the details *more*."""
    action.record(
        code,
        article=article,
        round_number=round_.number,
        before={"state": before.value},
        after={"state": round_.state, **(more or {})},
        is_public=round_.state in PUBLIC_STATES,
    )
