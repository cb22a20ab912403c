"""Template tags for the switch between the sections of an event."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from django import template
from django.contrib.auth.models import User
from django.urls import reverse

from tournaments.core.permissions import POWERS, Power, read_roles, role_of
from tournaments.desk.navigation import PAGES
from tournaments.models import Section

register = template.Library()

IN_EVERY_SECTION: Final = frozenset(
    page.name for page in PAGES if not page.name.startswith("round")
)
"""The pages that another section has at the same place."""


class SectionLink(NamedTuple):
    """A section of the event with its address."""

    name: str
    url: str
    is_current: bool = False


@register.simple_tag(takes_context=True)
def other_sections(context: dict[str, Any]) -> list[SectionLink]:
    """Return all sections of the event of the page, each with the page that shows the same there.

    Pages of a round or a player lead to the desk. Two queries.
    """
    request, here = context["request"], context["frame"].tournament
    rows = Section.objects.filter(event=here.section.event_id)
    sections = list(rows.select_related("event", "tournament"))
    read_roles(request.user, [section.tournament for section in sections])
    name = context.get("here_on") or request.resolver_match.url_name
    return _links(sections, request.user, name if name in IN_EVERY_SECTION else "desk", here.pk)


@register.simple_tag(takes_context=True)
def sections_of_event(context: dict[str, Any]) -> list[SectionLink]:
    """Return the sections of the event of the page, with their desks. No query."""
    keys = context["request"].event_keys
    return _links(keys.sections, keys.user, "desk", None)


def _links(
    sections: Sequence[Section], user: User, name: str, here: int | None
) -> list[SectionLink]:
    """Return a link to the page *name* of each section: to the desk for the people at a desk,
    to the public page without a role.
    """
    found = []
    for section in sections:
        role = role_of(user, section.tournament)
        page = "tournament" if role is None else name if Power.READ in POWERS[role] else "desk"
        url = reverse(page, args=[section.tournament.slug])
        found.append(SectionLink(section.own_name, url, section.tournament_id == here))
    return found
