"""Read encoded time controls (record 222) and compute the time of a player for 60 moves."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_MOVES: Final = 60
_WORDS: Final = (
    r"(?i)(\d{1,3}) ?(?:min(?:utes?|\.)?|['’′m])? ?\+ ?(\d{1,2}) ?"
    r"(?:s(?:ec(?:onds?|ondes?)?)?\.?|[\"”″]|''|’’)? ?(?:(?:per|a|par|/) ?(?:move|coup))?"
)
_PERIOD: Final = r"(?:(\d{1,3})/)?(\d{1,5})(?:\+(\d{1,3}))?"


class TimeControl(NamedTuple):
    """The seconds for 60 moves of each player: base and increments [B.02/2024 1.1]."""

    white: int
    black: int

    @property
    def seconds(self) -> int:
        """Return the time of the player with less."""
        return min(self)

    @property
    def is_equal(self) -> bool:
        return self.white == self.black


def read_time_control(text: str) -> TimeControl | None:
    """Return the times of *text*, such as ``5400+30``, ``40/6000+30:900+30`` or ``W300-B240``.

    None if it is not such a code.
    """
    text = text.strip().upper()
    unequal = re.fullmatch(r"W(.+)-B(.+)", text)
    parts = unequal.groups() if unequal else (text, text)
    times = [_seconds(part) for part in parts]
    white, black = times
    return None if white is None or black is None else TimeControl(white, black)


def code_of_words(text: str) -> str:
    """Return the code of minutes and seconds as people write them: ``90 min + 30 s``, ``15+10``.

    Empty for anything longer or less clear.
    """
    found = re.fullmatch(_WORDS, " ".join(text.split()))
    if found is None:
        return ""
    base, increment = 60 * int(found[1]), int(found[2])
    return f"{base}+{increment}" if increment else str(base)


def _seconds(text: str) -> int | None:
    seconds, moves = 0, _MOVES
    for period in text.split(":"):
        found = re.fullmatch(_PERIOD, period)
        if found is None:
            return None
        of_period, base, increment = found.groups()
        here = min(moves, int(of_period)) if of_period else moves
        seconds += int(base) + here * int(increment or 0)
        moves -= here
    return seconds
