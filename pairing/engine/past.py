"""The history of all players before a round, for pairing by hand and pairing changes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from .basics.history import bars_from_pab, bars_from_pab_2017, histories
from .double_swiss.matches import read_matches
from .dutch_pre2017.field import bars_from_pab_before_2017
from .model import TPN, PointSystem, TournamentState
from .systems import games_a_round


@dataclass(frozen=True, slots=True)
class Past:
    """One player: ``score`` in tenths without virtual points, ``met`` who may not be met again.

    ``colours`` are the letters of the games played, oldest first; empty where a round is a match,
    in which both have both colours [C.04.5/2026 0]. ``may_receive_pab`` as the edition of the
    system has it: [C.04.1/2026 4], [C.04.1/2017 d], [C.04.3/pre2017 B1.b] or [C.04.5/2026 2.1.2].
    """

    score: int
    met: Collection[TPN]
    colours: str
    may_receive_pab: bool


_BARS_FROM_PAB: Mapping[str, Callable[[PointSystem], Sequence[bool]]] = {
    "dutch_2017": bars_from_pab_2017,
    "dutch_pre2017": bars_from_pab_before_2017,
}


def pasts(state: TournamentState) -> Mapping[TPN, Past]:
    """The past of every player on the list. Cost: one look at each round."""
    if games_a_round(state.system) == 1:
        read = histories(state, _BARS_FROM_PAB.get(state.system, bars_from_pab))
        return {tpn: Past(h.score, h.met, h.colours, h.may_receive_pab) for tpn, h in read.items()}
    players = state.by_tpn()
    matches = {tpn: read_matches(player, players, state.points) for tpn, player in players.items()}
    return {tpn: Past(m.score, m.met, "", m.may_receive_pab) for tpn, m in matches.items()}
