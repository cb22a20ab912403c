"""Convert matches for the tie-breaks: one round, one opponent, one result [C.04.5/2026 0].

Points are assigned for each game, and the standings use these points. C.07 mentions rounds and
games, which differ if a round is a match; here a round is the match.
"""

from __future__ import annotations

from collections.abc import Mapping

from pairing.engine.double_swiss.matches import ended_by_forfeit, forfeited_both
from pairing.engine.model import TPN, Player, PointSystem, Result, RoundRecord

from .points import points_of


def rounds_of_matches(
    player: Player, players: Mapping[TPN, Player], system: PointSystem
) -> tuple[RoundRecord, ...]:
    """Return the rounds of *player*: each match won, drawn or lost by the points of games.

    A match ends by forfeit only if one of the two forfeited both games. Any other match is
    regularly played, and a single forfeited game is treated as played [C.04.5/2026 0]. If the
    result of a game is missing, that of the match is unknown.
    """
    return tuple(
        record
        if record.opponent is None
        else RoundRecord(
            record.opponent,
            record.colour,
            _result(record, players[record.opponent].rounds[index], system),
        )
        for index, record in enumerate(player.rounds)
    )


def _result(own: RoundRecord, theirs: RoundRecord, system: PointSystem) -> Result:
    if ended_by_forfeit(own, theirs):
        return Result.FORFEIT_LOSS if forfeited_both(own) else Result.FORFEIT_WIN
    if Result.UNKNOWN in (own.result, own.second):
        return Result.UNKNOWN
    ours, other = points_of(own, system), points_of(theirs, system)
    return Result.WIN if ours > other else Result.DRAW if ours == other else Result.LOSS
