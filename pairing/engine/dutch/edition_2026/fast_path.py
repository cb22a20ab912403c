"""Pair an ordinary bracket without costs: by its tight pairs, and Article 4 inside them.

This path handles brackets in which everybody is paired or one resident floats, [C8] can reach its
bound, and the tight pairs (``solver.tight_edges``) have a perfect matching. The optimal candidates
are then the perfect matchings of tight pairs. In a small bracket all candidates are compared
instead (``solver.small_brackets``). Players who may meet nobody in their bracket are set aside
first. In all other cases the exact path pairs the bracket.

Nearly every bracket of an ordinary tournament is paired here; a round of 60 players takes four
times as long without.
"""

from __future__ import annotations

from dataclasses import replace

from pairing.engine.dutch.bracket import Bracket, BracketPairing
from pairing.engine.dutch.completion import Completion
from pairing.engine.dutch.solver.tight_candidates import pairing_with

from .bye import sole_receiver
from .costs import BracketCosts
from .exact_path import pair_exactly
from .floaters import possible_floaters


def pair_fast_or_exact(bracket: Bracket, completion: Completion) -> BracketPairing:
    """Pair *bracket* by the fast path if it can, otherwise by the exact path.

    If only one MDP of all players left can have the PAB, that MDP is set aside with it. Proof: the
    round is completed only if this MDP has the bye [C4], so it floats in every candidate and adds
    the same to each, in [C6]-[C9] and in the other costs of a downfloater. The other players keep
    their order, so Article 4 tries their candidates in the same order.
    """
    receiver = sole_receiver(bracket, completion)
    if receiver is None:
        return fast_pairing(bracket, completion) or pair_exactly(bracket, completion)
    others = replace(
        bracket, mdp_ranks=tuple([rank for rank in bracket.mdp_ranks if rank != receiver])
    )
    pairing = pair_fast_or_exact(others, completion.without_bye)
    return BracketPairing(pairing.pairs, tuple(sorted((receiver, *pairing.downfloaters))))


def fast_pairing(bracket: Bracket, completion: Completion) -> BracketPairing | None:
    """Pair *bracket*, or return None if the fast path does not handle it.

    A player who may meet nobody in the bracket floats in every candidate. Assume that all such
    players are MDPs, that the others are an even number who can all be paired, and that the players
    below can then be completed. Then exactly these MDPs float in every best candidate [C6].
    [C7]-[C9] and the other costs of downfloaters are the same for all candidates, and the pairs are
    those of the bracket without them.
    """
    stranded = stranded_players(bracket)
    if not stranded:
        return _pair_all_or_all_but_one(bracket, completion)
    together = (*bracket.mdp_ranks, *bracket.resident_ranks)
    if len(stranded) == len(together):
        return BracketPairing((), together)
    if (len(together) - len(stranded)) % 2 or stranded[-1] >= bracket.resident_ranks.start:
        return _pair_all_or_all_but_one(bracket, completion)
    return _without(stranded, bracket, completion)


def stranded_players(bracket: Bracket) -> tuple[int, ...]:
    """List the players who may meet nobody in the bracket, by rank."""
    may_meet, residents = bracket.field.may_meet, bracket.resident_set
    everybody = bracket.mdp_set | residents
    stranded = [rank for rank in bracket.mdp_ranks if not may_meet[rank] & residents]
    return (*stranded, *[rank for rank in bracket.resident_ranks if not may_meet[rank] & everybody])


def _without(
    stranded: tuple[int, ...], bracket: Bracket, completion: Completion
) -> BracketPairing | None:
    """Pair the bracket with the *stranded* MDPs floating and everybody else paired."""
    rest = sum(1 << rank for rank in stranded) | bracket.following_set | bracket.below_set
    if not completion.completes(rest | (0 if completion.bye is None else 1 << completion.bye)):
        return None
    others = tuple([rank for rank in bracket.mdp_ranks if rank not in stranded])
    pairing = pairing_with(replace(bracket, mdp_ranks=others), (), BracketCosts)
    return None if pairing is None else BracketPairing(pairing.pairs, stranded)


def _pair_all_or_all_but_one(bracket: Bracket, completion: Completion) -> BracketPairing | None:
    """Pair a bracket in which everybody is paired, or everybody except one resident.

    An even bracket that has a perfect matching of tight pairs, and players below who can be
    completed, meets [C6]-[C9] with nobody floating. An odd bracket has at least one downfloater;
    ``floaters`` finds the residents who meet [C7] and [C8] at their bounds.
    """
    floaters = 0
    if (len(bracket.mdp_ranks) + len(bracket.resident_ranks)) % 2:
        floaters = possible_floaters(bracket, completion)
        if not floaters:
            return None
    elif bracket.has_later or completion.bye is not None:
        rest = bracket.following_set | bracket.below_set
        if not completion.completes(rest | (0 if completion.bye is None else 1 << completion.bye)):
            return None
    return pairing_with(bracket, (floaters,) if floaters else (), BracketCosts)
