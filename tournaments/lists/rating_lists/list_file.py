"""One rating list as an SQLite file of its own: written once, then only read.

A list is far larger than all tournaments together and never changes, so it is not in the tables of
the site. Writing it takes no lock that result entry waits for, with SQLite as with PostgreSQL, and
a list is removed by deleting its file.

``player`` has the rows. ``word`` has each word of each name, and each identifier, with the whole
name beside it: a search reads the words that begin with one part of the query and compares the
other parts with the name. ``beginning`` has the number of words for each beginning of up to three
letters, so that the search reads the rarest part.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Final

from pairing.rules.names import fold
from tournaments.lists.rating_lists.rows import Row

BATCH: Final = 5_000
HITS: Final = 20
NO_LETTERS: Final = re.compile(r"[^\w]+")
_LAST: Final = "\U0010ffff"
_FAST: Final = (
    "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-32000; PRAGMA "
    "locking_mode=EXCLUSIVE;"
)

_TABLES: Final = """
CREATE TABLE player (
    id INTEGER PRIMARY KEY, fide_id INTEGER, national_id TEXT, name TEXT, federation TEXT,
    sex TEXT, title TEXT, birth TEXT, club TEXT, standard INTEGER, rapid INTEGER, blitz INTEGER,
    inactive INTEGER, women_title TEXT, other_titles TEXT,
    standard_k INTEGER, rapid_k INTEGER, blitz_k INTEGER,
    standard_games INTEGER, rapid_games INTEGER, blitz_games INTEGER,
    fide_standard INTEGER, fide_rapid INTEGER, fide_blitz INTEGER
);
CREATE TABLE words.unsorted (place INTEGER, word TEXT, name TEXT, player INTEGER);
"""
_SORTED: Final = (
    """
    CREATE TABLE word (
        place INTEGER, word TEXT, name TEXT, player INTEGER, PRIMARY KEY (place, word, name, player)
    ) WITHOUT ROWID
    """,
    (
        "INSERT OR IGNORE INTO word SELECT place, word, name, player FROM words.unsorted "
        "ORDER BY 1, 2, 3, 4"
    ),
    "CREATE TABLE beginning (text TEXT PRIMARY KEY, words INTEGER) WITHOUT ROWID",
    (
        "CREATE TABLE words.counted AS SELECT substr(word, 1, 3) AS text, count(*) AS words FROM "
        "words.unsorted GROUP BY 1"
    ),
    "INSERT INTO beginning SELECT text, words FROM words.counted WHERE length(text) = 3",
    (
        "INSERT INTO beginning SELECT substr(text, 1, 2), sum(words) FROM words.counted WHERE "
        "length(text) > 1 GROUP BY 1"
    ),
    "INSERT INTO beginning SELECT substr(text, 1, 1), sum(words) FROM words.counted GROUP BY 1",
)
_INSERT: Final = f"INSERT INTO player VALUES ({', '.join('?' * (1 + len(Row._fields)))})"  # noqa: S608
_SEARCH: Final = (
    "SELECT player FROM word WHERE place = ? AND word >= ? AND word < ?{others} LIMIT ?"
)


def write_list(path: Path, rows: Iterable[Row], *, tick: Callable[[int], None]) -> int:
    """Write *rows* into a new file at *path* and return their number;
    *tick* gets the number so far, every batch.

    Memory does not grow with the number. An exception from *rows* or *tick* leaves no file behind.
    """
    unsorted = path.with_suffix(".words")
    for each in (path, unsorted):
        each.unlink(missing_ok=True)
    number = 0
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("ATTACH ? AS words", [str(unsorted)])
            db.executescript(
                _FAST + "PRAGMA words.journal_mode=OFF; PRAGMA words.synchronous=OFF;" + _TABLES
            )
            db.execute("BEGIN")
            remaining = iter(rows)
            while batch := list(islice(remaining, BATCH)):
                db.executemany(
                    _INSERT, [(number + place, *row) for place, row in enumerate(batch, start=1)]
                )
                db.executemany(
                    "INSERT INTO words.unsorted VALUES (?, ?, ?, ?)",
                    [
                        word
                        for place, row in enumerate(batch, start=1)
                        for word in _words_of(row, number + place)
                    ],
                )
                number += len(batch)
                tick(number)
            for statement in _SORTED:
                db.execute(statement)
                tick(number)
            db.execute("COMMIT")
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    finally:
        unsorted.unlink(missing_ok=True)
    return number


def words(name: str) -> list[str]:
    """Return the words of *name* for searching: folded, parted at hyphens, apostrophes left out."""
    return [word for part in name.split() for word in _words_in(part)]


@lru_cache(maxsize=50_000)
def _words_in(part: str) -> tuple[str, ...]:
    """Return the words of a *part* of a name without blanks; surnames come again and again."""
    folded = part.lower() if part.isascii() else fold(part)
    return tuple(NO_LETTERS.sub(" ", folded.replace("'", "")).split())


def _words_of(row: Row, player: int) -> list[tuple[int, str, str, int]]:
    parts = words(row.name)
    name = " ".join(parts)
    found = [(1, word, name, player) for word in parts]
    found[:1] = [(0, word, name, player) for word in parts[:1]]
    if row.fide_id:
        found.append((0, str(row.fide_id), name, player))
    if row.national_id:
        found.append((0, row.national_id.lower(), name, player))
    return found


class ListFile:
    """A list to read.

    Every instance has a connection of its own; close it after use (``with closing(…)``).
    """

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def search(self, query: str, *, most: int = HITS) -> list[tuple[int, Row]]:
        """Return up to *most* players, each with its key, whose names have
        words that begin with all parts of *query*.

        The parts are in any order, without accents and capitals; one part can also begin a FIDE ID
        or national identifier. Players whose surname begins with a part come first, then by word
        and name.
        """
        parts = words(query)
        if not parts:
            return []
        rarest = min(range(len(parts)), key=lambda place: self._words_beginning(parts[place]))
        others = [f" {part}" for place, part in enumerate(parts) if place != rarest]
        sql = _SEARCH.format(others=" AND instr(' ' || name, ?) > 0" * len(others))
        keys: dict[int, None] = {}
        for place in (0, 1):
            limits = [parts[rarest], parts[rarest] + _LAST]
            for (key,) in self._db.execute(sql, [place, *limits, *others, 2 * most]):
                keys[key] = None
                if len(keys) == most:
                    break
        return [(key, row) for key in list(keys)[:most] if (row := self.player(key))]

    def _words_beginning(self, part: str) -> tuple[int, int]:
        """Return how many words begin like *part*, at most.

        Among equal ones the longest part is the rarest.
        """
        found = self._db.execute(
            "SELECT words FROM beginning WHERE text = ?", [part[:3]]
        ).fetchone()
        return (found[0] if found else 0, -len(part))

    def player(self, key: int) -> Row | None:
        """Return the player with the *key* of :meth:`search`.

        Lists from before 28 November 2026 have no K, games and titles besides the highest.
        """
        found = self._db.execute("SELECT * FROM player WHERE id = ?", [key]).fetchone()
        return Row(*found[1:]) if found else None

    def by_fide_id(self, numbers: Sequence[int]) -> dict[int, Row]:
        """Return the players with these FIDE IDs. One query for each: a list has no other index."""
        return {
            number: row for number in numbers if (row := self._by_identifier(str(number), number))
        }

    def _by_identifier(self, text: str, fide_id: int) -> Row | None:
        sql = "SELECT player FROM word WHERE place = 0 AND word = ?"
        rows = (self.player(key) for (key,) in self._db.execute(sql, [text]).fetchall())
        return next((row for row in rows if row and row.fide_id == fide_id), None)

    def by_national_id(self, number: str) -> Row | None:
        """Return the player with this number of the federation; None if there is none."""
        sql = "SELECT player FROM word WHERE place = 0 AND word = ?"
        keys = self._db.execute(sql, [number.lower()]).fetchall()
        rows = (self.player(key) for (key,) in keys)
        return next((row for row in rows if row and row.national_id == number), None)

    def by_name(self, name: str) -> list[Row]:
        """Return the players with exactly the words of *name*."""
        parts = words(name)
        sql = "SELECT player FROM word WHERE place = 0 AND word = ? AND name = ?"
        keys = self._db.execute(sql, [parts[0], " ".join(parts)]).fetchall() if parts else []
        return [row for (key,) in keys if (row := self.player(key))]
