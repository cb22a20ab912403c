"""The notice about the mirror on the desk of an event."""

from __future__ import annotations

from django import template
from django.urls import reverse

from tournaments.core.errors import BadInput
from tournaments.core.messages import sentence
from tournaments.models import Event
from tournaments.site.mirrors.sources import source_of

register = template.Library()


@register.inclusion_tag("mirror/_notice.html")
def event_mirror_notice(event: Event) -> dict[str, object]:
    """Return why the mirror of an event is not up to date. No query."""
    store = source_of(event).store
    fault = store.state.fault if store.is_on else None
    return {
        "address": reverse("event-mirror", args=[event.slug]),
        "fault": sentence(BadInput(fault.code, **fault.params)) if fault else "",
    }
