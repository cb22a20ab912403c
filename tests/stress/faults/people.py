"""The arbiters of a site that faults hit: some enter results, one publishes."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from tests.live.conftest import SLUG
from tests.live.desk import LOG_IN, Answer, Lost, Operator

T = TypeVar("T")
FINISHED = "all-rounds-played"
EVENT = (
    "--name",
    "All Rounds Played",
    "--players",
    "16",
    "--rounds",
    "2",
    "--played",
    "2",
    "--hours-ago",
    "30",
)
"""The arguments of ``tests.live.event`` for the event: the time to report mistakes is over."""
PAUSE = 0.05
"""Seconds between two attempts."""
Plan = list[tuple[int, str, str]]
"""Board, a result, and another one in case it is there already."""


class Arbiter(Operator):
    """An operator who notes the answers that are neither right nor 503, and logs in again.

    A session ends when the clock of the server jumps by more than its days. What was sent then was
    not saved.
    """

    def __init__(self, port: int, name: str, password: str, patience: float) -> None:
        self.wrong: list[str] = []
        super().__init__(port, name, password, patience=patience)

    def request(
        self, method: str, path: str, form: dict[str, str] | None = None, **headers: str
    ) -> Answer:
        try:
            answer = super().request(method, path, form, **headers)
            if path == LOG_IN or not answer.location.startswith(LOG_IN):
                return answer
            self.log_in()
            raise Lost(f"the session is over: {path}")
        except Lost as loss:
            if str(loss)[:1] == "5" and not str(loss).startswith("503 "):
                self.wrong.append(str(loss))
            raise

    def patiently(self, ask: Callable[[], T], end: float) -> T:
        """Return what *ask* returns when it gets an answer;
        raise :class:`TimeoutError` after *end*.
        """
        while True:
            with suppress(Lost):
                return ask()
            self.wait(end)

    @staticmethod
    def wait(end: float) -> None:
        """Wait for a moment; raise :class:`TimeoutError` after *end*."""
        if time.monotonic() > end:
            raise TimeoutError("no answer, and no end of the fault")
        time.sleep(PAUSE)

    def work(self, plan: Plan, failures: list[str], over: threading.Event, seconds: float) -> None:
        """Read the boards, then enter the *plan*; when the fault is *over*, one more."""
        end = time.monotonic() + seconds
        try:
            boards = self.patiently(lambda: self.boards(SLUG, 1), end)
            for number, result, other in plan:
                is_last, board = over.is_set(), boards[number]
                sent = self.enter(
                    board, other if result == board["result"] else result, lambda: self.wait(end)
                )
                board["result"] = (
                    sent.body.get("result", sent.result) if sent.status == 409 else sent.result
                )
                if sent.status not in (200, 409):
                    failures.append(f"board {number}: {sent.status} {sent.body}")
                if is_last:
                    break
        except Exception as error:
            failures.append(f"{self.name}: {type(error).__name__}: {error}")


class Publisher(Arbiter):
    """Makes the standings of a finished event final and reopens them, in turns."""

    def publish(self, failures: list[str], over: threading.Event, seconds: float) -> None:
        """Go on until the fault is *over*, and once more;
        note what was confirmed, but not saved.
        """
        end = time.monotonic() + seconds
        try:
            while True:
                is_last = over.is_set()
                was_final = self.patiently(self._is_final, end)
                with suppress(Lost):
                    if self._change(was_final) and self.patiently(self._is_final, end) == was_final:
                        failures.append(
                            f"{'reopened' if was_final else 'final'} was confirmed, but not saved"
                        )
                if is_last:
                    break
        except Exception as error:
            failures.append(f"{self.name}: {type(error).__name__}: {error}")

    def _is_final(self) -> bool:
        return 'name="reopen"' in self.request("GET", f"/t/{FINISHED}/final/").text

    def _change(self, was_final: bool) -> bool:
        """Return whether the answer leads to the page that confirms it."""
        more = {"reopen": "yes", "reason": "A fault hit us"} if was_final else {"ties_stay": "yes"}
        seen = dict(re.findall(r'name="(seen_version)" value="(\d+)"', self._page))
        token = {"csrfmiddlewaretoken": self.cookies["csrftoken"]}
        return self.request("POST", f"/t/{FINISHED}/final/", more | seen | token).status == 302
