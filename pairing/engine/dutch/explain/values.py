"""Compute the value of every criterion for a candidate of a bracket, as the engine does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pairing.engine.dutch.bracket import Bracket
from pairing.engine.dutch.completion import Completion
from pairing.engine.dutch.edition_2026.bye import gives_bye
from pairing.engine.dutch.edition_2026.criteria import AFTER_C9, C7, C9
from pairing.engine.dutch.solver.criterion import Criterion, View

from .explanation import Measure, Value
from .steps import Step


class Candidate(NamedTuple):
    """Hold the pairs of a bracket (higher ranked first) and its downfloaters, by rank."""

    pairs: Sequence[tuple[int, int]]
    downfloaters: Sequence[int]


BY_NAME: dict[str, Criterion] = {criterion.name: criterion for criterion in (C7, C9, *AFTER_C9)}
"""The criteria that are a sum or a list over pairs and downfloaters:
all but [C5], [C6] and [C8].
"""
ARTICLES: dict[str, str] = {"C5": "2.3.1", "C6": "2.4.1", "C8": "2.4.3"} | {
    name: criterion.article for name, criterion in BY_NAME.items()
}
NAMES: tuple[str, ...] = tuple(f"C{number}" for number in range(5, 22))
"""In descending priority."""


def measure_of(name: str) -> Measure:
    """Return the unit of the items of the criterion's value."""
    if name == "C8":
        return Measure.LOOK_AHEAD
    is_points = name == "C5" or (name in BY_NAME and BY_NAME[name].is_list)
    return Measure.POINTS if is_points else Measure.COUNT


def value_of(name: str, bracket: Bracket, candidate: Candidate) -> Value:
    """Return the value of one of :data:`BY_NAME` for *candidate*."""
    return criterion_value(BY_NAME[name], bracket, candidate)


def criterion_value(criterion: Criterion, bracket: Bracket, candidate: Candidate) -> Value:
    """Return the value of *criterion* for *candidate*: its sum, or its list in descending order."""
    view, players = View(bracket, bracket.field.initial_colour), bracket.field.players
    items = [
        criterion.of_pair(view, players[higher], players[lower])
        for higher, lower in candidate.pairs
    ]
    items += [criterion.of_downfloater(view, players[rank]) for rank in candidate.downfloaters]
    values = [item for item in items if item is not None]
    return tuple(sorted(values, reverse=True)) if criterion.is_list else (sum(values),)


def c9_applies(bracket: Bracket, completion: Completion, downfloaters: int) -> bool:
    """Tell whether the only downfloater must receive the PAB (docs/rules, R3)."""
    return downfloaters == 1 and gives_bye(bracket, completion)


def step_values(step: Step, following: Step | None) -> dict[str, Value]:
    """Return the value of every criterion [C5]-[C21] by name, in descending priority.

    The value of [C8] is what the *following* bracket reached on [C6] and [C7]. It is the best
    possible, because these have priority over all other criteria there.
    """
    bracket, candidate = step.bracket, Candidate(step.pairing.pairs, step.pairing.downfloaters)
    values: dict[str, Value] = {}
    for name in NAMES:
        match name:
            case "C5":
                bye_score = step.completion.bye_score
                values[name] = () if bye_score is None else (bye_score,)
            case "C6":
                values[name] = (len(candidate.downfloaters),)
            case "C8":
                values[name] = () if following is None else _look_ahead(following)
            case "C9" if not c9_applies(bracket, step.completion, len(candidate.downfloaters)):
                values[name] = ()
            case _:
                values[name] = value_of(name, bracket, candidate)
    return values


def _look_ahead(following: Step) -> Value:
    candidate = Candidate(following.pairing.pairs, following.pairing.downfloaters)
    return (len(candidate.downfloaters), *value_of("C7", following.bracket, candidate))
