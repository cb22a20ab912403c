"""The exported record: JSON lines. First the header, then one line for each action, last the seal.

docs/developer/record-format.md describes every field.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from pairing.engine.errors import InputError

from .chain import Line, canonical, content, digest

FORMAT: Final = "swiss-arbiter-record/1"
MAX_LINE: Final = 16_000_000
"""Bytes of one line: an imported event of 5,000 players fits."""


@dataclass(frozen=True, slots=True)
class Header:
    """The first line. ``keys`` are the public keys that signed the lines, in order.

    ``is_complete``: the file is for arbiters and has all lines. Otherwise it ends before the first
    line that visitors may not read yet, and of the lines ``withheld`` (check-ins, and byes in
    coming rounds) it has only the fingerprints.
    """

    name: str
    tournament: str
    system: str
    edition: str
    program: str
    keys: tuple[str, ...]
    lines: int
    is_complete: bool
    withheld: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Seal:
    """The last line: the signature, by ``key``, of the header and of the last fingerprint.

    Nothing can be cut off.
    """

    hash: str
    key: str
    signature: str


@dataclass(frozen=True, slots=True)
class RecordFile:
    """A whole file; ``seal`` is None if the file ends without one."""

    header: Header
    lines: tuple[Line, ...]
    seal: Seal | None


def sealed(header: Header, last: str) -> str:
    """Return the text that the seal signs: a digest of *header* and of the *last* fingerprint."""
    return digest([_header_json(header), last])


def write(header: Header, lines: Iterable[Line], seal: Seal) -> Iterator[str]:
    """Yield the lines of the file, each with its line feed."""
    yield canonical(_header_json(header)) + "\n"
    for line in lines:
        values = {**content(line), "hash": line.hash, "signature": line.signature}
        yield (
            canonical({name: values[name] for name in _OF_WITHHELD} if line.is_withheld else values)
            + "\n"
        )
    yield (
        canonical(
            {"end": header.lines, "hash": seal.hash, "key": seal.key, "signature": seal.signature}
        )
        + "\n"
    )


def read(lines: Iterable[bytes]) -> RecordFile:
    """Return the file with *lines*.

    ``InputError`` (``record.unreadable``) names the line that has another form.
    """
    header: Header | None = None
    found: list[Line] = []
    seal: Seal | None = None
    for number, raw in enumerate(lines, start=1):
        try:
            values = _object(raw)
            if header is None:
                header = _header(values)
            elif seal is not None:
                raise ValueError("there is nothing after the seal")
            elif "end" in values:
                seal = _seal(values)
            else:
                found.append(_line(values))
        except (ValueError, RecursionError) as error:
            raise InputError(
                "record.unreadable", f"Line {number} is no line of a record: {error}."
            ) from error
    if header is None:
        raise InputError("record.unreadable", "The file is empty.")
    return RecordFile(header, tuple(found), seal)


def _object(raw: bytes) -> dict[str, Any]:
    if len(raw) > MAX_LINE:
        raise ValueError("it is too long")
    values = json.loads(
        raw.decode("utf-8"), object_pairs_hook=_once, parse_constant=_refused, parse_float=_refused
    )
    if not isinstance(values, dict):
        raise ValueError("it is no JSON object")
    return values


def _once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) != len(pairs):
        raise ValueError("it has a key twice")
    return values


def _refused(text: str) -> object:
    raise ValueError(f"it has the number {text}")


def _header_json(header: Header) -> dict[str, object]:
    return {
        "format": FORMAT,
        "name": header.name,
        "tournament": header.tournament,
        "system": header.system,
        "edition": header.edition,
        "program": header.program,
        "keys": list(header.keys),
        "lines": header.lines,
        "complete": header.is_complete,
        "withheld": list(header.withheld),
    }


_HEADER: Final[Mapping[str, type]] = {
    "format": str, "name": str, "tournament": str, "system": str, "edition": str, "program": str, "keys": list,
    "lines": int, "complete": bool, "withheld": list,
}  # fmt: skip
_SEAL: Final[Mapping[str, type]] = {"end": int, "hash": str, "key": str, "signature": str}
_LINE: Final[Mapping[str, tuple[type, ...] | type]] = {
    "sequence": int, "action": str, "article": str, "actor": str, "account": dict, "at": str,
    "round": (int, type(None)), "before": dict, "after": dict, "reason": (str, dict), "public": bool,
    "key": str, "previous": str, "hash": str, "signature": str,
}  # fmt: skip

_OF_WITHHELD: Final = ("sequence", "key", "previous", "hash", "signature")
"""The keys of a line without its content."""


def _require_form(values: Mapping[str, Any], form: Mapping[str, tuple[type, ...] | type]) -> None:
    if values.keys() != form.keys():
        other = ", ".join(sorted(values.keys() ^ form.keys()))
        raise ValueError(f"it has other keys than it should ({other})")
    for name, kind in form.items():
        if not isinstance(values[name], kind) or (
            isinstance(values[name], bool) and kind is not bool
        ):
            raise ValueError(f"{name} has another type than it should")


def _header(values: Mapping[str, Any]) -> Header:
    if values.get("format") != FORMAT:
        raise ValueError(f"the format is not {FORMAT}")
    _require_form(values, _HEADER)
    for name, kind in (("keys", str), ("withheld", int)):
        if not all(type(value) is kind for value in values[name]):
            raise ValueError(f"{name} has another type than it should")
    return Header(
        name=values["name"],
        tournament=values["tournament"],
        system=values["system"],
        edition=values["edition"],
        program=values["program"],
        keys=tuple(values["keys"]),
        lines=values["lines"],
        is_complete=values["complete"],
        withheld=tuple(values["withheld"]),
    )


def _seal(values: Mapping[str, Any]) -> Seal:
    _require_form(values, _SEAL)
    return Seal(values["hash"], values["key"], values["signature"])


def _line(values: Mapping[str, Any]) -> Line:
    if "action" not in values:
        _require_form(values, {name: _LINE[name] for name in _OF_WITHHELD})
        return Line.withheld(**cast(Any, values))
    _require_form(values, _LINE)
    renamed = {"round": "round_number", "public": "is_public"}
    return Line(**{renamed.get(name, name): cast(Any, value) for name, value in values.items()})
