"""Compare a list with the players of all sections of an event, and assign each row to a section."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from pairing.rules.verdict import Refused
from tournaments.core.errors import BadInput, RuleRefused, ServiceError
from tournaments.entries.cells import ImportRow, read_row, texts_of
from tournaments.entries.ranking_changes import has_begun
from tournaments.events.placing import (
    DECIDING,
    fitting_section,
    have_limits,
    open_sections,
    section_of_row,
)
from tournaments.lists.imports.comparing import MAX_CHANGED, Comparison, can_remove, compare_players
from tournaments.lists.imports.reading import DoubtfulRow, Reading
from tournaments.models import Entry, Section

STAYS: Final = 0
"""The choice for a row that is not entered."""


@dataclass(frozen=True, slots=True)
class ListMove:
    """An entered player in another section of the list; ``refused``: why the player stays."""

    entry: Entry
    source: Section
    to: Section
    refused: ServiceError | None = None


@dataclass(frozen=True, slots=True)
class PlacedRow:
    """A new player with the section, or without one and the reason why the row waits."""

    row: ImportRow
    section: Section | None
    problem: BadInput | None = None


@dataclass(slots=True)
class SectionPart:
    """What a list means for one section; ``arriving`` come from others, ``leaving`` go there."""

    section: Section
    found: Comparison = field(default_factory=Comparison)
    arriving: int = 0
    leaving: int = 0


@dataclass(slots=True)
class EventComparison:
    """A list compared with all sections: ``whole`` together, ``parts`` section by section."""

    whole: Comparison
    parts: list[SectionPart]
    placed: list[PlacedRow]
    moves: list[ListMove]
    later_moves: int
    digest: str
    """A fingerprint as :attr:`Comparison.digest`;
    it does not depend on the choices of the arbiter.
    """


def compare_event(
    reading: Reading, sections: Sequence[Section], chosen: Mapping[int, int] | None = None
) -> EventComparison:
    """Return *reading* compared with the players of all *sections*. At
    most 5 queries for each section, and one.

    A player is recognised in whichever section. *chosen* has the tournament for the line of a new
    row where the arbiter has decided; :data:`STAYS`: not entered. A row without a section waits
    with the others of the first section. Players of a section whose standings are final stay as
    they are. :class:`BadInput` for a choice outside the event.
    """
    there = {section.tournament_id: section for section in sections}
    open_ = {section.tournament_id: section for section in open_sections(sections)}
    begun = {pk for pk, section in there.items() if has_begun(section.tournament)}
    entries = list(Entry.objects.filter(tournament__in=there).order_by("pk"))
    whole = compare_players(reading, entries, begun)
    whole.changed = [player for player in whole.changed if player.entry.tournament_id in open_]
    moves = _moves(whole, entries, there, begun)
    placed = [_placed(row, sections) for row in whole.new]
    digest = hashlib.sha256(
        repr(
            (
                whole.digest,
                [(each.row.line, each.section and each.section.pk) for each in placed],
                [(move.entry.pk, move.to.pk, move.refused is None) for move in moves],
            )
        ).encode()
    ).hexdigest()[:32]
    if chosen:
        placed = [_as_chosen(each, chosen, open_) for each in placed]
    parts = {pk: SectionPart(section) for pk, section in there.items()}
    if open_:
        _distribute(whole, placed, parts, list(open_.values()), chosen or {})
    _count(whole, moves[:MAX_CHANGED], parts, open_)
    later = max(len(moves) - MAX_CHANGED, 0)
    return EventComparison(whole, list(parts.values()), placed, moves[:MAX_CHANGED], later, digest)


def _placed(row: ImportRow, sections: Sequence[Section]) -> PlacedRow:
    try:
        return PlacedRow(row, section_of_row(row, sections))
    except BadInput as problem:
        problem.line = row.line
        return PlacedRow(row, None, problem)


def _as_chosen(
    placed: PlacedRow, chosen: Mapping[int, int], open_: Mapping[int, Section]
) -> PlacedRow:
    """Return *placed* as chosen; a row without a section keeps its reason until one is."""
    pk = chosen.get(placed.row.line)
    if pk is None:
        return placed
    if pk == STAYS:
        return PlacedRow(placed.row, None, placed.problem)
    if pk not in open_:
        raise BadInput("section.unknown", field="to")
    return PlacedRow(placed.row, open_[pk])


def _distribute(
    whole: Comparison,
    placed: Iterable[PlacedRow],
    parts: Mapping[int, SectionPart],
    open_: Sequence[Section],
    chosen: Mapping[int, int],
) -> None:
    """Add the new and the doubtful rows to the sections.

    A row without a section is doubtful in the first one.
    """
    for each in placed:
        if each.section is not None:
            parts[each.section.tournament_id].found.new.append(each.row)
        elif each.problem is not None:
            whole.doubtful.append(DoubtfulRow(each.row.line, texts_of(each.row), (each.problem,)))
    limited = have_limits(open_)
    for row in sorted(whole.doubtful, key=lambda row: row.line):
        section, more = _section_of_doubtful(row, open_, limited=limited)
        parts[section.tournament_id].found.doubtful.append(
            DoubtfulRow(row.line, row.values, (*row.problems, *more))
        )
    whole.doubtful = sorted(
        (row for part in parts.values() for row in part.found.doubtful),
        key=lambda row: (row.line, row.name),
    )


def _section_of_doubtful(
    row: DoubtfulRow, open_: Sequence[Section], *, limited: bool
) -> tuple[Section, tuple[BadInput, ...]]:
    """Return the section in which *row* waits; the first one, with the reason, if unsure."""
    wrong = {problem.field for problem in row.problems}
    if "section" in wrong:
        return open_[0], ()
    good = {name: text for name, text in row.values.items() if name not in wrong} | {
        "name": row.name or "–"
    }
    read, _ = read_row(good, line=row.line)
    if read is None:
        return open_[0], ()
    if not read.section and limited and not DECIDING.isdisjoint(wrong):
        problem = BadInput("section.undecided", field="section")
        problem.line = row.line
        return open_[0], (problem,)
    try:
        return section_of_row(read, open_), ()
    except BadInput as problem:
        problem.line = row.line
        return open_[0], (problem,)


def _moves(
    whole: Comparison, entries: Iterable[Entry], there: Mapping[int, Section], begun: set[int]
) -> list[ListMove]:
    """Return the players whom the list has in another section, by line.

    Without a column of sections, a player moves whom the new rating or date of birth takes to
    another section. A player whom the arbiter has put elsewhere stays there.
    """
    sections = list(there.values())
    waiting = [section for pk, section in there.items() if pk not in begun]
    moves = []
    for entry in entries:
        row = whole.rows.get(entry.pk)
        if row is None:
            continue
        source = there[entry.tournament_id]
        if row.section:
            to = _named_or_none(row, sections)
            if to is not None and to != source:
                moves.append(ListMove(entry, source, to, _refusal(entry, source, to, begun)))
        elif entry.tournament_id not in begun and entry.withdrawn_from is None:
            now = fitting_section(row, waiting, entry)
            if now not in (None, source, fitting_section(_as_entered(row), waiting, entry)):
                assert now is not None
                moves.append(ListMove(entry, source, now))
    return sorted(moves, key=lambda move: whole.rows[move.entry.pk].line)


def _named_or_none(row: ImportRow, sections: Sequence[Section]) -> Section | None:
    try:
        return section_of_row(row, sections)
    except BadInput:
        return None


def _as_entered(row: ImportRow) -> ImportRow:
    """Return a row that changes nothing: the player as entered."""
    return ImportRow(line=row.line, name=row.name)


def _refusal(entry: Entry, source: Section, to: Section, begun: set[int]) -> ServiceError | None:
    for section in (source, to):
        if section.tournament_id in begun:
            return RuleRefused(
                Refused("section.begun", "C.04.2 2.4", {"name": section.tournament.name})
            )
    if entry.withdrawn_from is not None:
        return RuleRefused(Refused("section.withdrawn", "C.04.2 3.2", {"name": entry.real_name}))
    return None


def _count(
    whole: Comparison,
    moves: Iterable[ListMove],
    parts: Mapping[int, SectionPart],
    open_: Mapping[int, Section],
) -> None:
    """Add the changed, unchanged and missing players to their sections, and count the moves."""
    for player in whole.changed:
        parts[player.entry.tournament_id].found.changed.append(player)
    for entry in whole.unchanged:
        parts[entry.tournament_id].found.unchanged.append(entry)
    missing: dict[int, list[Entry]] = defaultdict(list)
    for entry in whole.missing:
        missing[entry.tournament_id].append(entry)
    whole.missing = []
    for pk, gone in missing.items():
        found = parts[pk].found
        found.missing, found.removable = gone, pk in open_ and can_remove(open_[pk].tournament)
        if found.removable:
            whole.missing += gone
    whole.removable = bool(whole.missing)
    for move in moves:
        if move.refused is None:
            parts[move.source.tournament_id].leaving += 1
            parts[move.to.tournament_id].arriving += 1
