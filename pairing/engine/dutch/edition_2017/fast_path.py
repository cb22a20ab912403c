"""The pairing of an ordinary bracket without weights, by the rules of 2017 (``solver.tight_candidates`` says how).

The proof of ``tight_edges`` holds: everybody is paired, or all but one resident, so [C.5] and [C.6] are at their
bounds, and ``floaters_2017`` gives those with whom [C.7] is at its bound too. All MDPs being paired, they add the same
to [C.12], [C.14], [C.16] and [C.18] in every candidate, and the one resident's score difference is one point whoever it
is. What is left is [C10]-[C21] of 2026 in the same order, up to what is the same for all; so a small bracket is gone
through candidate by candidate (``small_brackets``) as by those rules.
"""

from __future__ import annotations

from pairing.engine.dutch.bracket import Bracket, BracketPairing
from pairing.engine.dutch.completion import Completion
from pairing.engine.dutch.solver.downfloaters import into_even_scoregroup, into_odd_scoregroup
from pairing.engine.dutch.solver.tight_candidates import pairing_with

from .costs import BracketCosts2017
from .exact_path import pair_bracket_2017, remaining
from .place import Place
from .remaining_parts import rest_parts


def pair_bracket_quickly_2017(bracket: Bracket, completion: Completion, place: Place) -> BracketPairing:
    """The pairing of *bracket*: by the quick path where it answers, else by the exact one."""
    return quick_pairing_2017(bracket, completion, place) or pair_bracket_2017(bracket, completion, place)


def quick_pairing_2017(bracket: Bracket, completion: Completion, place: Place) -> BracketPairing | None:
    """The pairing of *bracket*, or None where this path does not answer: one whose residents have different scores is
    left to the exact path."""
    scores, residents = bracket.field.scores, bracket.resident_ranks
    if scores[residents.start] != scores[residents.stop - 1]:
        return None
    if place is Place.PENULTIMATE:
        return penultimate_pairing(bracket, completion)
    floaters = 0
    if (len(bracket.mdp_ranks) + len(residents)) % 2:
        floaters = floaters_2017(bracket, completion, place)
        if not floaters:
            return None
    return pairing_with(bracket, (floaters,) if floaters else (), BracketCosts2017)


def penultimate_pairing(bracket: Bracket, completion: Completion) -> BracketPairing | None:
    """The pairing of a penultimate bracket where one resident floats to each part of the rest, and nobody else; None
    where this does not tell.

    Proof. Fewer cannot float [C.4], so [C.5] is at its bound. Every MDP who floats instead of a resident makes the
    largest score difference in which two candidates differ larger [C.6]. With all MDPs paired and so many residents
    floating, [C.5]-[C.7] and what the MDPs add are the same, and each resident's score difference is one point.
    """
    rest = rest_parts(completion, remaining(bracket, completion))
    floaters = [met & bracket.resident_set for met in rest.met(completion)]
    if rest.joints or not all(floaters):
        return None
    return pairing_with(bracket, floaters, BracketCosts2017)


def floaters_2017(bracket: Bracket, completion: Completion, place: Place) -> int:
    """The residents (a bit set of ranks) of whom one may float where one must; 0 where this does not tell.

    From the last bracket: who may receive the PAB [C.2]. Otherwise who can be paired in the following bracket, nobody
    else of it being left over if the number is even, one resident if it is odd [C.7].
    """
    if place is Place.LAST:
        return completion.receivers & bracket.resident_set
    if len(bracket.following_ranks) % 2:
        return into_odd_scoregroup(bracket)
    onward = bracket.following_set
    return into_even_scoregroup(bracket, onward if bracket.below_set else onward & completion.receivers)
