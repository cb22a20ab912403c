"""Compare the tables with the record: replay every action (:mod:`pairing.record.replay`),
and compare the outcome.

Both are compared as single facts, each under a key such as ``("result", round, board, game)``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from pairing.record.defaults import DESK
from pairing.record.people import Held, people_of
from pairing.record.private import same
from pairing.record.replay import UNREADABLE, replay
from pairing.record.state import Corrected, State
from tournaments.core.record import lines_of
from tournaments.models import Tournament
from tournaments.reports.held import held, held_roles
from tournaments.standings.prize_plan import PrizePlan, described

Key = tuple[Any, ...]
Named = tuple[str, int, tuple[int, ...], str, int]
NO_PRIZES: Final = described(PrizePlan())
TIMES: Final = ("starts_at", "results_due_at", "paired_at", "published_at", "results_published_at")
"""The times of a round."""


def differences(tournament: Tournament) -> list[str]:
    """Return the differences between the tables of *tournament* and its record,
    one line each. Seventeen queries.

    It compares settings with the tie-breaks and the deadline, players with their numbers and
    withdrawals, requested byes, the state and the times of every round, places with their tables,
    results, corrections, who viewed a draft, prohibited pairs, point adjustments, prizes and the
    section. A line of the record that contradicts the lines before it ends the comparison, and is
    reported as a difference. :func:`people_differences` compares the people.
    """
    recorded, fault = replay(lines_of(tournament, private=True))
    if fault is not None:
        text = (
            "" if fault.message == UNREADABLE else " The tables are not compared with the record."
        )
        return [f"{fault}{text}"]
    there = held(tournament)
    # While a draft is open, and for a page that was being read as it ended, the table has more.
    there.views = {
        key: {person: at for person, at in there.views.get(key, {}).items() if person in seen}
        for key, seen in recorded.views.items()
    }
    return _unlike(dict(_facts(recorded, there)), dict(_facts(there, recorded)))


def people_differences(tournament: Tournament) -> list[str]:
    """Return what is wrong with the roles of *tournament*, one line each. Two queries.

    The first line of the record that its person could not write, because no role allowed it then;
    otherwise every appointment that differs between the table and the record.
    """
    recorded, fault = people_of(lines_of(tournament, private=True))
    if fault is not None:
        return [f"{fault} The appointments are not compared with the record."]
    return _unlike(dict(_roles(recorded)), dict(_roles(held_roles(tournament))))


def _roles(people: list[Held]) -> Iterator[tuple[Key, Any]]:
    for each in people:
        yield ("person", each.person, each.since, "role"), each.role
        yield ("person", each.person, each.since, "until"), each.until


def _unlike(wanted: Mapping[Key, Any], found: Mapping[Key, Any]) -> list[str]:
    """Return a line for each fact in which the record (*wanted*) and the tables (*found*) differ.

    Of a value that was deleted from the record only the hash is left; nothing can be compared with
    it. That of another player in the same line is still in the tables.
    """
    return [
        f"{_place(key)}: the record says {_described(wanted.get(key))}, the tables "
        f"{_described(found.get(key))}."
        for key in sorted(
            {*wanted, *found}, key=lambda key: [(str(type(part)), part) for part in key]
        )
        if not same(wanted.get(key), found.get(key))
    ]


def _facts(state: State, other: State) -> Iterator[tuple[Key, Any]]:
    """Yield the facts of *state*: settings only if *other* has them too,
    a player unknown there by name only.
    """
    for name, value in state.settings.items():
        if name in other.settings:
            yield ("setting", name), value
    yield ("setting", "prohibited_pairs"), state.prohibited
    yield ("setting", "fee"), state.fee
    yield ("setting", "check_in"), state.check_in
    yield ("setting", "prizes"), NO_PRIZES if state.prizes is None else state.prizes
    yield ("setting", "section"), state.section
    yield ("setting", "created_by"), state.created[0]
    yield ("setting", "created_at"), state.created[1]
    for entry, values in state.players.items():
        for name, value in values.items() if entry in other.players else [("name", values["name"])]:
            yield ("entry", entry, name), value
    for entry, desk in state.desk.items():
        for name, value in desk.items():
            if value != DESK[name]:
                yield ("entry", entry, name), value
    for (entry, number), letter in state.byes.items():
        yield ("bye", number, entry), letter
    for number, table in state.rounds.items():
        yield ("state", number), table.state
        for name in TIMES:
            yield ("time", number, name), getattr(table, name)
        for name, value in table.values.items():
            yield ("time", number, name), value
        for board, at_table in table.tables.items():
            yield ("table", number, board), at_table
        for board, at in table.boards.items():
            for colour, entry in zip("wb", (at.white, at.black), strict=True):
                if entry:
                    yield ("seat", number, entry), f"{colour}{board}"
            for game, result in enumerate(at.results, start=1):
                yield ("result", number, board, game), result
            for game, date in at.dates.items():
                yield ("date", number, board, game), ", ".join(date)
            for game, values in at.values.items():
                for name, value in values.items():
                    yield ("game", number, board, game, name), value
        for entry, letter in table.byes.items():
            yield ("seat", number, entry), letter
    for place, adjustment in enumerate(sorted(state.adjustments, key=str), start=1):
        yield ("points", place), adjustment
    for (number, paired_at), seen in state.views.items():
        for person, at_time in seen.items():
            yield ("view", number, paired_at, person), at_time
    yield from _corrections(state.corrections, {*_named(other.corrections)})


def _corrections(corrections: list[Corrected], others: set[Named]) -> Iterator[tuple[Key, Any]]:
    """Yield the values of each correction; only its presence if the other side does not know it."""
    for named, each in _named(corrections).items():
        yield ("correction", *named, "entered_at"), each.entered_at
        if named in others:
            for name in ("reported_at", "effect", "waiting", "before", "after", "reason"):
                yield ("correction", *named, name), getattr(each, name)
            for name, value in each.values.items():
                yield ("correction", *named, name), value


def _named(corrections: list[Corrected]) -> dict[Named, Corrected]:
    """Return the corrections by kind, round, subject and entry, numbered if these are the same."""
    found: dict[Named, Corrected] = {}
    for each in corrections:
        same = sum(
            1
            for key in found
            if key[:4] == (each.kind, each.round_number, each.about, each.entered_at)
        )
        found[each.kind, each.round_number, each.about, each.entered_at, same] = each
    return found


def _place(key: Key) -> str:
    match key:
        case ("setting", name):
            return f"Setting {name}"
        case ("state", number):
            return f"Round {number}"
        case ("time", number, name):
            return f"Round {number}, {name}"
        case ("table", number, board):
            return f"Round {number}, table of board {board}"
        case ("view", number, paired_at, person):
            return f"Round {number}, view of the draft of {paired_at} by account {person}"
        case ("correction", kind, number, about, entered, _, name):
            subject = f"entry {about[0]}" if kind == "rating" else f"board {about[0]}"
            return f"Correction of the {kind} of {subject} in round {number}, entered {entered}, {name}"
        case ("person", person, since, name):
            return f"Appointment of account {person} since {since}, {name}"
        case ("points", place):
            return f"Point adjustment {place}"
        case ("bye", number, pk):
            return f"Round {number}, bye asked for by entry {pk}"
        case ("seat", number, pk):
            return f"Round {number}, place of entry {pk}"
        case ("result" | "date" as what, number, board, game):
            return f"Round {number}, {what} of board {board}" + (
                f", game {game}" if game != 1 else ""
            )
        case ("game", number, board, game, name):
            return f"Round {number}, {name} of board {board}" + (
                f", game {game}" if game != 1 else ""
            )
        case _:
            return f"Entry {key[1]}, {key[2]}"


def _described(value: object) -> str:
    return "nothing" if value is None else f"“{value}”"
