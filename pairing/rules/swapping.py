"""Move players in a draft, one move after another, before anything is saved [C.04.3/2026 1.9.3].

Boards keep their numbers while players move. A player who is taken out is left over until another
move gives a place.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, assert_never

from pairing.engine.model import TPN

from .published import Arrangement, with_bye
from .verdict import Refused

LEFT_OVER: Final = ""
"""The letter of a player who was taken out and has no place yet."""


@dataclass(frozen=True, slots=True)
class Swap:
    """Two players change places: boards, colours, the bye, or a place without a game."""

    one: TPN
    other: TPN


@dataclass(frozen=True, slots=True)
class SwapColours:
    """The players of a board swap colours."""

    board: int


@dataclass(frozen=True, slots=True)
class TakeOut:
    """A player loses the place. The opponent is left over too."""

    player: TPN


@dataclass(frozen=True, slots=True)
class GiveBye:
    """A player gets the pairing-allocated bye, which nobody has."""

    player: TPN


@dataclass(frozen=True, slots=True)
class Seat:
    """Two players without a game get a board."""

    white: TPN
    black: TPN


Move: TypeAlias = Swap | SwapColours | TakeOut | GiveBye | Seat


def moved(draft: Arrangement, moves: Iterable[Move]) -> Arrangement | Refused:
    """Return *draft* after *moves*; the first move that does not fit is refused.

    A player who had a requested bye or an absence in the draft gets it back without another place;
    others are left over.
    """
    now = draft
    for move in moves:
        after = _after(draft, now, move)
        if isinstance(after, Refused):
            return after
        now = after
    return now


def left_over(arrangement: Arrangement) -> tuple[TPN, ...]:
    """Return the players without a place, by number."""
    return tuple(sorted(tpn for tpn, letter in arrangement.byes.items() if letter == LEFT_OVER))


def settled(arrangement: Arrangement) -> Arrangement:
    """Return *arrangement* as saved: those left over have no game and get no points."""
    return replace(
        arrangement, byes={tpn: letter or "Z" for tpn, letter in arrangement.byes.items()}
    )


def board_of(arrangement: Arrangement, tpn: TPN) -> int | None:
    """Return the board of *tpn*; None without one."""
    return next((n for n, pair in arrangement.boards.items() if tpn in pair), None)


def _after(draft: Arrangement, now: Arrangement, move: Move) -> Arrangement | Refused:
    people = {*now.everybody}
    match move:
        case Swap(one, other):
            return (
                _swapped(draft, now, one, other)
                if {one, other} <= people and one != other
                else _stale()
            )
        case SwapColours(board):
            if board not in now.boards:
                return _stale()
            white, black = now.boards[board]
            return replace(now, boards={**now.boards, board: (black, white)})
        case TakeOut(player):
            if board_of(now, player) is None and now.byes.get(player) != "U":
                return _stale()
            return _without_place(draft, now, player)
        case GiveBye(player):
            if player not in people:
                return _stale()
            if with_bye(now):
                return Refused("change.two_allocated_byes", "C.04.1 3")
            free = _without_place(draft, now, player)
            return replace(free, byes={**free.byes, player: "U"})
        case Seat(white, black):
            waiting = {tpn for tpn, letter in now.byes.items() if letter != "U"}
            return (
                _seated(draft, now, white, black)
                if {white, black} <= waiting and white != black
                else _stale()
            )
        case _:
            assert_never(move)


def _stale() -> Refused:
    return Refused("swap.does_not_fit")


def _swapped(draft: Arrangement, now: Arrangement, one: TPN, other: TPN) -> Arrangement:
    place = {one: other, other: one}
    boards = {
        n: (place.get(white, white), place.get(black, black))
        for n, (white, black) in now.boards.items()
    }
    byes = dict(now.byes)
    letters = {one: byes.pop(other, None), other: byes.pop(one, None)}
    for tpn, letter in letters.items():
        if letter is not None:
            byes[tpn] = letter if letter == "U" else _own(draft, tpn)
    return Arrangement(boards, byes)


def _without_place(draft: Arrangement, now: Arrangement, player: TPN) -> Arrangement:
    board = board_of(now, player)
    pair = now.boards[board] if board is not None else (player,)
    boards = {n: pair for n, pair in now.boards.items() if n != board}
    return Arrangement(boards, {**now.byes, **{tpn: _own(draft, tpn) for tpn in pair}})


def _seated(draft: Arrangement, now: Arrangement, white: TPN, black: TPN) -> Arrangement:
    last = max((*draft.boards, *now.boards), default=0)
    board = next(n for n in range(1, last + 2) if n not in now.boards)
    byes = {tpn: letter for tpn, letter in now.byes.items() if tpn not in (white, black)}
    return Arrangement(dict(sorted({**now.boards, board: (white, black)}.items())), byes)


def _own(draft: Arrangement, tpn: TPN) -> str:
    """Return the requested bye to which a player without a place goes back; or none."""
    letter = draft.byes.get(tpn, LEFT_OVER)
    return LEFT_OVER if letter == "U" else letter
