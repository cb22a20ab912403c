"""The tie-breaks of the opponents' results: Buchholz and its kin, Sonneborn-Berger, Koya [C.07/2026 8, 9]."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import lcm

from pairing.engine.model import TPN

from .codes import TieBreakCode
from .crosstable import Crosstable, Row
from .cuts import cut
from .values import Column, Formula, Part, Reason, Value, counted

HALF_POINT = 5
"""The step of the Koya limit, in tenths [C.07/2026 14.5]."""


def opponents(table: Crosstable, *, forfeits_count: bool) -> dict[TPN, list[Part]]:
    """For every player what each round's opponent is worth, in tenths.

    An opponent met is worth the adjusted score [C.07/2026 16.3], an unplayed round a dummy [C.07/2026 16.4]; with
    *forfeits_count* (/P) a forfeited game counts as played. Cost: one look at each round.
    """
    return {tpn: list(_opponents_of(table, row, forfeits_count)) for tpn, row in table.rows.items()}


def buchholz(worth: Mapping[TPN, list[Part]], code: TieBreakCode) -> Column:
    """The sum of what the opponents are worth, in tenths [C.07/2026 8.1, 8.3]; *worth* is of :func:`opponents`.

    Fore Buchholz is the same with the *worth* of :func:`~pairing.standings.crosstable.with_last_round_drawn`.
    """
    return Column(10, {tpn: _sum(parts, code) for tpn, parts in worth.items()})


def sonneborn_berger(worth: Mapping[TPN, list[Part]], code: TieBreakCode) -> Column:
    """The sum of what each opponent is worth times the points got in that round, in hundredths [C.07/2026 9.1]."""
    return Column(
        100,
        {
            tpn: _sum([part._replace(amount=part.worth * part.points) for part in parts], code)
            for tpn, parts in worth.items()
        },
    )


def average_of_buchholz(table: Crosstable, sums: Column) -> Column:
    """The average of the Buchholz of the opponents met over the board, exact [C.07/2026 8.2].

    *sums* is their Buchholz, or Fore Buchholz. The text rounds nothing: the unit is a common denominator of all the
    averages. Nothing for who has met nobody.
    """
    met = {
        tpn: [
            (number, record.opponent)
            for number, record in enumerate(row.rounds, 1)
            if record.is_played and record.opponent is not None
        ]
        for tpn, row in table.rows.items()
    }
    unit = lcm(*(len(opponents) for opponents in met.values() if opponents))
    values = {}
    for tpn, games in met.items():
        parts = tuple(
            Part(number, opponent, (sums.values[opponent].amount or 0) * unit, Reason.OPPONENT)
            for number, opponent in games
        )
        values[tpn] = Value(counted(parts) // len(parts) if parts else None, parts, Formula.AVERAGE)
    return Column(sums.scale * unit, values)


def koya(table: Crosstable, code: TieBreakCode) -> Column:
    """The points made against those who have half of the maximum or more, in tenths [C.07/2026 9.2].

    The limit moves in half points [C.07/2026 14.5]. In a Swiss an unplayed round is against a dummy, who is no
    participant [C.07/2026 16.4]: only games played count.
    """
    twice_the_limit = table.system.win * table.rounds + 2 * HALF_POINT * code.limit
    values = {}
    for tpn, row in table.rows.items():
        parts = tuple(_koya_parts(table, row, twice_the_limit))
        values[tpn] = Value(counted(parts), parts)
    return Column(10, values)


def _koya_parts(table: Crosstable, row: Row, twice_the_limit: int) -> Iterator[Part]:
    for number, (record, points) in enumerate(zip(row.rounds, row.points, strict=True), 1):
        if record.is_played and record.opponent is not None:
            theirs = table.rows[record.opponent].score
            counts = 2 * theirs >= twice_the_limit
            reason = Reason.COUNTED if counts else Reason.BELOW_LIMIT
            yield Part(number, record.opponent, points if counts else 0, reason, theirs, points)


def _sum(parts: list[Part], code: TieBreakCode) -> Value:
    if code.cut_least or code.cut_most:
        kept = cut(parts, least=code.cut_least, most=code.cut_most)
        return Value(counted(kept), kept)
    return Value(sum([part[2] for part in parts]), tuple(parts))


def _opponents_of(table: Crosstable, row: Row, forfeits_count: bool) -> Iterator[Part]:
    rows = table.rows
    for number, (record, points, kind) in enumerate(zip(row.rounds, row.points, row.kinds, strict=True), 1):
        opponent = record.opponent
        if opponent is not None and (kind is None or forfeits_count):
            theirs = rows[opponent]
            worth = theirs.adjusted
            reason = Reason.OPPONENT if worth == theirs.score else Reason.OPPONENT_ADJUSTED
            if kind is not None:
                reason = Reason.FORFEIT_COUNTED
            yield Part(number, opponent, worth, reason, worth, points)
        elif kind is not None:
            worth, reason = _dummy(table, row, opponent)
            yield Part(number, opponent, worth, reason, worth, points, None, kind.is_voluntary)


def _dummy(table: Crosstable, row: Row, opponent: TPN | None) -> tuple[int, Reason]:
    """What the dummy of an unplayed round is worth: the player's own score [C.07/2026 16.4].

    From 2026 no more than the adjusted score of the scheduled opponent for a forfeit [C.07/2026 16.4.1], and no more
    than a draw in every round for the others [C.07/2026 16.4.2].
    """
    if not table.edition.dummy_is_capped:
        return row.score, Reason.DUMMY
    if opponent is not None:
        cap, reason = table.rows[opponent].adjusted, Reason.DUMMY_CAPPED_BY_OPPONENT
    else:
        cap, reason = table.system.draw * table.rounds, Reason.DUMMY_CAPPED_BY_DRAWS
    return (cap, reason) if cap < row.score else (row.score, Reason.DUMMY)
