"""How often open pages may ask for news, so that any number
of them costs a process about the same, and seldom while nothing can happen.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from threading import Lock
from typing import Final, NamedTuple

from pairing.rules.rounds import PUBLIC_STATES, RoundState

PACE_HEADER: Final = "X-Ask-Again"
"""The header with the seconds that a page waits before its next question."""
FASTEST: Final = 1.5
"""Seconds: with the time of an answer, a publication is announced
within two seconds (``static/js/news.js``).
"""
SLOWEST: Final = 20.0
IDLE = 16.0
"""Seconds while nothing can happen: each phone waits a bit less, so about 265 questions an hour."""
AFTER_NEWS: Final = timedelta(minutes=30)
AROUND_A_TIME: Final = timedelta(hours=1)
OF_A_ROUND: Final = timedelta(hours=12)
"""The time after the beginning of a round in which its results may come at any moment."""
MOST_A_SECOND: Final = 350
"""The questions that the program answers in a second in one process: about a third of a processor
(docs/developer/benchmarks.md)."""
LOOKS_AT: Final = 5.0
"""Seconds for which questions are counted before the pace changes."""


class Pace:
    """Count the questions, and say how many seconds a page waits between two.

    With more pages than :data:`MOST_A_SECOND` allows, the pace is that at which all of them
    together ask so often. It is found step by step: the pages of a hall follow it after their next
    question.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._seconds = FASTEST
        self._count = 0
        self._since: float | None = None

    def interval(self, now: float) -> float:
        """Count a question at *now*, and return the pace.

        Both in seconds; *now* is of any clock that never goes back.
        """
        with self._lock:
            if self._since is None:
                self._since = now
            passed = now - self._since
            if passed >= max(LOOKS_AT, self._seconds):
                wanted = self._seconds * self._count / passed / MOST_A_SECOND
                self._seconds = min(SLOWEST, max(FASTEST, wanted))
                self._count, self._since = 0, now
            self._count += 1
            return self._seconds


class RoundTimes(NamedTuple):
    """A round as visitors know it."""

    state: RoundState
    published_at: datetime | None
    starts_at: datetime | None
    results_due_at: datetime | None


Busy = tuple[tuple[float, float], ...]
"""Times from and to, in seconds since 1970, at which something may be published."""


def busy_times(newest: datetime | None, rounds: Iterable[RoundTimes]) -> Busy:
    """Return when something may be published after the action at *newest*: soon after it, around
    the announced times of *rounds*, and while a round runs.
    """
    found = [(newest, newest + AFTER_NEWS)] if newest else []
    for each in rounds:
        if each.state == RoundState.RESULTS_PUBLISHED:
            continue
        announced = [time for time in (each.starts_at, each.results_due_at) if time is not None]
        found.extend((time - AROUND_A_TIME, time + AROUND_A_TIME) for time in announced)
        if each.state in PUBLIC_STATES and each.published_at is not None:
            begins = max(each.published_at, each.starts_at or each.published_at)
            found.append((each.published_at, begins + OF_A_ROUND))
    return tuple((begin.timestamp(), end.timestamp()) for begin, end in found)


def least_pause(busy: Busy, now: float) -> float:
    """Return the seconds between two questions at the time *now* if nobody else asks."""
    return FASTEST if any(begin <= now <= end for begin, end in busy) else IDLE


PACE: Final = Pace()
"""The pace of this process."""
