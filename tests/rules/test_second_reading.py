"""When a second reading counts, and when results wait for it."""

from __future__ import annotations

import pytest

from pairing.rules.rounds import RoundFacts, RoundState
from pairing.rules.second_reading import (
    ReadingState,
    may_decide_reading,
    may_publish_read,
    may_read,
    reading_state,
)
from pairing.rules.verdict import Allowed, Refused

OPEN = RoundFacts(1, RoundState.PAIRINGS_PUBLISHED)


@pytest.mark.parametrize(
    "result, entered_by, reading, read_by, decided, state",
    [
        ("", None, "", None, None, ReadingState.NO_RESULT),
        ("", None, "10", 2, None, ReadingState.NO_RESULT),
        ("??", 1, "", None, None, ReadingState.NO_RESULT),
        ("??", 1, "10", 1, None, ReadingState.NO_RESULT),
        ("??", 1, "10", 2, None, ReadingState.DIFFERENT),
        ("??", 1, "10", 2, "??", ReadingState.DECIDED),
        ("10", 1, "", None, None, ReadingState.UNREAD),
        ("10", 1, "", 2, None, ReadingState.UNREAD),
        ("10", 1, "10", 1, None, ReadingState.UNREAD),
        ("10", 1, "10", None, None, ReadingState.UNREAD),  # nobody knows who has read it
        ("10", 1, "10", 2, None, ReadingState.AGREED),
        ("10", None, "10", 2, None, ReadingState.AGREED),
        ("10", 1, "01", 2, None, ReadingState.DIFFERENT),
        ("10", 1, "01", 2, "10", ReadingState.DECIDED),
        ("01", 2, "01", 2, "01", ReadingState.DECIDED),
        ("==", 1, "01", 2, "10", ReadingState.DIFFERENT),
    ],
)
def test_a_reading_counts_if_another_person_made_it(
    result: str,
    entered_by: int | None,
    reading: str,
    read_by: int | None,
    decided: str | None,
    state: ReadingState,
) -> None:
    assert reading_state(result, entered_by, reading, read_by, decided) is state


def test_nobody_reads_the_own_result_or_that_of_another_reader() -> None:
    assert isinstance(may_read(OPEN, 1, own=False, by_another=False), Allowed)
    assert may_read(OPEN, 4, own=True, by_another=False) == Refused("reading.own", "", {"board": 4})
    assert may_read(OPEN, 4, own=False, by_another=True) == Refused(
        "reading.by_another", "", {"board": 4}
    )
    for state, expected in (
        (RoundState.PLANNED, "result.round_not_published"),
        (RoundState.DRAFT, "result.round_not_published"),
        (RoundState.RESULTS_PUBLISHED, "reading.closed"),
    ):
        verdict = may_read(RoundFacts(3, state), 1, own=False, by_another=False)
        assert verdict == Refused(expected, "", {"round": 3})


def test_only_a_difference_is_decided() -> None:
    assert isinstance(may_decide_reading(OPEN, 1, ReadingState.DIFFERENT), Allowed)
    for state in set(ReadingState) - {ReadingState.DIFFERENT}:
        assert may_decide_reading(OPEN, 4, state) == Refused(
            "reading.no_difference", "", {"board": 4}
        )
    over = RoundFacts(3, RoundState.RESULTS_PUBLISHED)
    assert may_decide_reading(over, 4, ReadingState.DIFFERENT) == Refused(
        "reading.closed", "", {"round": 3}
    )


def test_results_wait_for_the_readings() -> None:
    assert isinstance(may_publish_read(1, unread=(), different=()), Allowed)
    unread = Refused("reading.unread", "", {"round": 2, "boards": (3,)})
    assert may_publish_read(2, unread=(3,), different=()) == unread
    different = Refused("reading.different", "", {"round": 2, "boards": (4,)})
    assert may_publish_read(2, unread=(3,), different=(4,)) == different
