"""What can be wrong with a file: always said with the line and the column, and what was expected there."""

from __future__ import annotations

from pairing.engine.errors import InputError


class TrfError(InputError):
    """A tournament report that cannot be read, contradicts itself, or asks for what we cannot do.

    ``line`` and ``column`` count from 1, columns in characters; 0 where a document was built and has no
    lines. ``code`` is stable for programs, ``message`` a sentence without the place, ``params`` what fills it; every
    message made here is a :class:`~pairing.engine.errors.Text`.
    """

    def __init__(self, code: str, message: str, *, line: int = 0, column: int = 0, **params: object) -> None:
        super().__init__(code, message, **params)
        self.line = line
        self.column = column

    def __str__(self) -> str:
        if not self.line:
            return self.message
        return f"line {self.line}, column {self.column}: {self.message}"
