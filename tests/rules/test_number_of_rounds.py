"""Changing the number of rounds after it was declared [C.04.1/2026 1]."""

from __future__ import annotations

import pytest

from pairing.engine.systems import SYSTEMS
from pairing.rules.number_of_rounds import (
    LAST_ROUND_ARTICLES,
    LastPaired,
    becomes_of_last_paired,
    may_change_number,
    same_virtual_points,
)
from pairing.rules.rounds import RoundFacts, RoundState
from pairing.rules.verdict import ALLOWED, Refused, Verdict


def rounds(*states: str) -> list[RoundFacts]:
    return [RoundFacts(number, RoundState(state)) for number, state in enumerate(states, start=1)]


BEFORE = rounds("planned", "planned", "planned")
DRAFT = rounds("results_published", "draft", "planned")
PLAYED = rounds("results_published", "results_published", "planned")
OVER = rounds("results_published", "results_published", "results_published")


@pytest.mark.parametrize(
    "facts, total, accelerated, adjourned, expected",
    [
        (BEFORE, 5, False, (), "rounds.not_begun"),
        (DRAFT, 1, False, (), "rounds.below_paired"),
        (DRAFT, 2, False, (), None),
        (DRAFT, 9, False, (), None),
        (PLAYED, 2, False, (), None),
        (PLAYED, 2, False, ("1/3",), "results.adjourned"),
        (DRAFT, 2, False, ("1/3",), None),
        (OVER, 4, False, (), "rounds.final"),
        (OVER, 2, False, (), "rounds.final"),
        (DRAFT, 4, True, (), None),
        (DRAFT, 5, True, (), "rounds.acceleration"),
        (DRAFT, 2, True, (), "rounds.acceleration"),
    ],
)
def test_c04_1_1_never_below_what_is_paired(
    facts: list[RoundFacts],
    total: int,
    accelerated: bool,
    adjourned: tuple[str, ...],
    expected: str | None,
) -> None:
    verdict = may_change_number(facts, total, accelerated=accelerated, adjourned=adjourned)
    assert (verdict.code if isinstance(verdict, Refused) else None) == expected


def test_c04_1_1_a_refusal_says_the_limit_and_the_article() -> None:
    def verdict(facts: list[RoundFacts], total: int, **options: bool) -> Verdict:
        return may_change_number(
            facts, total, accelerated=options.get("accelerated", False), adjourned=("1/3", "1/4")
        )

    assert verdict(BEFORE, 5) == Refused("rounds.not_begun", "C.04.1 1")
    assert verdict(OVER, 5) == Refused("rounds.final", "C.04.1 1")
    assert verdict(DRAFT, 1) == Refused("rounds.below_paired", "C.04.1 1", {"round": 2})
    assert verdict(DRAFT, 5, accelerated=True) == Refused(
        "rounds.acceleration", "C.04.2 1.1", {"rounds": 5}
    )
    assert verdict(PLAYED, 2) == Refused(
        "results.adjourned", "C.04.2 3.1", {"games": ("1/3", "1/4")}
    )
    # With a round to come the latest results are not final, so games may stay adjourned.
    assert verdict(PLAYED, 3) is verdict(PLAYED, 4) is ALLOWED


@pytest.mark.parametrize(
    "facts, total, expected",
    [
        (DRAFT, 2, LastPaired.BECOMES_LAST),
        (DRAFT, 4, LastPaired.NEITHER),
        (OVER, 4, LastPaired.NO_LONGER_LAST),
        (OVER, 3, LastPaired.NEITHER),
    ],
)
def test_c04_3_1_8_effect_on_the_last_paired_round(
    facts: list[RoundFacts], total: int, expected: LastPaired
) -> None:
    assert becomes_of_last_paired(facts, total) is expected


def test_c07_4_2_not_once_lots_are_drawn() -> None:
    assert may_change_number(OVER, 4, accelerated=False, lots_drawn=True) == Refused(
        "rounds.lots_drawn", "C.07 4.2"
    )


def test_c04_7_only_numbers_of_rounds_with_the_same_virtual_points() -> None:
    """Three and four rounds have one accelerated round each,
    five and six have two and one, and so on.
    """
    same = {
        (one, other)
        for one in range(1, 21)
        for other in range(one + 1, 21)
        if same_virtual_points(one, other)
    }
    assert same == {(odd, odd + 1) for odd in range(1, 20, 2)}


def test_every_system_has_its_articles_on_the_last_round() -> None:
    assert LAST_ROUND_ARTICLES.keys() == SYSTEMS.keys()
    # As printed: topscorers, their colours, and the floats and differences that do not matter any
    # more.
    assert {
        code: articles.split(" ", 1)[1].split(", ")
        for code, articles in LAST_ROUND_ARTICLES.items()
    } == {
        "dutch_2026": ["1.8", "2.1.3", "2.4.5", "2.4.6"],
        "dutch_2017": ["A.7", "C.3", "C.8", "C.9"],
        "dutch_pre2017": ["A10", "B2"],
        "double_swiss_2026": ["2.3.4", "2.3.5"],
    }
    chapters = {code: articles.split(" ")[0] for code, articles in LAST_ROUND_ARTICLES.items()}
    assert chapters == dict.fromkeys(SYSTEMS, "C.04.3") | {"double_swiss_2026": "C.04.5"}
