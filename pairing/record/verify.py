"""Verify an exported record: the chain, the signatures, the replay, the roles, and the end."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from .chain import EMPTY, Fault, Line, chain_faults
from .file import RecordFile, sealed
from .people import People
from .private import replaced_fingerprints
from .replay import replay
from .signatures import is_signed
from .state import State


@dataclass(frozen=True, slots=True)
class FileFault:
    """The first inconsistent line of a file: its number in the file from 1, and the fault."""

    line: int
    message: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


def first_fault(
    file: RecordFile, *, keys: Collection[str] = (), check_signatures: bool = True
) -> FileFault | None:
    """Return the first inconsistent line of *file*; None if there is none.

    *keys* are public keys known from elsewhere, such as a printed list: without any, those of the
    header are taken. Cost: a hash and a signature for each line, less than a millisecond.
    """
    state, people, before = State(), People(), None
    replaced = replaced_fingerprints(file.lines)
    known, withheld = keys or file.header.keys, frozenset(file.header.withheld)
    for number, line in enumerate(file.lines, start=2):
        fault = next(chain_faults(file.header.tournament, [line], before, replaced), None)
        if fault is None and check_signatures:
            fault = signature_fault(line, known)
        if fault is None and line.is_withheld is not (line.sequence in withheld):
            fault = Fault(
                line.sequence, "the header says otherwise whether its content is withheld."
            )
        if fault is None:
            state, fault = replay([line], state)
        if fault is None:
            fault = people.read(line)
        if fault is not None:
            return FileFault(number, str(fault))
        before = line
    message = _end_fault(file, known, check_signatures=check_signatures)
    return FileFault(len(file.lines) + 2, message) if message else None


def signature_fault(line: Line, keys: Collection[str]) -> Fault | None:
    """Return why the fingerprint of *line* is not signed with one of *keys*."""
    if not line.signature:
        return Fault(line.sequence, "its fingerprint is not signed.")
    if line.key not in keys:
        return Fault(line.sequence, f"its fingerprint is signed with another key ({line.key}).")
    if not is_signed(line.key, line.hash, line.signature):
        return Fault(line.sequence, "its signature does not fit its fingerprint.")
    return None


def _end_fault(file: RecordFile, keys: Collection[str], *, check_signatures: bool) -> str:
    """Return what is wrong with the end of *file*, whose lines are consistent; else empty."""
    header, seal = file.header, file.seal
    last = file.lines[-1].hash if file.lines else EMPTY
    if seal is None:
        return "the seal is missing; the file was cut off."
    if header.lines != len(file.lines):
        return f"the header has {header.lines} lines and the file {len(file.lines)}."
    if seal.hash != last:
        return "the seal has another fingerprint than the last line; lines are missing."
    if check_signatures and seal.key not in keys:
        return f"the seal is signed with another key ({seal.key})."
    if check_signatures and not is_signed(seal.key, sealed(header, last), seal.signature):
        return "the signature of the seal does not fit the header and the last fingerprint."
    return ""
