"""What a witness has named, and who that was."""

from __future__ import annotations

from typing import Final

from tournaments.core.errors import BadInput

MAX_LETTERS: Final = 100


def named_by(named: str, witness: str) -> tuple[str, str]:
    """Return what a witness *named*, and who that was, without blanks around them.

    ``BadInput`` unless both or none.
    """
    named, witness = one_line(named, "named"), one_line(witness, "witness")
    if bool(named) != bool(witness):
        raise BadInput("draw.one_of_two", field="witness" if named else "named")
    return named, witness


def one_line(text: str, field: str) -> str:
    """Return *text* without needless blanks.

    ``BadInput`` at *field* if it is too long or cannot be printed.
    """
    text = " ".join(text.split())
    if len(text) > MAX_LETTERS or not text.isprintable():
        raise BadInput("draw.text", field=field, most=MAX_LETTERS)
    return text
