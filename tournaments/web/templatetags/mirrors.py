"""What the desks of a tournament and of an event say about the mirror."""

from __future__ import annotations

from django import template
from django.urls import reverse

from tournaments.core.errors import BadInput
from tournaments.core.frame import Frame
from tournaments.core.messages import sentence
from tournaments.models import Event
from tournaments.site.mirrors.sources import source_of
from tournaments.site.mirrors.store import Store

register = template.Library()


@register.inclusion_tag("mirror/_notice.html")
def mirror_notice(frame: Frame) -> dict[str, object]:
    """Return why the mirror of a tournament is not up to date; nothing after a hand-over.

    No query.
    """
    tournament = frame.tournament
    if tournament.handed_over_at is not None:
        return {}
    return _notice(source_of(tournament).store, reverse("mirror", args=[tournament.slug]))


@register.inclusion_tag("mirror/_notice.html")
def event_mirror_notice(event: Event) -> dict[str, object]:
    """Return the same for the mirror of an event."""
    return _notice(source_of(event).store, reverse("event-mirror", args=[event.slug]))


def _notice(store: Store, address: str) -> dict[str, object]:
    fault = store.state.fault if store.is_on else None
    return {
        "address": address,
        "fault": sentence(BadInput(fault.code, **fault.params)) if fault else "",
    }
