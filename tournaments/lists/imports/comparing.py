"""Compare a list with the players, by field: new, changed, unchanged and missing.

A player is found by the FIDE ID, then by the name without accents and capitals, also as FIDE writes
it, and the date of birth. Two FIDE IDs or two dates of birth are two players. A name with its words
in another order is doubtful.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pairing.record.player_fields import TEXTS
from pairing.rounds.facts import round_facts
from pairing.rounds.paired_before import ever_paired
from pairing.rules.entries import may_remove
from pairing.rules.names import folded_parts, in_any_order, is_same_name, written
from pairing.rules.verdict import Allowed
from tournaments.core.cell_texts import shortened
from tournaments.core.errors import BadInput
from tournaments.core.namesakes import disambiguate
from tournaments.entries.cells import FIGURES, OF_THE_DESK, VALUES, ImportRow, texts_of
from tournaments.entries.entries import RANKING
from tournaments.entries.namesakes import Names, may_be_one
from tournaments.entries.ranking_changes import has_begun
from tournaments.lists.imports.reading import DoubtfulRow, Reading
from tournaments.models import Entry, RatingSource, Tournament

COMPARED: Final = (*(name for name in VALUES if name not in OF_THE_DESK), "estimate")


MAX_CHANGED: Final = 500
"""Changed players in one import: each has its line of the record, about 4 ms,
and others wait for the lock.
"""


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field that the list has otherwise; ``refused`` is the reason why it stays."""

    field: str
    old: object
    new: object
    refused: BadInput | None = None


@dataclass(frozen=True, slots=True)
class ChangedPlayer:
    """An entered player with the fields that the list has otherwise."""

    entry: Entry
    row: ImportRow
    changes: tuple[FieldChange, ...]


@dataclass(slots=True)
class Comparison:
    """The list compared with the players entered. ``removable``: missing players can be removed.

    ``later`` changed players are beyond :data:`MAX_CHANGED`: they come with the next import of the
    list. ``rows`` has the row of each player found, by the key of the entry.
    """

    new: list[ImportRow] = field(default_factory=list)
    changed: list[ChangedPlayer] = field(default_factory=list)
    unchanged: list[Entry] = field(default_factory=list)
    missing: list[Entry] = field(default_factory=list)
    doubtful: list[DoubtfulRow] = field(default_factory=list)
    removable: bool = False
    later: int = 0
    rows: dict[int, ImportRow] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """Return a fingerprint: a form that was made from another comparison is out of date."""
        parts = (
            [row.line for row in self.new],
            [
                (
                    player.entry.pk,
                    [(c.field, c.old, c.new, c.refused is None) for c in player.changes],
                )
                for player in self.changed
            ],
            [entry.pk for entry in self.missing],
            [(row.line, [problem.code for problem in row.problems]) for row in self.doubtful],
            self.removable,
        )
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


def compare(reading: Reading, tournament: Tournament | None) -> Comparison:
    """Return *reading* compared with the entries of *tournament*; None: with nobody.

    At most four queries.
    """
    entries = list(Entry.objects.filter(tournament=tournament).order_by("pk")) if tournament else []
    begun = {tournament.pk} if entries and tournament is not None and has_begun(tournament) else ()
    found = compare_players(reading, entries, begun)
    found.removable = bool(found.missing) and tournament is not None and can_remove(tournament)
    return found


def can_remove(tournament: Tournament) -> bool:
    """Return whether a list can remove players. Two queries.

    It can only before round 1 was ever paired.
    """
    return not ever_paired(tournament) and isinstance(may_remove(round_facts(tournament)), Allowed)


def compare_players(
    reading: Reading, entries: Sequence[Entry], begun: Collection[int]
) -> Comparison:
    """Return *reading* compared with *entries*, of one or more tournaments;
    round 1 is paired in those of *begun*.

    No query. ``removable`` is left False. A table that is not read as a list is compared with
    nobody.
    """
    if reading.refused is not None:
        return Comparison()
    disambiguate(entries)
    by_id = {each.fide_id: each for each in entries if each.fide_id is not None}
    by_name: Names[Entry] = Names()
    for each in entries:
        by_name.add(each.real_name, each)
    found = Comparison(doubtful=list(reading.doubtful))
    met = found.rows
    for row, problem in _once(reading.rows):
        entry, problem = _entry_of(row, problem, by_id, by_name, met)
        if problem is not None:
            problem.line = row.line
            problem.sheet = ""
            found.doubtful.append(DoubtfulRow(row.line, texts_of(row), (problem,)))
        elif entry is None:
            found.new.append(row)
        else:
            met[entry.pk] = row
            changes = tuple(changes_between(entry, row, begun=entry.tournament_id in begun))
            if changes:
                found.changed.append(ChangedPlayer(entry, row, changes))
            else:
                found.unchanged.append(entry)
    found.later = max(len(found.changed) - MAX_CHANGED, 0)
    del found.changed[MAX_CHANGED:]
    found.doubtful.sort(key=lambda doubtful: doubtful.line)
    named = _named(found.doubtful)
    damaged = [_with_any_letter(row.name) for row in found.doubtful if _lost_letters(row.name)]
    found.missing = [
        each
        for each in entries
        if each.pk not in met
        and named.isdisjoint({str(each.fide_id), *in_any_order(each.real_name)})
        and not any(name.fullmatch(each.real_name) for name in damaged)
    ]
    return found


