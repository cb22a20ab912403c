"""Numbers of minutes are written in hours and minutes."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from pairing.rules.verdict import Refused
from tournaments.core.messages import sentence
from tournaments.core.moments import duration


@pytest.mark.parametrize(
    "minutes, expected",
    [
        (0, "less than a minute"),
        (1, "1 min"),
        (59, "59 min"),
        (60, "1 h"),
        (197, "3 h 17 min"),
        (2880, "48 h"),
    ],
)
def test_a_duration_is_said_in_hours_and_minutes(minutes: int, expected: str) -> None:
    assert duration(minutes) == expected


@pytest.mark.parametrize(
    "code, minutes, expected",
    [
        ("deadline.running", 197, "Mistakes can still be reported for 3 h 17 min: wait"),
        ("results.before_the_time", 47, "announced for later, in 47 min."),
        ("correction.backdated", 0, "The time of this report is less than a minute in the past:"),
    ],
)
def test_sentences_name_a_time_in_hours_and_minutes(code: str, minutes: int, expected: str) -> None:
    assert expected in sentence(Refused(code, "", {"minutes": minutes}))


@pytest.mark.parametrize(
    "limit, expected",
    [(1, "at most 1 bye with points per player."), (2, "at most 2 byes with points per player.")],
)
def test_c04_2_3_3_the_limit_of_byes_is_in_singular_and_plural(limit: int, expected: str) -> None:
    assert expected in sentence(Refused("bye.too_many", "", {"limit": limit}))


def test_a_missing_reason_is_said_with_the_letters_it_needs() -> None:
    expected = "Enter a reason. It is saved in the record. A reason needs at least three letters."
    assert sentence(Refused("change.reason_missing")) == expected


def test_a_duration_is_said_in_french() -> None:
    with override("fr"):
        assert [duration(minutes) for minutes in (0, 197)] == [
            "moins d’une minute",
            "3\u00a0h 17\u00a0min",
        ]
