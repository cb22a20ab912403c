"""The curve of one performance: the score, and the score expected by C.07."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tournaments.standings.player import Performance

STEP: Final = 60
"""The width of a game. All sizes are units of the picture."""
TALL: Final = 120
"""The height of the curves."""
EDGE: Final = 34
"""The space around the curves."""


@dataclass(frozen=True, slots=True)
class Curve:
    """The two curves as points of a polyline, ``"34,154 94,120"``, from left to right.

    ``labels`` has the place and the number of each round with a game against a rated opponent.
    """

    width: int
    made: str
    expected: str
    labels: tuple[tuple[int, int], ...]

    left: int = EDGE
    height: int = TALL + 2 * EDGE
    bottom: int = TALL + EDGE
    label_y: int = TALL + 2 * EDGE - 12

    @property
    def right(self) -> int:
        return self.width - EDGE


def curve_of(performance: Performance | None) -> Curve | None:
    """Return the curves of *performance*; None without ratings of player and opponents."""
    if performance is None or not performance.by_round:
        return None
    top = max(max(made, expected) for _, made, expected in performance.by_round) or 1
    xs = [EDGE + STEP * index for index in range(len(performance.by_round) + 1)]

    def line(values: list[int]) -> str:
        points = zip(xs, [0, *values], strict=True)
        return " ".join(f"{x},{EDGE + TALL - TALL * value // top}" for x, value in points)

    return Curve(
        width=xs[-1] + EDGE,
        made=line([made for _, made, _ in performance.by_round]),
        expected=line([expected for _, _, expected in performance.by_round]),
        labels=tuple(
            (x, number) for x, (number, _, _) in zip(xs[1:], performance.by_round, strict=True)
        ),
    )
