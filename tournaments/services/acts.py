"""The frame of every act: lock the tournament, ask, do, count, record, commit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from pairing.rules.verdict import Allowed, Refused, Verdict
from tournaments import permissions, record
from tournaments.models import Decision, Tournament

from .errors import RuleRefused


@contextmanager
def act_on(*, actor: User, **lookup: int) -> Iterator[Tournament]:
    """One transaction with the tournament locked that *lookup* finds (``pk=…``, ``rounds=…``, ``entries=…``).

    The lock is the first thing taken: two acts on one tournament happen one after the other, and whatever is read
    inside is what holds until the commit. PostgreSQL locks the row; on SQLite the transaction is the only writer.
    Raises ``Tournament.DoesNotExist`` and ``PermissionDenied``.
    """
    with transaction.atomic():
        # Only the tournament's own row: rows joined to find it must not be locked before it, or two acts could
        # wait for each other.
        tournament = Tournament.objects.select_for_update(of=("self",)).get(**lookup)
        permissions.require_may_run(actor, tournament)
        yield tournament


def require(verdict: Verdict) -> None:
    """Raise :class:`RuleRefused` unless *verdict* allows."""
    match verdict:
        case Refused():
            raise RuleRefused(verdict)
        case Allowed():
            return


def conclude(
    tournament: Tournament,
    act: str,
    *,
    actor: User,
    now: datetime,
    article: str = "",
    round_number: int | None = None,
    before: Mapping[str, object] | None = None,
    after: Mapping[str, object] | None = None,
    reason: str = "",
    touches_pairing: bool = False,
) -> Decision:
    """Count the act in the tournament's versions and write it into the record. Three queries.

    *touches_pairing*: a pairing computed or drafted before this act may not be right any more.
    """
    tournament.version += 1
    tournament.pairing_version += touches_pairing
    tournament.save(update_fields=["version", "pairing_version"])
    return record.append(
        tournament=tournament,
        act=act,
        actor=actor,
        now=now,
        article=article,
        round_number=round_number,
        before=before,
        after=after,
        reason=reason,
    )
