"""Measure work as the number of executed lines of the reader:
the same on every machine, whatever else it is doing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pairing.trf.reader

_FOLDER = str(Path(pairing.trf.reader.__file__).parent)


def lines_run(action: Callable[[], object]) -> int:
    """Return how many lines of ``pairing/trf`` run during *action*.

    Work inside C code is not counted.
    """
    count = 0

    def within(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return within

    def calls(frame: FrameType, event: str, argument: Any) -> Any:
        return within if frame.f_code.co_filename.startswith(_FOLDER) else None

    before = sys.gettrace()
    sys.settrace(calls)
    try:
        action()
    finally:
        sys.settrace(before)
    return count
