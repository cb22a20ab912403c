"""How often open pages ask for news: every second or two, unless there are very many of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User

from pairing.rounds.publish import results_publish
from pairing.rules.rounds import RoundState
from tests.tournaments import factories
from tournaments.core.frame import state_now
from tournaments.web.news import content_of
from tournaments.web.pace import (
    FASTEST,
    IDLE,
    MOST_A_SECOND,
    SLOWEST,
    Pace,
    RoundTimes,
    busy_times,
    least_pause,
)


def pauses_of(pages: int, seconds: int, pace: Pace, begin: float = 0.0) -> list[int]:
    """Let *pages* ask at the pace of the answers; return how many questions came in each second."""
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


DAY = datetime(2026, 11, 28, tzinfo=UTC)


def at(hours: float) -> datetime:
    return DAY + timedelta(hours=hours)


def pauses(newest: datetime | None, *rounds: RoundTimes) -> list[int]:
    """Return the quarters of hours of the day at which pages ask often."""
    busy = busy_times(newest, rounds)
    return [n for n in range(96) if least_pause(busy, at(n / 4 + 0.1).timestamp()) == FASTEST]


class TestAnIdleDay:
    def test_at_most_300_questions_an_hour(self) -> None:
        shortest = 0.7 + 0.3 / 2  # the mean of what static/js/news.js waits of it
        assert 3_600 / (IDLE * shortest) < 300

    def test_half_an_hour_after_an_action(self) -> None:
        assert pauses(at(10)) == [40, 41]
        assert pauses(None) == []

    def test_an_hour_around_announced_times(self) -> None:
        planned = RoundTimes(RoundState.PLANNED, None, at(10), at(15))
        assert pauses(None, planned) == [*range(36, 44), *range(56, 64)]

    def test_while_a_round_runs_for_twelve_hours_after_its_begin(self) -> None:
        running = RoundTimes(RoundState.PAIRINGS_PUBLISHED, at(8), at(9), None)
        assert pauses(None, running) == list(range(32, 84))
        weekly = RoundTimes(RoundState.PAIRINGS_PUBLISHED, at(-48), None, None)
        assert pauses(None, weekly) == []

    def test_a_finished_round_and_a_draft_are_no_reason(self) -> None:
        over = RoundTimes(RoundState.RESULTS_PUBLISHED, at(8), at(9), at(14))
        draft = RoundTimes(RoundState.DRAFT, None, None, None)
        assert pauses(None, over, draft) == []


@pytest.mark.django_db
def test_pages_ask_often_after_results_however_many_private_lines_came_before(
    chief_arbiter: User,
) -> None:
    tournament = factories.make_ready(chief_arbiter, players=6)
    factories.pair_and_publish(tournament, 1, chief_arbiter)
    factories.enter_results(tournament, 1, chief_arbiter)
    later = factories.NOW + timedelta(hours=3)
    round_ = factories.round_of(tournament, 1)
    results_publish(round_id=round_.pk, actor=chief_arbiter, now=later, before_time=True)
    state = state_now(tournament.slug)
    assert state is not None
    assert content_of(state)[2][0][0] == later.timestamp()
