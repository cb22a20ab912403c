"""The private values of a record, which fingerprints cover as salted hashes only.

This is the complete list; of every line the number of the account that did it is private too.
Everything else in a line is on public pages or in the public report file (names, FIDE IDs,
federations, ratings, results, absences), or becomes public with its round. A salt belongs to one
line, that of the accounts to one record, and none leaves the database: without it nobody can guess
a date of birth until the hash fits, with it the arbiter can prove a value.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final

from pairing.rules.kept_records import IMPORTED, IN_THE_OPEN, records_in_the_open

from .chain import Line, canonical
from .player_fields import PRIVATE

_OF_DESK: Final = frozenset({"phone", "note", "fee", "fee_due", "fee_paid"})
EVERYWHERE: Final = (
    PRIVATE | _OF_DESK | {"explanation", "consents", "viewed_by", "views", "entered_by", "read_by"}
)
"""The private fields of players (date of birth, number in the national federation, whole name of a
player who is shown with initials, mark of the check-in), explanation of an absence, consents to a
change, who viewed a draft and when, who entered and read a result; phone number, note and money of
the check-in desk. The FIDE ID of a player with initials is private too.
"""
ACCOUNT: Final = "person"
"""The key of the number of an account.

Its hash is the same in all lines of a record, as that of who did the action.
"""
OF_ACTION: Final[Mapping[str, frozenset[str]]] = {
    **dict.fromkeys(("person.appointed", "person.removed", "access.renewed"), frozenset({"name"})),
    "registration.refused": frozenset({"name", "registration"}),
    "rounds.changed": frozenset({"byes"}),
    "pairings.published": frozenset({"not_arrived"}),
    "round.changed": frozenset({"further", "exception"}),
    IMPORTED: frozenset({"kept_records"}),
}
"""Names of people who are on no public page, as after a refused registration; requested byes in
rounds that are never played; who was absent; records of an imported file that are kept but not
used, which may say anything.
"""
PERSONAL: Final = (
    PRIVATE
    | _OF_DESK
    | {"explanation", "consents", "not_arrived", "further", "exception", "kept_records"}
)
"""The private values about players.

Only these make a line one from which personal data are deleted.
"""
PUBLIC_REASONS: Final = frozenset(
    {
        "points.adjusted", "points.withdrawn", "tie_breaks.changed", "rounds.changed", "standings.reopened",
        "chief.handed_over", "equals.ranked", "announcement.withdrawn",
    }
)  # fmt: skip
"""Actions whose reason everybody reads.

