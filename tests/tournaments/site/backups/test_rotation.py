"""Which automatic copies stay: all of the last hour, hourly for a day, daily for a month."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from tournaments.site.backups.automatic import copies_to_keep

NOW = datetime(2026, 11, 21, 14, 30, tzinfo=UTC)


def ages(copies: list[datetime]) -> list[float]:
    stay = copies_to_keep([(Path(str(number)), at) for number, at in enumerate(copies)], NOW)
    return sorted((NOW - copies[int(path.name)]) / timedelta(minutes=1) for path in stay)


def every(minutes: int, *, until: timedelta) -> list[datetime]:
    return [
        NOW - timedelta(minutes=minutes) * n for n in range(until // timedelta(minutes=minutes) + 1)
    ]


def test_all_of_the_last_hour_stay() -> None:
    assert ages(every(5, until=timedelta(hours=1))) == [5.0 * n for n in range(13)]


def test_the_last_of_each_hour_stays_for_a_day_and_of_each_day_for_a_month() -> None:
    left = ages(every(10, until=timedelta(days=60)))
    hours = [age for age in left if 60 < age <= 24 * 60]
    days = [age for age in left if age > 24 * 60]
    assert (len(hours), len(days)) == (23 + 3, 30)  # Three more are among the newest ten.
    assert max(days) <= 31 * 24 * 60


def test_the_newest_ten_stay_whatever_the_clock_says() -> None:
    long_ago = [NOW - timedelta(days=400, minutes=n) for n in range(30)]
    assert len(ages(long_ago)) == 10


def test_copies_from_the_future_stay() -> None:
    future = [NOW + timedelta(days=n) for n in range(1, 31)]
    assert len(ages(future)) == 30
