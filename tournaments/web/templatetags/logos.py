"""The logo of an event in a page, on a screen and on a sheet."""

from __future__ import annotations

from django import template
from django.urls import reverse

from tournaments.models import Tournament
from tournaments.setup.logo import LogoName

register = template.Library()


@register.inclusion_tag("shared/_logo.html")
def logo(of: Tournament | None, alt: str = "", looks: str = "") -> dict[str, object]:
    """Return the picture of the logo; nothing without one.

    *alt* is the name of the event, unless it is written beside the picture. *looks* are further
    classes.
    """
    parts = LogoName.read(of.logo) if of else None
    if of is None or parts is None:
        return {}
    address = reverse("logo", args=[of.slug, parts.name])
    return {"address": address, "parts": parts, "alt": alt, "looks": looks}
