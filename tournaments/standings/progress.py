"""The scoregroups from round to round, as numbers and as coordinates of a picture."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Final

from pairing.engine.changes import PointChanges
from pairing.engine.model import Player, PointSystem
from pairing.rounds.points import changes
from pairing.rounds.snapshot import players_after
from pairing.standings.points import points_of
from tournaments.core.chosen_rules import point_system
from tournaments.core.frame import Frame

LEFT: Final = 60
TOP: Final = 40
STEP_X: Final = 96
STEP_Y: Final = 34
WIDEST: Final = 22
"""The width of a flow of all players; coordinates are units of the picture."""


@dataclass(frozen=True, slots=True)
class Group:
    """A scoregroup after ``round_number`` rounds: ``points`` in tenths, the number of players, its position."""

    round_number: int
    points: int
    players: int
    x: int
    y: int
    radius: int


@dataclass(frozen=True, slots=True)
class Flow:
    """The players who moved from one scoregroup to another in one round; ``width`` is at least 1."""

    round_number: int
    before: int
    after: int
    players: int
    x1: int
    y1: int
    x2: int
    y2: int
    width: int


@dataclass(frozen=True, slots=True)
class Progress:
    """The scoregroups after each round (0: the start) and the flows between them; scores from the highest down."""

    after_round: int
    scores: tuple[tuple[int, int], ...]
    """Each score in tenths with its height in the picture."""
    groups: tuple[Group, ...]
    flows: tuple[Flow, ...]
    width: int
    height: int

    @property
    def columns(self) -> tuple[tuple[int, int], ...]:
        """Each round with its position."""
        return tuple((number, LEFT + STEP_X * number) for number in range(self.after_round + 1))

    @property
    def table(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """For each score the number of players after each round, the start first."""
        counts = {(group.points, group.round_number): group.players for group in self.groups}
        return tuple(
            (score, tuple(counts.get((score, number), 0) for number in range(self.after_round + 1)))
            for score, _ in self.scores
        )


def progress(frame: Frame) -> Progress:
    """Return the flow of the scoregroups through the rounds with published results [C.04.2/2026 4.2]. Two queries."""
    after = frame.latest_results
    players, _ = players_after(frame.tournament, after)
    system = point_system(frame.tournament)
    changed = changes(frame.tournament, players)
    ways = [tuple(accumulate(_given(player, system, changed.get(player.tpn)), initial=0)) for player in players]
    counts = Counter((number, score) for way in ways for number, score in enumerate(way))
    moves = Counter((number, *move) for way in ways for number, move in enumerate(pairwise(way), start=1))
    scores = sorted({score for _, score in counts}, reverse=True)
    heights = {score: TOP + STEP_Y * index for index, score in enumerate(scores)}
    total = max(len(players), 1)

    def x(number: int) -> int:
        return LEFT + STEP_X * number

    return Progress(
        after_round=after,
        scores=tuple(heights.items()),
        groups=tuple(
            Group(number, score, count, x(number), heights[score], 9 + 7 * count // total)
            for (number, score), count in sorted(counts.items())
        ),
        flows=tuple(
            Flow(number, old, new, count, x(number - 1), heights[old], x(number), heights[new], _width(count, total))
            for (number, old, new), count in sorted(moves.items())
        ),
        width=x(after) + LEFT,
        height=TOP + STEP_Y * len(scores),
    )


def _given(player: Player, system: PointSystem, change: PointChanges | None) -> list[int]:
    """Return the points of *player* in each round, with the point adjustments."""
    points: list[int] = [points_of(record, system) for record in player.rounds]
    return points if change is None else list(map(sum, zip(points, change.by_round, strict=True)))


def _width(count: int, total: int) -> int:
    return max(1, WIDEST * count // total)
