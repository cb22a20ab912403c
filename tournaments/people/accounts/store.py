"""Sessions in the database, under the hash of their key;
one on a shared computer ends when nobody has used it.

The key itself is in the cookie of the browser alone: nobody can log in with what is in a copy of
the site.
"""

from __future__ import annotations

import hashlib
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


DIGITS: Final = 40
"""So many digits of the hash are kept, as many as the column holds: 160 bits."""


def stored_key(key: str) -> str:
    """Return the key under which the session with the cookie *key* is in the table."""
    return hashlib.sha256(key.encode()).hexdigest()[:DIGITS]


class SessionStore(db.SessionStore):
    """``settings.SESSION_ENGINE``. The table is Django's own, with :func:`stored_key` for the key.

    ``ended_after``: the minutes without use after which this session has just ended; 0: it has not.
    """

    ended_after = 0

    def _get_session_from_db(self) -> Any:
        if self.session_key is None:
            return None
        rows = self.model.objects.filter(
            session_key=stored_key(self.session_key), expire_date__gt=timezone.now()
        )
        if (row := rows.first()) is None:
            self._session_key = None
        return row

    def exists(self, session_key: str) -> bool:
        """Return whether there is a session with the cookie *session_key*."""
        return self.model.objects.filter(session_key=stored_key(session_key)).exists()

    def create_model_instance(self, data: dict[str, Any]) -> Any:
        """Return the row for *data*, unsaved."""
        row = super().create_model_instance(data)
        row.session_key = stored_key(row.session_key)
        return row

    def delete(self, session_key: str | None = None) -> None:
        """Delete the session with the cookie *session_key*, or this one."""
        if (key := session_key or self.session_key) is not None:
            super().delete(stored_key(key))

    def load(self) -> dict[str, Any]:
        """Return the data; nothing, and the row is deleted,
        if nobody has used a shared computer for long enough.
        """
        data: dict[str, Any] = super().load()
        if is_idle(data, now=timezone.now()):
            logger.info(
                "Signed out: nobody used a shared computer for %s minutes", data[IDLE_MINUTES]
            )
            self.ended_after = data[IDLE_MINUTES]
            self.delete(self.session_key)
            self._session_key = None
            return {}
        return data


def is_idle(data: Mapping[str, Any], *, now: datetime) -> bool:
    """Return whether *data* are of an idle session on a shared computer."""
    used = data.get(USED)
    return used is not None and now - datetime.fromisoformat(used) > timedelta(
        minutes=data[IDLE_MINUTES]
    )
