"""Compute each criterion of 2017, as the engine does [C.04.3/2017 C.5-C.19]."""

from __future__ import annotations

from pairing.engine.dutch.bracket import Bracket
from pairing.engine.dutch.edition_2017.criteria import C6, COLOURS, FLOATS
from pairing.engine.dutch.edition_2017.fast_path import pair_fast_or_exact_2017
from pairing.engine.dutch.edition_2017.place import Place
from pairing.engine.dutch.solver.criterion import Criterion

from .explanation import Measure, Value
from .steps import Step
from .values import Candidate, criterion_value

BY_NAME_2017: dict[str, Criterion] = {
    criterion.name: criterion for criterion in (C6, *COLOURS, *FLOATS)
}
NAMES_2017: tuple[str, ...] = tuple(f"C{number}" for number in range(5, 20))
"""In descending priority."""
ARTICLES_2017: dict[str, str] = {name: f"C.{name[1:]}" for name in NAMES_2017}


def measure_of_2017(name: str) -> Measure:
    """Return the unit of the items of the criterion's value."""
    if name == "C7":
        return Measure.LOOK_AHEAD
    return Measure.POINTS if name in BY_NAME_2017 and BY_NAME_2017[name].is_list else Measure.COUNT


def step_values_2017(step: Step) -> dict[str, Value]:
    """Return the value of [C.5]-[C.19] by name; lists have the score differences above 0."""
    candidate = Candidate(step.pairing.pairs, step.pairing.downfloaters)
    values: dict[str, Value] = {}
    for name in NAMES_2017:
        if name == "C5":
            values[name] = (len(candidate.downfloaters),)
        elif name == "C7":
            values[name] = _look_ahead(step) if step.place is Place.ORDINARY else ()
        else:
            values[name] = criterion_value(BY_NAME_2017[name], step.bracket, candidate)
    return values


def _look_ahead(step: Step) -> Value:
    """Return [C.7]: the number of players that the following bracket leaves unpaired,
    then its score differences.

    Later brackets do not matter. If the following bracket is the last and cannot be paired with the
    bye, the number is that of all players plus one.
    """
    field, completion = step.bracket.field, step.completion
    residents = step.bracket.following_ranks
    after = range(residents.stop, residents.stop)
    if step.bracket.below_set:
        after = next(group for group in field.scoregroups if group.start == residents.stop)
    following = Bracket(field, step.pairing.downfloaters, residents, after)
    place = Place.ORDINARY if following.has_later else Place.LAST
    if place is Place.LAST:
        everybody = following.mdp_set | following.resident_set
        if not completion.completes(
            everybody | (0 if completion.bye is None else 1 << completion.bye)
        ):
            return (len(field) + 1,)
    pairing = pair_fast_or_exact_2017(following, completion, place)
    candidate = Candidate(pairing.pairs, pairing.downfloaters)
    return (len(pairing.downfloaters), *criterion_value(C6, following, candidate))
