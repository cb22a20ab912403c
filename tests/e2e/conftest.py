"""A real browser: Debian's Chromium (:mod:`.chromium`), driven by Playwright's sync API.

``page`` is the screen of a desk (1280 × 800), ``phone`` that of a player (360 × 740, touch);
``plain_page`` is a desk without JavaScript. Each has its own profile. Each test fails at its end if
the browser reported a script error, a violation of the content security policy, or an answer of 500
or above.

Without Chromium the tests are skipped and the run reports it; with ``CI`` set they fail.
"""

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from playwright.sync_api import Browser, ConsoleMessage, Page, Response, expect, sync_playwright

from tests.tournaments.row_cache import ROW_CACHE, set_next_keys, tables
from tournaments.web import pace

from .chromium import FLAGS, tests_path

TIMEOUT = 30_000  # Milliseconds for anything to appear, even on a busy machine.


expect.set_options(timeout=TIMEOUT)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker("e2e")


@pytest.fixture(autouse=True)
def _tournaments_are_saved_again(transactional_db: None) -> Iterator[None]:
    """Let keys begin at 1 in every test, so that tournaments that
    several tests make are saved again.
    """
    set_next_keys(dict.fromkeys([*tables(), "auth_user"], 0))
    ROW_CACHE.is_on = True
    yield
    ROW_CACHE.is_on = False
    wait_for_the_server()


@pytest.fixture(scope="session", autouse=True)
def _requests_are_counted() -> None:
    """Count the requests in the middleware of the live server, which is made after this."""
    settings.MIDDLEWARE = ["tests.e2e.conftest.CountRequests", *settings.MIDDLEWARE]


@pytest.fixture(scope="session", autouse=True)
def _something_may_always_happen() -> None:
    """Let open pages ask as on the day of a round: the tests play on a day in the past."""
    pace.IDLE = pace.FASTEST


@pytest.fixture(scope="session", autouse=True)
def _scripts_and_styles_are_served() -> None:
    """Add the name by which pytest-django looks for the application of static files,
    which we extend.
    """
    settings.INSTALLED_APPS = [*settings.INSTALLED_APPS, "django.contrib.staticfiles"]


class CountRequests:
    """Middleware that knows how many requests are being answered."""

    answering = 0
    changed = threading.Condition()

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        self.count(1)
        try:
            return self.get_response(request)
        finally:
            self.count(-1)

    @classmethod
    def count(cls, more: int) -> None:
        with cls.changed:
            cls.answering += more
            cls.changed.notify_all()


def wait_for_the_server() -> None:
    """Wait until the live server has answered what the closed pages still asked for.

    Otherwise it would read or write the tables while they are emptied, or in the next test, whose
    keys are the same. A connection that a browser keeps open without a request does not matter.
    """
    with CountRequests.changed:
        answered = CountRequests.changed.wait_for(
            lambda: not CountRequests.answering, TIMEOUT / 1000
        )
    assert answered, "a request is still being answered at the end of the test"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start one Chromium for all tests; each has profiles of its own in it.

    Playwright's sync API keeps an event loop running in this thread. Django takes that for an async
    view and refuses queries, so this sets the permission for them while the browser runs.
    """
    path = tests_path()
    if path is None:
        message = (
            "there is no Chromium here (Debian: apt-get install chromium-headless-shell libatomic1)"
        )
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
    yield from watched_page(
        browser, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True
    )


@pytest.fixture
def plain_page(browser: Browser) -> Iterator[Page]:
    yield from watched_page(
        browser, viewport={"width": 1280, "height": 800}, java_script_enabled=False
    )


EXPECTED = ("Failed to load resource", "htmx:sendAbort", "htmx:sendError", "htmx:afterRequest")
"""Beginnings of messages in the console that are no fault of the page."""


def watched_page(browser: Browser, **options: Any) -> Iterator[Page]:
    """Yield a page in a fresh profile; at its end the test
    fails if the browser reported problems.
    """
    context = browser.new_context(locale="en-GB", **options)
    context.set_default_timeout(TIMEOUT)
    page = context.new_page()
    complaints: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        # A refusal (409, 422) also appears as "Failed to load resource" in the console; answered()
        # sees the real ones. htmx writes two lines about a request that ends because the page is
        # left, and one about a lost network.
        if message.type == "error" and not message.text.startswith(EXPECTED):
            complaints.append(message.text)

    def answered(response: Response) -> None:
        if response.status >= 500 or (
            response.status == 404 and response.request.resource_type != "document"
        ):
            complaints.append(f"{response.status} {response.url}")

    page.on("console", heard)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("response", answered)
    yield page
    if not page.is_closed():
        # A request that a test holds up may still be running: it may end together with the page.
        page.unroute_all(behavior="ignoreErrors")
    context.close()
    assert complaints == []
