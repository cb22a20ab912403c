"""Pair an ordinary bracket of 2017 without costs, as ``edition_2026.fast_path`` does.

The proof of ``solver.tight_edges`` applies. Everybody is paired, or everybody except one resident,
so [C.5] and [C.6] are at their bounds, and ``floaters_2017`` finds the residents that keep [C.7] at
its bound too. All MDPs are paired, so they add the same to [C.12], [C.14], [C.16] and [C.18] in
every candidate, and the score difference of one floating resident is one point. The rest is
[C10]-[C21] of 2026 in the same order.
"""

from __future__ import annotations

from pairing.engine.dutch.bracket import Bracket, BracketPairing
from pairing.engine.dutch.completion import Completion
from pairing.engine.dutch.solver.downfloaters import into_even_scoregroup, into_odd_scoregroup
from pairing.engine.dutch.solver.tight_candidates import pairing_with

from .costs import BracketCosts2017
from .exact_path import pair_exactly_2017, remaining
from .place import Place
from .remaining_parts import remaining_parts


def pair_fast_or_exact_2017(
    bracket: Bracket, completion: Completion, place: Place
) -> BracketPairing:
    """Pair *bracket* by the fast path if it can, otherwise by the exact path."""
    return fast_pairing_2017(bracket, completion, place) or pair_exactly_2017(
        bracket, completion, place
    )


def fast_pairing_2017(
    bracket: Bracket, completion: Completion, place: Place
) -> BracketPairing | None:
    """Pair *bracket*, or return None if the fast path does not handle it.

    It does not handle a bracket whose residents have different scores.
    """
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
    """Pair a penultimate bracket with one resident floating for each part
    of the remaining players, and nobody else.

    None if this cannot be decided here. Proof. Fewer cannot float [C.4], so [C.5] is at its bound.
    An MDP that floats instead of a resident makes a larger score difference [C.6]. With all MDPs
    paired and the same number of residents floating, [C.5]-[C.7] and the costs of the MDPs are
    equal, and the score difference of each floating resident is one point.
    """
    rest = remaining_parts(completion, remaining(bracket, completion))
    floaters = [met & bracket.resident_set for met in rest.met(completion)]
    if rest.joints or not all(floaters):
        return None
    return pairing_with(bracket, floaters, BracketCosts2017)


def floaters_2017(bracket: Bracket, completion: Completion, place: Place) -> int:
    """Find the residents (a bit set of ranks), one of which may float if one must;
    0 if this cannot be decided here.

    From the last bracket this is a receiver of the PAB [C.2]. Otherwise, together with this
    resident, the following bracket leaves nobody unpaired (even number) or only one resident (odd
    number) [C.7].
    """
    if place is Place.LAST:
        return completion.receivers & bracket.resident_set
    if len(bracket.following_ranks) % 2:
        return into_odd_scoregroup(bracket)
    onward = bracket.following_set
    return into_even_scoregroup(
        bracket, onward if bracket.below_set else onward & completion.receivers
    )
