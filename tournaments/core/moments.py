"""Times as people read them, to the second where a second can decide [C.04.2/2026 4.3]."""

from __future__ import annotations

from datetime import datetime

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext


def exact(value: datetime) -> str:
    """Return the day and the time of *value* with its seconds, in the time zone of the site."""
    # Translators: a date and a time with seconds in the format of Django's date filter.
    return date_format(localtime(value), gettext("j M Y, H:i:s"))
