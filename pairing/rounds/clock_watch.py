"""Look every two seconds for what is to be published: in a server process or command."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Final

from django.db import connections
from django.utils import timezone

from pairing.rounds.automatic import publish_due

AFTER_START: Final = 60.0
"""Seconds before the first look: after a restore from a backup
an arbiter can look at the rounds first.
"""
EVERY: Final = 2.0
"""Seconds between two looks. A look without anything due is one query."""
logger = logging.getLogger(__name__)


def watch(stop: Callable[[], bool], *, first: float = AFTER_START, every: float = EVERY) -> None:
    """Look after *first* seconds and then *every* few, until *stop* returns True.

    A fault, such as a database that is away, is logged once until a look succeeds; the next look is
    made all the same.
    """
    has_failed = False
    time.sleep(first)
    while not stop():
        try:
            publish_due(timezone.now())
            has_failed = False
        except Exception:
            if not has_failed:
                logger.exception("the look for automatic publications has failed")
            has_failed = True
        finally:
            connections.close_all()
        time.sleep(every)


def start_watch(stop: Callable[[], bool]) -> threading.Thread:
    """Start :func:`watch` in a thread that ends with its process."""
    thread = threading.Thread(target=watch, args=(stop,), name="publish-due", daemon=True)
    thread.start()
    return thread
