"""Read a player's matches: points, opponents, colours, the bye [C.04.5/2026 0, 1.4, 1.6]."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pairing.engine.model import TPN, Player, PointSystem, Result, RoundRecord

_FORFEITED = Result.FORFEIT_LOSS


@dataclass(frozen=True, slots=True)
class Matches:
    """The rounds of one player.

    ``score`` is without virtual points, in tenths; ``score_before_last`` what it was before the
    last round. ``met`` are the opponents of matches that did not end by forfeit, ``played`` counts
    those matches; ``colours`` has the letter of the colour of each match in which a game was
    played, oldest first [C.04.5/2026 1.6]. ``may_receive_pab``: neither a PAB so far, nor a
    full-point bye, nor a match won by forfeit [C.04.5/2026 2.1.2].
    """

    score: int
    score_before_last: int
    met: frozenset[TPN]
    played: int
    colours: str
    may_receive_pab: bool


def forfeited_both(record: RoundRecord) -> bool:
    """Whether the player of *record* forfeited both games of the match."""
    return record.result is _FORFEITED and record.second is _FORFEITED


def ended_by_forfeit(own: RoundRecord, theirs: RoundRecord) -> bool:
    """Whether a match ended by forfeit: one of the two forfeited both games [C.04.5/2026 0].

    Any other match is regularly played, though each of the two may have forfeited a game.
    """
    return forfeited_both(own) or forfeited_both(theirs)


def had_a_game(record: RoundRecord) -> bool:
    """Whether a game of the match *record* was played, which gives a colour [C.04.5/2026 1.6]."""
    return record.result.is_played or (record.second is not None and record.second.is_played)


def read_matches(player: Player, players: Mapping[TPN, Player], points: PointSystem) -> Matches:
    """The matches of *player*, one of *players*.

    Cost: one look at each round and at the opponent's.
    """
    score = before_last = played = 0
    met: set[TPN] = set()
    colours = ""
    may_receive_pab = True
    for index, record in enumerate(player.rounds):
        before_last = score
        score += points.worth(record)
        if record.opponent is None:
            if record.result in (Result.PAIRING_ALLOCATED_BYE, Result.FULL_POINT_BYE):
                may_receive_pab = False
        elif ended_by_forfeit(record, players[record.opponent].rounds[index]):
            if not forfeited_both(record):
                may_receive_pab = False
        else:
            met.add(record.opponent)
            played += 1
            if record.colour is not None and had_a_game(record):
                colours += record.colour.letter
    return Matches(score, before_last, frozenset(met), played, colours, may_receive_pab)
