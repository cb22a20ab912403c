"""Compare records of two copies: one continues the other, or where they fork."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from tournaments.models import Action, Decision, Tournament
from tournaments.models.decision import action_name
from tournaments.site.backups import rows
from tournaments.site.backups.copy_file import CopyError, extract
from tournaments.site.backups.copying import ROWS, public_key
from tournaments.site.backups.file_form import LARGEST, lines_in, row_of

Records: TypeAlias = dict[str, tuple[Tournament, list[Decision]]]
"""The tournaments in one copy by their identity, with the lines of their records."""


@dataclass(frozen=True, slots=True)
class Fork:
    """The first line that two records have otherwise; both follow the same line."""

    name: str
    first: Decision
    second: Decision

    def sentence(self, one: str, other: str) -> str:
        """Return the proof, with both lines; *one* and *other* say where they are."""
        return (
            f"“{self.name}”: the record is a fork from #{self.first.sequence} on, after the same line "
            f"{self.first.previous_hash[:12] or 'at the beginning'}. "
            f"{one}: {_described(self.first)}. {other}: {_described(self.second)}."
        )


def _described(line: Decision) -> str:
    name, at = action_name(line.action), f"{line.at:%Y-%m-%d %H:%M:%S} UTC"
    return f"“{name}” by {line.actor_name}, {at}, fingerprint {line.hash[:12]}"


def _values(line: Decision) -> dict[str, str]:
    """Return what a page or a program shows of *line*."""
    return {
        "action": str(line.action),
        "actor": line.actor_name,
        "at": line.at.isoformat(),
        "fingerprint": line.hash[:12],
    }


def fork_of(name: str, one: Sequence[Decision], other: Sequence[Decision]) -> Fork | None:
    """Return where the records *one* and *other* differ first.

    None if one is the beginning of the other.
    """
    for first, second in zip(one, other, strict=False):
        if first.hash != second.hash:
            return Fork(name, first, second)
    return None


def records_in(path: Path) -> Records:
    """Return the records in the file *path* of one event. Raise :class:`CopyError`."""
    found: dict[int, tuple[Tournament, list[Decision]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        part = Path(folder) / ROWS
        extract(path, ROWS, part, most=LARGEST)
        try:
            with part.open(encoding="ascii") as file:
                for table, columns, values in rows.parse(lines_in(file)):
                    if table == Tournament._meta.db_table:
                        tournament = row_of(Tournament, columns, values)
                        found[tournament.pk] = tournament, []
                    elif table == Decision._meta.db_table:
                        line = row_of(Decision, columns, values)
                        found[line.tournament_id][1].append(line)
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise CopyError(
                f"{path} cannot be read: {error}.", "take_over.unreadable", problem=str(error)
            ) from error
    for _, lines in found.values():
        lines.sort(key=lambda line: line.sequence)
    return {tournament.identity: (tournament, lines) for tournament, lines in found.values()}


def require_continued(
    tournaments: list[Tournament], path: Path, *, handed_over_here: bool = False
) -> None:
    """Raise :class:`CopyError` unless the file *path* goes on
    where the records of *tournaments* end.

    It is a fork if both went on; else it may be an older file, or one of an event that was not
    handed over. With *handed_over_here* a copy that is live here goes on only with lines of its own
    key, up to a hand-over: after a restore. Otherwise whoever has the data of the event could write
    a line that hands it over.
    """
    file = records_in(path)
    for there in tournaments:
        name, lines = (
            there.name,
            list(Decision.objects.filter(tournament=there).order_by("sequence")),
        )
        in_file, newer = file.get(there.identity, (None, []))
        if (fork := fork_of(name, lines, newer)) is not None:
            raise CopyError(
                f"{fork.sentence('Here', 'In the file')} Decide which copy is right. Nothing was changed.",
                "take_over.fork",
                name=name,
                number=fork.first.sequence,
                here=_values(fork.first),
                file=_values(fork.second),
            )
        if len(newer) <= len(lines) and there.handed_over_at is not None:
            raise CopyError(
                f"“{name}” was handed over from here to {there.handed_over_to}, "
                f"{there.handed_over_at:%Y-%m-%d %H:%M} "
                f"UTC: go on there. Nothing was changed: this file has no action after that "
                f"(#{len(lines)} here, "
                f"#{len(newer)} in the file). To go on here again, hand it over there, and take "
                f"that file. If nobody "
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
        if in_file is None or in_file.handed_over_at is None:
            raise _not_handed_over(name)
        if handed_over_here and there.handed_over_at is None:
            _require_own_key(name, newer[len(lines) :])


def _require_own_key(name: str, newer: Sequence[Decision]) -> None:
    """Raise :class:`CopyError` unless this computer signed the lines *newer* up to a hand-over,
    with its key of today.

    A key in older lines may be that of a computer that had the event before, which still has this
    key.
    """
    own = public_key()
    for line in newer:
        if line.key != own:
            raise CopyError(
                f"“{name}” is live here and was not handed over from here, but another computer "
                f"signed action "
                f"#{line.sequence} of the file. Nothing was changed. If this is right, take the "
                f"file over on the "
                "console: ./run manage import_event FILE.",
                "take_over.is_live",
                name=name,
                number=line.sequence,
            )
        if line.action == Action.TOURNAMENT_HANDED_OVER:
            return


def require_handed_over(tournaments: Iterable[Tournament]) -> None:
    """Raise :class:`CopyError` unless all *tournaments* of a file were handed over."""
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
