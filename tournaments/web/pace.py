"""How often open pages may ask for news, so that any number
of them costs a process about the same.
"""

from __future__ import annotations

from threading import Lock
from typing import Final

PACE_HEADER: Final = "X-Ask-Again"
"""The header with the seconds that a page waits before its next question."""
FASTEST: Final = 1.5
"""Seconds: with the time of an answer, a publication is announced
within two seconds (``static/js/news.js``).
"""
SLOWEST: Final = 20.0
MOST_A_SECOND: Final = 350
"""The questions that the program answers in a second in one process: about a third of a processor
(docs/developer/benchmarks.md)."""
LOOKS_AT: Final = 5.0
"""Seconds: so long are questions counted before the pace changes."""


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
        """Count a question at *now* (seconds of any clock that never goes back),
        and return the pace in seconds.
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


PACE: Final = Pace()
"""The pace of this process."""
