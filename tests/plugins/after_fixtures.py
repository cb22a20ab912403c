"""Call a function after all fixtures of a test are set up and before the test itself."""

from __future__ import annotations

from collections.abc import Callable

import pytest

AFTER_FIXTURES = pytest.StashKey[Callable[[], None]]()
"""What a fixture leaves on its test; gone once it was called."""


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    if AFTER_FIXTURES in item.stash:
        item.stash[AFTER_FIXTURES]()
        del item.stash[AFTER_FIXTURES]
