"""The pairing of an ordinary bracket without weights, by the rules of 2017 (``quick`` says how).

The proof of ``tight`` holds: everybody is paired, or all but one resident, so [C.5] and [C.6] are at their bounds, and
``floaters_2017`` gives those with whom [C.7] is at its bound too. All MDPs being paired, they add the same to [C.12],
[C.14], [C.16] and [C.18] in every candidate, and the one resident's score difference is one point whoever it is. What
is left is [C10]-[C21] of 2026 in the same order, up to what is the same for all; so a small bracket is gone through
candidate by candidate (``few``) as by those rules.
"""

from __future__ import annotations

from .bracket import Bracket, BracketPairing
from .completion import Completion
from .exact_2017 import Place, pair_bracket_2017
from .floater import into_even_scoregroup, into_odd_scoregroup
from .tight_pairing import pairing_with


def pair_bracket_quickly_2017(bracket: Bracket, completion: Completion, place: Place) -> BracketPairing:
    """The pairing of *bracket*: by the quick path where it answers, else by the exact one."""
    return quick_pairing_2017(bracket, completion, place) or pair_bracket_2017(bracket, completion, place)


def quick_pairing_2017(bracket: Bracket, completion: Completion, place: Place) -> BracketPairing | None:
    """The pairing of *bracket*, or None where this path does not answer: a penultimate bracket, and one whose residents
    have different scores, are left to the exact path."""
    scores, residents = bracket.field.scores, bracket.resident_ranks
    if place is Place.PENULTIMATE or scores[residents.start] != scores[residents.stop - 1]:
        return None
    floaters = 0
    if (len(bracket.mdp_ranks) + len(residents)) % 2:
        floaters = floaters_2017(bracket, completion, place)
        if not floaters:
            return None
    return pairing_with(bracket, (floaters,) if floaters else ())


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
