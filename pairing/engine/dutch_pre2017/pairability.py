"""Tell whether a round can be paired, and who can get the bye, while entries change."""

from __future__ import annotations

from pairing.engine.basics.validation import validate
from pairing.engine.matching.cardinality import FREE, is_perfect, maximum_matching, missable
from pairing.engine.model import Pairability, TournamentState

from .bracket import bit_set
from .field import FieldBefore2017


def pairable_dutch_pre2017(state: TournamentState) -> Pairability:
    """Tell whether *state* has a pairing that complies with B1 and B2, and list the possible
    receivers of the bye [C.04.3/pre2017 C13].

    In the end C13 joins all brackets into one, so there is a pairing if the whole field has one.
    The procedure then chooses among the players listed. Raises :class:`InputError` for a state that
    contradicts itself. Cost: one matching.
    """
    validate(state)
    field = FieldBefore2017.from_state(state)
    everybody = (1 << len(field)) - 1
    if not field.has_bye:
        mate = maximum_matching(field.may_meet, everybody)
        return Pairability(can_pair=is_perfect(mate, everybody), bye_candidates=())
    bye = len(field)
    receivers = bit_set([player.rank for player in field.players if player.may_have_bye])
    rows = [row | (receivers >> rank & 1) << bye for rank, row in enumerate(field.may_meet)]
    mate = maximum_matching([*rows, receivers], everybody | 1 << bye)
    if not is_perfect(mate, everybody | 1 << bye):
        return Pairability(can_pair=False, bye_candidates=())
    exposed = mate[bye]
    mate[exposed] = mate[bye] = FREE
    candidates = missable(field.may_meet, everybody, mate[:bye], exposed) & receivers
    tpns = sorted(player.tpn for player in field.players if candidates >> player.rank & 1)
    return Pairability(can_pair=True, bye_candidates=tuple(tpns))
