"""The pairing of an ordinary bracket without weights: its tight pairs, and Article 4 inside them.

This path answers for brackets where everybody is paired or one resident floats, [C8] can be met at its bound, and the
tight pairs (``tight_edges``) have a perfect matching. Then the optimal candidates are the perfect matchings of tight
pairs, and the one generated first is built here. In a small bracket all are gone through instead (``small_brackets``),
with or without tight pairs. Players who may meet nobody in their bracket are put aside first. Else None, and the exact
path is taken.
"""

from __future__ import annotations

from dataclasses import replace

from pairing.engine.dutch.bracket import Bracket, BracketPairing
from pairing.engine.dutch.completion import Completion
from pairing.engine.dutch.solver.tight_candidates import pairing_with

from .bye import sole_receiver
from .costs import BracketCosts
from .exact_path import pair_bracket
from .floaters import possible_floaters


def pair_bracket_quickly(bracket: Bracket, completion: Completion) -> BracketPairing:
    """The pairing of *bracket*: by the quick path where it answers, else by the exact one.

    An MDP who is the only one left who can have the PAB is put aside with it. Proof: the round is completed with nobody
    else having it [C4], so this one floats in every candidate, and adds the same to each: to [C6]-[C9], and what a
    downfloater costs. The others are in the order they had, so Article 4 tries their candidates in the same order.
    """
    receiver = sole_receiver(bracket, completion)
    if receiver is None:
        return quick_pairing(bracket, completion) or pair_bracket(bracket, completion)
    company = replace(bracket, mdp_ranks=tuple([rank for rank in bracket.mdp_ranks if rank != receiver]))
    pairing = pair_bracket_quickly(company, completion.without_bye)
    return BracketPairing(pairing.pairs, tuple(sorted((receiver, *pairing.downfloaters))))


def quick_pairing(bracket: Bracket, completion: Completion) -> BracketPairing | None:
    """The pairing of *bracket*, or None where this path does not answer.

    Who may meet nobody in the bracket floats in every candidate. If those are MDPs, the others are an even number who
    can all be paired, and the rest then completes, just these float in every best candidate [C6]; so [C7]-[C9] and what
    the downfloaters add are the same for all, and the pairs are those of the bracket without them.
    """
    stranded = stranded_players(bracket)
    if not stranded:
        return _pairing_of_company(bracket, completion)
    together = (*bracket.mdp_ranks, *bracket.resident_ranks)
    if len(stranded) == len(together):
        return BracketPairing((), together)
    if (len(together) - len(stranded)) % 2 or stranded[-1] >= bracket.resident_ranks.start:
        return _pairing_of_company(bracket, completion)
    return _without(stranded, bracket, completion)


def stranded_players(bracket: Bracket) -> tuple[int, ...]:
    """Those who may meet nobody in the bracket, by rank."""
    may_meet, residents = bracket.field.may_meet, bracket.resident_set
    everybody = bracket.mdp_set | residents
    stranded = [rank for rank in bracket.mdp_ranks if not may_meet[rank] & residents]
    return (*stranded, *[rank for rank in bracket.resident_ranks if not may_meet[rank] & everybody])


def _without(stranded: tuple[int, ...], bracket: Bracket, completion: Completion) -> BracketPairing | None:
    """The pairing where the *stranded* MDPs float and all others are paired."""
    rest = sum(1 << rank for rank in stranded) | bracket.following_set | bracket.below_set
    if not completion.completes(rest | (0 if completion.bye is None else 1 << completion.bye)):
        return None
    company = tuple([rank for rank in bracket.mdp_ranks if rank not in stranded])
    pairing = pairing_with(replace(bracket, mdp_ranks=company), (), BracketCosts)
    return None if pairing is None else BracketPairing(pairing.pairs, stranded)


def _pairing_of_company(bracket: Bracket, completion: Completion) -> BracketPairing | None:
    """The pairing of a bracket where all are paired, or all but one resident.

    An even bracket with a perfect matching of tight pairs and a rest that completes meets [C6]-[C9] with nobody
    floating. An odd one floats one at least; ``floaters`` says who meets [C7] and [C8] at their bounds.
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
