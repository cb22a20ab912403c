"""How often open pages ask for news: every second or two, unless there are very many of them."""

from __future__ import annotations

import pytest

from tournaments.web.pace import FASTEST, MOST_A_SECOND, SLOWEST, Pace


def pauses_of(pages: int, seconds: int, pace: Pace, begin: float = 0.0) -> list[int]:
    """Let *pages* ask at the pace they were told; return how many questions came in each second."""
    due = [begin + FASTEST * n / pages for n in range(pages)]
    counts = []
    for second in range(seconds):
        count = 0
        for n in range(pages):
            while due[n] < begin + second + 1:
                due[n] += pace.interval(begin + second)
                count += 1
        counts.append(count)
    return counts


def test_a_hall_full_of_phones_asks_as_often_as_it_likes() -> None:
    pace = Pace()
    pauses_of(pages=300, seconds=60, pace=pace)
    assert pace.interval(60) == FASTEST


def test_more_pages_than_the_process_can_answer_ask_less_often_and_together_no_more_than_that() -> (
    None
):
    pace = Pace()
    counts = pauses_of(pages=2_000, seconds=90, pace=pace)
    settled = counts[40:]
    assert sum(settled) / len(settled) < MOST_A_SECOND * 1.1
    assert (
        4 <= pace.interval(90) <= 8
    )  # 2,000 pages at 350 a second in one process: every six seconds


@pytest.mark.costly
def test_the_pace_is_fast_again_when_the_pages_are_gone_and_never_slower_than_its_limit() -> None:
    pace = Pace()
    pauses_of(pages=20_000, seconds=60, pace=pace)
    assert pace.interval(60) == SLOWEST
    pauses_of(pages=10, seconds=90, pace=pace, begin=60)
    assert pace.interval(150) == FASTEST
