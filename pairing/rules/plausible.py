"""Look for entered results that are probably wrong, so that the arbiter
can check them. No result is refused here.

    Upset     the player rated at least 400 lower has won
    Absence   a game is entered as played by a player who has a bye in the round,
              or is withdrawn or expelled
    Twice     one person played two games in the round, at two boards or in two sections
    Shift     a run of results fits much better one board further up or down:
              the typist was on the wrong line

**Results shifted by one board.** For a run of boards the likelihood of the entered results, if each
belongs to the next (or the previous) board, is divided by their likelihood as entered. If they are
entered correctly, this ratio, computed board by board from any first board, has the mean 1 at every
step (a martingale), so it ever exceeds *c* with a probability of at most 1/*c* (Ville's
inequality). There are fewer than 2 *n* pairs of a first board and a direction, so with *c* = 2 *n*
× 200 fewer than one round in 200 has a false alarm, whatever its size, if the probabilities of the
results are right. They are never quite right: each is mixed with a share that ignores the ratings,
which makes a single surprise cheaper. docs/developer/benchmarks.md has the measured rate. Where the
ratings say nothing, as in a round between equals, no such shift is ever found; a second reading
finds it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log
from typing import Final

UPSET_DIFFERENCE: Final = 400
"""The difference of ratings from which the win of the lower one is asked about."""
SHORTEST_RUN: Final = 5
"""The fewest results of a shift."""
ROUNDS_A_FALSE_ALARM: Final = 200
PLAYED: Final = {"10": 1.0, "WL": 1.0, "==": 0.5, "DD": 0.5, "01": 0.0, "LW": 0.0}
"""White's score in the results of played games."""
_WHITE_ADVANTAGE: Final = 35
_DRAWS_OF_EQUALS: Final = 0.3
_REGARDLESS: Final = (0.42, 0.22, 0.36)
"""White wins, draw, Black wins: the probabilities if the ratings are not known."""
_SHARE_REGARDLESS: Final = 0.2


@dataclass(frozen=True, slots=True)
class PlayedBoard:
    """A board of the round, or a game of a match: White, Black and any result.

    ``white`` and ``black`` are the numbers of entries, the ratings 0 if there is none. ``section``
    names the section of another board of the same time; empty for those of this round.
    """

    board: int
    white: int
    black: int
    white_rating: int
    black_rating: int
    result: str
    game: int | None = None
    section: str = ""


@dataclass(frozen=True, slots=True)
class Upset:
    """The player rated ``difference`` points lower has won."""

    board: PlayedBoard
    difference: int


@dataclass(frozen=True, slots=True)
class Absence:
    """``entry`` has played although not expected: ``reason`` is bye, withdrawn or expelled."""

    board: PlayedBoard
    entry: int
    reason: str


@dataclass(frozen=True, slots=True)
class Twice:
    """One person, known by ``person``, has played games at both boards."""

    board: PlayedBoard
    other: PlayedBoard
    person: str


@dataclass(frozen=True, slots=True)
class Shift:
    """Results of ``first`` to ``last`` seem to belong ``by`` boards further (1 or -1).

    Where favourites with White and with Black alternate, both directions may fit.
    """

    first: int
    last: int
    by: int


def upsets(boards: Sequence[PlayedBoard], *, difference: int = UPSET_DIFFERENCE) -> Iterator[Upset]:
    """Yield the boards at which a player rated at least *difference* lower has won."""
    for board in boards:
        score = PLAYED.get(board.result)
        if score is None or score == 0.5 or not (board.white_rating and board.black_rating):
            continue
        lower_by = (
            board.black_rating - board.white_rating
            if score
            else board.white_rating - board.black_rating
        )
        if lower_by >= difference:
            yield Upset(board, lower_by)


def absences(boards: Sequence[PlayedBoard], reasons: dict[int, str]) -> Iterator[Absence]:
    """Yield the played games of players for whom *reasons* has a reason not to play, by entry."""
    for board in boards:
        if board.result in PLAYED:
            for entry in (board.white, board.black):
                if entry in reasons:
                    yield Absence(board, entry, reasons[entry])


def played_twice(
    boards: Sequence[PlayedBoard], others: Sequence[PlayedBoard], persons: dict[int, str]
) -> Iterator[Twice]:
    """Yield two games of one person: both of *boards*, or one of *others* at that time.

    *persons* has a key of the person for each entry of both: two entries with one key are the same
    person.
    """
    seen: dict[str, PlayedBoard] = {}
    for board in (*others, *boards):
        if board.result not in PLAYED:
            continue
        for entry in (board.white, board.black):
            person = persons.get(entry)
            if person is None:
                continue
            known = seen.setdefault(person, board)
            if (known.board, known.section) != (board.board, board.section) and not board.section:
                yield Twice(board, known, person)


