"""Template tag for the keys: where ``g`` and a letter lead."""

from __future__ import annotations

import json

from django import template
from django.urls import reverse

from tournaments.core.frame import Frame
from tournaments.desk.navigation import Destination, destinations
from tournaments.models import Role

register = template.Library()


def destination_url(slug: str, place: Destination) -> str:
    """Return the address of *place* in the tournament *slug*."""
    return reverse(
        place.name, args=[slug] if place.round_number is None else [slug, place.round_number]
    )


@register.simple_tag
def letters_after_g(frame: Frame, role: Role) -> str:
    """Return, as JSON, the address and the title of the page of each letter."""
    slug = frame.tournament.slug
    return json.dumps(
        {
            place.letter: [destination_url(slug, place), place.label]
            for place in destinations(frame, role)
            if place.letter
        },
        ensure_ascii=False,
    )
