"""Define the error of a report file: always with line, column and the expected content."""

from __future__ import annotations

from pairing.engine.errors import InputError


class TrfError(InputError):
    """A report that cannot be read, contradicts itself, or requests what we cannot do.

    ``line`` and ``column`` count from 1, columns in characters; they are 0 for a document that was
    not read from a file. ``code`` is stable for programs, ``message`` is a sentence without the
    place, and ``params`` are its parameters. Every message made here is a
    :class:`~pairing.engine.errors.Text`.
    """

    def __init__(
        self, code: str, message: str, *, line: int = 0, column: int = 0, **params: object
    ) -> None:
        super().__init__(code, message, **params)
        self.line = line
        self.column = column

    def __str__(self) -> str:
        if not self.line:
            return self.message
        return f"line {self.line}, column {self.column}: {self.message}"
