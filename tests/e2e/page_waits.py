"""Wait for what a page will say."""

from __future__ import annotations

import time

from playwright.sync_api import Page

PATIENCE = 60.0  # seconds, for a busy machine; no limit on speed


def wait_for(page: Page, expression: str) -> None:
    """Return when *expression* is true in *page*.

    Playwright's ``wait_for_function`` looks the second time by evaluating text, which the policy of
    our pages forbids.
    """
    end = time.monotonic() + PATIENCE
    while not page.evaluate(expression):
        assert time.monotonic() < end, f"never true: {expression}"
        page.wait_for_timeout(20)
