"""Buchholz and Sonneborn-Berger in a Swiss, unplayed rounds included [C.07/2026 8.1, 9.1, 16].

Scores are tenths; Sonneborn-Berger, a product of two, is hundredths. The rounds a player has are the rounds
that count: in the middle of an event the values are those it would end with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from pairing.engine.model import TPN, Player, Points, PointSystem, Result, RoundRecord

from .points import points_of, score


class Unplayed(Enum):
    """The five kinds of unplayed rounds [C.07/2026 16.2.1], valued by the number of the list."""

    FULL_BYE = 1
    """A pairing-allocated or a full-point bye."""
    FORFEIT_WIN = 2
    REQUESTED_BYE = 3
    """A half-point or zero-point bye, and some later round was played, or missed against the player's will."""
    FORFEIT_LOSS = 4
    REQUESTED_BYE_TO_THE_END = 5
    """A half-point or zero-point bye, and nothing but voluntarily unplayed rounds after it: gone."""


@dataclass(frozen=True, slots=True)
class TieBreaks:
    """One player's values: ``points`` and ``buchholz`` in tenths, ``sonneborn_berger`` in hundredths."""

    points: Points
    buchholz: int
    sonneborn_berger: int


def kinds_of_unplayed(rounds: Sequence[RoundRecord]) -> tuple[Unplayed | None, ...]:
    """For every round of a player why it was not played; None where it was [C.07/2026 16.2.1]."""
    kinds: list[Unplayed | None] = []
    returns = False
    for record in reversed(rounds):
        kind = _kind(record, returns=returns)
        kinds.append(kind)
        returns = returns or not _is_voluntary(kind)
    return tuple(reversed(kinds))


def adjusted_score(player: Player, system: PointSystem) -> int:
    """What *player* is worth to the tie-breaks of the opponents, in tenths [C.07/2026 16.3].

    Rounds count as they were scored, but each requested bye that nothing but voluntarily unplayed rounds
    follow counts as a draw: who leaves early does not pull the others down.
    """
    total = 0
    for record, kind in zip(player.rounds, kinds_of_unplayed(player.rounds), strict=True):
        gone = kind is Unplayed.REQUESTED_BYE_TO_THE_END
        total += system.draw if gone else points_of(record, system)
    return total


def tie_breaks(players: Sequence[Player], system: PointSystem) -> dict[TPN, TieBreaks]:
    """The values of all *players* by TPN. Cost: proportional to players times rounds.

    Buchholz is the sum of the opponents' adjusted scores [C.07/2026 8.1], Sonneborn-Berger the sum of these times
    the points got from them [C.07/2026 9.1]. An unplayed round is a game against a dummy [C.07/2026 16.4].
    """
    adjusted = {player.tpn: adjusted_score(player, system) for player in players}
    return {player.tpn: _of_player(player, system, adjusted) for player in players}


def _of_player(player: Player, system: PointSystem, adjusted: Mapping[TPN, int]) -> TieBreaks:
    own = score(player, system)
    buchholz = sonneborn_berger = 0
    for record in player.rounds:
        worth = _opponent_worth(record, own, len(player.rounds), system, adjusted)
        buchholz += worth
        sonneborn_berger += worth * points_of(record, system)
    return TieBreaks(points=own, buchholz=buchholz, sonneborn_berger=sonneborn_berger)


def _opponent_worth(
    record: RoundRecord, own: Points, rounds: int, system: PointSystem, adjusted: Mapping[TPN, int]
) -> int:
    """What the opponent of one round is worth: the adjusted score, or the dummy's of an unplayed round.

    A dummy has the player's own score; against a forfeit no more than the scheduled opponent's adjusted score,
    else no more than a draw in every round would give [C.07/2026 16.4].
    """
    if record.opponent is None:
        return min(own, system.draw * rounds)
    if record.is_played:
        return adjusted[record.opponent]
    return min(own, adjusted[record.opponent])


def _kind(record: RoundRecord, *, returns: bool) -> Unplayed | None:
    match record.result:
        case Result.PAIRING_ALLOCATED_BYE | Result.FULL_POINT_BYE:
            return Unplayed.FULL_BYE
        case Result.FORFEIT_WIN:
            return Unplayed.FORFEIT_WIN
        case Result.FORFEIT_LOSS:
            return Unplayed.FORFEIT_LOSS
        case Result.HALF_POINT_BYE | Result.ZERO_POINT_BYE:
            return Unplayed.REQUESTED_BYE if returns else Unplayed.REQUESTED_BYE_TO_THE_END
        case _:
            return None


def _is_voluntary(kind: Unplayed | None) -> bool:
    """Whether the round is a voluntarily unplayed one: a requested bye or a forfeit loss."""
    return kind in (Unplayed.REQUESTED_BYE, Unplayed.FORFEIT_LOSS, Unplayed.REQUESTED_BYE_TO_THE_END)
