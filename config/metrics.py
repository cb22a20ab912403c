"""Count requests for Prometheus: all processes of the server in one piece of memory.

The first process makes it before it starts the others, and each of them counts in a place of its
own, so none waits for another. A process that replaces one that died goes on with its numbers. Off
by default (config/settings.py).
"""

from __future__ import annotations

import mmap
import os
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache
from threading import Lock
from typing import Any, Final

from django.conf import settings

SERVING: Final = "swiss_processes"
KINDS: Final = ("page", "action", "news", "api", "static", "probe")
STATUSES: Final = ("1xx", "2xx", "3xx", "4xx", "5xx")
LIMITS: Final = (0.001, 0.005, 0.02, 0.1, 0.3, 1.0, 3.0, 10.0)
"""Seconds; how many requests took at most so long."""
_PROBES: Final = frozenset({"/livez", "/readyz", "/healthz", "/metrics"})

# A place has the number of its process; then for each kind the statuses, the times (one more than
# limits), their sum.
_FOR_KIND: Final = len(STATUSES) + len(LIMITS) + 2
_PLACE: Final = 1 + len(KINDS) * _FOR_KIND
_DOUBLE: Final = 8


class Metrics:
    """The numbers of up to *processes* processes, which must be forked after this is made."""

    def __init__(self, processes: int) -> None:
        self._numbers = memoryview(mmap.mmap(-1, processes * _PLACE * _DOUBLE)).cast("d")
        self._processes = processes
        self._lock = Lock()
        self.take_place(0)

    def take_place(self, place: int) -> None:
        """Count in *place* from now on, from 0; called once in each process."""
        self._begin = place * _PLACE
        self._numbers[self._begin] = os.getpid()

    def observe(self, environ: dict[str, Any], status: str, length: int, seconds: float) -> None:
        """Count one answer (:data:`config.request_log.Observer`)."""
        kind = KINDS.index(kind_of(environ["REQUEST_METHOD"], environ.get("PATH_INFO", "")))
        at = self._begin + 1 + kind * _FOR_KIND
        time_at = at + len(STATUSES) + bisect_left(LIMITS, seconds)
        with self._lock:
            self._numbers[at + min(max(int(status[0]), 1), 5) - 1] += 1
            self._numbers[time_at] += 1
            self._numbers[at + _FOR_KIND - 1] += seconds

    def lines(self) -> Iterator[str]:
        """Yield the sums over all processes in Prometheus' text format."""
        yield "# HELP swiss_requests_total Requests that were answered."
        yield "# TYPE swiss_requests_total counter"
        for number, kind in enumerate(KINDS):
            for index, status in enumerate(STATUSES):
                yield (
                    f'swiss_requests_total{{kind="{kind}",status="{status}"}} '
                    f"{self._sum(number, index):.0f}"
                )
        yield (
            "# HELP swiss_request_seconds Time from the complete request to the answer, without "
            "the network."
        )
        yield "# TYPE swiss_request_seconds histogram"
        for number, kind in enumerate(KINDS):
            total = 0.0
            for index, limit in enumerate((*(f"{each:g}" for each in LIMITS), "+Inf")):
                total += self._sum(number, len(STATUSES) + index)
                yield f'swiss_request_seconds_bucket{{kind="{kind}",le="{limit}"}} {total:.0f}'
            yield (
                f'swiss_request_seconds_sum{{kind="{kind}"}} {self._sum(number, _FOR_KIND - 1):.6f}'
            )
            yield f'swiss_request_seconds_count{{kind="{kind}"}} {total:.0f}'
        yield f"# HELP {SERVING} Processes that serve; one that replaces another counts once."
        yield f"# TYPE {SERVING} gauge"
        yield f"{SERVING} {sum(1 for place in range(self._processes) if self._numbers[place * _PLACE])}"

    def _sum(self, kind: int, index: int) -> float:
        at = 1 + kind * _FOR_KIND + index
        return sum(self._numbers[place * _PLACE + at] for place in range(self._processes))


@cache
def of_this_server() -> Metrics | None:
    """Return the numbers, which the first process makes; None if nobody may read them."""
    wanted = settings.METRICS_FROM or settings.METRICS_TOKEN
    return Metrics(settings.WORKERS) if wanted else None


def kind_of(method: str, path: str) -> str:
    """Return which of :data:`KINDS` a request is."""
    if path in _PROBES:
        return "probe"
    if path.startswith("/static/"):
        return "static"
    if path.startswith("/api/"):
        return "api"
    if path.endswith("/news.json"):
        return "news"
    return "page" if method in ("GET", "HEAD", "OPTIONS") else "action"
