"""Read the input of a verb: a file, or standard input as ``-``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from pairing.engine.errors import InputError
from pairing.engine.systems import system_by_code
from pairing.trf.document import TrfDocument
from pairing.trf.editions import RulesUsed, decide_system
from pairing.trf.encoding import Encoding, decoded
from pairing.trf.fields import MAX_BYTES
from pairing.trf.matches import by_rounds_played
from pairing.trf.native_files import refuse_native
from pairing.trf.reader import read
from pairing.trf.remarks import remarks

STANDARD_INPUT = "-"
SYSTEM_HELP = (
    "the pairing system instead of that of FILE (dutch_2026); without it, a report that names no "
    "system or edition is "
    "paired by the Dutch System in force on its first day, or by the present one if it has no "
    "first day; a line on "
    "standard error reports the guess"
)


def read_bytes(name: str, *, most: int) -> bytes:
    """Return at most *most* bytes and one more of the file *name*: readers refuse longer files.

    Raise :class:`InputError` (``file.unreadable``) with the system's reason.
    """
    with _opened(name) as file:
        return file.read(most + 1)


def read_lines(name: str) -> Iterator[bytes]:
    """Yield the lines of the file *name* as they arrive; :class:`InputError` if unreadable."""
    with _opened(name) as file:
        yield from file


@contextmanager
def _opened(name: str) -> Iterator[IO[bytes]]:
    try:
        if name == STANDARD_INPUT:
            yield sys.stdin.buffer
        else:
            # Importing pathlib takes longer than reading a report.
            with open(name, "rb") as file:  # noqa: PTH123
                yield file
    except OSError as error:
        reason = error.strerror or "it cannot be read"
        raise InputError("file.unreadable", f"{reason}.", name=name) from None


def read_document(name: str, system: str | None = None, check_points: bool = True) -> TrfDocument:
    """Return the report in the file *name* by the rounds of its system, or of *system*:
    by matches if it pairs matches.

    A file that is not in UTF-8 is read as :func:`decoded` decides, and the assumed encoding is
    printed on standard error. Without *check_points* its points column is not checked. Raise
    :class:`InputError`.
    """
    return document_of(read_bytes(name, most=MAX_BYTES), name, system, check_points)


def document_of(
    data: bytes, name: str, system: str | None = None, check_points: bool = True
) -> TrfDocument:
    """Return the report in *data*, the content of the file *name*, as :func:`read_document`."""
    if len(data) <= MAX_BYTES:  # a longer one is refused for that
        refuse_native(data, name)
    text, encoding = decoded(data)
    as_it_is = encoding is Encoding.UTF_8 or len(data) > MAX_BYTES
    document = read(data if as_it_is else text, system=system, check_points=check_points)
    if encoding.is_assumed:
        print(
            f"pairing: {display(name)}: not UTF-8, read as {encoding.value}.",
            file=sys.stderr,
            flush=True,
        )
    return by_rounds_played(document, system)


def print_guess(name: str, document: TrfDocument, system: str | None) -> None:
    """Report on standard error which pairing system is used if the file does not decide it."""
    decided = decide_system(document, system)
    if decided.is_guess:
        line = used(decided, "paired by", system_by_code(decided.code).name)
        print(f"pairing: {display(name)}: {line}", file=sys.stderr, flush=True)


def print_remarks(name: str, document: TrfDocument) -> None:
    """Report on standard error what may be wrong in the file *name*, a line for each remark."""
    for remark in remarks(document):
        print(f"pairing: {display(name)}: {remark}", file=sys.stderr, flush=True)


def used(decided: RulesUsed, what: str, name: str) -> str:
    """Return a line with the rules used and the reason."""
    return f"{what} {decided.code} ({name}): {decided}" + (
        "; please check" if decided.is_guess else ""
    )


def display(name: str) -> str:
    """Return the name used in messages for *name*."""
    return "standard input" if name == STANDARD_INPUT else name
