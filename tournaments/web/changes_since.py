"""After a refusal because a page is out of date: what has changed since, and who changed it."""

from __future__ import annotations

from typing import Final

from django.utils.html import strip_tags

from tournaments.core.request_values import whole_number
from tournaments.models import Decision
from tournaments.templatetags.decisions import action_detail, action_label
from tournaments.templatetags.numbers import colon, moment
from tournaments.web.htmx import HtmxHttpRequest

FIELD: Final = "seen_line"
"""The hidden field with the number of the last line of the record when the page was opened."""

MOST: Final = 5


def changes_since(request: HtmxHttpRequest) -> tuple[str, ...]:
    """Return the actions of other users in the tournament since the page of *request* was opened, the newest
    first, at most five.

    Each is one line with time, user, action and detail. Empty if the form does not say what it saw. One query.
    """
    seen = whole_number(request.POST.get(FIELD, ""))
    if seen is None:
        return ()
    lines = Decision.objects.filter(tournament=request.tournament, sequence__gt=seen).exclude(actor=request.user.pk)
    return tuple(_told(line) for line in lines.order_by("-sequence")[:MOST])


def _told(line: Decision) -> str:
    detail = strip_tags(action_detail(line))
    return f"{moment(line.at)} {line.actor_name}{colon()} {action_label(line.action)} {detail}".rstrip()
