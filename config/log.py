"""What the log says, and how much of it."""

import logging


class OneLine(logging.Filter):
    """Lets everything through, without its traceback: for messages that need none."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.exc_info = None
        return True
