"""List the changes since a page was opened, with users, when it is out of date."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import islice
from typing import Final

from django.utils.html import strip_tags

from tournaments.core.newer_lines import newer_lines
from tournaments.core.request_values import whole_number
from tournaments.models import Action, Decision, Entry
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.templatetags.decisions import action_detail, action_label
from tournaments.web.templatetags.numbers import colon, moment

FIELD: Final = "seen_line"
"""The hidden field with the number of the last line of the record when the page was opened."""

MOST: Final = 5


def changes_since(
    request: HtmxHttpRequest, actions: Collection[Action] = (), *, entry: Entry | None = None
) -> tuple[str, ...]:
    """Return the actions of other users in the tournament since the page of *request* was opened,
    the newest first, at most five; without any, those of the user, in another window.

    With *actions* only these, by everybody; with *entry* only those about that player. Each is one
    line with time, user, action and detail. Empty if the form does not say what it saw. One query,
    or two.
    """
    seen = whole_number(request.POST.get(FIELD, ""))
    if seen is None or not hasattr(request, "tournament"):
        return ()
    if actions:
        return described(newer_lines(request.tournament, seen, actions, entry=entry))
    lines = Decision.objects.filter(tournament=request.tournament, sequence__gt=seen).order_by(
        "-sequence"
    )
    by_others = described(lines.exclude(actor=request.user.pk)[:MOST])
    return by_others or described(lines[:MOST])


def described(lines: Iterable[Decision]) -> tuple[str, ...]:
    """Return at most five *lines* as text: time, user, action and detail."""
    return tuple(_described(line) for line in islice(lines, MOST))


def _described(line: Decision) -> str:
    detail = strip_tags(action_detail(line))
    return (
        f"{moment(line.at)} {line.actor_name}{colon()} "
        f"{action_label(line.action)} {detail}".rstrip()
    )
