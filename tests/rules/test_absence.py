"""Absence without notice: when to decide on it, and when to explain it
[C.04.2/2026 3.3, C.04.2/2017 D.2].
"""

import pytest

from pairing.rules.absence import may_explain, round_of_no_shows, withdrawn_from
from pairing.rules.rounds import RoundFacts, RoundState
from pairing.rules.verdict import ALLOWED, Refused


def rounds(*states):
    return [RoundFacts(number, state) for number, state in enumerate(states, start=1)]


@pytest.mark.parametrize(
    "facts, expected",
    [
        (rounds(RoundState.PLANNED, RoundState.PLANNED), None),
        (rounds(RoundState.DRAFT, RoundState.PLANNED), None),
        (rounds(RoundState.PAIRINGS_PUBLISHED, RoundState.PLANNED), 1),
        (rounds(RoundState.RESULTS_PUBLISHED, RoundState.DRAFT), 1),
        (rounds(RoundState.RESULTS_PUBLISHED, RoundState.PAIRINGS_PUBLISHED), None),
    ],
)
def test_c04_2_3_3_the_arbiter_decides_until_the_next_pairings_are_published(facts, expected):
    assert round_of_no_shows(facts) == expected


def test_an_absence_is_explained_before_the_next_pairings_are_published():
    under_way = rounds(RoundState.RESULTS_PUBLISHED, RoundState.RESULTS_PUBLISHED, RoundState.DRAFT)
    verdicts = [
        may_explain(under_way, number, forfeited=forfeited, article="C.04.2 D.2")
        for number, forfeited in ((2, True), (1, True), (2, False))
    ]
    assert verdicts == [
        ALLOWED,
        Refused("absence.too_late", "C.04.2 D.2", {"round": 1}),
        Refused("absence.not_absent", "", {"round": 2}),
    ]


@pytest.mark.parametrize(
    "facts, number, withdraws, expected",
    [
        (rounds(RoundState.RESULTS_PUBLISHED, RoundState.PLANNED), 1, True, 2),
        (rounds(RoundState.PAIRINGS_PUBLISHED, RoundState.PLANNED), 1, True, 2),
        (rounds(RoundState.RESULTS_PUBLISHED, RoundState.DRAFT), 1, True, 2),
        (rounds(RoundState.RESULTS_PUBLISHED, RoundState.PLANNED), 1, False, None),
        (
            rounds(RoundState.RESULTS_PUBLISHED, RoundState.PAIRINGS_PUBLISHED, RoundState.PLANNED),
            1,
            True,
            None,
        ),
        (rounds(RoundState.RESULTS_PUBLISHED, RoundState.RESULTS_PUBLISHED), 2, True, None),
    ],
)
def test_c04_2_2017_d_2_the_rules_withdraw_until_the_next_pairings_are_published(
    facts, number, withdraws, expected
):
    assert withdrawn_from(facts, number, withdraws=withdraws) == expected
