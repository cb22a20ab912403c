"""Queue for SQLite's write lock.

SQLite itself retries in intervals of up to 100 ms, and any writer can get the lock first: with ten
continuous writers, some would wait longer than a request may. Here the threads of a process form a
queue, and the first one retries every few milliseconds.

While another process keeps the lock, all threads would wait in vain, and requests that only read
would queue behind them. So after one has waited its whole time, those that begin in the next
:data:`HURRY` seconds wait only :data:`SHORT`.
"""

import random
import threading
import time

from django.db import OperationalError
from django.db.backends.sqlite3 import base

BETWEEN = (0.001, 0.010)  # Seconds between two attempts.
HURRY = 2.0
SHORT = 0.1
_queue = threading.Lock()


class Hurry:
    """How long a writer of this process waits. Each attempt that succeeds ends the hurry."""

    def __init__(self) -> None:
        self.ends = float("-inf")

    def patience(self, usual: float) -> float:
        """Return the seconds to wait instead of the *usual* ones."""
        return min(usual, SHORT) if time.monotonic() < self.ends else usual

    def begin(self) -> None:
        self.ends = time.monotonic() + HURRY

    def end(self) -> None:
        self.ends = float("-inf")


hurry = Hurry()


class DatabaseWrapper(base.DatabaseWrapper):
    def _start_transaction_under_autocommit(self) -> None:
        usual: float = self.settings_dict["OPTIONS"]["timeout"]
        patience = hurry.patience(usual)
        end = time.monotonic() + patience
        in_front = _queue.acquire(timeout=patience)
        try:
            self.connection.execute("PRAGMA busy_timeout = 0").close()
            while not self._begin(last=time.monotonic() >= end):
                time.sleep(random.uniform(*BETWEEN))  # noqa: S311 - not a secret
            hurry.end()
        except OperationalError:
            if patience == usual:  # Hurry must not prolong itself.
                hurry.begin()
            raise
        finally:
            if in_front:
                _queue.release()
            self.connection.execute(f"PRAGMA busy_timeout = {int(usual * 1000)}").close()

    def _begin(self, *, last: bool) -> bool:
        """Return whether the lock was free; at the *last* attempt raise
        :class:`OperationalError` if it was not.
        """
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except OperationalError as error:
            if last or "locked" not in str(error):
                raise
            return False
        return True
