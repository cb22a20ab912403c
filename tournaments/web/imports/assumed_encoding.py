"""The note of a preview about a file that does not declare its encoding."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pairing.trf.encoding import decoded

MOST_NAMES = 12


@dataclass(frozen=True, slots=True)
class AssumedEncoding:
    """The encoding in which a file was read, and names that show the user whether it is right."""

    name: str
    names: tuple[str, ...]

    @classmethod
    def from_data(cls, data: bytes, names: Iterable[str]) -> AssumedEncoding | None:
        """Return the encoding assumed for *data* with *names*; None for UTF-8 or a declared one."""
        encoding = decoded(data).encoding
        if not encoding.is_assumed:
            return None
        return cls(encoding.value, tuple(name for name in names if not name.isascii())[:MOST_NAMES])
