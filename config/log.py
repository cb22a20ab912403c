"""Limit the content of the log."""

import logging
import re

SECRET = re.compile(r"(/(?:join|registered)/)[^/\s?]+")


class WithoutSecrets(logging.Filter):
    """Hide the secret of a link to sign in or of a registration, wherever a message names its address."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        if "/join/" in message or "/registered/" in message:
            record.msg, record.args = SECRET.sub(r"\1…", message), ()
        return True


class OneLine(logging.Filter):
    """Pass all records without their traceback, for messages that need none."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.exc_info = None
        return True
