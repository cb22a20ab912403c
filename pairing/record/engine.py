"""Pair the rounds of a record again with the engine, from what the record says at that moment."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from pairing.engine.acceleration import accelerate, baku, last_of_group_a
from pairing.engine.errors import EngineError
from pairing.engine.model import (
    ABSENT,
    TPN,
    Colour,
    Player,
    PointSystem,
    Result,
    RoundRecord,
    TournamentState,
)
from pairing.engine.systems import pair

from .chain import Fault, Line
from .replay import read_line
from .state import Board, RoundTable, State

_RESULTS: Final = {result.value: result for result in Result}
_UNKNOWN: Final = "?"


@dataclass(slots=True)
class PairedAgain:
    """How many pairings were made again, and those that came out differently."""

    compared: int = 0
    differences: list[Fault] = field(default_factory=list)


def pair_again(lines: Iterable[Line]) -> PairedAgain:
    """Pair again every round of the consistent *lines* that the engine paired. Cost: the engine's.

    Left out are rounds whose scores have point adjustments, and accelerated rounds of an imported
    file, which does not say who is in group A.
    """
    state, found = State(), PairedAgain()
    group_a: int | None = None
    for line in lines:
        if line.action == "round.paired" and not state.adjustments:
            position = _position(state, line, group_a)
            if position is not None:
                found.compared += 1
                if not _agrees(position, line):
                    message = f"the engine pairs round {line.round_number} differently."
                    found.differences.append(Fault(line.sequence, message))
        if line.action == "pairings.published" and line.round_number == 1:
            group_a = _last_of_group_a(state)
        read_line(state, line)
    return found


def _agrees(position: TournamentState, line: Line) -> bool:
    after = line.after
    if sorted(position.absent) != after["not_paired"]:
        return False
    try:
        paired = pair(position)
    except EngineError:
        return False
    return ([list(pair_) for pair_ in paired.pairs], paired.bye) == (
        after["pairs"],
        after["pairing_allocated_bye"],
    )


def _position(state: State, line: Line, group_a: int | None) -> TournamentState | None:
    """Return the position from which the round of *line* was paired; None if some is missing."""
    number, settings = line.round_number, state.settings
    assert number is not None
    state.skipped[number] = frozenset(line.after.get("skipped", ()))
    tpn_of = {entry: TPN(values["tpn"]) for entry, values in state.players.items() if values["tpn"]}
    earlier = [state.rounds[n] for n in range(1, number)]
    points = PointSystem.from_values(
        win=settings["points_win"],
        draw=settings["points_draw"],
        loss=settings["points_loss"],
        absence=settings["points_absence"],
        pairing_allocated_bye=settings["points_pab"],
    )
    position = TournamentState(
        round_number=number,
        total_rounds=settings["total_rounds"],
        players=tuple(
            Player(tpn=tpn, rounds=tuple(_record(table, entry, tpn_of) for table in earlier))
            for entry, tpn in sorted(tpn_of.items(), key=lambda each: each[1])
        ),
        initial_colour=Colour(settings["initial_colour"] or Colour.WHITE.value),
        points=points.for_matches(settings["points_pab"]) if state.games > 1 else points,
        absent=frozenset(
            tpn
            for entry, tpn in tpn_of.items()
            if state.is_excused(entry, number) or not state.takes_part(entry, number)
        ),
        prohibited=frozenset(
            frozenset(tpn_of[entry] for entry in pair_[:2])
            for pair_ in state.prohibited
            if len(pair_) == 2 or number <= pair_[2]
        ),
        system=line.after["system"],
    )
    if not settings["acceleration"]:
        return position
    last = group_a if group_a is not None or number > 1 else _last_of_group_a(state)
    if last is None:
        return None
    win = position.points.of_whole_rounds().win
    return accelerate(position, baku(tpn_of[last], total_rounds=position.total_rounds, win=win))


def _last_of_group_a(state: State) -> int | None:
    """Return the last of group A [C.04.7/2026], by entry, of those to be paired in round 1."""
    entry_of = {
        TPN(values["tpn"]): entry
        for entry, values in state.players.items()
        if values["tpn"] and not state.is_excused(entry, 1) and state.takes_part(entry, 1)
    }
    last = last_of_group_a(sorted(entry_of))
    return None if last is None else entry_of[last]


def _record(table: RoundTable, entry: int, tpn_of: dict[int, TPN]) -> RoundRecord:
    """Return the round of a player; a game without a result is unknown [C.04.2/2026 3.1]."""
    if entry in table.byes:
        return RoundRecord(opponent=None, colour=None, result=_RESULTS[table.byes[entry]])
    for board in table.boards.values():
        if entry == board.white:
            return RoundRecord(tpn_of[board.black], Colour.WHITE, *_results(board, 0))
        if entry == board.black:
            return RoundRecord(tpn_of[board.white], Colour.BLACK, *_results(board, 1))
    return ABSENT


def _results(board: Board, side: int) -> tuple[Result, Result | None]:
    """Return the player's results; in a second game the colours are reversed [C.04.5/2026 0]."""
    letters = [
        (result or _UNKNOWN * 2)[side if game == 0 else 1 - side]
        for game, result in enumerate(board.results)
    ]
    one, *other = (_RESULTS[letter] for letter in letters)
    return one, other[0] if other else None
