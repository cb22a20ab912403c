"""Fields of players as a crosstable shows them, and the exercise used by most of these tests.

``+W7``: won with White against 7; ``=`` is a draw, ``-`` a loss. ``F`` as the colour: forfeited.
``0W7``: both players lost. ``?W7``: adjourned. A single letter is a bye: H, U, Z, F.
"""

from __future__ import annotations

from collections.abc import Mapping

from pairing.engine.model import TPN, Colour, Player, PointSystem, Result, RoundRecord
from pairing.standings.codes import parse_code
from pairing.standings.crosstable import Crosstable, crosstable
from pairing.standings.definition import TieBreakCode
from pairing.standings.editions import edition_by_code
from pairing.standings.values import Column, Value

# The individual Swiss of IA M. Held's "Exercises in Tie-Breaking" (2023).
HELD = {
    2: "+B10 +W7 =B1 +W16 =B3",
    1: "+W9 =B13 =W2 +B15 =W4",
    3: "=W11 +B6 +W8 =B4 =W2",
    4: "+B12 H +W13 =W3 =B1",
    16: "=W8 +B11 +W7 -B2 +W15",
    6: "-B14 -W3 U +W10 +B8",
    5: "-W13 -B15 +W11 =B7 +W10",
    8: "=B16 +W14 -B3 +W13 -W6",
    11: "=B3 -W16 -B5 +F9 +W7",
    12: "-W4 U +F14 Z Z",
    14: "+W6 -B8 -F12 Z +B13",
    15: "-B7 +W5 +B10 -W1 -B16",
    7: "+W15 -B2 -B16 =W5 -B11",
    9: "-B1 -W10 H -F11 U",
    13: "+B5 =W1 -B4 -B8 -W14",
    10: "-W2 +B9 -W15 -B6 -B5",
}
HELD_RATINGS = {TPN(number): 2250 - 50 * number for number in range(1, 17)}

GAMES = {"+": Result.WIN, "=": Result.DRAW, "-": Result.LOSS, "0": Result.LOSS, "?": Result.UNKNOWN}
FORFEITS = {"+": Result.FORFEIT_WIN, "-": Result.FORFEIT_LOSS}
STANDARD = PointSystem()


def record(text: str) -> RoundRecord:
    if len(text) == 1:
        return RoundRecord(None, None, next(result for result in Result if result.value == text))
    opponent = TPN(int(text[2:]))
    if text[1] == "F":
        return RoundRecord(opponent, Colour.WHITE, FORFEITS[text[0]])
    return RoundRecord(opponent, Colour.WHITE if text[1] == "W" else Colour.BLACK, GAMES[text[0]])


def player(tpn: int, rounds: str) -> Player:
    return Player(TPN(tpn), tuple(record(text) for text in rounds.split()))


def field(rounds: Mapping[int, str]) -> list[Player]:
    return [player(tpn, text) for tpn, text in rounds.items()]


def column(
    rounds: Mapping[int, str],
    code: str,
    *,
    edition: str = "fide-2026",
    system: PointSystem = STANDARD,
    ratings: Mapping[TPN, int] | None = None,
    unrated: int | None = None,
) -> Column:
    """Return the values of *code* in the crosstable *rounds*."""
    text = edition_by_code(edition)
    table = crosstable(field(rounds), system, text, ratings=ratings, unrated=unrated)
    return column_of(table, parse_code(code, text))


def column_of(table: Crosstable, code: TieBreakCode) -> Column:
    """Return the values of *code* in *table*."""
    assert code.tie_break.column
    return code.tie_break.column(table, code)


def amounts(rounds: Mapping[int, str], code: str, **options: object) -> dict[int, int | None]:
    """Return the amounts of :func:`column`, in the unit of the column."""
    return {tpn: value.amount for tpn, value in column(rounds, code, **options).values.items()}  # type: ignore[arg-type]


def value(rounds: Mapping[int, str], tpn: int, code: str, **options: object) -> Value:
    """Return the value of one player, with its parts."""
    return column(rounds, code, **options).values[TPN(tpn)]  # type: ignore[arg-type]
