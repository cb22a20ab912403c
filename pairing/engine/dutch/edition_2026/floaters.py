"""Who may be the one downfloater of a bracket: the best on [C4]-[C9], found without trying each.

In an odd bracket one player at least floats [C6], and if it is one resident, [C7] is met at its bound too. These
functions answer which residents then meet [C4] and the bound of [C8]. If a perfect matching exists in which one of them
floats, no candidate is better on [C4]-[C8], and exactly the candidates with one of them floating are as good.
"""

from __future__ import annotations

from pairing.engine.dutch.bracket import Bracket
from pairing.engine.dutch.completion import Completion
from pairing.engine.dutch.solver.downfloaters import into_even_scoregroup, into_odd_scoregroup
from pairing.engine.matching.cardinality import bits

from .bye import gives_bye


def possible_floaters(bracket: Bracket, completion: Completion) -> int:
    """The residents (a bit set of ranks) of whom one may float; 0 where this does not tell."""
    if gives_bye(bracket, completion):
        return _bye_receivers(bracket, completion)
    bye = 0 if completion.bye is None else 1 << completion.bye
    below = bracket.below_set | bye
    if len(bracket.following_ranks) % 2:
        return into_odd_scoregroup(bracket) if completion.completes(below) else 0
    return into_even_scoregroup(bracket, completion.joining(below, bracket.following_set))


def _bye_receivers(bracket: Bracket, completion: Completion) -> int:
    """Those who may receive the PAB, with the fewest unplayed games [C9], where it must go to this bracket.

    Nobody below has the score [C5] asks for, so the one downfloater is never paired: the following bracket fares the
    same whoever it is [C8].
    """
    receivers = completion.receivers & bracket.resident_set
    if not receivers or (bracket.has_later and not completion.completes(bracket.following_set | bracket.below_set)):
        return 0
    unplayed = bracket.field.unplayed
    fewest = min(unplayed[rank] for rank in bits(receivers))
    return sum(1 << rank for rank in bits(receivers) if unplayed[rank] == fewest)