def shift(boards: Sequence[PlayedBoard]) -> Shift | None:
    """Return the run of results that most probably belongs to the boards one further,
    or None. Linear in the boards.

    *boards* are those of one game of the round, in order. A run ends at a board without a played
    game, and its results need a board to go to.
    """
    level = log(2 * max(len(boards), 1) * ROUNDS_A_FALSE_ALARM)
    found: tuple[float, Shift] | None = None
    for by in (1, -1):
        # The best run that ends at each board: extend it, or begin here (the largest sum of
        # consecutive numbers).
        total, first = 0.0, 0
        for index, board in enumerate(boards):
            place = index + by
            if board.result not in PLAYED or not 0 <= place < len(boards):
                total = 0.0
                continue
            gain = log(_chance(boards[place], board.result) / _chance(board, board.result))
            if total <= 0.0:
                total, first = 0.0, index
            total += gain
            if total > max(level, found[0] if found else 0.0) and index - first + 1 >= SHORTEST_RUN:
                found = total, Shift(boards[first].board, board.board, by)
    return found[1] if found else None


@dataclass(frozen=True, slots=True)
class Move:
    """Move the results of the boards ``first`` to ``last`` ``by`` boards further (1 or -1)."""

    first: int
    last: int
    by: int
    results: tuple[str, ...]
    """The results by board, as they are before the move."""

    @property
    def after(self) -> dict[int, str]:
        """The results by board after the move; the board that is left behind has none."""
        moved = dict.fromkeys(range(self.first, self.last + 1), "")
        return moved | {self.first + i + self.by: each for i, each in enumerate(self.results)}

    @property
    def value(self) -> str:
        """The move as a word for a form: with the results, so that an old page moves nothing."""
        return f"{self.first}:{self.by}:{','.join(self.results)}"


def moves(boards: Sequence[PlayedBoard], found: Shift) -> tuple[Move, ...]:
    """Return how the results of *found* can be moved by one board without losing one,
    the direction that fits better first.

    The results that follow move too, up to a board without a result. Not for matches, and not past
    a board without a played game. *boards* are all boards of the round.
    """
    if any(board.game is not None for board in boards):
        return ()
    results = {board.board: board.result for board in boards}
    return tuple(
        move
        for by in (found.by, -found.by)
        if (move := _move(results, found.first, found.last, by)) is not None
    )


def _move(results: dict[int, str], first: int, last: int, by: int) -> Move | None:
    end = last if by > 0 else first
    while results.get(end + by, "") in PLAYED:
        end += by
    if results.get(end + by) != "":
        return None
    first, last = min(first, end), max(last, end)
    run = tuple(results[board] for board in range(first, last + 1))
    return Move(first, last, by, run) if all(result in PLAYED for result in run) else None


def shifted_reading(first: Sequence[str], second: Sequence[str]) -> tuple[int, int, int] | None:
    """Return the longest run of *first* that a second reading has one place further, or None.

    Both are the results of the same boards in order. Returns the first and last place and the
    direction. The run has at least :data:`SHORTEST_RUN` results, all equal to those of *second* one
    place further, and at least two of them differ from *second* at their own place.
    """
    best: tuple[int, int, int] | None = None
    for by in (1, -1):
        begin = None
        for place in range(len(first) + 1):
            other = place + by
            fits = (
                place < len(first)
                and 0 <= other < len(second)
                and first[place]
                and first[place] == second[other]
            )
            if fits:
                begin = place if begin is None else begin
                continue
            if begin is not None and place - begin >= SHORTEST_RUN:
                differences = sum(first[n] != second[n] for n in range(begin, place))
                if differences >= 2 and (best is None or place - begin > best[1] - best[0] + 1):
                    best = (begin, place - 1, by)
            begin = None
    return best


def _chance(board: PlayedBoard, result: str) -> float:
    """Return the probability of a played *result* at *board*."""
    outcome = int(2 - 2 * PLAYED[result])
    regardless = _REGARDLESS[outcome]
    if not (board.white_rating and board.black_rating):
        return regardless
    difference = board.white_rating - board.black_rating + _WHITE_ADVANTAGE
    expected = 1 / (1 + 10 ** (-difference / 400))
    draw = 4 * _DRAWS_OF_EQUALS * expected * (1 - expected)
    chances = (expected - draw / 2, draw, 1 - expected - draw / 2)
    return (1 - _SHARE_REGARDLESS) * chances[outcome] + _SHARE_REGARDLESS * regardless
