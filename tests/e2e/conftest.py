"""A real browser: Debian's Chromium, driven by Playwright's sync API.

``page`` is a desk's screen (1280 × 800), ``phone`` a player's (360 × 740, touch); ``plain_page`` is a desk's screen
with JavaScript switched off. Each has a profile of its own, and each test fails at its end when the browser reported
a script error, something the content security policy refused, or an answer of 500 or above.

Where there is no Chromium the tests are skipped and the run says so; with ``CI`` set they fail.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Response, expect, sync_playwright

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
TIMEOUT = 30_000  # milliseconds for anything to appear, on a machine that is busy with other things too


expect.set_options(timeout=TIMEOUT)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker("e2e")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One Chromium for the tests of a module.

    Playwright's sync API keeps an event loop running in this thread, which Django takes for an async view and
    refuses to query; hence the permission, for as long as the browser runs and no longer.
    """
    path = shutil.which(os.environ.get("CHROMIUM", "chromium"))
    if path is None:
        message = "there is no Chromium here (Debian: apt-get install chromium libatomic1)"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        chromium = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    yield from watched_page(browser, viewport={"width": 1280, "height": 800})


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    yield from watched_page(browser, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)


@pytest.fixture
def plain_page(browser: Browser) -> Iterator[Page]:
    yield from watched_page(browser, viewport={"width": 1280, "height": 800}, java_script_enabled=False)


def watched_page(browser: Browser, **options: Any) -> Iterator[Page]:
    """A page in a fresh profile; what the browser complained about fails the test when it is over."""
    context = browser.new_context(locale="en-GB", **options)
    context.set_default_timeout(TIMEOUT)
    page = context.new_page()
    complaints: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        # A refusal (409, 422) also reads "Failed to load resource" in the console; answered() sees the real ones.
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            complaints.append(message.text)

    def answered(response: Response) -> None:
        if response.status >= 500 or (response.status == 404 and response.request.resource_type != "document"):
            complaints.append(f"{response.status} {response.url}")

    page.on("console", heard)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("response", answered)
    yield page
    context.close()
    assert complaints == []
