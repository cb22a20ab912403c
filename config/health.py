"""Report whether the program is alive and whether it can work, for monitoring."""

import logging
import threading
import time

from django.contrib.sessions.models import Session
from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.loader import MigrationLoader
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config.unavailable import RETRY_AFTER

logger = logging.getLogger(__name__)

VALID_FOR = 5.0  # Seconds for which one trial is valid, so that requests cannot keep the disk busy.
TRIAL = "healthz"  # The key of a session that has always expired.
UNUSABLE = "the database cannot be used"
OLD_TABLES = "the tables are older than the program"


def missing_migrations() -> list[str]:
    """Return the migrations of the program that the database does not have;
    one from a newer program may have more.
    """
    loader = MigrationLoader(connection)
    applied = set(loader.applied_migrations)
    return sorted(f"{app}.{name}" for app, name in loader.graph.nodes.keys() - applied)


class Trial:
    """A trial write to the database, by one thread at a time, at most every :data:`VALID_FOR` s.

    The tables are compared with the program until they fit once: an upgrade stops the server.
    """

    def __init__(self) -> None:
        self._one_at_a_time = threading.Lock()
        self.forget()

    def forget(self) -> None:
        self._problem, self._tried, self._tables_fit = UNUSABLE, float("-inf"), False

    def problem(self) -> str:
        """Return why the program cannot work; empty if it can."""
        if time.monotonic() - self._tried >= VALID_FOR and self._one_at_a_time.acquire(
            blocking=False
        ):
            try:
                self._problem = self._find()
            finally:
                self._tried = time.monotonic()
                self._one_at_a_time.release()
        return self._problem

    def _find(self) -> str:
        try:
            if not self._tables_fit and (missing := missing_migrations()):
                logger.error("%s; missing: %s", OLD_TABLES, ", ".join(missing))
                return OLD_TABLES
            self._tables_fit = True
            # The write must be committed, because a full disk only shows then.
            Session.objects.update_or_create(
                session_key=TRIAL, defaults={"expire_date": timezone.now()}
            )
        except (DatabaseError, InterfaceError) as error:
            logger.error("%s: %s", UNUSABLE, str(error).strip())
            return UNUSABLE
        return ""


trial = Trial()


@require_safe
@never_cache
def alive(request: HttpRequest) -> HttpResponse:
    """Return 200 as long as the process answers, without a query to the database."""
    return _plain("ok")


@require_safe
@never_cache
def ready(request: HttpRequest) -> HttpResponse:
    """Return 200 ``ok`` if the database has our tables and can be written, else 503 and why."""
    problem = trial.problem()
    if not problem:
        return _plain("ok")
    response = _plain(problem, status=503)
    response.headers["Retry-After"] = str(RETRY_AFTER)
    return response


def _plain(text: str, *, status: int = 200) -> HttpResponse:
    return HttpResponse(f"{text}\n", content_type="text/plain", status=status)
