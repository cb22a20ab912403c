"""The record of a tournament: actions with user, time and article, in a chain.

The fingerprint of a line is the SHA-256 of its content and of the fingerprint before it
(:mod:`pairing.record.chain`). A line that was altered, removed or moved is therefore detected. Each
fingerprint is signed with the key of the installation, so nobody without the key can compute a part
of the record again.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from django.contrib.auth.models import User

from pairing.record import chain
from pairing.record.chain import EMPTY, Line
from pairing.record.private import (
    Hashes,
    delete,
    has_values,
    hide,
    hide_part,
    replaced_fingerprints,
    with_hashes,
)
from pairing.record.verify import signature_fault as verify_signature
from pairing.rules.kept_records import records_in_the_open
from tournaments.core import signing
from tournaments.models import Action, Decision, Tournament
from tournaments.models.decision import THE_SERVER


@dataclass(frozen=True, slots=True)
class Prepared:
    """Large parts of a line of the record, by name, whose private values
    were hidden before the lock, and their salt.

    The line has to be written with the same parts: :func:`verify` finds any other.
    """

    salt: str
    parts: Mapping[str, Any]

    @classmethod
    def from_values(cls, action: Action, **after: object) -> Prepared:
        """Return the values *after* of a line of *action*, hidden with a new salt."""
        salt = secrets.token_hex(16)
        return cls(
            salt, {name: hide_part(action, name, value, salt) for name, value in after.items()}
        )


def append(
    *,
    tournament: Tournament,
    action: Action,
    actor: User | None,
    now: datetime,
    article: str = "",
    round_number: int | None = None,
    before: Mapping[str, object] | None = None,
    after: Mapping[str, object] | None = None,
    reason: str = "",
    is_public: bool = False,
    salt: str | None = None,
    prepared: Prepared | None = None,
) -> Decision:
    """Write the next line of the record of the locked *tournament*. Two queries.

    Actions call this through :meth:`~tournaments.core.actions.OpenAction.record`, which types
    *before* and *after*. *before* and *after* hold values that JSON can store without fractions,
    because PostgreSQL would change their notation. *actor* None: the console of the server, without
    a logged-in user. *salt* hides the private values in the fingerprint; None: a random one.
    *prepared*: parts of *after* that were hidden before, with their salt.
    """
    if prepared is not None:
        salt = prepared.salt
    last = (
        Decision.objects.filter(tournament=tournament)
        .order_by("-sequence")
        .values_list("sequence", "hash")
        .first()
    )
    sequence, previous_hash = last or (0, EMPTY)
    decision = Decision(
        tournament=tournament,
        sequence=sequence + 1,
        action=action,
        article=article,
        actor=actor,
        actor_name=THE_SERVER if actor is None else actor.get_full_name() or actor.get_username(),
        at=now,
        round_number=round_number,
        before=dict(before or {}),
        after=dict(after or {}),
        reason=reason,
        previous_hash=previous_hash,
        is_public=is_public,
        salt=secrets.token_hex(16) if salt is None else salt,
        key=signing.public_key(),
    )
    decision.hash = fingerprint(decision, prepared.parts if prepared else {})
    decision.signature = signing.sign(decision.hash)
    decision.save(force_insert=True)
    return decision


def line_of(decision: Decision) -> Line:
    """Return *decision* as a line with its private values; deleted ones are hashes."""
    return (
        with_hashes(_as_stored(decision), _deleted(decision))
        if decision.deleted
        else _as_stored(decision)
    )


def _deleted(decision: Decision) -> Hashes:
    return {tuple(path): value for path, value in decision.deleted}


def _as_stored(decision: Decision) -> Line:
    return Line(
        sequence=decision.sequence,
        action=str(decision.action),
        article=decision.article,
        actor=decision.actor_name,
        account=decision.actor_id,
        at=decision.at.astimezone(UTC).isoformat(timespec="microseconds"),
        round_number=decision.round_number,
        before=decision.before,
        after=decision.after,
        reason=decision.reason,
        is_public=decision.is_public,
        key=decision.key,
        previous=decision.previous_hash,
        hash=decision.hash,
        signature=decision.signature,
    )


def delete_private_values(decisions: Iterable[Decision]) -> None:
    """Delete private values of *decisions* and their salts; hashes stay. One query each.

    The database refuses it unless a later line of the same record says that data were deleted.
    """
    for decision in decisions:
        Decision.objects.filter(pk=decision.pk).update(**_deletion(decision))


def _deletion(decision: Decision) -> dict[str, Any]:
    """Return the columns of *decision* without its private values."""
    deleted = delete(line_of(decision), decision.salt)
    return {
        "before": deleted.before,
        "after": deleted.after,
        "reason": deleted.reason,
        "salt": "",
        "deleted": [[list(path), value] for path, value in deleted.hashes.items()],
    }


def fingerprints_without_open_records(decisions: Iterable[Decision]) -> dict[str, str]:
    """Return, by line, the new fingerprints of those *decisions* that lose
    values which the old ones cover in the open.

    Nothing is changed: the line of the deletion has to have them before
    :func:`delete_private_values`.
    """
    found = {}
    for decision in decisions:
        if records_in_the_open(decision.action, decision.after):
            emptied = copy(decision)
            for name, value in _deletion(decision).items():
                setattr(emptied, name, value)
            found[str(decision.sequence)] = fingerprint(emptied)
    return found


def lines_of(tournament: Tournament, *, private: bool) -> Iterator[Line]:
    """Yield the lines of the record in order, as exported or with *private* values. One query."""
    for decision in Decision.objects.filter(tournament=tournament).order_by("sequence").iterator():
        line = line_of(decision)
        yield line if private else hide(line, decision.salt, tournament.account_salt)


def fingerprint(decision: Decision, parts: Mapping[str, Any] = MappingProxyType({})) -> str:
    """Return the SHA-256 (hexadecimal) of *decision* with the fingerprint before it.

    *parts*: see :class:`Prepared`.
    """
    tournament = decision.tournament
    hidden = hide(line_of(decision), decision.salt, tournament.account_salt, parts)
    return chain.fingerprint(tournament.identity, hidden)


def verify(tournament: Tournament) -> list[str]:
    """Return the faults in the chain of the record, one line each; empty if unchanged.

    Three queries. Finds lines that were altered, inserted, reordered, or removed from the beginning
    or the middle, and values in the place of deleted ones. If lines are removed from the end, the
    shorter record is still consistent: :func:`ending_faults` finds that.
    """
    about = (Action.TOURNAMENT_IMPORTED, Action.DATA_DELETED)
    rows = Decision.objects.filter(tournament=tournament, action__in=about).order_by("sequence")
    replaced = replaced_fingerprints(map(line_of, rows))
    lines = lines_of(tournament, private=False)
    faults = list(chain.chain_faults(tournament.identity, lines, replaced=replaced))
    emptied = Decision.objects.filter(tournament=tournament, salt="").order_by("sequence")
    faults += (
        chain.Fault(decision.sequence, "there is a value where one was deleted.")
        for decision in emptied.iterator()
        if has_values(_as_stored(decision), _deleted(decision))
    )
    return [str(fault) for fault in faults]


def signature_faults(tournament: Tournament, keys: Collection[str]) -> list[str]:
    """Return the lines of *tournament* not signed with one of *keys*. One query.

    A record that was computed again has other fingerprints, and only the owner of the key can sign
    these.
    """
    lines = lines_of(tournament, private=True)
    return [str(fault) for line in lines if (fault := verify_signature(line, keys)) is not None]


def lines_by_key(tournament: Tournament) -> dict[str, int]:
    """Return how many lines each public key has signed, as they say, in order. One query."""
    keys = (
        Decision.objects.filter(tournament=tournament)
        .order_by("sequence")
        .values_list("key", flat=True)
    )
    return dict(Counter(keys))


def key_change_faults(tournament: Tournament, unknown: Collection[str]) -> list[str]:
    """Return the lines from which on a key of *unknown* signs without
    a hand-over in the line before. One query.

    Who computes the end of a record again has no other key than their own, and cannot sign the
    hand-over.
    """
    return [
        f"#{line.sequence}: from here on another key signs ({line.key}), and the event was not "
        f"handed over before. If "
        "another installation has imported it without a hand-over, name its key with --key."
        for before, line in pairwise(lines_of(tournament, private=True))
        if line.key != before.key
        and line.key in unknown
        and before.action != Action.TOURNAMENT_HANDED_OVER
    ]


def ending_faults(tournament: Tournament) -> list[str]:
    """Return whether lines are missing at the end: the tournament counts them
    and keeps the last fingerprint. Two queries.
    """
    kept = Tournament.objects.values_list("version", "fingerprint", "public_fingerprint").get(
        pk=tournament.pk
    )
    rows = Decision.objects.filter(tournament=tournament).order_by("-sequence")
    last, shown = rows.first(), rows.filter(is_public=True).first()
    there = (
        last.sequence if last else 0,
        last.hash if last else EMPTY,
        shown.hash if shown else EMPTY,
    )
    if kept == there:
        return []
    return [
        (
            f"The record ends with #{there[0]}, and the tournament with #{kept[0]}: the end was "
            f"removed or altered."
        )
    ]
