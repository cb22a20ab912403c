"""Show a new link with its QR code and the PIN, once."""

from __future__ import annotations

from django.http import HttpRequest
from django.urls import reverse

from tournaments.core.names_of_people import name_of
from tournaments.models import Appointment, Role
from tournaments.people.people import Access
from tournaments.web.templatetags.paper import link_with_code


def shown(request: HttpRequest, appointment: Appointment, access: Access) -> dict[str, object]:
    """Return the values of ``people/_new_access.html`` for *access* of *appointment*."""
    path = reverse("sign-in-link", args=[access.secret])
    return {**_link(request, appointment, path), "pin": f"{access.pin[:3]} {access.pin[3:]}"}


def shown_account(request: HttpRequest, appointment: Appointment, path: str) -> dict[str, object]:
    """Return the same for the link at *path* with which a new account gets its password."""
    return {**_link(request, appointment, path), "username": appointment.person.get_username()}


def _link(request: HttpRequest, appointment: Appointment, path: str) -> dict[str, object]:
    """Return the link at *path* with its QR code, and for whom it is."""
    return {
        "name": name_of(appointment.person),
        "role": Role(appointment.role).label,
        **link_with_code(request, path),
    }
