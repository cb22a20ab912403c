"""A person who types results into the page of the browser, and a stopwatch in that page.

The stopwatch begins at the time the browser gives the key, and stops after the first frame in which the page is as it
should be: the result stands at its board, and the focus is on the board where the next key goes. An inert key has
nothing to wait for but the frame: its time is what every key costs in this browser on this machine.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import CDPSession, Page

from .desk import percentile

KEYS = {"10": "1", "01": "0", "==": "5"}
INERT = "F8"
PATIENCE = 60  # seconds until every result must be on the screen
STOPWATCH = """
(() => {
  window.keyTimes = [];
  const shown = (board) => {
    const current = document.querySelector("tr.current");
    return Boolean(board.dataset.result) && current.contains(document.activeElement)
      && (current !== board || !document.querySelector("tr[data-board][data-result='']"));
  };
  addEventListener("keydown", (event) => {
    const board = document.querySelector("tr.current");
    if (!board || event.key === ".") return;
    const time = { key: event.key, handled: 0, shown: 0, frames: 0 };
    addEventListener("keydown", () => { time.handled = performance.now() - event.timeStamp; }, { once: true });
    const look = () => {
      time.frames += 1;
      if (event.key !== "INERT" && !shown(board)) return void requestAnimationFrame(look);
      const painted = new MessageChannel();
      painted.port1.onmessage = () => {
        time.shown = performance.now() - event.timeStamp;
        window.keyTimes.push(time);
      };
      painted.port2.postMessage(0);
    };
    requestAnimationFrame(look);
  }, true);
})()
""".replace("INERT", INERT)
UNTIL_SAVED = """
(number) => new Promise((resolve) => {
  const look = () => {
    const saved = document.getElementById("save-state").dataset.state === "saved";
    if (saved && document.getElementById("entered").textContent === String(number)) resolve();
    else setTimeout(look, 5);
  };
  look();
})
"""


@dataclass(frozen=True, slots=True)
class Press:
    """One key: milliseconds until the scripts of the page had answered it, and until the screen showed it."""

    key: str
    handled: float
    shown: float
    frames: int

    @classmethod
    def read(cls, row: Mapping[str, Any]) -> Press:
        return cls(str(row["key"]), float(row["handled"]), float(row["shown"]), int(row["frames"]))


@dataclass(frozen=True, slots=True)
class Typed:
    """What was measured while somebody typed: every key, and the seconds until all results were saved."""

    presses: tuple[Press, ...]
    seconds: float
    processor: float = 0.0
    """The processor seconds of the page's thread, from the first result until the last one was saved."""

    def times(self, *, inert: bool = False) -> list[float]:
        """Return the milliseconds from key to screen, of the results or of the inert keys."""
        return [press.shown for press in self.presses if (press.key == INERT) == inert]

    @property
    def results_a_minute(self) -> float:
        return len(self.times()) / self.seconds * 60

    @property
    def scripts(self) -> float:
        """Return the median of the milliseconds that the scripts needed for a result."""
        return percentile([press.handled for press in self.presses if press.key != INERT], 0.5)


def type_results(page: Page, address: str, results: Sequence[str], *, pause: float, inert: int = 0) -> Typed:
    """Open result entry at *address* and type *results* from board 1 on; return when the server has saved them all.

    *pause* is the number of seconds between two keys. Before the first result the inert key is pressed *inert* times.
    """
    page.add_init_script(STOPWATCH)
    metrics = page.context.new_cdp_session(page)
    metrics.send("Performance.setTimeDomain", {"timeDomain": "threadTicks"})
    metrics.send("Performance.enable")
    page.goto(address)
    page.wait_for_selector("tr.current[data-board='1']")
    page.wait_for_load_state("networkidle")
    for _ in range(inert):
        page.keyboard.press(INERT)
        time.sleep(pause or 0.02)
    before, begin = thread_time(metrics), time.monotonic()
    for result in results:
        page.keyboard.press(KEYS[result])
        time.sleep(pause)
    page.evaluate(UNTIL_SAVED, len(results))
    seconds, used = time.monotonic() - begin, thread_time(metrics) - before
    while len(times := page.evaluate("window.keyTimes")) < len(results) + inert:
        assert time.monotonic() - begin - seconds < PATIENCE, "a result is not on the screen"
        time.sleep(0.05)
    return Typed(tuple(Press.read(row) for row in times), seconds, used)


def thread_time(metrics: CDPSession) -> float:
    """Return the processor seconds that the thread of the page has used: scripts, styles, layout and painting."""
    values = {metric["name"]: metric["value"] for metric in metrics.send("Performance.getMetrics")["metrics"]}
    return float(values["TaskDuration"])
