"""Wait for what another process or thread does.

The limit is for a busy machine: it measures no speed.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

PATIENCE = 300.0
"""Seconds after which it counts as never."""


def wait_until(
    has_happened: Callable[[], bool], what: str | Callable[[], str], every: float = 0.05
) -> None:
    """Check *has_happened*, with pauses of *every* seconds, until it is True;
    fail with *what* if it never is.
    """
    end = time.monotonic() + PATIENCE
    while not has_happened():
        if time.monotonic() > end:
            pytest.fail(f"it never happens: {what if isinstance(what, str) else what()}")
        time.sleep(every)
