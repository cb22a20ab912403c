"""Report whether the program is alive and whether it can work, for monitoring."""

import logging
import threading
import time

from django.contrib.sessions.models import Session
from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

logger = logging.getLogger(__name__)

KEPT = 5.0  # Seconds for which one trial is valid, so that requests cannot keep the disk busy.
TRIAL = "healthz"  # The key of a session that has always expired.


class Trial:
    """A trial write to the database, at most every :data:`KEPT` seconds and by one thread at a time."""

    def __init__(self) -> None:
        self._one_at_a_time = threading.Lock()
        self.forget()

    def forget(self) -> None:
        self._ok, self._tried = False, float("-inf")

    def is_ok(self) -> bool:
        if time.monotonic() - self._tried >= KEPT and self._one_at_a_time.acquire(blocking=False):
            try:
                self._ok = self._write()
            finally:
                self._tried = time.monotonic()
                self._one_at_a_time.release()
        return self._ok

    @staticmethod
    def _write() -> bool:
        try:
            # The write must be committed, because a full disk only shows then.
            Session.objects.update_or_create(session_key=TRIAL, defaults={"expire_date": timezone.now()})
        except (DatabaseError, InterfaceError) as error:
            logger.error("the database cannot be used: %s", str(error).strip())
            return False
        return True


trial = Trial()


@require_safe
@never_cache
def alive(request: HttpRequest) -> HttpResponse:
    """Return 200 as long as the process answers, without a query to the database."""
    return _plain("ok")


@require_safe
@never_cache
def health(request: HttpRequest) -> HttpResponse:
    """Return 200 ``ok`` if the database can be written, else 503 (the log has the reason)."""
    return _plain("ok") if trial.is_ok() else _plain("the database cannot be used", status=503)


def _plain(text: str, *, status: int = 200) -> HttpResponse:
    return HttpResponse(f"{text}\n", content_type="text/plain", status=status)
