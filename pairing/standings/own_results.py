"""Tie-breaks from a player's own results and data [C.07/2026 7, 10.6]."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, TypeAlias

from pairing.engine.model import Colour, Result

from .codes import TieBreak, TieBreakCode
from .crosstable import Crosstable, Row
from .unplayed import Unplayed
from .values import Column, Cut, Formula, Part, Reason, Value, counted

WON: Final = frozenset({Result.WIN, Result.UNRATED_WIN})
_NOT_ELECTED: Final = frozenset({Unplayed.REQUESTED_BYE, Unplayed.REQUESTED_BYE_TO_THE_END, Unplayed.FORFEIT_LOSS})

_Counts: TypeAlias = Callable[[Crosstable, Row, int], bool]


def _wins(table: Crosstable, row: Row, index: int) -> bool:
    """Return whether the round gave as many points as a win, played or not [C.07/2026 7.1]."""
    return row.points[index] == table.system.win


def _games_won(table: Crosstable, row: Row, index: int) -> bool:
    """Return whether the round was won over the board [C.07/2026 7.2]."""
    return row.rounds[index].result in WON


def _games_with_black(table: Crosstable, row: Row, index: int) -> bool:
    """Return whether the round was played over the board with Black [C.07/2026 7.3]."""
    record = row.rounds[index]
    return record.is_played and record.colour is Colour.BLACK


def _games_won_with_black(table: Crosstable, row: Row, index: int) -> bool:
    """Return whether the round was won over the board with Black [C.07/2026 7.4]."""
    return row.rounds[index].result in WON and row.rounds[index].colour is Colour.BLACK


def _elected_to_play(table: Crosstable, row: Row, index: int) -> bool:
    """Return whether the round was neither a half-point or zero-point bye nor a forfeit loss [C.07/2026 7.6]."""
    return row.kinds[index] not in _NOT_ELECTED


_COUNTS: Final[Mapping[TieBreak, _Counts]] = {
    TieBreak.WIN: _wins,
    TieBreak.WON: _games_won,
    TieBreak.BPG: _games_with_black,
    TieBreak.BWG: _games_won_with_black,
    TieBreak.REP: _elected_to_play,
}


def count_of_rounds(table: Crosstable, code: TieBreakCode) -> Column:
    """Return the number of rounds that meet the condition of WIN, WON, BPG, BWG or REP [C.07/2026 7.1-7.4, 7.6]."""
    counts = _COUNTS[code.tie_break]
    return Column(
        1,
        {
            tpn: _total(
                Part(index + 1, row.rounds[index].opponent, 1, Reason.COUNTED)
                for index in range(table.rounds)
                if counts(table, row, index)
            )
            for tpn, row in table.rows.items()
        },
    )


def standard_points(table: Crosstable) -> Column:
    """Return a point for each round won and half a point for each draw, in any point system, in tenths [C.07/2026 7.7].

    Over the board this means more points than the opponent, or the same. Without play, also in a forfeited game, it
    means more points than a draw gives, or the same. A game without a result counts as neither.
    """
    return Column(
        10,
        {
            tpn: _total(
                Part(index + 1, row.rounds[index].opponent, amount, Reason.COUNTED)
                for index in range(table.rounds)
                if (amount := _standard(table, row, index))
            )
            for tpn, row in table.rows.items()
        },
    )


def progressive_score(table: Crosstable, code: TieBreakCode) -> Column:
    """Return the sum of the scores after each round, in tenths; cuts remove the first ones [C.07/2026 7.5, 14.1.1]."""
    values = {}
    for tpn, row in table.rows.items():
        score = 0
        parts = []
        for number, points in enumerate(row.points, 1):
            score += points + (row.bonuses[number - 1] if row.bonuses else 0)
            cut = Cut.LEAST if number <= code.cut_least else None
            parts.append(Part(number, row.rounds[number - 1].opponent, score, Reason.COUNTED, points=points, cut=cut))
        values[tpn] = _total(parts)
    return Column(10, values)


def own_number(table: Crosstable) -> Column:
    """Return the pairing number [C.07/2026 7.8]: the smallest is best, unless reversed."""
    return Column(1, {tpn: _own(tpn) for tpn in table.rows})


def own_rating(table: Crosstable) -> Column:
    """Return the rating, which every player has [C.07/2026 10, 10.6]: the highest is best, unless reversed."""
    return Column(1, {tpn: _own(table.rating(tpn) or 0) for tpn in table.rows})


def _standard(table: Crosstable, row: Row, index: int) -> int:
    record = row.rounds[index]
    own = row.points[index]
    if record.result is Result.UNKNOWN:
        return 0
    if record.is_played and record.opponent is not None:
        other = table.rows[record.opponent].points[index]
    else:
        other = table.system.draw
    return 10 if own > other else 5 if own == other else 0


def _total(parts: Iterable[Part]) -> Value:
    kept = tuple(parts)
    return Value(counted(kept), kept)


def _own(number: int) -> Value:
    return Value(number, (Part(0, None, number, Reason.OWN),), Formula.OWN)
