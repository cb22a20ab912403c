"""Check whether personal data may be deleted. No article of FIDE says when:
the report needs dates of birth until then.

The data protection laws of Switzerland, the European Union and other countries ask for deletion as
soon as data are no longer needed.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from .verdict import ALLOWED, Refused, Verdict

FORGOTTEN: Final = timedelta(days=90)
"""An event without final standings is over when nothing was done in it for so long."""


def may_delete_data(*, is_final: bool, last_action: datetime, now: datetime) -> Verdict:
    """Check whether personal data may be deleted: the standings are final,
    or nothing happened for :data:`FORGOTTEN`.

    Until then prizes by age, the rating report, protests and corrections need them.
    """
    if is_final or now - last_action > FORGOTTEN:
        return ALLOWED
    return Refused("data.needed", params={"days": FORGOTTEN.days})


def due_at(days: int | None, ended: datetime | None) -> datetime | None:
    """Return when personal data must be deleted: *days* after *ended*; None: never.

    *ended* is the time of final standings or, if later, of the last report to the rating officer;
    None: not yet.
    """
    return None if days is None or ended is None else ended + timedelta(days=days)
