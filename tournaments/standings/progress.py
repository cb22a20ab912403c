"""The scoregroups from round to round, as numbers and as coordinates of a picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Final

from pairing.engine.changes import PointChanges
from pairing.engine.model import Player, PointSystem
from pairing.rounds.computed_standings import changes
from pairing.rounds.snapshot import players_after
from pairing.standings.points import points_of
from tournaments.core.chosen_rules import point_system
from tournaments.core.frame import Frame

LEFT: Final = 60
TOP: Final = 40
STEP_X: Final = 96
STEP_Y: Final = 34
EVERY_ROUND: Final = slice(None)
MOST_TOGETHER: Final = 10
"""If the rounds do not fit on one page, each part has at most so many,
to be read on a phone and on paper.
"""
WIDEST: Final = 22
"""The width of a flow of all players; coordinates are units of the picture."""


@dataclass(frozen=True, slots=True)
class Group:
    """A scoregroup after ``round_number`` rounds: ``points`` in tenths, size, position."""

    round_number: int
    points: int
    players: int
    x: int
    y: int
    radius: int


@dataclass(frozen=True, slots=True)
class Flow:
    """The players who moved between two scoregroups in a round; ``width`` is at least 1."""

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
    """The scoregroups after the rounds from ``first`` (0:
    the start) to ``after_round``, and the flows between them.

    Scores are from the highest down.
    """

    first: int
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
        return tuple(
            (number, _x(number - self.first)) for number in range(self.first, self.after_round + 1)
        )

    @property
    def table(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """For each score the number of players after each round, the first column first."""
        counts = {(group.points, group.round_number): group.players for group in self.groups}
        return tuple(
            (score, tuple(counts.get((score, number), 0) for number, _ in self.columns))
            for score, _ in self.scores
        )


@dataclass(frozen=True, slots=True)
class Counted:
    """How many ``players`` have each score after each round, and how many move between scores."""

    after_round: int
    players: int
    groups: Mapping[tuple[int, int], int]
    """By round and points."""
    moves: Mapping[tuple[int, int, int], int]
    """By round, points before and points after."""

    def rounds_together(self, most: int) -> int:
        """Return how many rounds each part of the page has:
        all, or few enough for *most* elements in each.

        A part begins with the scoregroups before its first round. A single round is never divided.
        """
        scores: list[set[int]] = [set() for _ in range(self.after_round + 1)]
        for number, score in self.groups:
            scores[number].add(score)
        moves = Counter(number for number, _before, _after in self.moves)

        def elements(first: int, last: int) -> int:
            columns = range(first, last + 1)
            rows = len(set().union(*(scores[number] for number in columns)))
            drawn = sum(len(scores[number]) for number in columns) + sum(
                moves[number] for number in columns[1:]
            )
            # Groups and flows have two elements, the head of a column too; a row of the table has a
            # cell in each.
            return 2 * drawn + 2 * len(columns) + rows * (3 + len(columns))

        def fits(size: int) -> bool:
            firsts = range(0, self.after_round, size)
            return all(
                elements(first, min(first + size, self.after_round)) <= most for first in firsts
            )

        if self.after_round == 0 or fits(self.after_round):
            return max(1, self.after_round)
        return next(filter(fits, range(MOST_TOGETHER, 1, -1)), 1)

    def drawn(self, rounds: slice = EVERY_ROUND) -> Progress:
        """Return the picture of these *rounds*: ``slice(0, 10)`` are the first ten."""
        first, after, _ = rounds.indices(self.after_round)
        groups = {
            place: count for place, count in self.groups.items() if first <= place[0] <= after
        }
        scores = sorted({score for _, score in groups}, reverse=True)
        heights = {score: TOP + STEP_Y * index for index, score in enumerate(scores)}
        total = max(self.players, 1)
        return Progress(
            first=first,
            after_round=after,
            scores=tuple(heights.items()),
            groups=tuple(
                Group(
                    number, score, count, _x(number - first), heights[score], 9 + 7 * count // total
                )
                for (number, score), count in sorted(groups.items())
            ),
            flows=tuple(
                Flow(
                    number,
                    old,
                    new,
                    count,
                    x - STEP_X,
                    heights[old],
                    x,
                    heights[new],
                    _width(count, total),
                )
                for (number, old, new), count in sorted(self.moves.items())
                if first < number <= after
                for x in [_x(number - first)]
            ),
            width=_x(after - first) + LEFT,
            height=TOP + STEP_Y * len(scores),
        )


def counted(frame: Frame) -> Counted:
    """Count the scoregroups through the rounds with published results [C.04.2/2026 4.2].

    Two queries.
    """
    after = frame.latest_results
    players, _ = players_after(frame.tournament, after)
    system = point_system(frame.tournament)
    changed = changes(frame.tournament, players)
    ways = [
        tuple(accumulate(_given(player, system, changed.get(player.tpn)), initial=0))
        for player in players
    ]
    groups = Counter((number, score) for way in ways for number, score in enumerate(way))
    moves = Counter(
        (number, *move) for way in ways for number, move in enumerate(pairwise(way), start=1)
    )
    return Counted(after, len(players), groups, moves)


def _x(columns: int) -> int:
    return LEFT + STEP_X * columns


def _given(player: Player, system: PointSystem, change: PointChanges | None) -> list[int]:
    """Return the points of *player* in each round, with the point adjustments."""
    points: list[int] = [points_of(record, system) for record in player.rounds]
    return points if change is None else list(map(sum, zip(points, change.by_round, strict=True)))


def _width(count: int, total: int) -> int:
    return max(1, WIDEST * count // total)
