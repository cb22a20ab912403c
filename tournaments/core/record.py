"""The record of a tournament: each action with its user, time and article, chained to the line before.

The fingerprint of a line is the SHA-256 of its content and of the fingerprint before it. A line that was altered,
removed or moved is therefore detected.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from django.contrib.auth.models import User

from tournaments.models import Action, Decision, Tournament

EMPTY: Final = ""
"""The fingerprint before the first line."""


def append(
    *,
    tournament: Tournament,
    action: Action,
    actor: User,
    now: datetime,
    article: str = "",
    round_number: int | None = None,
    before: Mapping[str, object] | None = None,
    after: Mapping[str, object] | None = None,
    reason: str = "",
) -> Decision:
    """Write the next line of the record of *tournament*, whose row the caller has locked. Two queries.

    Actions call this through :meth:`~tournaments.core.actions.OpenAction.record`, which types *before* and *after*.
    *before* and *after* hold values that JSON can store without fractions, because PostgreSQL would change their
    notation.
    """
    last = Decision.objects.filter(tournament=tournament).order_by("-sequence").values_list("sequence", "hash").first()
    sequence, previous_hash = last or (0, EMPTY)
    decision = Decision(
        tournament=tournament,
        sequence=sequence + 1,
        action=action,
        article=article,
        actor=actor,
        actor_name=actor.get_full_name() or actor.get_username(),
        at=now,
        round_number=round_number,
        before=dict(before or {}),
        after=dict(after or {}),
        reason=reason,
        previous_hash=previous_hash,
    )
    decision.hash = fingerprint(decision)
    decision.save(force_insert=True)
    return decision


def fingerprint(decision: Decision) -> str:
    """Return the SHA-256, in hexadecimal, of the content of *decision* and of the fingerprint before it."""
    content = {
        "tournament": decision.tournament_id,
        "sequence": decision.sequence,
        "action": decision.action,
        "article": decision.article,
        "actor": decision.actor_id,
        "actor_name": decision.actor_name,
        "at": decision.at.astimezone(UTC).isoformat(timespec="microseconds"),
        "round": decision.round_number,
        "before": decision.before,
        "after": decision.after,
        "reason": decision.reason,
        "previous": decision.previous_hash,
    }
    canonical = json.dumps(content, sort_keys=True, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(canonical.encode("ascii")).hexdigest()


def verify(tournament: Tournament) -> list[str]:
    """Return the faults in the record of *tournament*, one line each; empty if it is unchanged. One query.

    Finds lines that were altered, inserted, reordered, or removed from the beginning or the middle. If lines are
    removed from the end, the shorter record is still consistent; only a copy of the last fingerprint shows the loss.
    """
    faults = []
    expected_sequence, previous_hash = 1, EMPTY
    for decision in Decision.objects.filter(tournament=tournament).order_by("sequence").iterator():
        if decision.sequence != expected_sequence:
            faults.append(f"#{decision.sequence}: expected #{expected_sequence} here; rows are missing.")
        if decision.previous_hash != previous_hash:
            faults.append(f"#{decision.sequence}: does not follow from the row before it.")
        if decision.hash != fingerprint(decision):
            faults.append(f"#{decision.sequence}: its content was altered.")
        expected_sequence, previous_hash = decision.sequence + 1, decision.hash
    return faults
