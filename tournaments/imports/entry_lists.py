"""Import entry lists from other programs: preview first, then save everything or nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from django.contrib.auth.models import User

from pairing.rules.names import fold
from tournaments.core.actions import open_action
from tournaments.core.errors import BadInput, Conflict
from tournaments.entries.entries import Newcomer, admit, described
from tournaments.imports.csv_reading import ImportRow, Reading, read_csv
from tournaments.imports.trf_entries import trf_rows
from tournaments.imports.trf_tournament import TrfPlayer, TrfPreview, tournament_import_trf, trf_preview
from tournaments.models import Entry, Tournament
from tournaments.models.payloads import EntriesImported

__all__ = [
    "ImportPreview",
    "ImportRow",
    "TrfPlayer",
    "TrfPreview",
    "csv_preview",
    "entries_import",
    "tournament_import_trf",
    "trf_entries_preview",
    "trf_preview",
]


@dataclass(frozen=True, slots=True)
class ImportPreview:
    """The entries that an import would save, with its warnings."""

    rows: tuple[ImportRow, ...]
    warnings: tuple[BadInput, ...]
    """Each has its line; ``str()`` is the sentence."""

    @property
    def entered(self) -> str:
        """The lines of players who may be entered already, separated by commas."""
        return _lines_entered(self.warnings)


def csv_preview(data: str | bytes, *, tournament: Tournament | None = None) -> ImportPreview:
    """Preview the participants of a CSV file. Saves nothing.

    Raises :class:`BadInput` with line and column for the first problem, and the others in its ``more``. Two rows with
    one FIDE ID are a problem. Two rows that may be one person (the same name except for capitals and accents, and no
    data that tells them apart) are a warning. The same holds for players already entered in *tournament*.
    """
    return _preview(read_csv(data), tournament)


def trf_entries_preview(data: bytes, *, tournament: Tournament | None = None) -> ImportPreview:
    """Preview the participants of a TRF file as an entry list, without its rounds. Saves nothing.

    Raises :class:`BadInput` like :func:`csv_preview`.
    """
    return _preview(Reading(rows=trf_rows(data)), tournament)


def _preview(reading: Reading, tournament: Tournament | None) -> ImportPreview:
    problems = [*reading.problems, *_same_fide_id(reading.rows, tournament)]
    if problems:
        first, *more = sorted(problems, key=lambda problem: (problem.line or 0, problem.column or 0))
        first.more = tuple(more)
        raise first
    return ImportPreview(rows=tuple(reading.rows), warnings=(*reading.remarks, *_same_name(reading.rows, tournament)))


def entries_import(
    *,
    tournament_id: int,
    actor: User,
    now: datetime,
    rows: Sequence[ImportRow],
    source: str = "csv",
    entered: str | None = None,
) -> list[Entry]:
    """Enter the participants of *rows*, all or none. After round 1 is paired they are late entries [C.04.2/2026 2.4].

    All entries are created and checked before the tournament is locked, so that other actions do not wait. One line of
    the record describes each newcomer like ``entry.added``, with the TPN after all have entered. Raises
    :class:`BadInput` for a FIDE ID that is entered already, and :class:`Conflict` if other players seem to be entered
    already than in the preview (*entered*, see :attr:`ImportPreview.entered`; None without a preview).
    """
    newcomers = []
    for row in rows:
        fields = asdict(row)
        line, estimate = fields.pop("line"), fields.pop("estimate")
        if estimate:
            fields["rating"] = estimate
        try:
            newcomers.append(Newcomer.of(fields, now=now))
        except BadInput as wrong:
            wrong.line = line
            raise
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        tournament = action.tournament
        for problem in _same_fide_id(rows, tournament):
            raise problem
        if entered is not None and _lines_entered(_same_name(rows, tournament)) != entered:
            raise Conflict("entries.entered_meanwhile")
        entries = admit(tournament, newcomers)
        action.record(
            EntriesImported(before={}, after={"source": source, "entries": [described(entry) for entry in entries]}),
            article="C.04.2 2.4" if any(entry.first_round > 1 for entry in entries) else "",
            changes_pairing=True,
        )
    return entries


def _lines_entered(warnings: Iterable[BadInput]) -> str:
    return ",".join(str(warning.line) for warning in warnings if warning.code == "csv.name_entered")


def _same_fide_id(rows: Sequence[ImportRow], tournament: Tournament | None) -> list[BadInput]:
    entered = Entry.objects.filter(tournament=tournament, fide_id__isnull=False) if tournament else Entry.objects.none()
    names = dict(entered.values_list("fide_id", "name"))
    first_lines: dict[int, ImportRow] = {}
    problems = []
    for row in rows:
        if row.fide_id is None:
            continue
        first = first_lines.setdefault(row.fide_id, row)
        if first is not row:
            problems.append(
                BadInput("csv.fide_id_twice", line=row.line, fide_id=row.fide_id, first=first.line, name=first.name)
            )
        elif row.fide_id in names:
            problems.append(
                BadInput("entry.fide_id_taken", line=row.line, fide_id=row.fide_id, name=names[row.fide_id])
            )
    return problems


def _same_name(rows: Sequence[ImportRow], tournament: Tournament | None) -> list[BadInput]:
    """Return a warning for each row that may be a player of an earlier line or of *tournament*. One query."""
    entered: dict[str, list[ImportRow | Entry]] = defaultdict(list)
    if tournament is not None:
        for entry in Entry.objects.filter(tournament=tournament).only("name", "fide_id", "birth_date"):
            entered[fold(entry.name)].append(entry)
    earlier: dict[str, list[ImportRow]] = defaultdict(list)
    warnings = []
    for row in rows:
        key = fold(row.name)
        above = next((other for other in earlier[key] if _may_be_one(row, other)), None)
        there = next((other for other in entered[key] if _may_be_one(row, other)), None)
        if above is not None:
            warnings.append(BadInput("csv.name_twice", line=row.line, first=above.line, name=above.name))
        elif there is not None:
            warnings.append(BadInput("csv.name_entered", line=row.line, name=there.name))
        earlier[key].append(row)
    return warnings


def entered_already(tournament: Tournament, newcomer: ImportRow) -> list[Entry]:
    """Return the entries of *tournament* who may be *newcomer*. One query."""
    name = fold(newcomer.name)
    entries = Entry.objects.filter(tournament=tournament).order_by("pk")
    return [entry for entry in entries if fold(entry.name) == name and _may_be_one(newcomer, entry)]


def _may_be_one(one: ImportRow, other: ImportRow | Entry) -> bool:
    """Return whether two players with one name may be one person: not with two FIDE IDs or two dates of birth."""
    if one.fide_id is not None and other.fide_id is not None and one.fide_id != other.fide_id:
        return False
    # 00 is an unknown part.
    parts = zip(one.birth_date.split("/"), other.birth_date.split("/"), strict=False)
    return not any(a != b and a.strip("0") and b.strip("0") for a, b in parts)
