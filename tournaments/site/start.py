"""What the server does before and while it serves (:mod:`tournaments.site.server`)."""

from __future__ import annotations

import atexit
import gc
import sys
from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.db import connection
from django.urls import get_resolver, resolve, reverse
from django.utils import translation

from config.in_use import InUseError, is_first, serve_from
from config.log_file import rotation
from config.template_loader import read_all
from tournaments.core.processes import RunnerProcess
from tournaments.site.venue.certificate import Certificate

ANOTHER: Final = (
    "  WARNING: another server uses {folder} already: both change the same tournaments, and only "
    "one of them does long "
    "work such as the automatic copies, with its own settings (SWISS_BACKUP_DIR, "
    "SWISS_BACKUP_MINUTES). If you did not "
    "want two, stop one with Ctrl+C in its window."
)

NEW_OBJECTS: Final = 50_000
"""So many are there before Python searches them for cycles. With its 700 a ranking of 5,000 players
is searched hundreds of times, which takes a third of its processor time, and finds nothing."""


def may_serve() -> bool:
    """Hold the data folder; say whether another server uses it.

    False: its database is being replaced.
    """
    try:
        serve_from(settings.DATA_DIR)
    except InUseError as error:
        print(error, file=sys.stderr)
        return False
    if not is_first(settings.DATA_DIR) and connection.vendor == "sqlite":
        print(ANOTHER.format(folder=settings.DATA_DIR), file=sys.stderr)
    return True


def upkeep_of(https: Certificate | None) -> Callable[[], None]:
    """Return what the first process calls often, for the runner, the certificate and the log."""
    rotate = rotation(settings.LOG_FILE, settings.LOG_FILE_BYTES) if settings.LOG_FILE else None
    runner = RunnerProcess(settings.DATA_DIR) if settings.WORK_BY_SERVER else None
    if runner is not None:
        atexit.register(runner.end)

    def upkeep() -> None:
        if runner is not None:
            runner.keep_running()
        if https is not None:
            https.keep_up_to_date()
        if rotate is not None:
            rotate()

    return upkeep


def load_ahead() -> None:
    """Load what the first request would load: pages, templates, languages, the number of the build.

    Done before the processes, so each has it: the first visitors after a start do not wait a second
    of processor time for it, and the first publication does not keep others waiting. Opens no
    connection to the database.
    """
    from tournaments.core.build import build

    read_all()
    get_resolver().url_patterns  # noqa: B018 - a property that imports all pages
    build()
    for language in {settings.LANGUAGE_CODE, *settings.ARBITER_LANGUAGES}:
        with translation.override(language):
            translation.gettext("Round")
            resolve(reverse("home"))  # Every language has a table of all addresses; 20 to 60 ms.
    # Objects made so far stay: processes share its memory as long as the collector does not touch
    # it.
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW_OBJECTS)
