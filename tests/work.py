"""Measure work as a number of calls instead of time:
the same on every machine, even if it is busy.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

T = TypeVar("T")


def work_of(task: Callable[[], T]) -> tuple[T, int]:
    """Run *task*; return its result and the number of function calls, in Python and in C.

    The cost of a single call of C (a search by a regular expression, a sort) is not measured.
    """
    calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal calls
        if event in ("call", "c_call"):
            calls += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        answer = task()
    finally:
        sys.setprofile(before)
    return answer, calls


def calls_of(task: Callable[[], object]) -> int:
    """Return the number of function calls in *task*."""
    return work_of(task)[1]
