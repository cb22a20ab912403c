"""The frame of every act: lock the tournament, ask, do, count, record, commit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from pairing.rules.handling import HANDLING
from pairing.rules.verdict import Allowed, Refused, Verdict
from tournaments.core import permissions, record
from tournaments.core.errors import Conflict, RuleRefused
from tournaments.models import Decision, Tournament


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
        with citing(tournament):
            yield tournament


@contextmanager
def citing(tournament: Tournament) -> Iterator[None]:
    """Inside, a refusal under an article of 2026 names that of the edition *tournament* is run by.

    That is the edition before the act: one that would change it is refused under the rules that hold now.
    """
    edition = HANDLING[tournament.handling_edition]
    try:
        yield
    except RuleRefused as error:
        raise RuleRefused(replace(error.refusal, article=edition.cited(error.refusal.article))) from error


def in_own_edition(tournament: Tournament, refused: Refused) -> Refused:
    """*refused* under an article of 2026, with that of the edition *tournament* is run by."""
    return replace(refused, article=cited(tournament, refused.article))


def cited(tournament: Tournament, article: str) -> str:
    """*article* of 2026 as the edition of *tournament* numbers it; empty where it has none."""
    return HANDLING[tournament.handling_edition].cited(article)


def require(verdict: Verdict) -> None:
    """Raise :class:`RuleRefused` unless *verdict* allows."""
    match verdict:
        case Refused():
            raise RuleRefused(verdict)
        case Allowed():
            return


def require_seen(seen_version: int | None, version: int, code: str, **params: object) -> None:
    """Raise :class:`Conflict` *code* unless *version* is what the person who acts has seen.

    None: a program acts that shows no page. Below 0: a form that does not say what it was made from.
    """
    if seen_version is None or seen_version == version:
        return
    if seen_version < 0:
        raise Conflict("form.no_version")
    raise Conflict(code, params=params)


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
    is_public: bool = True,
) -> Decision:
    """Count the act in the tournament's versions and write it into the record. Three queries.

    *article* is that of 2026; the row has the one of the tournament's edition.

    *touches_pairing*: a pairing computed or drafted before this act may not be right any more. Not *is_public*: no
    visitor sees anything of it, for now.
    """
    decision = record.append(
        tournament=tournament,
        act=act,
        actor=actor,
        now=now,
        article=cited(tournament, article),
        round_number=round_number,
        before=before,
        after=after,
        reason=reason,
    )
    tournament.version += 1
    tournament.pairing_version += touches_pairing
    tournament.fingerprint = decision.hash
    changed = ["version", "pairing_version", "fingerprint"]
    if is_public:
        tournament.public_version += 1
        tournament.public_fingerprint = decision.hash
        changed += ["public_version", "public_fingerprint"]
    tournament.save(update_fields=changed)
    return decision
