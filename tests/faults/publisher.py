"""An arbiter who publishes while faults hit the site: what was said to be saved must have been saved."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from tests.faults.arbiter import Arbiter
from tests.live.desk import Lost

SLUG = "all-rounds-played"
EVENT = ("--name", "All Rounds Played", "--players", "16", "--rounds", "2", "--played", "2", "--hours-ago", "30")
"""The arguments of ``tests.live.event`` for the event: the time to report mistakes is over."""
PAUSE = 0.05
"""Seconds between two attempts."""


class Publisher(Arbiter):
    """Makes the standings of a finished event final and reopens them, in turns: each time all its pages are stored."""

    def publish(self, failures: list[str], over: threading.Event, hang: float) -> None:
        """Go on until the fault is *over*, and once more; note in *failures* what was said to be saved, but was not."""
        end = time.monotonic() + hang
        try:
            while True:
                is_last = over.is_set()
                was_final = self._patiently(self._is_final, end)
                with suppress(Lost):
                    if self._press(was_final) and self._patiently(self._is_final, end) == was_final:
                        failures.append(f"{self.name}: {'reopened' if was_final else 'final'} was said, but not saved")
                if is_last:
                    break
        except Exception as error:
            failures.append(f"{self.name}: {type(error).__name__}: {error}")

    def _is_final(self) -> bool:
        return 'name="reopen"' in self.request("GET", f"/t/{SLUG}/final/").text

    def _press(self, was_final: bool) -> bool:
        """Return whether the answer leads to the page that says that it was saved."""
        more = {"reopen": "yes", "reason": "A fault hit us"} if was_final else {"ties_stay": "yes"}
        seen = dict(re.findall(r'name="(seen_version)" value="(\d+)"', self._page))
        token = {"csrfmiddlewaretoken": self.cookies["csrftoken"]}
        return self.request("POST", f"/t/{SLUG}/final/", more | seen | token).status == 302

    def _patiently(self, ask: Callable[[], bool], end: float) -> bool:
        while True:
            with suppress(Lost):
                return ask()
            if time.monotonic() > end:
                raise TimeoutError("no answer, and no end of the fault")
            time.sleep(PAUSE)
