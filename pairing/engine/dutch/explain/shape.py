"""Find S1 and S2 at the start, and what leads to the pairs [C.04.3/2026 Articles 3, 4]."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pairing.engine.dutch.bracket import Bracket, BracketPairing
from pairing.engine.dutch.field import RankedPlayer

from .explanation import BracketPlayer, MdpPairing, Subgroups
from .steps import Step


def with_bsn(players: Sequence[RankedPlayer]) -> tuple[BracketPlayer, ...]:
    """Return *players*, by rank, with their BSNs from 1 [C.04.3/2026 4.1.1]."""
    return tuple(
        BracketPlayer(player.tpn, bsn, player.score) for bsn, player in enumerate(players, start=1)
    )


def mdp_pairing(step: Step) -> MdpPairing | None:
    """Return the MDP-Pairing of a bracket; None if it is homogeneous.

    By the rules of 2017 the text begins with the highest MDPs, as many as are paired
    [C.04.3/2017 B.2].
    """
    bracket, pairing = step.bracket, step.pairing
    if not bracket.mdp_ranks:
        return None
    bsn = {player.rank: number for number, player in enumerate(bracket.players, start=1)}
    opponent = _mdp_opponents(bracket, pairing)
    paired = [rank for rank in bracket.mdp_ranks if rank in opponent]
    limbo = [rank for rank in bracket.mdp_ranks if rank not in opponent]
    if step.place is None:
        original_s1, original_limbo = _first_pairable_set(bracket, limbo)
    else:
        mdps = list(bracket.mdp_ranks)
        original_s1, original_limbo = mdps[: len(paired)], mdps[len(paired) :]
    return MdpPairing(
        original_s1=tuple(bsn[rank] for rank in original_s1),
        original_limbo=tuple(bsn[rank] for rank in original_limbo),
        s1=tuple(bsn[rank] for rank in paired),
        limbo=tuple(bsn[rank] for rank in limbo),
        s2=tuple(bsn[rank] for rank in bracket.resident_ranks),
        opponents=tuple(bsn[opponent[rank]] for rank in paired),
    )


def subgroups(bracket: Bracket, pairing: BracketPairing) -> Subgroups:
    """Return S1 and S2 of a homogeneous bracket, or of the remainder of a heterogeneous one.

    The higher ranked player of a pair is in S1 in the earliest generation
    (``solver.generation_order``).
    """
    taken = frozenset(_mdp_opponents(bracket, pairing).values())
    members = [rank for rank in bracket.resident_ranks if rank not in taken]
    bsn = {rank: number for number, rank in enumerate(members, start=1)}
    partner = {bsn[higher]: bsn[lower] for higher, lower in pairing.pairs if higher in bsn}
    everybody = range(1, len(members) + 1)
    original_s1 = tuple(everybody[: len(partner)])
    s1 = tuple(sorted(partner))
    partners = tuple(partner[number] for number in s1)
    seated = {*s1, *partners}
    return Subgroups(
        players=with_bsn([bracket.field.players[rank] for rank in members]),
        original_s1=original_s1,
        original_s2=tuple(everybody[len(partner) :]),
        to_s2=tuple(number for number in original_s1 if number not in partner),
        to_s1=tuple(number for number in s1 if number not in original_s1),
        s1=s1,
        s2=partners + tuple(number for number in everybody if number not in seated),
    )


def _mdp_opponents(bracket: Bracket, pairing: BracketPairing) -> dict[int, int]:
    """Return the opponent of each MDP that was paired, by rank."""
    mdps = frozenset(bracket.mdp_ranks)
    return {higher: lower for higher, lower in pairing.pairs if higher in mdps}


def _first_pairable_set(bracket: Bracket, limbo: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return the first set of pairable MDPs and its Limbo.

    [C7] fixes how many MDPs of each score are in the Limbo. They are the last of that score, so
    that the lowest BSNs are paired [C.04.3/2026 4.4.1, 4.4.2].
    """
    scores = bracket.field.scores
    to_leave = Counter(scores[rank] for rank in limbo)
    s1: list[int] = []
    left: list[int] = []
    for rank in reversed(bracket.mdp_ranks):
        if to_leave[scores[rank]]:
            to_leave[scores[rank]] -= 1
            left.append(rank)
        else:
            s1.append(rank)
    return s1[::-1], left[::-1]
