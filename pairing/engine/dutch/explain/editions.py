"""Where explanations of the two editions differ: criteria, articles, and values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pairing.engine.dutch.colours import ColourRule
from pairing.engine.dutch.edition_2017.records import RULES_2017
from pairing.engine.dutch.edition_2026.records import RULES_2026
from pairing.engine.dutch.player_records import RecordRules
from pairing.engine.errors import InputError
from pairing.engine.model import TournamentState

from .bounds import bounded
from .bounds_2017 import bounded_2017
from .explanation import CriterionValue, Measure, Order, Value
from .steps import Step
from .values import ARTICLES, NAMES, measure_of, step_values
from .values_2017 import ARTICLES_2017, NAMES_2017, measure_of_2017, step_values_2017


@dataclass(frozen=True, slots=True)
class Edition:
    """Describe one text of C.04.3.

    ``values`` takes all steps and the place of one; ``judged`` returns the same as an explanation
    does. ``met``, ``same_colour`` and ``incomplete`` are the articles that prevent two players from
    meeting.
    """

    names: Sequence[str]
    articles: Mapping[str, str]
    measure_of: Callable[[str], Measure]
    values: Callable[[Sequence[Step], int], dict[str, Value]]
    judged: Callable[[Sequence[Step], int], tuple[CriterionValue, ...]]
    order: Mapping[Order, str]
    colours: Mapping[ColourRule, str]
    met: str
    same_colour: str
    incomplete: str
    records: RecordRules


def _values_2026(steps: Sequence[Step], place: int) -> dict[str, Value]:
    return step_values(steps[place], steps[place + 1] if place + 1 < len(steps) else None)


def _judged_2026(steps: Sequence[Step], place: int) -> tuple[CriterionValue, ...]:
    return bounded(steps[place], _values_2026(steps, place))


def _values_2017(steps: Sequence[Step], place: int) -> dict[str, Value]:
    return step_values_2017(steps[place])


def _judged_2017(steps: Sequence[Step], place: int) -> tuple[CriterionValue, ...]:
    return bounded_2017(steps[place], step_values_2017(steps[place]))


EDITIONS: dict[str, Edition] = {
    "dutch_2026": Edition(
        names=NAMES,
        articles=ARTICLES,
        measure_of=measure_of,
        values=_values_2026,
        judged=_judged_2026,
        order={
            Order.MDP_SET: "4.4.2",
            Order.MDP_TRANSPOSITION: "4.2.2",
            Order.EXCHANGE: "4.3.2",
            Order.TRANSPOSITION: "4.2.2",
        },
        colours={rule: rule.value for rule in ColourRule},
        met="2.1.1",
        same_colour="2.1.3",
        incomplete="2.2.1",
        records=RULES_2026,
    ),
    "dutch_2017": Edition(
        names=NAMES_2017,
        articles=ARTICLES_2017,
        measure_of=measure_of_2017,
        values=_values_2017,
        judged=_judged_2017,
        order={
            Order.MDP_SET: "D.3",
            Order.MDP_TRANSPOSITION: "D.1",
            Order.EXCHANGE: "D.2",
            Order.TRANSPOSITION: "D.1",
        },
        colours={rule: f"E.{number}" for number, rule in enumerate(ColourRule, start=1)},
        met="C.1",
        same_colour="C.3",
        incomplete="A.9",
        records=RULES_2017,
    ),
}
"""By the code of the system."""


def edition_of(state: TournamentState) -> Edition:
    """Return the edition of *state*; raise ``explain.system`` for a system of another kind."""
    if state.system not in EDITIONS:
        known = " and ".join(EDITIONS)
        message = f"Only rounds of {known} are explained so, not of {state.system}."
        raise InputError("explain.system", message, system=state.system)
    return EDITIONS[state.system]
