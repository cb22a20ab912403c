"""Tie-breaks from a player's own results and data [C.07/2026 7, 10.6]."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from pairing.engine.model import Colour, Result

from .crosstable import Crosstable, Row
from .definition import TieBreakCode
from .unplayed import Unplayed
from .values import Column, Cut, Formula, Part, Reason, Value, counted

WON: Final = frozenset({Result.WIN, Result.UNRATED_WIN})
_NOT_ELECTED: Final = frozenset(
    {Unplayed.REQUESTED_BYE, Unplayed.REQUESTED_BYE_TO_THE_END, Unplayed.FORFEIT_LOSS}
)


def wins(table: Crosstable, _: TieBreakCode) -> Column:
    """Count the rounds that gave as many points as a win, played or not [C.07/2026 7.1]."""
    win = table.system.win
    return _count(table, lambda row: [points == win for points in row.points])


def games_won(table: Crosstable, _: TieBreakCode) -> Column:
    """Count the rounds won over the board [C.07/2026 7.2]."""
    return _count(table, lambda row: [record.result in WON for record in row.rounds])


def games_with_black(table: Crosstable, _: TieBreakCode) -> Column:
    """Count the rounds played over the board with Black [C.07/2026 7.3]."""
    return _count(
        table,
        lambda row: [record.is_played and record.colour is Colour.BLACK for record in row.rounds],
    )


def games_won_with_black(table: Crosstable, _: TieBreakCode) -> Column:
    """Count the rounds won over the board with Black [C.07/2026 7.4]."""
    return _count(
        table,
        lambda row: [
            record.result in WON and record.colour is Colour.BLACK for record in row.rounds
        ],
    )


def rounds_elected_to_play(table: Crosstable, _: TieBreakCode) -> Column:
    """Count the rounds, without requested byes and forfeit losses [C.07/2026 7.6]."""
    return _count(table, lambda row: [kind not in _NOT_ELECTED for kind in row.kinds])


def standard_points(table: Crosstable, _: TieBreakCode) -> Column:
    """Return a point for each round won and half a point for each draw, in any point system,
    in tenths [C.07/2026 7.7].

    Over the board this means more points than the opponent, or the same. Without play, also in a
    forfeited game, it means more points than a draw gives, or the same. A game without a result
    counts as neither.
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
    """Return the sum of the scores after each round, in tenths [C.07/2026 7.5].

    Cuts remove the first ones [C.07/2026 14.1.1].
    """
    values = {}
    for tpn, row in table.rows.items():
        score = 0
        parts = []
        for number, points in enumerate(row.points, 1):
            score += points + (row.bonuses[number - 1] if row.bonuses else 0)
            cut = Cut.LEAST if number <= code.cut_least else None
            parts.append(
                Part(
                    number,
                    row.rounds[number - 1].opponent,
                    score,
                    Reason.COUNTED,
                    points=points,
                    cut=cut,
                )
            )
        values[tpn] = _total(parts)
    return Column(10, values)


def own_number(table: Crosstable, _: TieBreakCode) -> Column:
    """Return the pairing number [C.07/2026 7.8]: the smallest is best, unless reversed."""
    return Column(1, {tpn: _own(tpn) for tpn in table.rows})


def own_rating(table: Crosstable, _: TieBreakCode) -> Column:
    """Return the rating [C.07/2026 10, 10.6]: the highest is best, unless reversed.

    Every player has one.
    """
    return Column(1, {tpn: _own(table.rating(tpn) or 0) for tpn in table.rows})


def _count(table: Crosstable, counts: Callable[[Row], Iterable[bool]]) -> Column:
    """Return the number of rounds that count; *counts* says of each round of a row if it does."""
    return Column(
        1,
        {
            tpn: _total(
                Part(index + 1, row.rounds[index].opponent, 1, Reason.COUNTED)
                for index, is_counted in enumerate(counts(row))
                if is_counted
            )
            for tpn, row in table.rows.items()
        },
    )


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
