"""Limit the content of the log."""

import logging


class OneLine(logging.Filter):
    """Pass all records without their traceback, for messages that need none."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.exc_info = None
        return True
