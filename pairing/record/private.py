"""The private values of a record, which fingerprints cover as salted hashes only.

This is the complete list; of every line the number of the account that did it is private too. Everything else in a line
is on public pages or in the public report file (names, FIDE IDs, federations, ratings, results, absences), or becomes
public with its round. A salt belongs to one line, that of the accounts to one record, and none leaves the database:
without it nobody can guess a date of birth until the hash fits, with it the arbiter can prove a value.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any, Final

from .chain import Line, canonical

EVERYWHERE: Final = frozenset(
    {
        "birth_date", "checked_in", "explanation", "consents", "viewed_by", "views", "entered_by", "read_by",
        "phone", "note", "fee", "fee_due", "fee_paid",
    }
)  # fmt: skip
"""Date of birth, mark of the check-in, explanation of an absence, consents to a change, who viewed a draft and when,
who entered and read a result; phone number, note and money of the check-in desk.
"""
ACCOUNT: Final = "person"
"""The key of the number of an account. Its hash is the same in all lines of a record, as that of who did the action."""
OF_ACTION: Final[Mapping[str, frozenset[str]]] = {
    **dict.fromkeys(("person.appointed", "person.removed", "access.renewed"), frozenset({"name"})),
    "registration.refused": frozenset({"name", "registration"}),
    "rounds.changed": frozenset({"byes"}),
    "pairings.published": frozenset({"not_arrived"}),
    "round.changed": frozenset({"further", "exception"}),
}
"""Names of people who are on no public page, as after a refused registration; requested byes in rounds that are never
played; who was absent.
"""
PUBLIC_REASONS: Final = frozenset(
    {
        "points.adjusted", "points.withdrawn", "tie_breaks.changed", "rounds.changed", "standings.reopened",
        "chief.handed_over", "equals.ranked", "announcement.withdrawn",
    }
)  # fmt: skip
"""Actions whose reason everybody reads. All others say beside the field that players do not see it."""


def hide(line: Line, salt: str, account_salt: str) -> Line:
    """Return *line* with its private values replaced by ``{"hash": …}``.

    *account_salt* is that of the whole record, for the numbers of accounts: a reader sees which lines are about the
    same person, and so whether somebody held a role, but no number.
    """

    def account(number: object) -> dict[str, str]:
        return salted(account_salt, ("account",), number)

    names = EVERYWHERE | OF_ACTION.get(line.action, frozenset())
    before = _hidden(_with_accounts(line.before, account), names, salt, ("before",))
    after = _hidden(_with_accounts(line.after, account), names, salt, ("after",))
    is_private = line.reason and line.action not in PUBLIC_REASONS
    reason = salted(salt, ("reason",), line.reason) if is_private else line.reason
    return replace(line, before=before, after=after, reason=reason, account=account(line.account))


def _with_accounts(side: Mapping[str, Any], account: Callable[[object], dict[str, str]]) -> dict[str, Any]:
    """Return one side of a line with the hash of its account; accounts are only at the top."""
    return {name: account(value) if name == ACCOUNT else value for name, value in side.items()}


def salted(salt: str, path: Sequence[str], value: object) -> dict[str, str]:
    """Return the HMAC-SHA256 of *path* and *value* with *salt*, in the form that a line has."""
    message = canonical([list(path), value]).encode("ascii")
    return {"hash": hmac.new(salt.encode("ascii"), message, sha256).hexdigest()}


def is_hidden(value: object) -> bool:
    """Return whether *value* is the hash of a private value."""
    return isinstance(value, Mapping) and value.keys() == {"hash"}


def same(one: object, other: object) -> bool:
    """Return whether *one* and *other* are equal, as far as they are not hidden."""
    if is_hidden(one) or is_hidden(other):
        return True
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(value, other[name]) for name, value in one.items())
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


def _hidden(value: Any, names: frozenset[str], salt: str, path: tuple[str, ...]) -> Any:
    if isinstance(value, Mapping):
        return {
            name: salted(salt, (*path, name), inner) if name in names else _hidden(inner, names, salt, (*path, name))
            for name, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return [_hidden(inner, names, salt, (*path, str(place))) for place, inner in enumerate(value)]
    return value
