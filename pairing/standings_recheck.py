"""Check standings from a report alone: points, tie-breaks, ranks, and differences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from pairing.engine.errors import InputError, text as _
from pairing.engine.model import TPN
from pairing.recheck import points_differences
from pairing.standings.editions import PRESENT, edition_by_code, edition_on
from pairing.standings.ranking import Rules, Standing, Standings, standings
from pairing.standings.values import Value
from pairing.trf.crosstable import (
    changes,
    crosstable_players,
    edition_remarks,
    expelled_players,
    lots_seed,
    ratings,
    tie_break_list,
)
from pairing.trf.document import TextRecord, TrfDocument
from pairing.trf.editions import RulesUsed, chosen, first_day, shown_day
from pairing.trf.errors import TrfError
from pairing.trf.scoring import point_system


@dataclass(frozen=True, slots=True)
class Difference:
    """The reported and the computed value of one player; ``str`` is a line for people.

    For a rank, ``first`` to ``last`` are the possible ranks: several if equal players may share
    one.
    """

    tpn: TPN
    what: str
    theirs: str
    ours: str
    first: int = 0
    last: int = 0

    def __str__(self) -> str:
        return f"player {self.tpn}: {self.what} {self.theirs} in the file; worked out again {self.ours}"


@dataclass(frozen=True, slots=True)
class StandingsReport:
    """The number of compared players, the differences by rank, and notes."""

    players: int
    differences: tuple[Difference, ...]
    notes: tuple[str, ...] = ()


def recheck_standings(
    document: TrfDocument, *, tie_breaks: str | None = None, edition: str | None = None
) -> StandingsReport:
    """Compare the points and ranks of *document* with those computed from its results.

    Without *tie_breaks* the list is that of record 212 or 202; without *edition* the edition of
    C.07 is that of :func:`decide_tie_break_edition`. If a comment has the seed of the lots, they
    are drawn again [C.07/2026 4.2]; otherwise players equal in everything may share the rank in the
    file or be in any order. Ranks are computed from the computed points, not from the points
    column.

    Raise :class:`InputError`: ``recheck.no_list``, ``recheck.no_ranks``, an impossible list (with
    its line), and ``trf.result_missing``, ``trf.lots_twice``, ``trf.points_changed`` (a record 299
    without players).
    """
    if all(player.rank is None for player in document.players):
        raise InputError(
            "recheck.no_ranks",
            _("This file contains no ranks (001, columns 86-89), so there is nothing to compare."),
        )
    rules = rules_of(document, tie_breaks=tie_breaks, edition=edition)
    system = point_system(document)
    players = crosstable_players(document)
    table = standings(
        players,
        system,
        rules,
        ratings=ratings(document),
        changes=changes(document, players),
        expelled=expelled_players(document),
    )
    differences = [
        Difference(found.tpn, "points", f"{found.in_file / 10:g}", f"{found.computed / 10:g}")
        for found in points_differences(document, players)
    ]
    ranks = {player.tpn: player.rank for player in document.players}
    for rank, group in groupby(table.lines, key=lambda line: line.rank):
        differences += _wrong_ranks(table, list(group), rank, ranks)
    return StandingsReport(len(table.lines), tuple(differences), tuple(_notes(table)))


def decide_tie_break_edition(document: TrfDocument, edition: str | None = None) -> RulesUsed:
    """Decide which edition of C.07 ranks *document*, and return it with the reason.

    It is *edition* if given, else the one in a comment, else the one in force on the first day
    (042), else the present one. Raise :class:`InputError`: ``tie_break.edition_unknown``, and
    ``trf.edition_twice`` if two comments differ.
    """
    if edition:
        return chosen(edition_by_code(edition).code, lambda: decide_tie_break_edition(document))
    remarks = edition_remarks(document)
    if len({code for _line, code in remarks}) > 1:
        message = _("Two comments give different editions of the tie-break rules: keep only one.")
        raise TrfError("trf.edition_twice", message, line=remarks[1][0], column=1)
    if remarks:
        line, code = remarks[0]
        try:
            return RulesUsed(edition_by_code(code).code, _("a comment (###) in the file gives it"))
        except InputError as error:
            raise TrfError(error.code, error.message, line=line, column=1, **error.params) from None
    written = first_day(document)
    if written.day is None:
        reason = (
            _("“%(day)s” is not a valid date (042), so the current edition is used")
            if written.text
            else _("the first day is missing (042), so the current edition is used")
        )
        return RulesUsed(PRESENT, reason, {"day": shown_day(written)}, is_guess=True)
    found = edition_on(written.day.isoformat())
    reason = _("the first day is %(day)s (042)")
    return RulesUsed(found.code, reason, {"day": shown_day(written)}, is_guess=written.is_ambiguous)


def rules_of(
    document: TrfDocument, *, tie_breaks: str | None = None, edition: str | None = None
) -> Rules:
    """Return the rules for ties in *document*: its list (212, else 202), its edition of C.07,
    the seed of the lots.

    Raise :class:`InputError` as :func:`recheck_standings`.
    """
    lots = lots_seed(document)
    code = decide_tie_break_edition(document, edition).code
    if tie_breaks is not None:
        return Rules.from_codes(tie_breaks, code, lots=lots)
    record = tie_break_list(document)
    if record is None:
        raise InputError(
            "recheck.no_list",
            _("The file lists no tie-breaks (records 202, 212); give them with --tie-breaks."),
        )
    try:
        return Rules.from_codes(record.text, code, lots=lots)
    except InputError as error:
        raise _at(document, record, error) from None


def _at(document: TrfDocument, record: TextRecord, error: InputError) -> TrfError:
    return TrfError(
        error.code, error.message, line=document.line_of(record), column=5, **error.params
    )


def _wrong_ranks(
    table: Standings, group: Sequence[Standing], rank: int, theirs: Mapping[TPN, int | None]
) -> Iterator[Difference]:
    """Yield those of the equal *group*, unless all have *rank*, or *rank* and the next ones."""
    written = [theirs[line.tpn] or 0 for line in group]
    last = rank + len(group) - 1
    if written == [rank] * len(group) or sorted(written) == list(range(rank, last + 1)):
        return
    for line in group:
        ours = str(rank) if rank == last else f"{rank}, shared or drawn up to {last}"
        computed = f"{ours} ({_merits(table, line)})"
        yield Difference(line.tpn, "rank", str(theirs[line.tpn] or "none"), computed, rank, last)


def _merits(table: Standings, line: Standing) -> str:
    """Return the values that decide the rank: ``points 3.5, BH/C1 11.5``."""
    values = [f"points {line.points / 10:g}"]
    for code, scale, value in zip(table.codes, table.scales, line.values, strict=True):
        values.append(f"{code} {_written(value, scale)}")
    if line.by_lot:
        values.append("drawn by lot")
    return ", ".join(values)


def _written(value: Value, scale: int) -> str:
    return "-" if value.amount is None else f"{round(value.amount / scale, 2):g}"


def _notes(table: Standings) -> Iterator[str]:
    unrated = ", ".join(str(tpn) for tpn in table.without_rating)
    for code in table.left_out:
        yield f"{code} is left out of the list: no rating of player {unrated} (C.07 10)"
