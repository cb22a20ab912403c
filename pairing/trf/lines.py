"""Read one line of a report: its fields and words, and errors with their position."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple, NoReturn

from pairing.engine.errors import Text, text as _
from pairing.engine.model import TPN, Points

from .errors import TrfError
from .fields import MAX_ROUNDS, MAX_TPN, Column

_WORD = re.compile(r"\S+")
_POINTS = re.compile(r"(\d{0,2})(?:[.,](\d?)0*)?", re.ASCII)


@lru_cache(maxsize=4096)
def tenths(text: str) -> int | None:
    """Return *text* (``"2.5"``, ``"3"``, ``".5"``) in tenths; None if it is not such a number."""
    match = _POINTS.fullmatch(text)
    if match is None or not (match[1] or match[2]):
        return None
    return 10 * int(match[1] or 0) + int(match[2] or 0)


def whole(text: str) -> int | None:
    """Return *text* as a whole number from 0, else None. ASCII digits only, at most nine."""
    return int(text) if text.isdecimal() and text.isascii() and len(text) <= 9 else None


class SourceLine(NamedTuple):
    """A line without its line end, and its number from 1."""

    number: int
    text: str

    @property
    def code(self) -> str:
        return self.text[:3]

    @property
    def content(self) -> str:
        """Return the text after the record code and its blank."""
        return self.text[3:].strip()

    def fail(self, code: str, message: Text, *, column: int, **params: object) -> NoReturn:
        raise TrfError(code, message, line=self.number, column=column, **params)

    def words(self, first: int = 5) -> Iterator[tuple[int, str]]:
        """Yield (column, word) for each word from column *first* on."""
        for match in _WORD.finditer(self.text, first - 1):
            yield match.start() + 1, match[0]

    def field(self, column: Column) -> str:
        return self.text[column.span].strip()

    def whole(self, text: str, column: int, what: Text, *, low: int = 0, high: int = 9_999) -> int:
        """Return *text* as a number from *low* to *high*; refuse others with ``trf.number``."""
        value = whole(text)
        if value is None or not low <= value <= high:
            self.fail(
                "trf.number",
                _(
                    "Found '%(found)s' instead of %(what)s, a whole number from %(low)s to %(high)s."
                ),
                column=column,
                found=clip(text),
                what=what,
                low=low,
                high=high,
            )
        return value

    def tpn(self, text: str, column: int) -> TPN:
        return TPN(self.whole(text, column, _("a pairing number"), low=1, high=MAX_TPN))

    def round_number(self, text: str, column: int) -> int:
        return self.whole(text, column, _("a round number"), low=1, high=MAX_ROUNDS)

    def points(self, text: str, column: int) -> Points:
        """Return *text* as points in tenths; refuse it with ``trf.points`` otherwise."""
        value = tenths(text)
        if value is None:
            self.fail(
                "trf.points",
                _("Found '%(found)s' instead of points such as 2.5."),
                column=column,
                found=clip(text),
            )
        return Points(value)

    def signed_points(self, text: str, column: int) -> Points:
        """Return *text* as signed points in tenths; refuse it with ``trf.points`` otherwise."""
        sign = -1 if text.startswith("-") else 1
        return Points(sign * self.points(text.removeprefix("-"), column))


def clip(text: str) -> str:
    """Return *text* shortened and printable, to be quoted in a message of one line."""
    shown = "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text[:24]
    )
    return shown if len(text) <= 24 else shown + "…"
