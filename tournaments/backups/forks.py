"""Compare the records of one event in two copies: one continues the other, or they are a fork, from the first
difference on.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest
from pathlib import Path

from tournaments.backups import rows
from tournaments.backups.copy_file import CopyError, extract
from tournaments.backups.copying import ROWS, public_key
from tournaments.backups.file_form import LARGEST, lines_in, row_of
from tournaments.models import Action, Decision, Tournament


@dataclass(frozen=True, slots=True)
class Said:
    """A line of a record, as far as it tells two copies apart."""

    sequence: int
    action: str
    actor: str
    at: datetime
    hash: str
    previous: str
    key: str

    def values(self) -> dict[str, str]:
        """Return what a page or a program shows of the line."""
        return {"action": self.action, "actor": self.actor, "at": self.at.isoformat(), "fingerprint": self.hash[:12]}

    def __str__(self) -> str:
        name = Action(self.action).label if self.action in Action.values else self.action
        return f"“{name}” by {self.actor}, {self.at:%Y-%m-%d %H:%M:%S} UTC, fingerprint {self.hash[:12]}"


@dataclass(frozen=True, slots=True)
class Records:
    """The records in one copy, by the identity of their tournaments, and which tournaments were handed over."""

    lines: Mapping[str, tuple[Said, ...]]
    names: Mapping[str, str]
    sealed: frozenset[str]


@dataclass(frozen=True, slots=True)
class Fork:
    """The first line that two records have otherwise; both follow the same line."""

    name: str
    first: Said
    second: Said

    def sentence(self, one: str, other: str) -> str:
        """Return the proof, with both lines; *one* and *other* say where they are."""
        return (
            f"“{self.name}”: the record is a fork from #{self.first.sequence} on, after the same line "
            f"{self.first.previous[:12] or 'at the beginning'}. {one}: {self.first}. {other}: {self.second}."
        )


def fork_of(name: str, one: tuple[Said, ...], other: tuple[Said, ...]) -> Fork | None:
    """Return where the records *one* and *other* differ first; None if one is the beginning of the other."""
    for first, second in zip_longest(one, other):
        if first is None or second is None:
            return None
        if first.hash != second.hash:
            return Fork(name, first, second)
    return None


def records_here(tournaments: list[Tournament]) -> Records:
    """Return the records of *tournaments* in this database. One query for each."""
    found = {}
    for tournament in tournaments:
        there = Decision.objects.filter(tournament=tournament).order_by("sequence")
        found[tournament.identity] = tuple(map(_said, there))
    return Records(
        found,
        {each.identity: each.name for each in tournaments},
        frozenset(each.identity for each in tournaments if each.handed_over_at is not None),
    )


def records_in(path: Path) -> Records:
    """Return the records in the file *path* of one event. Raise :class:`CopyError`."""
    there: dict[int, Tournament] = {}
    found: dict[int, list[Said]] = {}
    with tempfile.TemporaryDirectory() as folder:
        part = Path(folder) / ROWS
        extract(path, ROWS, part, most=LARGEST)
        try:
            with part.open(encoding="ascii") as file:
                for table, columns, values in rows.parse(lines_in(file)):
                    if table == Tournament._meta.db_table:
                        tournament = row_of(Tournament, columns, values)
                        assert isinstance(tournament, Tournament)
                        there[tournament.pk], found[tournament.pk] = tournament, []
                    elif table == Decision._meta.db_table:
                        line = row_of(Decision, columns, values)
                        assert isinstance(line, Decision)
                        found[line.tournament_id].append(_said(line))
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise CopyError(f"{path} cannot be read: {error}.", "take_over.unreadable", problem=str(error)) from error
    return Records(
        {each.identity: tuple(sorted(found[pk], key=lambda said: said.sequence)) for pk, each in there.items()},
        {each.identity: each.name for each in there.values()},
        frozenset(each.identity for each in there.values() if each.handed_over_at is not None),
    )


def _said(line: Decision) -> Said:
    return Said(line.sequence, str(line.action), line.actor_name, line.at, line.hash, line.previous_hash, line.key)


def require_continued(tournaments: list[Tournament], path: Path, *, handed_over_here: bool = False) -> None:
    """Raise :class:`CopyError` unless the file *path* goes on where the records of *tournaments* end.

    It is a fork if both went on; else it may be an older file, or one of an event that was not handed over. With
    *handed_over_here* a copy that is live here goes on only with lines of its own key, up to a hand-over: after a
    restore. Otherwise whoever has the data of the event could write a line that hands it over.
    """
    here, file = records_here(tournaments), records_in(path)
    for identity, lines in here.lines.items():
        name, newer = here.names[identity], file.lines.get(identity, ())
        if (fork := fork_of(name, lines, newer)) is not None:
            raise CopyError(
                f"{fork.sentence('Here', 'In the file')} Decide which copy is right. Nothing was changed.",
                "take_over.fork",
                name=name,
                number=fork.first.sequence,
                here=fork.first.values(),
                file=fork.second.values(),
            )
        there = next(each for each in tournaments if each.identity == identity)
        if len(newer) <= len(lines) and there.handed_over_at is not None:
            raise CopyError(
                f"“{name}” was handed over from here to {there.handed_over_to}, {there.handed_over_at:%Y-%m-%d %H:%M} "
                f"UTC: go on there. Nothing was changed: this file has no action after that (#{len(lines)} here, "
                f"#{len(newer)} in the file). To go on here again, hand it over there, and take that file. If nobody "
                "goes on there, its Chief Arbiter can bring it back here.",
                "take_over.is_away",
                name=name,
                slug=there.slug,
                to=there.handed_over_to,
                at=there.handed_over_at,
                here=len(lines),
                file=len(newer),
            )
        if len(newer) <= len(lines):
            raise CopyError(
                f"“{name}” is here already, at /t/{there.slug}/, with all lines of the file: "
                f"#{len(lines)} here, #{len(newer)} in the file. Nothing was changed.",
                "take_over.is_here",
                name=name,
                slug=there.slug,
                here=len(lines),
                file=len(newer),
            )
        if identity not in file.sealed:
            raise _not_handed_over(name)
        if handed_over_here and there.handed_over_at is None:
            _require_own_key(name, newer[len(lines) :])


def _require_own_key(name: str, newer: tuple[Said, ...]) -> None:
    """Raise :class:`CopyError` unless this computer signed the lines *newer* up to a hand-over, with its key of today.

    A key in older lines may be that of a computer that had the event before, which still has this key.
    """
    own = public_key()
    for line in newer:
        if line.key != own:
            raise CopyError(
                f"“{name}” is live here and was not handed over from here, but another computer signed action "
                f"#{line.sequence} of the file. Nothing was changed. If this is right, take the file over on the "
                "console: ./run manage import_event FILE.",
                "take_over.is_live",
                name=name,
                number=line.sequence,
            )
        if line.action == Action.TOURNAMENT_HANDED_OVER:
            return


def require_handed_over(tournaments: Iterable[Tournament]) -> None:
    """Raise :class:`CopyError` unless all *tournaments*, as they are in a file, were handed over."""
    for tournament in tournaments:
        if tournament.handed_over_at is None:
            raise _not_handed_over(tournament.name)


def _not_handed_over(name: str) -> CopyError:
    return CopyError(
        f"“{name}” was not handed over: the other computer has the live copy. Hand it over there, and take "
        "that file. Nothing was changed.",
        "take_over.not_handed_over",
        name=name,
    )
