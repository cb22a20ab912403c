"""What stands beside a decision when its time matters: reports that were dated back, deadlines cut short."""

from __future__ import annotations

from datetime import datetime

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext, ngettext

from pairing.rules.corrections import minutes_back
from tournaments.models import Action, Correction, Decision
from tournaments.templatetags.numbers import moment

register = template.Library()


@register.simple_tag
def timing(decision: Decision) -> SafeString | str:
    """What the time of *decision* was, where it matters [C.04.2/2026 4.3]; the same for everybody who reads the record.

    Of a report that was dated back, when it was made and when it was entered; of a deadline, how much of it was left.
    """
    if decision.action == Action.DEADLINE_CUT_SHORT:
        minutes = decision.after["minutes_left"]
        left = ngettext("%(n)d minute left", "%(n)d minutes left", minutes) % {"n": minutes}
        return format_html(' <span class="muted">({})</span>', left)
    if not decision.after.get("backdated"):
        return ""
    times = (datetime.fromisoformat(decision.after[name]) for name in ("reported", "entered"))
    return _apart(*times)


@register.simple_tag
def reported_before(correction: Correction) -> SafeString | str:
    """The same for a *correction*, wherever a minute or more lies between."""
    reported, entered = correction.reported_at, correction.entered_at
    return _apart(reported, entered) if minutes_back(reported, entered) else ""


def _apart(reported: datetime, entered: datetime) -> SafeString:
    minutes = minutes_back(reported, entered)
    said = gettext("reported %(reported)s, entered %(entered)s") % {
        "reported": moment(localtime(reported)),
        "entered": moment(localtime(entered)),
    }
    later = ngettext("%(n)d min later", "%(n)d min later", minutes) % {"n": minutes}
    return format_html(' <span class="muted">({}, {})</span>', said, later)
