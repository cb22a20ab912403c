"""The lowest score at which the pairing-allocated bye is possible [C5], by maximum matching."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from pairing.engine.model import TPN, TournamentState

from .finding import Finding
from .legality import Board, Records, may_meet
from .matching import UNMATCHED, maximum_matching, missable
from .records import PlayerRecord, Preference, Strength, read_records


def c5_lowest_score(
    state: TournamentState, records: Records, boards: Sequence[Board], bye: TPN | None
) -> Iterator[Finding]:
    """[C5] the bye goes to the lowest score of anybody whose bye leaves
    the others pairable [C.04.3/2026 2.3.1].

    Only for a bye that may exist: an absent or unknown player's, or one of an even field, is
    another finding.
    """
    present = [record for record in records.values() if record.present]
    if bye is None or bye not in records or not records[bye].present or len(present) % 2 == 0:
        return
    given = records[bye].score
    if not any(record.score < given and not record.pab_barred for record in present):
        return
    lowest = _lowest_bye_score(state, present, boards)
    if lowest is not None and lowest < given:
        message = (
            f"Player {bye} has the pairing-allocated bye with {given / 10:g} points; "
            f"it is possible for a player with {lowest / 10:g}."
        )
        yield Finding(
            "check.c5_bye_score",
            "C.04.3 2.3.1",
            message,
            {"tpn": bye, "score": given, "lowest": lowest},
        )


def legal_game_pairing_exists(state: TournamentState) -> bool:
    """Whether [C1]-[C3] allow a pairing [C.04.3/2026 1.9.1]: the witness for Article 1.9.3."""
    present = [record for record in read_records(state).values() if record.present]
    if len(present) % 2:
        return _lowest_bye_score(state, present, ()) is not None
    return UNMATCHED not in maximum_matching(_rows(state, present), [UNMATCHED] * len(present))


def _lowest_bye_score(
    state: TournamentState, present: Sequence[PlayerRecord], boards: Sequence[Board]
) -> int | None:
    """The lowest score of a player who may have the bye while all the others can be paired legally.

    The number of players is odd, so such a player is exactly one that a maximum matching with one
    exposed vertex can leave out. None: no legal pairing. The search starts from the legal ones of
    *boards*.
    """
    rows = _rows(state, present)
    mates = maximum_matching(rows, _mates(state, present, boards))
    if mates.count(UNMATCHED) != 1:
        return None
    free = missable(rows, mates)
    scores = [
        record.score for i, record in enumerate(present) if free >> i & 1 and not record.pab_barred
    ]
    return min(scores, default=None)


def _rows(state: TournamentState, present: Sequence[PlayerRecord]) -> list[int]:
    """For each player the bits of those he may meet by [C1], [C3] and the prohibited pairs."""
    index = {record.tpn: i for i, record in enumerate(present)}
    wishes = [record.preference for record in present]
    clashing: dict[Preference, int] = {}
    for i, (record, wish) in enumerate(zip(present, wishes, strict=True)):
        if wish.strength is Strength.ABSOLUTE and not record.is_topscorer:
            clashing[wish] = clashing.get(wish, 0) | 1 << i
    everybody = (1 << len(present)) - 1
    rows = []
    for i, (record, wish) in enumerate(zip(present, wishes, strict=True)):
        barred = 1 << i | _mask(index, record.met)
        if not record.is_topscorer:
            barred |= clashing.get(wish, 0)
        rows.append(everybody & ~barred)
    for pair in state.prohibited:
        ends = [index[tpn] for tpn in pair if tpn in index]
        if len(ends) == 2:
            rows[ends[0]] &= ~(1 << ends[1])
            rows[ends[1]] &= ~(1 << ends[0])
    return rows


def _mask(index: Mapping[TPN, int], players: Iterable[TPN]) -> int:
    return sum(1 << index[tpn] for tpn in players if tpn in index)


def _mates(
    state: TournamentState, present: Sequence[PlayerRecord], boards: Sequence[Board]
) -> list[int]:
    """The legal ones of *boards* as a matching; a player with two boards keeps the first."""
    index = {record.tpn: i for i, record in enumerate(present)}
    mates = [UNMATCHED] * len(present)
    for white, black in boards:
        if white.tpn in index and black.tpn in index and may_meet(white, black, state):
            i, j = index[white.tpn], index[black.tpn]
            if mates[i] == mates[j] == UNMATCHED:
                mates[i], mates[j] = j, i
    return mates
