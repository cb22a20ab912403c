"""Read the data of each player before a round of matches, for the checker [C.04.5/2026]."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pairing.engine.model import TPN, Colour, Player, Result, RoundRecord, TournamentState

from .records import PlayerRecord


@dataclass(frozen=True, slots=True)
class MatchPlayerRecord(PlayerRecord):
    """One player before the round to pair. ``colours`` are those of first games, ``met`` the
    opponents of matches that did not end by forfeit, ``number`` is the TPN; ``matches`` counts the
    matches that did not end by forfeit.
    """

    matches: int


def read_match_records(state: TournamentState) -> Mapping[TPN, MatchPlayerRecord]:
    """The record of everybody on the list, by TPN,
    in the order of Article 1.2 [C.04.5/2026 1.2].
    """
    records = [_read(player, state) for player in state.players]
    return {record.tpn: record for record in sorted(records, key=lambda record: record.rank_key)}


def _read(player: Player, state: TournamentState) -> MatchPlayerRecord:
    players = state.by_tpn()
    opponents: list[TPN] = []
    colours: list[Colour] = []
    barred = False
    for index, record in enumerate(player.rounds):
        if record.opponent is None:
            barred |= record.result in (Result.PAIRING_ALLOCATED_BYE, Result.FULL_POINT_BYE)
            continue
        theirs = players[record.opponent].rounds[index]
        if match_ended_by_forfeit(record, theirs):
            barred |= _letters(record) != "--"
            continue
        opponents.append(record.opponent)
        if set(_letters(record)) - set("+-") and record.colour is not None:
            colours.append(record.colour)
    return MatchPlayerRecord(
        tpn=player.tpn,
        present=player.tpn not in state.absent,
        score=score_for_round(player, state, state.round_number),
        colours=tuple(colours),
        met=frozenset(opponents),
        pab_barred=barred,
        is_topscorer=False,
        number=player.tpn,
        matches=len(opponents),
    )


def match_ended_by_forfeit(own: RoundRecord, theirs: RoundRecord) -> bool:
    """Whether one of the two at least forfeited both games [C.04.5/2026 0]."""
    return "--" in (_letters(own), _letters(theirs))


def _letters(record: RoundRecord) -> str:
    """The letters of the two games; a bye has one."""
    return f"{record.result.value}{record.second.value if record.second else ''}"


def score_for_round(player: Player, state: TournamentState, round_number: int) -> int:
    """The score with which round *round_number* is paired, virtual points included."""
    points = sum(
        state.points.value(result)
        for record in player.rounds[: round_number - 1]
        for result in (record.result, record.second)
        if result is not None
    )
    return points + player.virtual_points_in(round_number)
