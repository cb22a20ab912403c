"""Measure for a second how much the computer can do, for the page and the command."""

from __future__ import annotations

import io
import json
import os
import sys
import tempfile
import threading
import time
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.handlers.base import BaseHandler
from django.core.handlers.wsgi import WSGIRequest
from django.urls import reverse

from tournaments.models import Tournament

NAME: Final = "capacity.json"
SECONDS = 1.0
"""For the whole trial: three quarters of it for pages, the rest for saving."""
OVER_HTTP: Final = 6
"""A stored page takes 0.18 ms in the program and 1.1 ms with its connection."""
ONE_AT_A_TIME: Final = threading.Lock()


@dataclass(frozen=True, slots=True)
class Capacity:
    """Figures of a trial: when (UTC), processor time (ms) for a public page, and for saving."""

    at: str
    page_ms: float
    saving_ms: float
    processors: int

    @property
    def pages_per_second(self) -> int:
        """Return about how many stored pages are sent in a second, each by a new connection."""
        return int(self.processors * 1000 / (self.page_ms * OVER_HTTP)) if self.page_ms else 0

    @property
    def moment(self) -> datetime:
        return datetime.fromisoformat(self.at)


def read() -> Capacity | None:
    """Return the newest figures; None if nothing was measured yet."""
    try:
        return Capacity(**json.loads(_file().read_text()))
    except (OSError, ValueError, TypeError):
        return None


def measure(*, now: datetime) -> Capacity | None:
    """Measure and keep the figures; None if another trial is running or no page can be read.

    Raise ``OSError``.
    """
    if not ONE_AT_A_TIME.acquire(blocking=False):
        return None
    try:
        page = _page_ms(_public_page(), SECONDS * 3 / 4)
        if page is None:
            return None
        processors = min(settings.WORKERS, os.cpu_count() or 1)
        found = Capacity(
            now.isoformat(), round(page, 3), round(_saving_ms(SECONDS / 4), 2), processors
        )
        draft = _file().with_suffix(".part")
        draft.write_text(json.dumps(asdict(found)))
        draft.replace(_file())
        return found
    finally:
        ONE_AT_A_TIME.release()


def _file() -> Path:
    return Path(settings.DATA_DIR) / NAME


def _public_page() -> str:
    """Return the address of a page of the hall; without one, of an answer twice as long."""
    newest = (
        Tournament.objects.filter(public_version__gt=0)
        .order_by("-pk")
        .values_list("slug", flat=True)
        .first()
    )
    return reverse("tournament", args=[newest]) if newest else reverse("alive")


@cache
def _handler() -> BaseHandler:
    handler = BaseHandler()
    handler.load_middleware()
    return handler


def _page_ms(address: str, seconds: float) -> float | None:
    """Return the processor time of an answer, without the first ones, which fill memory."""
    if any(_status(address) != 200 for _ in range(3)):
        return None
    end, begin, answers = time.monotonic() + seconds, time.thread_time(), 0
    while time.monotonic() < end or not answers:
        _status(address)
        answers += 1
    return (time.thread_time() - begin) / answers * 1000


def _status(address: str) -> int:
    host = next((name for name in settings.ALLOWED_HOSTS if name[0] not in ".*"), "localhost")
    scheme = "https" if settings.PRODUCTION else "http"
    environ: dict[str, Any] = {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": address,
        "QUERY_STRING": "",
        "SERVER_NAME": host,
        "SERVER_PORT": "443" if scheme == "https" else "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_HOST": host,
        "HTTP_X_FORWARDED_PROTO": scheme,
        "HTTP_ACCEPT_ENCODING": "gzip",
        "wsgi.url_scheme": scheme,
        "wsgi.input": io.BytesIO(),
        "wsgi.errors": sys.stderr,
    }
    return _handler().get_response(WSGIRequest(environ)).status_code


def _saving_ms(seconds: float) -> float:
    """Return how long the disk takes to keep a change: the middle of at least three trials.

    Raise ``OSError``.
    """
    times: list[float] = []
    with tempfile.TemporaryFile(dir=settings.DATA_DIR) as file:
        end = time.monotonic() + seconds
        while len(times) < 3 or (time.monotonic() < end and len(times) < 100):
            begin = time.monotonic()
            file.write(b"x" * 4096)
            file.flush()
            os.fsync(file.fileno())
            times.append((time.monotonic() - begin) * 1000)
    return sorted(times)[len(times) // 2]
