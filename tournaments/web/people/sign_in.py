"""The page that a person opens with the own link: it asks for the PIN."""

from __future__ import annotations

import logging

from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from config.middleware import visitor_address
from tournaments.core.names_of_people import name_of
from tournaments.models import Appointment, Role, Section
from tournaments.people.sign_in import appointment_of, ended_appointment, is_locked, pin_is_right
from tournaments.web.access import not_to_be_stored, private
from tournaments.web.people.role_ended import role_ended

logger = logging.getLogger(__name__)
BACKEND = "tournaments.people.sign_in.LinkBackend"


@sensitive_post_parameters("pin")
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest, secret: str) -> HttpResponse:
    """Ask for the PIN; POST signs in. 404 for an unknown link, or one that has ended (with the
    reason); 403 for a wrong PIN; 409 while another computer has the live copy of the event.
    """
    appointment = appointment_of(secret)
    if appointment is None:
        ended = ended_appointment(secret)
        why = role_ended(ended.tournament, ended.person_id) if ended is not None else ""
        return not_to_be_stored(render(request, "people/link_ended.html", {"why": why}, status=404))
    if appointment.tournament.handed_over_at is not None:
        elsewhere = {"elsewhere": appointment.tournament}
        return not_to_be_stored(render(request, "people/link_ended.html", elsewhere, status=409))
    error = ""
    if request.method == "POST":
        if pin_is_right(appointment, request.POST.get("pin", "")):
            login(request, appointment.person, backend=BACKEND)
            return redirect(*_desk(appointment))
        appointment = appointment_of(secret) or appointment
        what = "PIN refused, the link is locked" if is_locked(appointment) else "Wrong PIN"
        logger.warning(
            "%s: %s from %s", what, name_of(appointment.person), visitor_address(request)
        )
        error = _("This PIN is wrong. You are not logged in.")
    context = {
        "name": name_of(appointment.person),
        "role": Role(appointment.role).label,
        "tournament": appointment.tournament,
        "is_locked": is_locked(appointment),
        "error": error,
    }
    return private(render(request, "people/sign_in.html", context, status=403 if error else 200))


def _desk(appointment: Appointment) -> tuple[str, str]:
    """Return the page after signing in: the desk of the tournament, or of its event."""
    section = (
        Section.objects.filter(tournament=appointment.tournament_id).select_related("event").first()
    )
    return (
        ("desk", appointment.tournament.slug)
        if section is None
        else ("event-desk", section.event.slug)
    )
