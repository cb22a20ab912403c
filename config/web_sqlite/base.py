"""Queue for SQLite's write lock.

SQLite itself retries in intervals of up to 100 ms, and any writer can get the lock first: with ten continuous writers,
some would wait longer than a request may. Here the threads of a process form a queue, and the first one retries every
few milliseconds.
"""

import random
import threading
import time

from django.db import OperationalError
from django.db.backends.sqlite3 import base

BETWEEN = (0.001, 0.010)  # Seconds between two attempts.
_queue = threading.Lock()


class DatabaseWrapper(base.DatabaseWrapper):
    def _start_transaction_under_autocommit(self) -> None:
        patience: float = self.settings_dict["OPTIONS"]["timeout"]
        end = time.monotonic() + patience
        in_front = _queue.acquire(timeout=patience)
        try:
            self.connection.execute("PRAGMA busy_timeout = 0").close()
            while not self._begin(last=time.monotonic() >= end):
                time.sleep(random.uniform(*BETWEEN))  # noqa: S311 - not a secret
        finally:
            if in_front:
                _queue.release()
            self.connection.execute(f"PRAGMA busy_timeout = {int(patience * 1000)}").close()

    def _begin(self, *, last: bool) -> bool:
        """Return whether the lock was free; at the *last* attempt raise :class:`OperationalError` if it was not."""
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except OperationalError as error:
            if last or "locked" not in str(error):
                raise
            return False
        return True
