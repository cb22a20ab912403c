"""The lines of a record and their fingerprints.

The fingerprint of a line is the SHA-256 of its content and of the fingerprint before it. Private
values are replaced before it is computed (:mod:`pairing.record.private`), so anybody can compute it
again. The content names the tournament and the key of the installation, but no number of one
database.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

EMPTY: Final = ""
"""The fingerprint before the first line."""


@dataclass(frozen=True, slots=True)
class Line:
    """One action of a record.

    ``at`` is its time in UTC with microseconds, ``key`` the public key of the installation.
    ``account`` is the number of the person's account and ``reason`` a text, or the hashes of these.
    ``is_public``: visitors see the fingerprint from this line on.
    """

    sequence: int
    action: str
    article: str
    actor: str
    account: object
    at: str
    round_number: int | None
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    reason: object
    is_public: bool
    key: str
    previous: str
    hash: str = ""
    signature: str = ""

    @property
    def is_withheld(self) -> bool:
        """Whether only the fingerprint is known: the content is not published yet."""
        return not self.action

    @classmethod
    def withheld(cls, *, sequence: int, key: str, previous: str, hash: str, signature: str) -> Line:  # noqa: A002
        """Return a line as a file for visitors has it before its content is published."""
        return cls(
            sequence, "", "", "", None, "", None, {}, {}, "", False, key, previous, hash, signature
        )


def content(line: Line) -> dict[str, object]:
    """Return what the fingerprint of *line* covers, under the names of the exported file."""
    return {
        "sequence": line.sequence,
        "action": line.action,
        "article": line.article,
        "actor": line.actor,
        "account": line.account,
        "at": line.at,
        "round": line.round_number,
        "before": line.before,
        "after": line.after,
        "reason": line.reason,
        "public": line.is_public,
        "key": line.key,
        "previous": line.previous,
    }


def canonical(value: object) -> str:
    """Return *value* as JSON in the one form that is hashed: sorted keys, no spaces, ASCII."""
    return _CANONICAL.encode(value)


_CANONICAL: Final = json.JSONEncoder(
    sort_keys=True, ensure_ascii=True, separators=(",", ":"), allow_nan=False
)
"""Made once: the line of an imported event has thousands of private values,
each hashed by itself.
"""


def digest(value: object) -> str:
    """Return the SHA-256 of :func:`canonical` *value*, in hexadecimal."""
    return hashlib.sha256(canonical(value).encode("ascii")).hexdigest()


def fingerprint(tournament: str, line: Line) -> str:
    """Return the fingerprint of *line* (private values replaced) of *tournament* (identity)."""
    return digest({"tournament": tournament, **content(line)})


@dataclass(frozen=True, slots=True)
class Fault:
    """An inconsistency at line *sequence* of a record."""

    sequence: int
    message: str

    def __str__(self) -> str:
        return f"#{self.sequence}: {self.message}"


def chain_faults(
    tournament: str,
    lines: Iterable[Line],
    after: Line | None = None,
    replaced: Mapping[int, str] = MappingProxyType({}),
) -> Iterator[Fault]:
    """Yield the lines that were altered, inserted, reordered,
    or follow a gap. The end may be missing.

    Of a withheld line only the fingerprint can be compared, with the line after it.

    *after* is the line before the first of *lines*; None: there is none. *replaced* are the
    fingerprints of lines as they are after a deletion of values in the open
    (:func:`pairing.record.private.replaced_fingerprints`).
    """
    expected, previous = (after.sequence + 1, after.hash) if after else (1, EMPTY)
    for line in lines:
        if line.sequence != expected:
            yield Fault(line.sequence, f"expected #{expected} here; rows are missing.")
        if line.previous != previous:
            yield Fault(line.sequence, "does not follow from the row before it.")
        if not line.is_withheld and fingerprint(tournament, line) not in (
            line.hash,
            replaced.get(line.sequence),
        ):
            yield Fault(line.sequence, "its content was altered.")
        expected, previous = line.sequence + 1, line.hash
