"""What a preview says about a file that does not tell its encoding."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pairing.trf.encoding import decoded

MOST_NAMES = 12


@dataclass(frozen=True, slots=True)
class AssumedEncoding:
    """The encoding a file was read in, and names by which a person sees whether that was right."""

    name: str
    names: tuple[str, ...]

    @classmethod
    def of(cls, data: bytes, names: Iterable[str]) -> AssumedEncoding | None:
        """What was assumed of *data*; None where it is UTF-8, or says what it is. *names* are those read from it."""
        encoding = decoded(data).encoding
        if not encoding.is_assumed:
            return None
        return cls(encoding.value, tuple(name for name in names if not name.isascii())[:MOST_NAMES])
