"""Sessions in the database, as Django keeps them; one on a shared computer ends when nobody has used it for a while."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django.contrib.sessions.backends import db
from django.utils import timezone

logger = logging.getLogger(__name__)

USED: Final = "used"
"""The key of the time of the last use, in a session on a shared computer only."""
IDLE_MINUTES: Final = "idle_minutes"
"""The key of the minutes after which such a session ends."""


class SessionStore(db.SessionStore):
    """``settings.SESSION_ENGINE``. The table is Django's own.

    ``ended_after``: the minutes without use after which this session has just ended; 0: it has not.
    """

    ended_after = 0

    def load(self) -> dict[str, Any]:
        """Return the data; nothing, and the row is deleted, if nobody has used a shared computer for long enough."""
        data: dict[str, Any] = super().load()
        if is_idle(data, now=timezone.now()):
            logger.info("Signed out: nobody used a shared computer for %s minutes", data[IDLE_MINUTES])
            self.ended_after = data[IDLE_MINUTES]
            self.delete(self.session_key)
            self._session_key = None
            return {}
        return data


def is_idle(data: Mapping[str, Any], *, now: datetime) -> bool:
    """Return whether *data* are of a session on a shared computer that nobody has used for the minutes allowed."""
    used = data.get(USED)
    return used is not None and now - datetime.fromisoformat(used) > timedelta(minutes=data[IDLE_MINUTES])
