"""Times as people read them, to the second where a second can decide [C.04.2/2026 4.3]."""

from __future__ import annotations

from datetime import datetime

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext, override


def exact(value: datetime) -> str:
    """Return the day and the time of *value* with its seconds, in the time zone of the site."""
    # Translators: a date and a time with seconds in the format of Django's date filter.
    return date_format(localtime(value), gettext("j M Y, H:i:s"))


def duration(minutes: int) -> str:
    """Return *minutes* in hours and minutes: 45 min, 3 h, 3 h 17 min, less than a minute."""
    hours, rest = divmod(minutes, 60)
    if minutes < 1:
        return gettext("less than a minute")
    if not hours:
        return gettext("%(n)d min") % {"n": rest}
    if not rest:
        return gettext("%(hours)d h") % {"hours": hours}
    return gettext("%(hours)d h %(n)d min") % {"hours": hours, "n": rest}


def on_terminal(value: datetime | str) -> str:
    """Return *value*, maybe in ISO form, as commands print it: 26 November 2026, 14:03.

    In the time zone of the site, and in English like all they print. Any other text stays
    as it is.
    """
    try:
        at = datetime.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        return str(value)
    with override("en"):
        return date_format(localtime(at) if at.tzinfo else at, "j F Y, H:i")
