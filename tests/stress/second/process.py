"""One process that plays events: the application, its database and its accounts."""

from __future__ import annotations

import gc
import logging
import os
import time
from collections.abc import Iterable, Iterator
from typing import Any

from .play import Report, in_process


def until_the_end(seeds: Iterable[int], until: float) -> Iterator[int]:
    """Yield *seeds* until the time *until*; 0: all."""
    for seed in seeds:
        if until and time.monotonic() > until:
            return
        yield seed


def start_django(folder: str, url: str) -> None:
    """Start the application in this process on a database with its tables and accounts."""
    os.environ.update(
        SWISS_DATA_DIR=folder, DATABASE_URL=url, DJANGO_SETTINGS_MODULE="config.settings", LOG_LEVEL="ERROR",
        SWISS_BACKUP_MINUTES="0",
    )  # fmt: skip
    import django
    from django.conf import settings

    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}
    settings.WHITENOISE_AUTOREFRESH = True
    # Nothing here survives the run: no commit waits for the disk.
    if "sqlite" in url:
        options = settings.DATABASES["default"]["OPTIONS"]
        options["init_command"] = options["init_command"].replace(
            "synchronous=FULL", "synchronous=OFF"
        )
    else:
        settings.DATABASES["default"]["OPTIONS"]["options"] = "-c synchronous_commit=off"
    django.setup()
    logging.disable(logging.CRITICAL)


def make_accounts() -> None:
    """Save the accounts of the chief arbiter, the deputy and somebody without a role."""
    from django.contrib.auth.hashers import make_password
    from django.contrib.auth.models import User

    from .browser import PASSWORD

    password = make_password(PASSWORD)
    for name, is_staff in (("chief", True), ("deputy", False), ("stranger", False)):
        User.objects.create(username=name, password=password, is_staff=is_staff)


def work(seeds: list[int], folder: str, url: str, found: Any, until: float, prints: bool) -> None:
    """Play the events of *seeds* on the database at *url*;
    put a report of each, and an empty one at the end.
    """

    def on_report(report: Report) -> None:
        found.put(report)
        if prints:
            print(*report.log, sep="\n")
        for words in report.differences:
            print(words, flush=True)

    try:
        start_django(folder, url)
        gc.freeze()  # Everything loaded now stays: the collector need not look at it again.
        in_process(until_the_end(seeds, until), on_report)
    finally:
        found.put(Report())
