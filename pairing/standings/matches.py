"""Convert matches for the tie-breaks: one round, one opponent, one result [C.04.5/2026 0].

Points are assigned for each game, and the standings use these points. C.07 mentions rounds and games, which differ if a
round is a match; here a round is the match.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from pairing.engine.double_swiss.matches import ended_by_forfeit, forfeited_both
from pairing.engine.errors import InputError
from pairing.engine.model import TPN, Player, PointSystem, Result, RoundRecord

from .codes import DEFAULT_LIST, TieBreak, TieBreakCode
from .points import points_of

OF_SINGLE_GAMES: Final = frozenset(
    {
        TieBreak.WIN,
        TieBreak.WON,
        TieBreak.BPG,
        TieBreak.BWG,
        TieBreak.TPR,
        TieBreak.PTP,
        TieBreak.APRO,
        TieBreak.APPO,
    }
)
"""Tie-breaks that count single games: wins, colours, ratings [C.07/2026 7.1-7.4, 10.2-10.5]. No text covers matches."""


def default_list(games: int) -> tuple[str, ...]:
    """Return our default list for rounds of *games* games; for matches without the tie-breaks of single games."""
    if games == 1:
        return DEFAULT_LIST
    return tuple(code for code in DEFAULT_LIST if code not in {tie_break.value for tie_break in OF_SINGLE_GAMES})


def require_usable(codes: Sequence[TieBreakCode], games: int) -> None:
    """Raise :class:`InputError` (``tie_break.of_games``) for a tie-break of single games if a round is a match."""
    for code in codes:
        if games > 1 and code.tie_break in OF_SINGLE_GAMES:
            raise InputError(
                "tie_break.of_games",
                f"{code} counts single games (C.07 {code.tie_break.article}); a round here is a match of {games}.",
                tie_break=str(code),
                games=games,
            )


def rounds_of_matches(player: Player, players: Mapping[TPN, Player], system: PointSystem) -> tuple[RoundRecord, ...]:
    """Return the rounds of *player*: each match with one result, won, drawn or lost by the points of its games.

    A match ends by forfeit only if one of the two forfeited both games. Any other match is regularly played, and a
    single forfeited game is treated as played [C.04.5/2026 0]. If the result of a game is missing, that of the match is
    unknown.
    """
    return tuple(
        record
        if record.opponent is None
        else RoundRecord(
            record.opponent, record.colour, _result(record, players[record.opponent].rounds[index], system)
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
