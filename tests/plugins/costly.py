"""``--quick``: leave out the costly tests, which are a tenth of all tests and take more than half of the time.

They walk over every page, play whole events, or compare many random positions. :data:`LIST` names them, one in each
line; ``./run test`` leaves them out, and ``./run test --all`` runs everything. The list is written anew with::

    ./run test --all --measure=measured.txt
    sort --unique measured.txt > tests/plugins/costly.txt

A test that is new or has another name is never left out before that.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

LIST: Final = Path(__file__).with_name("costly.txt")
PROCESSOR_SECONDS: Final = 0.2
"""A test with more than these seconds of the processor, its processes included, is costly."""
BROWSER_SECONDS: Final = 2.0
"""So is one in the browser that takes longer than this, since the processes of Chromium outlive the test."""
LEFT_OUT_KEY = pytest.StashKey[int]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="leave out the costly tests (tests/plugins/costly.txt)")
    parser.addoption("--measure", metavar="FILE", type=Path, help="append the names of the costly tests to FILE")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--quick"):
        return
    costly = set(LIST.read_text(encoding="utf-8").splitlines())
    left_out = [item for item in items if item.nodeid in costly]
    if left_out:
        config.stash[LEFT_OUT_KEY] = len(left_out)
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item.nodeid not in costly]


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """With ``--measure`` note the test if it is costly, without its fixtures: another test would prepare them."""
    begin, processor = time.monotonic(), processor_seconds()
    try:
        return (yield)
    finally:
        file: Path | None = item.config.getoption("--measure")
        is_long = time.monotonic() - begin > BROWSER_SECONDS and item.get_closest_marker("e2e")
        if file is not None and (is_long or processor_seconds() - processor > PROCESSOR_SECONDS):
            with file.open("a", encoding="utf-8") as out:
                out.write(f"{item.nodeid}\n")


def processor_seconds() -> float:
    """Return the processor time of this process and of those that have ended and were waited for, in seconds."""
    return sum(os.times()[:4])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if count := config.stash.get(LEFT_OUT_KEY, 0):
        terminalreporter.write_line(f"LEFT OUT: {count} costly tests; ./run test --all runs them too")
