"""Options, databases and shared files for all tests.

Options: ``--db=sqlite|postgres`` (:mod:`tests.plugins.postgres`), ``--quick``, ``--run-slow``. The
tests under engine/, rules/, trf/ and standings/ are plain Python and get no database.

What happens around every test is listed in ``docs/developer/tests.md``.
"""

import atexit
import gc
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from django.conf import settings
from django.core.cache import caches
from django.utils import translation
from hypothesis import HealthCheck, settings as hypothesis_settings

PLUGINS = (
    "after_fixtures",
    "empty_tables",
    "force_login",
    "marks",
    "migrated",
    "postgres",
    "repeatable_tokens",
    "shared",
)
pytest_plugins = [f"tests.plugins.{name}" for name in PLUGINS]

# There are two profiles: "ci" finds the same failures every time; "explore" searches further with
# new examples. Where a test says nothing else, "ci" tries 40 examples, and 100 with --run-slow.
hypothesis_settings.register_profile(
    "ci", derandomize=True, deadline=None, print_blob=True, max_examples=40
)
hypothesis_settings.register_profile(
    "explore", deadline=None, max_examples=2_000, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis_settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--run-slow"):
        hypothesis_settings.register_profile(
            "ci", hypothesis_settings.get_profile("ci"), max_examples=100
        )
        hypothesis_settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
    # Everything that is imported and collected stays: a search for garbage among it finds nothing.
    gc.disable()
    # The manifest of hashed names exists only after collectstatic. Tests read static/ directly,
    # because staticfiles/ may be absent.
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    settings.WHITENOISE_AUTOREFRESH = True
    # Otherwise the machine's time zone would change the results.
    settings.TIME_ZONE = "UTC"
    # Each process has its own pages, and each test begins without any.
    settings.PAGES_DIR = Path(tempfile.mkdtemp(prefix="pages-"))
    atexit.register(shutil.rmtree, settings.PAGES_DIR, ignore_errors=True)
    # A fast hash, because tests log in often and do not test the strength of PBKDF2.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(autouse=True)
def _no_language_stays_behind() -> Iterator[None]:
    """Reset the language, because a request in French leaves French active in its thread."""
    yield
    translation.deactivate()


def forget_pages() -> None:
    """Delete all pages in the store, also one that the live server puts there meanwhile."""
    for folder in Path(settings.PAGES_DIR).glob("*"):
        for _attempt in range(10):
            with suppress(OSError):  # a folder that was empty has a page now
                shutil.rmtree(folder)
                break
        else:
            shutil.rmtree(folder)


@pytest.fixture(autouse=True)
def _empty_caches() -> None:
    """Clear what is kept for visitors, because tournaments of the next test have the same ids."""
    from config.health import trial

    forget_pages()
    caches["default"].clear()
    trial.forget()


@pytest.fixture
def publications_store_pages() -> None:
    """Let publications make the pages of their lists, as ever outside tests."""


@pytest.fixture(autouse=True)
def _publications_store_no_pages(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let publications make no pages, because most tests read none:
    only those with ``publications_store_pages``.
    """
    from tournaments.core.actions import AT_THE_END
    from tournaments.web import storing

    if "publications_store_pages" in request.fixturenames:
        yield
        return
    place = AT_THE_END.index(storing.store)
    del AT_THE_END[place]
    yield
    AT_THE_END.insert(place, storing.store)


@pytest.fixture(scope="session")
def examples(request: pytest.FixtureRequest) -> Callable[[range, int], range]:
    """Return a function: all seeds of a range with ``--run-slow``, else the first of them,
    as many as given.
    """
    run_slow = request.config.getoption("--run-slow")
    return lambda seeds, few: seeds if run_slow else seeds[:few]


def pytest_collection_finish() -> None:
    """Search for cycles of garbage again, but seldom, and never in what is loaded:
    it saves a twentieth of the time.
    """
    gc.set_threshold(200_000, 50, 100)
    gc.collect()
    gc.freeze()
    gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print a line for each reason to skip, with the number of tests."""
    reasons: Counter[str] = Counter()
    for report in terminalreporter.stats.get("skipped", []):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        reasons[reason.removeprefix("Skipped: ")] += 1
    for reason, count in sorted(reasons.items()):
        terminalreporter.write_line(
            f"NOT RUN: {count} tests, because {reason}", red=True, bold=True
        )
