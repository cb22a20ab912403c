"""Limit the content of the log."""

import logging
import re

SECRET = re.compile(r"(/(?:join|registered|accounts/new-password/[A-Za-z0-9_-]+)/)[^/\s?]+")


class WithoutSecrets(logging.Filter):
    """Hide the secret of a link (to sign in, of a registration, for a new password) wherever a message names it."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        if any(part in message for part in ("/join/", "/registered/", "/new-password/")):
            record.msg, record.args = SECRET.sub(r"\1…", message), ()
        return True


class OneLine(logging.Filter):
    """Pass all records without their traceback, for messages that need none."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.exc_info = None
        return True
