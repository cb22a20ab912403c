"""Notes beside an action when its time matters: dated back reports, short deadlines."""

from __future__ import annotations

from datetime import datetime

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from pairing.rules.corrections import minutes_back
from tournaments.core.moments import duration, exact
from tournaments.models import Correction, Decision
from tournaments.models.payloads import (
    ColoursCorrected,
    DeadlineCutShort,
    RatingCorrected,
    ResultCorrected,
)

register = template.Library()


@register.simple_tag
def timing(decision: Decision) -> SafeString | str:
    """Return the times of *decision* if they matter [C.04.2/2026 4.3], for all readers.

    For a correction: the times of the report and of its entry, to the second. For a deadline cut
    short: the remaining time.
    """
    match decision.payload:
        case DeadlineCutShort(after=deadline):
            minutes = deadline["minutes_left"]
            left = gettext("%(time)s left") % {"time": duration(minutes)}
            return format_html(' <span class="muted">({})</span>', left)
        case (
            ResultCorrected(after=after)
            | ColoursCorrected(after=after)
            | RatingCorrected(after=after)
        ):
            return _apart(
                datetime.fromisoformat(after["reported"]), datetime.fromisoformat(after["entered"])
            )
    return ""


@register.simple_tag
def reported_before(correction: Correction) -> SafeString | str:
    """Return both times of a *correction*, to the second, and how far they are apart."""
    return _apart(correction.reported_at, correction.entered_at)


def _apart(reported: datetime, entered: datetime) -> SafeString:
    minutes = minutes_back(reported, entered)
    message = gettext("reported %(reported)s, entered %(entered)s") % {
        "reported": exact(reported),
        "entered": exact(entered),
    }
    if not minutes:
        return format_html(' <span class="muted">({})</span>', message)
    later = gettext("%(time)s later") % {"time": duration(minutes)}
    return format_html(' <span class="muted">({}, {})</span>', message, later)
