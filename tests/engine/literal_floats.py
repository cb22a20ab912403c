"""Floats [C.04.3/2026 1.4], read from the records: part of the literal reference."""

from enum import Enum

from pairing.engine.model import Player, Result, TournamentState


class Float(Enum):
    """The float of a player in a round."""

    NONE = 0
    DOWN = 1
    UP = 2


def float_in_round(state: TournamentState, player: Player, round_number: int) -> Float:
    """Return the float of *player* in *round_number*;
    none in a round that does not exist (number below 1).

    A game between two different scores gives a downfloat to the higher, an upfloat to the lower
    [1.4.2]. A pairing-allocated bye, whatever it is worth, or a round without a game that gives
    more than a loss, gives a downfloat [1.4.3] (reading R9). Nothing else gives a float [1.4.4].
    """
    if round_number < 1:
        return Float.NONE
    record = player.rounds[round_number - 1]
    if not record.is_played:
        rewarded = state.points.value(record.result) > state.points.loss
        return (
            Float.DOWN if rewarded or record.result is Result.PAIRING_ALLOCATED_BYE else Float.NONE
        )
    opponent = next(other for other in state.players if other.tpn == record.opponent)
    own, theirs = (score_in_round(state, one, round_number) for one in (player, opponent))
    if own == theirs:
        return Float.NONE
    return Float.DOWN if own > theirs else Float.UP


def score_in_round(state: TournamentState, player: Player, round_number: int) -> int:
    """Return the pairing score in tenths with which *player* was paired in *round_number*."""
    points = sum(state.points.value(record.result) for record in player.rounds[: round_number - 1])
    return points + player.virtual_points_in(round_number)
