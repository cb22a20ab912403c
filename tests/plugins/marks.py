"""Leave out the tests marked ``slow`` without ``--run-slow``,
and those marked ``costly`` with ``--quick``.
"""

from __future__ import annotations

import pytest

LEFT_OUT_KEY = pytest.StashKey[int]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="leave out the tests marked costly")
    parser.addoption("--run-slow", action="store_true", help="also run the tests marked slow")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--run-slow"):
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    costly = (
        [item for item in items if item.get_closest_marker("costly")]
        if config.getoption("--quick")
        else []
    )
    left_out = {*slow, *costly}
    if left_out:
        config.hook.pytest_deselected(items=[item for item in items if item in left_out])
        items[:] = [item for item in items if item not in left_out]
    config.stash[LEFT_OUT_KEY] = len(left_out) - len(slow)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if count := config.stash.get(LEFT_OUT_KEY, 0):
        terminalreporter.write_line(
            f"LEFT OUT: {count} costly tests; ./run test --all runs them too"
        )
