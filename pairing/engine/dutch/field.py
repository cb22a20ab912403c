"""Everybody to be paired in a round, ranked, with what the criteria ask of each derived once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pairing.engine.basics.colours import ColourRecord, colour_record
from pairing.engine.basics.history import (
    may_receive_pab,
    opponents_met,
    pairing_score_before,
    participation_numbers,
    score_after,
    unplayed_rounds,
)
from pairing.engine.model import TPN, Colour, Player, Points, TournamentState

from .floats import Float, float_in


@dataclass(frozen=True, slots=True, eq=False)
class RankedPlayer:
    """A player as this round sees him. ``rank`` is the place in the order of Article 1.2, from 0;
    ``score`` the pairing score in tenths; ``number`` what 5.2.5 takes the parity of."""

    tpn: TPN
    rank: int
    score: Points
    number: int
    colours: ColourRecord
    is_topscorer: bool
    may_receive_pab: bool
    unplayed: int
    last_float: Float
    float_before_last: Float


@dataclass(frozen=True, slots=True)
class Field:
    """The players to pair, by rank [C.04.3/2026 1.2], and who may meet whom.

    Bit *j* of ``may_meet[i]`` says that the players of rank *i* and *j* may be paired with each other
    under [C1], [C3] and the prohibited pairs.
    """

    players: tuple[RankedPlayer, ...]
    may_meet: tuple[int, ...]
    initial_colour: Colour

    @classmethod
    def of(cls, state: TournamentState) -> Field:
        """Derive the field of *state*. Cost: every record once, plus n rows of n bits."""
        everybody = state.by_tpn()
        present = [player for player in state.players if player.tpn not in state.absent]
        numbers = participation_numbers(state, [player.tpn for player in present])
        scores = {player.tpn: pairing_score_before(player, state.round_number, state.points) for player in present}
        present.sort(key=lambda player: (-scores[player.tpn], player.tpn))
        players = tuple(
            RankedPlayer(
                tpn=player.tpn,
                rank=rank,
                score=scores[player.tpn],
                number=numbers[player.tpn],
                colours=colour_record(player),
                is_topscorer=_is_topscorer(player, state),
                may_receive_pab=may_receive_pab(player, state.points),
                unplayed=unplayed_rounds(player),
                last_float=_float(player, everybody, state, state.round_number - 1),
                float_before_last=_float(player, everybody, state, state.round_number - 2),
            )
            for rank, player in enumerate(present)
        )
        return cls(players, _may_meet(players, present, state), state.initial_colour)


def _float(player: Player, everybody: Mapping[TPN, Player], state: TournamentState, round_number: int) -> Float:
    if round_number < 1:
        return Float.NONE
    opponent = player.rounds[round_number - 1].opponent
    return float_in(player, None if opponent is None else everybody[opponent], round_number, state.points)


def _is_topscorer(player: Player, state: TournamentState) -> bool:
    """Over half of the maximum possible so far, when the last round is paired [C.04.3/2026 1.8].

    The maximum is that of a winner of every round, missed ones included (docs/rules.md, R11).
    """
    if not state.is_last_round:
        return False
    return 2 * score_after(player, state.round_number - 1, state.points) > state.points.win * (state.round_number - 1)


def _may_meet(players: Sequence[RankedPlayer], records: Sequence[Player], state: TournamentState) -> tuple[int, ...]:
    """The rows of who may meet whom, by rank.

    [C1] not those met already, [C3] not two non-topscorers with the same absolute colour preference
    [C.04.3/2026 2.1.1, 2.1.3], and not the pairs the Chief Arbiter has prohibited.
    """
    rank_of = {player.tpn: player.rank for player in players}
    absolute = {
        colour: sum(
            1 << player.rank
            for player in players
            if player.colours.is_absolute and player.colours.preference is colour and not player.is_topscorer
        )
        for colour in Colour
    }
    everybody = (1 << len(players)) - 1
    rows = []
    for player, record in zip(players, records, strict=True):
        barred = 1 << player.rank
        for tpn in opponents_met(record):
            if tpn in rank_of:
                barred |= 1 << rank_of[tpn]
        preference = player.colours.preference
        if preference is not None and absolute[preference] >> player.rank & 1:
            barred |= absolute[preference]
        rows.append(everybody & ~barred)
    for pair in state.prohibited:
        ranks = [rank_of[tpn] for tpn in pair if tpn in rank_of]
        if len(ranks) == 2:
            first, second = ranks
            rows[first] &= ~(1 << second)
            rows[second] &= ~(1 << first)
    return tuple(rows)
