"""Limit the content of the log, and give its lines their form: text or JSON."""

import json
import logging
import re
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Final

CURRENT_REQUEST: Final[ContextVar[str]] = ContextVar("request_id", default="")
"""The id of the request that this thread answers (config/request_log.py);
empty if it answers none.
"""
SECRET = re.compile(
    r"(/(?:join|registered|mails|arrive|kiosk|reset|accounts/new-password/[A-Za-z0-9_-]+"
    r"|table/\d+)/)[^/\s?]+"
)


class WithoutSecrets(logging.Filter):
    """Hide the secret of a link (sign-in, registration, table, new password) in every message."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        if SECRET.search(message):
            record.msg, record.args = SECRET.sub(r"\1…", message), ()
        return True


class OneLine(logging.Filter):
    """Pass all records without their traceback, for messages that need none."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.exc_info = None
        return True


class WithRequest(logging.Filter):
    """Add the id of the request in which the line is written; empty outside of a request."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = CURRENT_REQUEST.get()
        return True


class Text(logging.Formatter):
    """``2026-11-21 14:30:12,345 WARNING tournaments.web.people.accounts.log_in [3f2a91c07d]: Wrong
    password: …``.
    """

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name}{of_request}: {message}", style="{")

    def format(self, record: logging.LogRecord) -> str:
        found = getattr(record, "request_id", "")
        record.of_request = f" [{found}]" if found else ""
        return super().format(record)


class Json(logging.Formatter):
    """One JSON object on each line; a line of the access log has its values by name too."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "process": record.process,
        }
        if found := getattr(record, "request_id", ""):
            line["request"] = found
        line |= getattr(record, "values", {})
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)
