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
from pairing.rules.verdict import Allowed, Refused, Verdict

OPEN = RoundFacts(1, RoundState.PAIRINGS_PUBLISHED)


def code(verdict: Verdict) -> str:
    return verdict.code if isinstance(verdict, Refused) else ""


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
        ("10", 1, "10", 2, None, ReadingState.AGREED),
        ("10", None, "10", 2, None, ReadingState.AGREED),
        ("10", 1, "01", 2, None, ReadingState.DIFFERENT),
        ("10", 1, "01", 2, "10", ReadingState.DECIDED),
        ("01", 2, "01", 2, "01", ReadingState.DECIDED),
        ("==", 1, "01", 2, "10", ReadingState.DIFFERENT),
    ],
)
def test_a_reading_counts_if_another_person_made_it(
    result: str, entered_by: int | None, reading: str, read_by: int | None, decided: str | None, state: ReadingState
) -> None:
    assert reading_state(result, entered_by, reading, read_by, decided) is state


def test_nobody_reads_the_own_result_or_that_of_another_reader() -> None:
    assert isinstance(may_read(OPEN, 1, own=False, by_another=False), Allowed)
    assert code(may_read(OPEN, 1, own=True, by_another=False)) == "reading.own"
    assert code(may_read(OPEN, 1, own=False, by_another=True)) == "reading.by_another"
    for state, expected in (
        (RoundState.PLANNED, "result.round_not_published"),
        (RoundState.DRAFT, "result.round_not_published"),
        (RoundState.RESULTS_PUBLISHED, "reading.closed"),
    ):
        assert code(may_read(RoundFacts(1, state), 1, own=False, by_another=False)) == expected


def test_only_a_difference_is_decided() -> None:
    assert isinstance(may_decide_reading(OPEN, 1, ReadingState.DIFFERENT), Allowed)
    for state in set(ReadingState) - {ReadingState.DIFFERENT}:
        assert code(may_decide_reading(OPEN, 1, state)) == "reading.no_difference"
    over = RoundFacts(1, RoundState.RESULTS_PUBLISHED)
    assert code(may_decide_reading(over, 1, ReadingState.DIFFERENT)) == "reading.closed"


def test_results_wait_for_the_readings() -> None:
    assert isinstance(may_publish_read(1, unread=(), different=()), Allowed)
    assert code(may_publish_read(1, unread=(3,), different=())) == "reading.unread"
    assert code(may_publish_read(1, unread=(3,), different=(4,))) == "reading.different"
