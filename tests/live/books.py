"""Read the tables and the record with plain SQL, independently of the program."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import psycopg

from .desk import Sent

FIRST = "(SELECT MIN(id) FROM tournaments_tournament)"
CHOSEN = "(SELECT id FROM tournaments_tournament WHERE slug = '{}')"
GAMES = """SELECT r.number, g.board, g.result, g.version,
    (SELECT COUNT(*) FROM tournaments_seat s WHERE s.game_id = g.id)
    FROM tournaments_game g JOIN tournaments_round r ON r.id = g.round_id
    WHERE r.tournament_id = {id} ORDER BY r.number, g.board"""
ROUNDS = """SELECT r.number, r.state, (SELECT COUNT(*) FROM tournaments_seat s WHERE s.round_id = r.id)
    FROM tournaments_round r WHERE r.tournament_id = {id} ORDER BY r.number"""
RECORD = """SELECT sequence, action, actor_name, round_number, before, after
    FROM tournaments_decision WHERE tournament_id = {id} ORDER BY sequence"""
VERSION = """SELECT version, (SELECT COUNT(*) FROM tournaments_entry WHERE tournament_id = {id})
    FROM tournaments_tournament WHERE id = {id}"""
STATE_AFTER = {
    "round.paired": "draft",
    "pairings.published": "pairings_published",
    "results.published": "results_published",
}


@dataclass(frozen=True, slots=True)
class Change:
    """One row of the record about a board."""

    by: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Books:
    """The data of one tournament.

    ``games`` has (round, board) → result, version, seats; ``rounds`` → state, seats.
    """

    version: int
    entries: int
    games: dict[tuple[int, int], tuple[str, int, int]]
    rounds: dict[int, tuple[str, int]]
    record: list[tuple[int, str, str, int | None, dict[str, Any], dict[str, Any]]]

    @classmethod
    def read(cls, database_url: str, slug: str = "") -> Books:
        """Read the tournament *slug*, or the oldest."""
        connection: Any
        chosen = CHOSEN.format(slug) if slug else FIRST

        def rows(sql: str) -> list[Any]:
            return list(connection.execute(sql.format(id=chosen)).fetchall())

        if database_url.startswith("sqlite"):
            connection = sqlite3.connect(urlsplit(database_url).path.removeprefix("/"), timeout=20)
        else:
            connection = psycopg.connect(database_url)
        try:
            ((version, entries),) = rows(VERSION)
            games = {(number, board): tuple(rest) for number, board, *rest in rows(GAMES)}
            rounds = {number: (state, seats) for number, state, seats in rows(ROUNDS)}
            lines = rows(RECORD)
        finally:
            connection.close()
        record = [(*row[:4], _plain(row[4]), _plain(row[5])) for row in lines]
        return cls(version, entries, games, rounds, record)

    def changes(self) -> dict[tuple[int, int], list[Change]]:
        """Return (round, board) → the rows of the record about its result, oldest first."""
        found: dict[tuple[int, int], list[Change]] = defaultdict(list)
        for _, action, by, number, before, after in self.record:
            if action == "result.recorded":
                assert number is not None
                assert before["board"] == after["board"]
                found[number, after["board"]].append(Change(by, before["result"], after["result"]))
        return found

    def faults(self) -> list[str]:
        """Return the contradictions between tables and record, and anything incomplete;
        empty if there are none.
        """
        faults = []
        if [row[0] for row in self.record] != list(range(1, len(self.record) + 1)):
            faults.append("the record is not numbered 1, 2, 3, …")
        if self.version != len(self.record):
            faults.append(f"{len(self.record)} rows in the record, but version {self.version}")
        changes = self.changes()
        for place, (result, version, seats) in self.games.items():
            rows = changes.get(place, [])
            if [change.before for change in rows] != ["", *(change.after for change in rows)][
                : len(rows)
            ]:
                faults.append(f"{place}: the record of its results does not hang together: {rows}")
            if (rows[-1].after if rows else "", len(rows)) != (result, version):
                faults.append(
                    f"{place}: {result!r} in version {version}, but the record has {rows}"
                )
            if seats != 2:
                faults.append(f"{place}: {seats} seats")
        return faults + self._faults_of_rounds()

    def _faults_of_rounds(self) -> list[str]:
        faults = []
        last = {
            number: STATE_AFTER[action]
            for _, action, _, number, *_ in self.record
            if action in STATE_AFTER
        }
        boards = Counter(number for number, _ in self.games)
        for number, (state, seats) in self.rounds.items():
            if state != last.get(number, "planned"):
                faults.append(
                    f"round {number} is {state!r}, but the record says "
                    f"{last.get(number, 'planned')!r}"
                )
            whole = (0, 0) if state == "planned" else (self.entries // 2, self.entries)
            if (boards[number], seats) != whole:
                faults.append(
                    f"round {number} is {state}: {boards[number]} boards and {seats} seats, not {whole}"
                )
        return faults


def lost(books: Books, number: int, diary: Sequence[Sent]) -> list[Sent]:
    """Return the results of round *number* that were confirmed but are not
    in the record with the confirmed version.
    """
    changes = books.changes()
    return [
        sent
        for sent in diary
        if sent.was_taken
        and [change.after for change in changes[number, sent.board]][sent.body["version"] - 1 :][:1]
        != [sent.result]
    ]


def unseen(books: Books, number: int, diary: Sequence[Sent]) -> list[tuple[int, Change]]:
    """Return (board, row) for results of round *number* in the record
    that nobody sent with the replaced version.
    """
    known = {(sent.by, sent.board, sent.result, sent.replaced) for sent in diary}
    return [
        (board, change)
        for (round_number, board), changes in books.changes().items()
        for version, change in enumerate(changes)
        if round_number == number and (change.by, board, change.after, version) not in known
    ]


def _plain(value: Any) -> dict[str, Any]:
    plain: dict[str, Any] = json.loads(value) if isinstance(value, str) else value
    return plain
