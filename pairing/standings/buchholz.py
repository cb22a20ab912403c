"""Tie-breaks from opponents' results: Buchholz, Sonneborn-Berger, Koya [C.07/2026 8, 9]."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import lcm

from pairing.engine.model import TPN

from .crosstable import Crosstable, Row
from .cuts import cut
from .definition import TieBreakCode
from .values import Column, Formula, Part, Reason, Value, counted

HALF_POINT = 5
"""The step of the Koya limit, in tenths [C.07/2026 14.5]."""


def opponents(table: Crosstable, *, forfeits_count: bool) -> Mapping[TPN, list[Part]]:
    """Return for each player the value of each round's opponent, in tenths; computed once.

    An opponent met is worth the adjusted score [C.07/2026 16.3], an unplayed round a dummy
    [C.07/2026 16.4]. With *forfeits_count* (/P) a forfeited game counts as played. Cost: one look
    at each round.
    """
    if forfeits_count not in table.opponents:
        table.opponents[forfeits_count] = {
            tpn: list(_opponents_of(table, row, forfeits_count)) for tpn, row in table.rows.items()
        }
    return table.opponents[forfeits_count]


def buchholz(table: Crosstable, code: TieBreakCode) -> Column:
    """Return the sum of the opponents' values, in tenths [C.07/2026 8.1]; /F is Fore Buchholz."""
    if code.fore:
        table = table.with_last_round_drawn
    worth = opponents(table, forfeits_count=code.forfeits_count)
    return Column(10, {tpn: _sum(parts, code) for tpn, parts in worth.items()})


def fore_buchholz(table: Crosstable, code: TieBreakCode) -> Column:
    """Return Buchholz as if all games of the last round were drawn, in tenths [C.07/2026 8.3]."""
    return buchholz(table.with_last_round_drawn, code)


def sonneborn_berger(table: Crosstable, code: TieBreakCode) -> Column:
    """Return the sum of opponents' values times points, in hundredths [C.07/2026 9.1]."""
    worth_of = opponents(table, forfeits_count=code.forfeits_count)
    return Column(
        100,
        {
            tpn: _sum(
                # Twice as fast as _replace(): a large field has a hundred thousand parts.
                [
                    Part(
                        number,
                        opponent,
                        worth * points,
                        reason,
                        worth,
                        points,
                        cut_by,
                        is_voluntary,
                    )
                    for number, opponent, _, reason, worth, points, cut_by, is_voluntary in parts
                ],
                code,
            )
            for tpn, parts in worth_of.items()
        },
    )


def average_of_buchholz(table: Crosstable, code: TieBreakCode) -> Column:
    """Return the average Buchholz of the opponents met over the board, exactly [C.07/2026 8.2].

    With /F it is their Fore Buchholz. The text does not round, so the unit is a common denominator
    of all averages. A player who has met nobody has no value.
    """
    sums = buchholz(table, code)
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
    """Return the points against those with half the maximum or more, in tenths [C.07/2026 9.2].

    The limit moves in half points [C.07/2026 14.5]. In a Swiss only played games count: an unplayed
    round is against a dummy, which is not a participant [C.07/2026 16.4].
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
    for number, (record, points, kind) in enumerate(
        zip(row.rounds, row.points, row.kinds, strict=True), 1
    ):
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
    """Return the value of the dummy of an unplayed round: the player's own score [C.07/2026 16.4].

    From 2026 on it is limited: after a forfeit to the adjusted score of the scheduled opponent
    [C.07/2026 16.4.1], in other cases to a draw in every round [C.07/2026 16.4.2].
    """
    if not table.edition.dummy_is_capped:
        return row.score, Reason.DUMMY
    if opponent is not None:
        cap, reason = table.rows[opponent].adjusted, Reason.DUMMY_CAPPED_BY_OPPONENT
    else:
        cap, reason = table.system.draw * table.rounds, Reason.DUMMY_CAPPED_BY_DRAWS
    return (cap, reason) if cap < row.score else (row.score, Reason.DUMMY)
