"""SQLite's write lock, taken in turn.

SQLite itself asks for the lock in pauses of up to 100 ms and lets whoever comes at the right moment go first: of ten
who write without a pause, some would wait longer than a request may. Here the threads of a process queue, and the first
of them asks every few milliseconds.
"""

import random
import threading
import time

from django.db import OperationalError
from django.db.backends.sqlite3 import base

BETWEEN = (0.001, 0.010)  # seconds from one attempt to the next
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
        """Whether the lock was free; at the *last* attempt :class:`OperationalError` when it was not."""
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except OperationalError as error:
            if last or "locked" not in str(error):
                raise
            return False
        return True
