"""Tie-breaks from ratings [C.07/2026 10]: only games over the board, for 1, ½ and 0.

Values are whole rating points; a player without a played game has none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pairing.engine.model import Result
from pairing.ratings.tables import ALWAYS_WINS, expected_score, rating_difference

from .crosstable import Crosstable, Row
from .cuts import cut
from .definition import TieBreakCode
from .values import Column, Formula, Part, Reason, Value, rounded_average

_HALVES: Final[Mapping[Result, int]] = {
    Result.WIN: 2,
    Result.UNRATED_WIN: 2,
    Result.DRAW: 1,
    Result.UNRATED_DRAW: 1,
    Result.LOSS: 0,
    Result.UNRATED_LOSS: 0,
}
"""Half points by result, because ratings know no other point system.

A performance leaves a game without one out.
"""

BELOW_THE_LOWEST: Final = 800
"""The distance below the lowest opponent for a score of zero [C.07/2026 10.3]."""


def average_rating(table: Crosstable, code: TieBreakCode) -> Column:
    """Return ARO: the average rating of the opponents, ½ rounded up [C.07/2026 10.1],
    after the cuts [C.07/2026 14].

    The opponent of an adjourned game has been played over the board, too (T11).
    """
    values = {}
    for tpn, row in table.rows.items():
        parts = cut(_rated_opponents(table, row), least=code.cut_least, most=code.cut_most)
        values[tpn] = _average(parts)
    return Column(1, values)


def performance(table: Crosstable, _: TieBreakCode) -> Column:
    """Return TPR: ARO plus the rating difference for the fraction of points [C.07/2026 10.2].

    Only points made over the board count.
    """
    values = {}
    for tpn, row in table.rows.items():
        games = _rated_games(table, row)
        if not games:
            values[tpn] = Value(None, (), Formula.AVERAGE_AND_DIFFERENCE)
            continue
        average = rounded_average(sum(part.amount for part in games), len(games))
        fraction = rounded_average(50 * _half_points(row), len(games))
        difference = Part(
            0, None, rating_difference(fraction), Reason.RATING_DIFFERENCE, points=fraction
        )
        values[tpn] = Value(
            average + difference.amount, (*games, difference), Formula.AVERAGE_AND_DIFFERENCE
        )
    return Column(1, values)


def perfect_performance(table: Crosstable, _: TieBreakCode) -> Column:
    """Return PTP: the lowest rating whose expected score is at least the
    points made over the board [C.07/2026 10.3].

    With a score of zero it is the rating of the lowest opponent less 800. The parts are the
    expected scores against each opponent at that rating, in hundredths.
    """
    return Column(
        1,
        {
            tpn: _perfect(_rated_games(table, row), _half_points(row))
            for tpn, row in table.rows.items()
        },
    )


def average_performance(table: Crosstable, code: TieBreakCode) -> Column:
    """Return APRO: the average performance rating of the opponents played [C.07/2026 10.4]."""
    return _average_of_opponents(table, performance(table, code))


def average_perfect_performance(table: Crosstable, code: TieBreakCode) -> Column:
    """Return APPO: the average perfect performance of the opponents played [C.07/2026 10.5]."""
    return _average_of_opponents(table, perfect_performance(table, code))


def _average_of_opponents(table: Crosstable, theirs: Column) -> Column:
    """Return the average of *theirs* over the opponents played, ½ rounded up."""
    values = {}
    for tpn, row in table.rows.items():
        parts = [
            (game, theirs.values[game.opponent].amount)
            for game in _rated_opponents(table, row)
            if game.opponent
        ]
        values[tpn] = _average(
            tuple(
                game._replace(amount=amount, worth=amount)
                for game, amount in parts
                if amount is not None
            )
        )
    return Column(1, values)


def _rated_games(table: Crosstable, row: Row) -> list[Part]:
    """Return the opponents of the games over the board with a result, with their ratings."""
    return [
        part
        for part in _rated_opponents(table, row)
        if row.rounds[part.round - 1].result in _HALVES
    ]


def _rated_opponents(table: Crosstable, row: Row) -> list[Part]:
    """Return the opponents played over the board, each with their rating."""
    games = []
    for number, (record, points) in enumerate(zip(row.rounds, row.points, strict=True), 1):
        if record.opponent is not None and record.is_played:
            rating = table.rating(record.opponent)
            if rating is not None:
                games.append(Part(number, record.opponent, rating, Reason.OPPONENT, rating, points))
    return games


def _half_points(row: Row) -> int:
    return sum(
        _HALVES.get(record.result, 0) for record in row.rounds if record.opponent is not None
    )


def _average(parts: tuple[Part, ...]) -> Value:
    kept = [part.amount for part in parts if part.cut is None]
    return Value(rounded_average(sum(kept), len(kept)) if kept else None, parts, Formula.AVERAGE)


def _perfect(games: list[Part], half_points: int) -> Value:
    if not games:
        return Value(None, (), Formula.LOWEST_RATING)
    ratings = [game.amount for game in games]
    rating = (
        _lowest_rating(ratings, 50 * half_points)
        if half_points
        else min(ratings) - BELOW_THE_LOWEST
    )
    parts = tuple(game._replace(amount=expected_score(rating - game.amount)) for game in games)
    return Value(rating, parts, Formula.LOWEST_RATING)


def _lowest_rating(ratings: list[int], hundredths: int) -> int:
    """Bisect: the expected score never falls as the rating grows, up to the maximum."""
    low, high = min(ratings) - ALWAYS_WINS, max(ratings) + ALWAYS_WINS
    while low < high:
        middle = (low + high) // 2
        if sum(expected_score(middle - rating) for rating in ratings) >= hundredths:
            high = middle
        else:
            low = middle + 1
    return high