All others say beside the field that players do not see it.
"""


def hide(
    line: Line, salt: str, account_salt: str, parts: Mapping[str, Any] = MappingProxyType({})
) -> Line:
    """Return *line* with its private values replaced by ``{"hash": …}``.

    *account_salt* is that of the whole record, for the numbers of accounts: a reader sees which
    lines are about the same person, and so whether somebody held a role, but no number. *parts* are
    those values of ``line.after`` for which :func:`hide_part` has done this before.
    """

    def account(number: object) -> dict[str, str]:
        return salted(account_salt, ("account",), number)

    names = _names(line)
    before = _hidden(_with_accounts(line.before, account), names, salt, ("before",))
    rest = {name: value for name, value in line.after.items() if name not in parts}
    after = {**_hidden(_with_accounts(rest, account), names, salt, ("after",)), **parts}
    reason = salted(salt, ("reason",), line.reason) if _has_private_reason(line) else line.reason
    return replace(line, before=before, after=after, reason=reason, account=account(line.account))


def hide_part(action: str, name: str, value: object, salt: str) -> Any:
    """Return *value*, which a line of *action* will have as *name*, hidden as :func:`hide` does.

    For a large value that is known before the line can be written. It has no account, and *action*
    is not an undo.
    """
    return _hidden(
        {name: value}, EVERYWHERE | OF_ACTION.get(action, frozenset()), salt, ("after",)
    )[name]


def _names(line: Line) -> frozenset[str]:
    """Return the keys of the private values of *line*, of an undo those of the undone action."""
    undone = str(line.after.get("action", ""))
    action = undone if line.action == "action.undone" else line.action
    return EVERYWHERE | OF_ACTION.get(action, frozenset())


def _has_private_reason(line: Line) -> bool:
    return bool(line.reason) and not is_hidden(line.reason) and line.action not in PUBLIC_REASONS


def _with_accounts(
    side: Mapping[str, Any], account: Callable[[object], dict[str, str]]
) -> dict[str, Any]:
    """Return one side of a line with the hash of its account; accounts are only at the top."""
    return {name: account(value) if name == ACCOUNT else value for name, value in side.items()}


def salted(salt: str, path: Sequence[str], value: object) -> dict[str, str]:
    """Return the HMAC-SHA256 of *path* and *value* with *salt*, in the form that a line has."""
    message = canonical([list(path), value]).encode("ascii")
    return {"hash": hmac.digest(salt.encode("ascii"), message, "sha256").hex()}


def is_hidden(value: object) -> bool:
    """Return whether *value* is the hash of a private value."""
    return isinstance(value, Mapping) and value.keys() == {"hash"}


def same(one: object, other: object) -> bool:
    """Return whether *one* and *other* are equal, as far as they are not hidden."""
    if is_hidden(one) or is_hidden(other):
        return True
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(
            same(value, other[name]) for name, value in one.items()
        )
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


def _with_fide_id(value: Mapping[str, Any], names: frozenset[str]) -> frozenset[str]:
    """Return *names*, with the FIDE ID if *value* is a player who is shown with initials:
    it leads to the name.

    If the whole name is a hash already, so is the FIDE ID, unless there was no whole name.
    """
    whole = value.get("full_name")
    return names | {"fide_id"} if whole and not is_hidden(whole) else names


def _hidden(value: Any, names: frozenset[str], salt: str, path: tuple[str, ...]) -> Any:
    if isinstance(value, Mapping):
        names = _with_fide_id(value, names)
        return {
            name: salted(salt, (*path, name), inner)
            if name in names and not is_hidden(inner)
            else inner
            if _has_no_names(inner)
            else _hidden(inner, names, salt, (*path, name))
            for name, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return [
            inner if _has_no_names(inner) else _hidden(inner, names, salt, (*path, str(place)))
            for place, inner in enumerate(value)
        ]
    return value


_SINGLE: Final = frozenset({str, int, bool, type(None)})


def _has_no_names(value: object) -> bool:
    """Return whether *value* is single, or a list of single values as a board is:
    nothing in it can be private.

    The line of an imported event has a hundred thousand of them.
    """
    return type(value) in _SINGLE or (type(value) is list and _SINGLE.issuperset(map(type, value)))


# Deletion: the values and the salt go, the hashes stay, so that every fingerprint can still be
# computed.

Hashes = Mapping[tuple[str, ...], str]
"""The hashes of deleted values, by their path in the line."""


@dataclass(frozen=True, slots=True)
class Deleted:
    """Both sides and the reason of a line without its private values, and their hashes."""

    before: dict[str, Any]
    after: dict[str, Any]
    reason: str
    hashes: dict[tuple[str, ...], str]


def has_personal_data(line: Line) -> bool:
    """Return whether *line* has a private value or reason that is not deleted."""
    names = PERSONAL | (
        OF_ACTION["registration.refused"] if line.action == "registration.refused" else frozenset()
    )
    return (
        _has_private_reason(line)
        or any(_has_value(side, names) for side in (line.before, line.after))
        or bool(records_in_the_open(line.action, line.after))
    )


def _has_value(value: Any, names: frozenset[str]) -> bool:
    if isinstance(value, Mapping):
        return any(
            (name in names and bool(inner) and not is_hidden(inner)) or _has_value(inner, names)
            for name, inner in value.items()
        )
    return isinstance(value, list | tuple) and any(_has_value(inner, names) for inner in value)


def delete(line: Line, salt: str) -> Deleted:
    """Return *line* with every private value replaced by an empty one of the same type.

    All of them go, not only those about players: the salt has to go with them, because anybody who
    has it could try all dates of birth, and without it no other private value of the line can be
    checked any more. Private records that an older line has in the open go too; its fingerprint
    cannot be computed any more, and the line of the deletion has the one in its place
    (:func:`replaced_fingerprints`).
    """
    names, hashes = _names(line), dict[tuple[str, ...], str]()
    if records_in_the_open(line.action, line.after):
        names |= {IN_THE_OPEN}
    before = _emptied(line.before, names, salt, ("before",), hashes)
    after = _emptied(line.after, names, salt, ("after",), hashes)
    reason = str(line.reason)
    if _has_private_reason(line):
        hashes["reason",], reason = salted(salt, ("reason",), line.reason)["hash"], ""
    return Deleted(before, after, reason, hashes)


def has_lost_open_records(line: Line) -> bool:
    """Return whether records that *line*, an import, had in the open were deleted from it."""
    settings = line.after.get("settings") if line.action == IMPORTED else None
    return isinstance(settings, Mapping) and is_hidden(settings.get(IN_THE_OPEN))


def replaced_fingerprints(lines: Iterable[Line]) -> dict[int, str]:
    """Return, by line, the fingerprints that take the place of those of
    imports whose open records were deleted.

    The lines of the deletions have them, so they are chained and signed. No other line can have
    one.
    """
    without_records: set[str] = set()
    found: dict[int, str] = {}
    for line in lines:
        if has_lost_open_records(line):
            without_records.add(str(line.sequence))
        fingerprints = line.after.get("fingerprints") if line.action == "data.deleted" else None
        if isinstance(fingerprints, Mapping):
            found |= {
                int(number): fingerprints[number]
                for number in without_records & fingerprints.keys()
            }
    return found


def with_hashes(line: Line, hashes: Hashes) -> Line:
    """Return *line*, from which values were deleted, with their hashes in their places."""
    before, after = (
        _put_back(line.before, hashes, ("before",)),
        _put_back(line.after, hashes, ("after",)),
    )
    reason = {"hash": hashes["reason",]} if ("reason",) in hashes else line.reason
    return replace(line, before=before, after=after, reason=reason)


def has_values(line: Line, hashes: Hashes) -> bool:
    """Return whether *line* has a value, or no place, where *hashes* say that a value was deleted.

    The fingerprint covers only the hash, so this would not alter it.
    """
    sides = {"before": line.before, "after": line.after, "reason": line.reason}
    return any(_at(sides, path) for path in hashes)


def _at(value: Any, path: Sequence[str]) -> Any:
    """Return what *value* has at *path*; True if there is no such place."""
    for name in path:
        if isinstance(value, Mapping) and name in value:
            value = value[name]
        elif isinstance(value, list | tuple) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        else:
            return True
    return value


def _emptied(
    value: Any,
    names: frozenset[str],
    salt: str,
    path: tuple[str, ...],
    hashes: dict[tuple[str, ...], str],
) -> Any:
    """Return *value* without private values, and add their hashes to *hashes*."""
    if isinstance(value, Mapping):
        names = _with_fide_id(value, names)
        kept = {}
        for name, inner in value.items():
            if name in names:
                hashes[*path, name] = salted(salt, (*path, name), inner)["hash"]
                kept[name] = None if inner is None else type(inner)()
            else:
                kept[name] = _emptied(inner, names, salt, (*path, name), hashes)
        return kept
    if isinstance(value, list | tuple):
        return [
            _emptied(inner, names, salt, (*path, str(place)), hashes)
            for place, inner in enumerate(value)
        ]
    return value


def _put_back(value: Any, hashes: Hashes, path: tuple[str, ...]) -> Any:
    if path in hashes:
        return {"hash": hashes[path]}
    if isinstance(value, Mapping):
        return {name: _put_back(inner, hashes, (*path, name)) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_put_back(inner, hashes, (*path, str(place))) for place, inner in enumerate(value)]
    return value
