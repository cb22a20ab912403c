"""The performance of a player by the tables of FIDE [B.01/2024 1.4.8, 1.4.9].

It is not that of the tie-break TPR: games that are not rated and other ratings than FIDE's do not
count [C.07/2026 10.2].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .change import RatedGame
from .rounding import half_up
from .tables import rating_difference


@dataclass(frozen=True, slots=True)
class Performance:
    """The performance in ``games`` rated games with ``halves`` half points: ``average`` of the
    opponents, rounded, plus the ``difference`` that belongs to ``percent``.

    There is no floor: only for a norm does the weakest opponent count as stronger.
    """

    games: int
    halves: int
    average: int
    percent: int
    difference: int

    @property
    def rating(self) -> int:
        return self.average + self.difference


def performance(games: Sequence[RatedGame]) -> Performance | None:
    """Return the performance in rated *games*; None without one."""
    if not games:
        return None
    count, halves = len(games), sum(game.made for game in games) // 50
    percent = half_up(50 * halves, count)
    return Performance(
        games=count,
        halves=halves,
        average=half_up(sum(game.opponent_rating for game in games), count),
        percent=percent,
        difference=rating_difference(percent),
    )
