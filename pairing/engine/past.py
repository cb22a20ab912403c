"""The history of every player before a round, of games or of matches, for pairing by hand and for pairing changes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from .basics.history import histories
from .double_swiss.matches import read_matches
from .model import TPN, TournamentState
from .systems import games_a_round


@dataclass(frozen=True, slots=True)
class Past:
    """One player: ``score`` in tenths without virtual points, ``met`` the opponents who may not be met again.

    ``colours`` are the letters of the games played, oldest first; empty where a round is a match, in which both have
    both colours [C.04.5/2026 0]. ``may_receive_pab`` as the system has it.
    """

    score: int
    met: Collection[TPN]
    colours: str
    may_receive_pab: bool


def pasts(state: TournamentState) -> Mapping[TPN, Past]:
    """The past of every player on the list. Cost: one look at each round."""
    if games_a_round(state.system) == 1:
        read = histories(state)
        return {tpn: Past(h.score, h.met, h.colours, h.may_receive_pab) for tpn, h in read.items()}
    players = state.by_tpn()
    matches = {tpn: read_matches(player, players, state.points) for tpn, player in players.items()}
    return {tpn: Past(m.score, m.met, "", m.may_receive_pab) for tpn, m in matches.items()}
