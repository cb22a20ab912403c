"""Times as commands print them."""

from datetime import UTC, datetime

import pytest
from django.utils import timezone, translation

from tournaments.core.moments import on_terminal


@pytest.mark.parametrize(
    "value, printed",
    [
        ("2026-11-26T14:03:27+00:00", "26 November 2026, 15:03"),
        (datetime(2026, 11, 26, 14, 3, 27, tzinfo=UTC), "26 November 2026, 15:03"),
        ("2026-11-26T14:03:27", "26 November 2026, 14:03"),
        ("some day", "some day"),
    ],
)
def test_a_command_prints_the_local_time_in_english(value: str | datetime, printed: str) -> None:
    with timezone.override("Europe/Paris"), translation.override("fr"):
        assert on_terminal(value) == printed
