"""A database that is busy, full, read-only or unreachable: recognise it and choose the answer.

The answer is 503 with ``Retry-After``, as a page, a sentence for htmx, or JSON. Visitors do not
wait long for it: see :func:`for_visitors`.
"""

from __future__ import annotations

import logging
import sqlite3
import sys
from typing import Any

from django.conf import settings
from django.core.exceptions import (
    DisallowedHost,
    PermissionDenied,
    RequestDataTooBig,
    TooManyFieldsSent,
    TooManyFilesSent,
)
from django.db import DatabaseError, InterfaceError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views import defaults

WAIT = 2  # seconds that a request waits for another writer, or for a connection
RETRY_AFTER = 5  # seconds
NOTICE_LOST_NETWORK = {
    "keepalives_idle": WAIT,
    "keepalives_interval": 1,
    "keepalives_count": 2,
    "tcp_user_timeout": 3000,
}
"""Options of libpq (seconds, milliseconds). Without them a request waits for a quarter of an hour
when the cable to the PostgreSQL server is pulled out."""
SQLITE_CODES = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
}
POSTGRES_STATES = ("08", "25006", "40", "53", "55P03", "57", "58")
"""Connection, read-only, deadlock, resources, lock, operator, system."""


def is_unavailable(error: BaseException | None) -> bool:
    """Return whether *error*, or its cause, comes from the state of the database, not a bug."""
    while error is not None:
        if isinstance(error, DatabaseError | InterfaceError):
            cause = error.__cause__
            if isinstance(cause, sqlite3.Error):
                return getattr(cause, "sqlite_errorcode", 0) & 0xFF in SQLITE_CODES
            state = getattr(cause, "sqlstate", "")
            if state is None:  # The error does not come from the server: there was no connection.
                return True
            if state:
                return state.startswith(POSTGRES_STATES)
        error = error.__cause__ or error.__context__
    return False


def for_visitors(databases: dict[str, dict[str, Any]]) -> None:
    """Let requests wait at most :data:`WAIT` seconds for a database, unlike commands."""
    for database in databases.values():
        if database["ENGINE"] == "django.db.backends.sqlite3":
            database["ENGINE"] = "config.web_sqlite"
            database["OPTIONS"]["timeout"] = WAIT
        else:
            for option, value in {"connect_timeout": WAIT, **NOTICE_LOST_NETWORK}.items():
                database["OPTIONS"].setdefault(option, value)
    connection_created.connect(_wait_for_locks, dispatch_uid="config.unavailable")


def _wait_for_locks(connection: BaseDatabaseWrapper, **kwargs: object) -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('lock_timeout', %s, false)", [f"{WAIT}s"])


def sentence() -> str:
    return _(
        "The database cannot be used at the moment. Wait a few seconds, check what was saved, and try again."
    )


def answer(request: HttpRequest) -> HttpResponse:
    """Return 503 in the requested form, without any query to the database."""
    response: HttpResponse
    if request.path.startswith("/api/"):
        body: dict[str, object] = {
            "code": "unavailable",
            "article": None,
            "message": sentence(),
            "params": {},
        }
        response = JsonResponse({"error": body}, status=503)
    elif "application/json" in request.headers.get("Accept", ""):
        response = JsonResponse({"sentence": sentence()}, status=503)
    elif request.headers.get("HX-Request"):
        response = HttpResponse(sentence(), content_type="text/plain; charset=utf-8", status=503)
    else:
        response = render(request, "503.html", {"sentence": sentence()}, status=503)
    response.headers["Retry-After"] = str(RETRY_AFTER)
    response.headers["Cache-Control"] = "no-store"
    return response


def server_error(request: HttpRequest) -> HttpResponse:
    """Handle every unexpected error, in a view or in a middleware."""
    return answer(request) if is_unavailable(sys.exc_info()[1]) else defaults.server_error(request)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Handle 400: Django reports "session interrupted" when a session could not be saved.

    In all other cases the request itself is wrong, and a sentence says so. The request is not read
    again.
    """
    if is_unavailable(exception):
        return answer(request)
    if isinstance(exception, TooManyFieldsSent | TooManyFilesSent | RequestDataTooBig):
        message = _(
            "The request is too large. Nothing was changed. Send the data in smaller parts."
        )
    elif isinstance(exception, DisallowedHost):
        message = _not_our_name()
    else:
        message = _(
            "The request could not be read. Nothing was changed. Go back, load the page again and "
            "repeat the action."
        )
    if request.path.startswith("/api/"):
        body: dict[str, object] = {
            "code": "request.unreadable",
            "article": None,
            "message": message,
            "params": {},
        }
        return JsonResponse({"error": body}, status=400)
    return render(request, "400.html", {"sentence": message}, status=400)


def _not_our_name() -> str:
    """Return what to do when the site is opened under a name that is not its own.

    A public site names no other name.
    """
    message = _("This site does not know the name under which you opened it. Nothing was changed.")
    address = settings.PUBLIC_ADDRESS
    if address:
        message += " " + _("Open it at %(address)s.") % {"address": address}
    if not settings.PRODUCTION:
        message += " " + _(
            "Whoever runs it can start it again for the whole venue, ./run --host 0.0.0.0, or "
            "with this name in "
            "ALLOWED_HOSTS."
        )
    return message


class ReasonInOneLine(logging.Filter):
    """Log the reason without a traceback where the program is not at fault.

    Somebody without the role opened a page; or the database is unavailable, and then every request
    would have one.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, PermissionDenied):
            text = f"{record.getMessage()} {error}".strip()
        elif is_unavailable(error):
            text = f"{record.getMessage()} ({' '.join(str(error).split())})"
        else:
            return True
        record.msg, record.args, record.exc_info = text, None, None
        return True
