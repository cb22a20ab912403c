"""Read result symbols that the format does not have as unknown results, for imports."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from pairing.engine.model import TPN, Result

from .fields import (
    CELL_WIDTH,
    FIRST_ROUND_COLUMN,
    OPPONENT_WIDTH,
    PLAYER,
    RESULT_OFFSET,
    ROUND_WIDTH,
)
from .lines import whole

_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)?")
_KNOWN: Final = frozenset(" ").union(*((result.value, result.value.lower()) for result in Result))
_TPN: Final = next(column for column in PLAYER if column.name == "tpn")


@dataclass(frozen=True, slots=True)
class UnknownResult:
    """A symbol that is not a result, with its line and column (from 1)."""

    line: int
    column: int
    symbol: str
    round_number: int


def with_unknown_results(data: bytes) -> tuple[bytes, tuple[UnknownResult, ...]]:
    """Return the report *data* with ``?`` on both sides of every game with an unknown symbol,
    and these symbols.

    Only whole games change: the number of an opponent, a colour and a symbol. Data that are not
    UTF-8 stay as they are. Cost: one look at every round of every player.
    """
    try:
        lines = _LINE.findall(data.decode("utf-8"))
    except UnicodeDecodeError:
        return data, ()
    at = {tpn: index for index, line in enumerate(lines) if (tpn := _number(line)) is not None}
    found: list[UnknownResult] = []
    for index in list(at.values()):
        text = lines[index].rstrip("\r\n")
        for start in range(FIRST_ROUND_COLUMN - 1, len(text) - CELL_WIDTH + 1, ROUND_WIDTH):
            symbol = text[start + RESULT_OFFSET]
            opponent = whole(text[start : start + OPPONENT_WIDTH].strip())
            if symbol not in _KNOWN and opponent:
                place = start + RESULT_OFFSET
                number = (start - FIRST_ROUND_COLUMN + 1) // ROUND_WIDTH + 1
                found.append(UnknownResult(index + 1, place + 1, symbol, number))
                for side in {index, at.get(TPN(opponent), index)}:
                    lines[side] = _marked(lines[side], place)
    return ("".join(lines).encode() if found else data), tuple(found)


def _number(line: str) -> TPN | None:
    """Return the pairing number of a record 001; None for another record."""
    tpn = whole(line[_TPN.span].strip()) if line.startswith("001 ") else None
    return None if tpn is None else TPN(tpn)


def _marked(line: str, place: int) -> str:
    return (
        f"{line[:place]}{Result.UNKNOWN.value}{line[place + 1 :]}"
        if line[place : place + 1].strip()
        else line
    )
