"""Find the residents that can be the only downfloater of a bracket, without trying each.

An odd bracket has at least one downfloater [C6], and if one resident floats, [C7] is at its bound
too. The functions find the residents that satisfy [C4] and let [C8] reach its bound. If a perfect
matching exists in which one of them floats, no candidate is better on [C4]-[C8], and exactly the
candidates with one of them floating are as good.
"""

from __future__ import annotations

from pairing.engine.dutch.bracket import Bracket
from pairing.engine.dutch.completion import Completion
from pairing.engine.dutch.solver.downfloaters import into_even_scoregroup, into_odd_scoregroup
from pairing.engine.matching.cardinality import bits

from .bye import gives_bye


def possible_floaters(bracket: Bracket, completion: Completion) -> int:
    """Find the residents (a set of ranks) who can be the only downfloater; 0 if undecided here."""
    if gives_bye(bracket, completion):
        return _bye_receivers(bracket, completion)
    bye = 0 if completion.bye is None else 1 << completion.bye
    below = bracket.below_set | bye
    if len(bracket.following_ranks) % 2:
        return into_odd_scoregroup(bracket) if completion.completes(below) else 0
    return into_even_scoregroup(bracket, completion.joining(below, bracket.following_set))


def _bye_receivers(bracket: Bracket, completion: Completion) -> int:
    """Find the residents who may receive the PAB with the fewest unplayed games [C9],
    if it must go to this bracket.

    Nobody below has the score of [C5], so the downfloater is never paired, and the following
    bracket has the same players whoever it is [C8].
    """
    receivers = completion.receivers & bracket.resident_set
    if not receivers or (
        bracket.has_later and not completion.completes(bracket.following_set | bracket.below_set)
    ):
        return 0
    unplayed = bracket.field.unplayed
    fewest = min(unplayed[rank] for rank in bits(receivers))
    return sum(1 << rank for rank in bits(receivers) if unplayed[rank] == fewest)