def _once(rows: Iterable[ImportRow]) -> Iterator[tuple[ImportRow, BadInput | None]]:
    """Yield each row, with a problem if it may be the player of an earlier row."""
    first_ids: dict[int, ImportRow] = {}
    earlier: Names[ImportRow] = Names()
    for row in rows:
        problem = None
        namesakes = earlier.same(row.name)
        above = next(
            (other for other in (*namesakes, *earlier.turned(row.name)) if may_be_one(row, other)),
            None,
        )
        if row.fide_id is not None and (first := first_ids.setdefault(row.fide_id, row)) is not row:
            problem = BadInput(
                "csv.fide_id_twice",
                field="fide_id",
                fide_id=row.fide_id,
                first=first.line,
                name=first.name,
            )
        elif above is not None:
            problem = BadInput("csv.name_twice", field="name", first=above.line, name=above.name)
        if len(namesakes) < _MOST_NAMESAKES:
            earlier.add(row.name, row)
        yield row, problem


def _entry_of(
    row: ImportRow,
    problem: BadInput | None,
    by_id: Mapping[int, Entry],
    by_name: Names[Entry],
    met: Mapping[int, ImportRow],
) -> tuple[Entry | None, BadInput | None]:
    """Return the entered player whom *row* names, if there is one, and why the row is doubtful.

    *problem* is the earlier problem of the row; *met* has the rows of the players found so far.
    """
    # Where players of one name are entered, a row that has all that is known of one is that player.
    same = _same_namesake(row, by_name.same(row.name), met) if row.fide_id is None else None
    problem = None if same is not None else problem
    entry: Entry | None = None if problem else same or by_id.get(row.fide_id or 0)
    if entry is not None and not share_a_word(entry.real_name, row.name):
        problem = BadInput(
            "entry.fide_id_taken", field="fide_id", fide_id=row.fide_id, name=entry.real_name
        )
    elif entry is None and problem is None:
        namesakes = [other for other in by_name.same(row.name) if may_be_one(row, other)]
        entry = namesakes[0] if len(namesakes) == 1 else None
        turned = (
            []
            if namesakes
            else [other for other in by_name.turned(row.name) if may_be_one(row, other)]
        )
        if len(namesakes) > 1 or turned:
            name = turned[0].real_name if turned else row.name
            problem = BadInput("csv.name_entered", field="name", name=name)
    if problem is None and entry is None and _lost_letters(row.name):
        problem = BadInput("csv.letters_lost", field="name", value=shortened(row.name))
    if problem is None and entry is not None and entry.pk in met:
        problem = BadInput(
            "csv.name_twice", field="name", name=entry.real_name, first=met[entry.pk].line
        )
    return entry, problem


def _same_namesake(
    row: ImportRow, namesakes: Sequence[Entry], met: Collection[int]
) -> Entry | None:
    """Return the first namesake not *met* yet with all the data of *row*; else None."""
    if len(namesakes) < 2:
        return None
    fitting = (other for other in namesakes if other.pk not in met and may_be_one(row, other))
    return next(
        (other for other in fitting if not any(changes_between(other, row, begun=False))), None
    )


_MOST_NAMESAKES: Final = 50
"""Namesakes in a list that are compared with each other;
a list of one name only would take long.
"""


def share_a_word(one: str, other: str) -> bool:
    """Return whether two names have a word in common:
    one FIDE ID with two other names is a mistake.
    """
    return not _words(one).isdisjoint(_words(other))


def _words(name: str) -> set[str]:
    return {*folded_parts(name), *" ".join(written(name)).split()}


def changes_between(entry: Entry, row: ImportRow, *, begun: bool) -> Iterator[FieldChange]:
    """Yield the fields of *entry* that *row* has otherwise.

    An empty cell changes nothing, nor do accents of a name.
    """
    ranking = BadInput("rating.on_own_page") if begun else None
    naming = BadInput("name.on_own_page") if begun else None
    identity = BadInput("entry.on_own_page") if begun else None
    refused = {"name": naming, "fide_id": identity, "birth_date": identity} | dict.fromkeys(
        (*RANKING, *FIGURES, "rating_list"), ranking
    )
    for name in COMPARED:
        new = getattr(row, name)
        if not new:
            continue
        if name == "estimate":
            rated = entry.fide_rating or entry.national_rating
            if not rated and (entry.rating_source != RatingSource.ESTIMATE or entry.rating != new):
                yield FieldChange("rating", entry.rating or None, new, ranking)
            continue
        old = _known(entry, name)
        if old == new or (name == "name" and is_same_name(str(old), str(new))):
            continue
        if name == "birth_date" and new.endswith("/00") and old.startswith(new.rstrip("/0")):
            continue  # a year of birth is in the date already
        lost = name in ("name", *TEXTS) and _lost_letters(str(new)) and not _lost_letters(str(old))
        lost_letters = (
            BadInput("csv.letters_lost", field=name, value=shortened(str(new))) if lost else None
        )
        yield FieldChange(name, old, new, lost_letters or refused.get(name))


def _known(entry: Entry, name: str) -> Any:
    """Return the field *name* of *entry*, as a list has it."""
    match name:
        case "name":
            return entry.real_name
        case "initials":
            return bool(entry.full_name)
        case _:
            return getattr(entry, name)


def _with_any_letter(name: str) -> re.Pattern[str]:
    """Return the pattern of the names of which *name* can be what is left."""
    return re.compile("".join("." if letter in "?\ufffd" else re.escape(letter) for letter in name))


def _lost_letters(text: str) -> bool:
    """Return whether a program replaced letters of *text* that it cannot write: ``Zaj?c``."""
    return "?" in text or "\ufffd" in text


def _named(doubtful: Iterable[DoubtfulRow]) -> set[str]:
    """Return the FIDE IDs and folded names in *doubtful* rows: these players are not missing."""
    return {
        text
        for row in doubtful
        for text in (row.values.get("fide_id", ""), *in_any_order(row.name))
        if text
    }
