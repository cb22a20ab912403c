"""Compare the tables with the record: replay every action (:mod:`pairing.record.replay`), and compare the outcome.

Both are compared as single facts, each under a key such as ``("result", round, board, game)``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pairing.record.replay import UNREADABLE, replay
from pairing.record.replay_players import NO_DESK_DATA
from pairing.record.state import State
from tournaments.core.record import lines_of
from tournaments.models import Tournament
from tournaments.reports.held import held

Key = tuple[object, ...]


def differences(tournament: Tournament) -> list[str]:
    """Return the differences between the tables of *tournament* and its record, one line each. Eleven queries.

    It compares settings with the tie-breaks, players with their numbers and withdrawals, requested byes, the state of
    every round, places, results, prohibited pairs and point adjustments. A line of the record that contradicts the
    lines before it ends the comparison, and is reported as a difference.
    """
    recorded, fault = replay(lines_of(tournament, private=True))
    if fault is not None:
        said = "" if fault.message == UNREADABLE else " The tables are not compared with the record."
        return [f"{fault}{said}"]
    there = held(tournament)
    wanted, found = dict(_facts(recorded, there)), dict(_facts(there, recorded))
    return [
        f"{_place(key)}: the record says {_said(wanted.get(key))}, the tables {_said(found.get(key))}."
        for key in sorted({*wanted, *found}, key=lambda key: [(str(type(part)), part) for part in key])
        if wanted.get(key) != found.get(key)
    ]


def _facts(state: State, other: State) -> Iterator[tuple[Key, Any]]:
    """Yield the facts of *state*: settings only if *other* has them too, a player unknown there by name only."""
    for name, value in state.settings.items():
        if name in other.settings:
            yield ("setting", name), value
    yield ("setting", "prohibited_pairs"), state.prohibited
    yield ("setting", "fee"), state.fee
    for entry, values in state.players.items():
        for name, value in values.items() if entry in other.players else [("name", values["name"])]:
            yield ("entry", entry, name), value
    for entry, desk in state.desk.items():
        for name, value in desk.items():
            if value != NO_DESK_DATA[name]:
                yield ("entry", entry, name), value
    for (entry, number), letter in state.byes.items():
        yield ("bye", number, entry), letter
    for number, table in state.rounds.items():
        yield ("state", number), table.state
        for board, at in table.boards.items():
            for colour, entry in zip("wb", (at.white, at.black), strict=True):
                if entry:
                    yield ("seat", number, entry), f"{colour}{board}"
            for game, result in enumerate(at.results, start=1):
                yield ("result", number, board, game), result
        for entry, letter in table.byes.items():
            yield ("seat", number, entry), letter
    for place, adjustment in enumerate(sorted(state.adjustments, key=str), start=1):
        yield ("points", place), adjustment


def _place(key: Key) -> str:
    match key:
        case ("setting", name):
            return f"Setting {name}"
        case ("state", number):
            return f"Round {number}"
        case ("points", place):
            return f"Point adjustment {place}"
        case ("bye", number, pk):
            return f"Round {number}, bye asked for by entry {pk}"
        case ("seat", number, pk):
            return f"Round {number}, place of entry {pk}"
        case ("result", number, board, game):
            return f"Round {number}, result of board {board}" + (f", game {game}" if game != 1 else "")
        case _:
            return f"Entry {key[1]}, {key[2]}"


def _said(value: object) -> str:
    return "nothing" if value is None else f"“{value}”"
