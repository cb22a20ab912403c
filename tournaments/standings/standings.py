"""The standings after a round with published results, and the parts of each value."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, TypeAlias

from pairing.engine.model import TPN
from pairing.engine.systems import games_a_round
from pairing.rules.name_search import find_lines
from pairing.standings.codes import default_list
from pairing.standings.definition import TieBreakCode
from pairing.standings.lots import lot
from pairing.standings.ranking import Standing, Standings, explain
from pairing.standings.values import Formula, Part
from tournaments.core import page_store
from tournaments.core.frame import Frame, is_still
from tournaments.models import Action, Decision
from tournaments.models.payloads import LotsDrawn
from tournaments.standings.ranked_field import field_for, figures_for, table_for


class ShownColumn(NamedTuple):
    """A tie-break of the list: the code, and the article of C.07 that defines it."""

    code: str
    article: str


class Amount(NamedTuple):
    """The value of a tie-break in units of one ``scale``-th; None without a value.

    ``is_empty``: a direct encounter of players who have not met; all of them share its first place.
    """

    code: str
    amount: int | None
    scale: int
    is_empty: bool = False

    @property
    def number(self) -> float | None:
        """The value as a number; None where pages show a dash [C.07/2026 6.1.1]."""
        return None if self.amount is None or self.is_empty else round(self.amount / self.scale, 4)


Unit: TypeAlias = tuple[str, int]
"""A tie-break of a list: the code, and the scale of its amounts (:class:`Amount`)."""


class StandingLine(NamedTuple):
    """One player's rank: ``points`` in tenths, ``amounts`` of the tie-breaks in the ``units`` that
    all lines share; ``empty`` are the places of empty ones (:class:`Amount`).

    ``entry_id`` stays when numbers change. ``shares_place`` is True if the player above has the
    same rank; ``lot`` is the player's lot, empty without one. ``is_namesake``: another player has
    the same name. ``fide_change`` is in hundredths; both figures of FIDE need a rated game.
    """

    units: Sequence[Unit]
    rank: int
    shares_place: bool
    entry_id: int
    tpn: int
    name: str
    title: str
    federation: str
    club: str
    fide_id: int | None
    rating: int
    points: int
    amounts: Sequence[int | None]
    empty: Collection[int]
    is_withdrawn: bool
    lot: str = ""
    by_decision: int = 0
    is_namesake: bool = False
    fide_performance: int | None = None
    fide_change: int | None = None

    def value(self, place: int) -> Amount:
        """Return the tie-break at *place*. It is made when it is shown, because a search reads
        hundreds of lines and shows a few.
        """
        code, scale = self.units[place]
        return Amount(code, self.amounts[place], scale, place in self.empty)

    @property
    def values(self) -> tuple[Amount, ...]:
        """The tie-breaks in the order of the columns."""
        return tuple(map(self.value, range(len(self.units))))


@dataclass(frozen=True, slots=True)
class Lots:
    """The ``seed`` of lots [C.07/2026 4.2]; no ``action`` if from an imported file."""

    seed: str
    decision: Decision | None

    @property
    def drawn(self) -> LotsDrawn | None:
        """What the record says about the draw."""
        payload = self.decision.payload if self.decision else None
        return payload if isinstance(payload, LotsDrawn) else None


@dataclass(frozen=True, slots=True)
class StandingsPage:
    """The columns and the lines of the standings.

    ``left_out`` are codes that do not count because the ``unrated`` players have no rating
    [C.07/2026 10]. ``is_our_list``: it is the default list. ``lots``: they decided some ranks.
    """

    columns: tuple[ShownColumn, ...]
    lines: tuple[StandingLine, ...]
    left_out: tuple[str, ...]
    unrated: tuple[int, ...]
    is_our_list: bool
    lots: Lots | None = None
    by_decision: tuple[tuple[int, str, int], ...] = ()
    """Number, name, and the points (tenths) of point adjustments: records 299 of a report."""

    def searched(self, words: str) -> tuple[StandingLine, ...]:
        """Return the lines of the players whose name, club, federation or TPN fits *words*."""
        return tuple(
            find_lines(
                self.lines,
                words,
                text_of=lambda line: f"{line.name} {line.club} {line.federation}",
                numbers_of=lambda line: (line.tpn,),
            )
        )

    @property
    def has_figures(self) -> bool:
        """Return whether a player has a game that FIDE rates."""
        return any(line.fide_performance is not None for line in self.lines)

    @property
    def equal(self) -> tuple[StandingLine, ...]:
        """The players equal in everything: those who share a rank, and those separated by lots."""
        times = Counter(line.rank for line in self.lines)
        return tuple(line for line in self.lines if line.lot or times[line.rank] > 1)


@dataclass(frozen=True, slots=True)
class ShownPart:
    """A part of a value with its article; ``opponent`` is the name,
    empty for a bye. Units as in :class:`Amount`.

    The name of a namesake is after the number.
    """

    part: Part
    opponent: str
    article: str


@dataclass(frozen=True, slots=True)
class ValueOpened:
    """A value with all its parts."""

    column: ShownColumn
    amount: Amount
    formula: Formula
    parts: tuple[ShownPart, ...]


@dataclass(frozen=True, slots=True)
class PlayerOpened:
    """One line of the standings with the parts of every value."""

    line: StandingLine
    values: tuple[ValueOpened, ...]
    lots: Lots | None = None


def standings(frame: Frame, *, after_round: int) -> StandingsPage:
    """Return the ranking after round *after_round*, best first.

    The store has it for visitors; otherwise two queries, three if the list needs ratings. One more
    if lots were drawn. The caller may only ask for rounds with published results
    (:attr:`Frame.latest_results`).
    """
    found = _stored(frame, after_round)
    return StandingsPage(
        columns=found.columns,
        lines=found.lines,
        left_out=found.left_out,
        unrated=found.unrated,
        is_our_list=frame.tournament.tie_breaks
        == ",".join(default_list(games_a_round(frame.tournament.system))),
        lots=_lots(frame, found.lines),
        by_decision=tuple(
            (line.tpn, line.name, line.by_decision) for line in found.lines if line.by_decision
        ),
    )


def winners_of(frame: Frame) -> list[StandingLine]:
    """Return the first of the newest published standings: several if they share the rank.

    Queries as for :func:`standings`.
    """
    lines = _stored(frame, frame.latest_results).lines if frame.latest_results else ()
    return [line for line in lines if line.rank == 1]


class Places(NamedTuple):
    """The rank of each player and the points (tenths), an expelled one has none,
    and the players whose name another player has too.
    """

    ranks: Mapping[int, int]
    points: Mapping[int, int]
    namesakes: Collection[int]


def places(frame: Frame, after_round: int) -> Places:
    """Return the places after round *after_round*, from the store without the whole list;
    otherwise they are put there.

    Arbiters get the same as visitors. Queries as for :func:`field_for` without the store.
    """
    name = f"places-{after_round}.json"
    if (stored := page_store.read(frame.state, name)) is not None:
        ranks, points, namesakes = json.loads(stored.body)
        return Places(_by_number(ranks), _by_number(points), set(namesakes))
    field = field_for(frame, after_round)
    found = Places(
        {int(tpn): rank for tpn, rank in field.ranks.items()},
        {int(line.tpn): line.points for line in field.table.lines},
        [int(tpn) for tpn, entry in field.entries.items() if entry.is_namesake],
    )
    page_store.write(
        frame.state, name, {}, json.dumps(found).encode(), still=partial(is_still, frame.tournament)
    )
    return found


def _by_number(stored: Mapping[str, int]) -> dict[int, int]:
    return {int(tpn): value for tpn, value in stored.items()}


class _Computed(NamedTuple):
    """What takes time to compute of the standings."""

    columns: tuple[ShownColumn, ...]
    units: Sequence[Unit]
    lines: tuple[StandingLine, ...]
    left_out: tuple[str, ...]
    unrated: tuple[int, ...]


def _stored(frame: Frame, after_round: int) -> _Computed:
    """Return the standings for the reader of *frame*; for visitors from the store, or put there."""
    known: _Computed | None = frame.computed.get(("standings", after_round))
    if known is not None:
        return known
    name = f"standings-{after_round}.json"
    stored = None if frame.runs else page_store.read(frame.state, name)
    if stored is not None:
        found = _from_json(stored.body)
    else:
        table, lines = _lines(frame, after_round)
        found = _Computed(
            tuple(map(_column, table.codes)),
            _units(table),
            tuple(lines),
            tuple(map(str, table.left_out)),
            table.without_rating,
        )
        if not frame.runs:
            page_store.write(
                frame.state, name, {}, _to_json(found), still=partial(is_still, frame.tournament)
            )
            places(frame, after_round)  # nearly for nothing now
    frame.computed["standings", after_round] = found
    return found


def _to_json(found: _Computed) -> bytes:
    """Return *found* with the units once instead of in each line."""
    return json.dumps(
        (
            found.columns,
            found.units,
            [line[1:] for line in found.lines],
            found.left_out,
            found.unrated,
        )
    ).encode()


def _from_json(body: bytes) -> _Computed:
    columns, units, lines, left_out, unrated = json.loads(body)
    units = [(code, scale) for code, scale in units]
    return _Computed(
        tuple(map(ShownColumn._make, columns)),
        units,
        tuple(StandingLine(units, *values) for values in lines),
        tuple(left_out),
        tuple(unrated),
    )


def opened_standing(frame: Frame, *, after_round: int, entry_id: int) -> PlayerOpened | None:
    """Return the line of *entry_id* with the parts of its values; None without it.

    The parts always come from the tables. The lines, which take longer than the ranking, come from
    the store while the player's rank, points and values there are those of the tables. Otherwise
    the standings have changed since *frame* was read, and the lines are made again. As many queries
    as for :func:`standings` without the store.
    """
    lines: Sequence[StandingLine] = _stored(frame, after_round).lines
    table = table_for(frame, after_round)
    line = _line_of(lines, entry_id)
    if line is not None and not _is_in(table, line):
        table, lines = _lines(frame, after_round)
        line = _line_of(lines, entry_id)
    if line is None:
        return None
    names = _names(frame, after_round, lines)
    return PlayerOpened(
        line=line,
        lots=_lots(frame, [line]),
        values=tuple(
            _opened(table, code, amount, names, line.tpn)
            for code, amount in zip(table.codes, line.values, strict=True)
        ),
    )


def _names(frame: Frame, after_round: int, lines: Iterable[StandingLine]) -> dict[int, str]:
    """Return the name of each player by number, with the number for a namesake.

    The expelled have no line, but their games count for the others: one query then.
    """
    names = {
        line.tpn: f"{line.tpn} {line.name}" if line.is_namesake else line.name for line in lines
    }
    if frame.tournament.expelled:
        expelled = frame.tournament.entries.filter(pk__in=frame.tournament.expelled)
        namesakes = places(frame, after_round).namesakes
        for tpn, name in expelled.values_list("tpn", "name"):
            if tpn is not None:
                names[tpn] = f"{tpn} {name}" if tpn in namesakes else name
    return names


def _line_of(lines: Iterable[StandingLine], entry_id: int) -> StandingLine | None:
    return next((line for line in lines if line.entry_id == entry_id), None)


def _is_in(table: Standings, line: StandingLine) -> bool:
    """Return whether *table* gives the player of *line* the same rank, points and values."""
    standing = next((one for one in table.lines if one.tpn == line.tpn), None)
    if standing is None or (standing.rank, standing.points) != (line.rank, line.points):
        return False
    columns = zip(table.codes, table.scales, standing.values, strict=True)
    shown = [(one.code, one.scale, one.amount) for one in line.values]
    return shown == [(str(code), scale, value.amount) for code, scale, value in columns]


def _lots(frame: Frame, lines: Iterable[StandingLine]) -> Lots | None:
    """Return the lots if any of *lines* has one. One query then."""
    if not any(line.lot for line in lines):
        return None
    decision = Decision.objects.filter(
        tournament=frame.tournament, action=Action.LOTS_DRAWN
    ).first()
    return Lots(frame.tournament.lots_seed, decision)


def _opened(
    table: Standings, code: TieBreakCode, amount: Amount, names: dict[int, str], tpn: int
) -> ValueOpened:
    found = explain(table, TPN(tpn), code)
    return ValueOpened(
        column=_column(code),
        amount=amount,
        formula=found.formula,
        parts=tuple(
            ShownPart(part, names[part.opponent] if part.opponent is not None else "", article)
            for part, article in found.parts
        ),
    )


def _lines(frame: Frame, after_round: int) -> tuple[Standings, list[StandingLine]]:
    field = field_for(frame, after_round)
    table, entries, changed = field.table, field.entries, field.changes
    figures = figures_for(frame, after_round)
    lines: list[StandingLine] = []
    units = _units(table)
    met = {
        key
        for standing in table.lines
        for key, has_games in _encounters(table, standing)
        if has_games
    }
    for standing in table.lines:
        empty = {key[0] for key, _ in _encounters(table, standing) if key not in met}
        entry, made = entries[standing.tpn], figures.get(standing.tpn)
        lines.append(
            StandingLine(
                units=units,
                rank=standing.rank,
                shares_place=bool(lines) and lines[-1].rank == standing.rank,
                entry_id=entry.pk,
                tpn=standing.tpn,
                name=entry.name,
                title=entry.title,
                federation=entry.federation,
                club=entry.club,
                fide_id=entry.public_fide_id,
                rating=entry.rating,
                points=standing.points,
                amounts=[value.amount for value in standing.values],
                empty=[place for place in range(len(units)) if place in empty],
                is_withdrawn=entry.withdrawn_from is not None
                and entry.withdrawn_from <= after_round + 1,
                by_decision=changed[standing.tpn].total if standing.tpn in changed else 0,
                lot=lot(frame.tournament.lots_seed, standing.tpn) if standing.by_lot else "",
                is_namesake=entry.is_namesake,
                fide_performance=made.performance.rating if made else None,
                fide_change=made.change.change if made and made.change else None,
            )
        )
    return table, lines


def _encounters(table: Standings, standing: Standing) -> Iterator[tuple[tuple[object, ...], bool]]:
    """Yield for each direct encounter a key of its players, and whether they have games.

    The first part of the key is the position in the list. A player who is not tied shares it with
    nobody.
    """
    for place, (code, value) in enumerate(zip(table.codes, standing.values, strict=True)):
        if code.tie_break.column is None and value.amount is not None:
            yield (
                (place, standing.points, *(before.amount for before in standing.values[:place])),
                bool(value.parts),
            )


def _units(table: Standings) -> list[Unit]:
    return [(str(code), scale) for code, scale in zip(table.codes, table.scales, strict=True)]


def _column(code: TieBreakCode) -> ShownColumn:
    return ShownColumn(str(code), code.tie_break.article)
