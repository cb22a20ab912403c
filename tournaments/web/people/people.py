"""The page of the people of a tournament, for the Chief Arbiter."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tournaments.core.frame import tournament_frame
from tournaments.core.permissions import Power, may_check_venue, may_create, may_decide
from tournaments.events.staff import person_leave, shared
from tournaments.models import Appointment, Invitation, Tournament
from tournaments.people.invitations import account_invite, invitation_withdraw, invitations_of
from tournaments.people.new_accounts import chooses_password
from tournaments.people.people import (
    APPOINTABLE,
    Access,
    access_renew,
    chief_hand_over,
    new_access,
    people_of,
    person_appoint,
)
from tournaments.people.role_names import role_name
from tournaments.people.sign_in import is_locked
from tournaments.web.access import page, who_and_when
from tournaments.web.action_form import Problem, do, render_with_problem, seen_version
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.people.accounts.new_password import link_for
from tournaments.web.people.new_access import shown, shown_account
from tournaments.web.shown_once import forget, show_next, shown_once

SHOWN_ONCE = "new-access"
"""The name of the link and the PIN, between the action and the page that shows them once."""


@page(write=(Power.DECIDE,))
@require_http_methods(["GET", "HEAD", "POST"])
def people(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """List people and roles; POST appoints by ``name``, or invites ``username``."""
    if request.method != "POST":
        return _page(request, tournament)
    if request.POST.get("username", "").strip():
        return _appoint_account(request, tournament)
    return _appoint(request, tournament)


def _appoint(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    access = None if request.POST.get("how") == "account" else new_access()

    def appoint() -> Appointment:
        return shared(
            person_appoint,
            everywhere="everywhere" in request.POST,
            tournament_id=tournament.pk,
            name=request.POST.get("name", ""),
            role=request.POST.get("role", ""),
            access=access,
            **who_and_when(request),
        )

    done = (
        _("The person is appointed. Hand over the link and the PIN now: they are shown once.")
        if access
        else _("The account is made. Hand over the link for its password now: it is shown once.")
    )
    return _do(request, tournament, appoint, done=done, access=access, makes_link=True)


def _appoint_account(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    return _do(
        request,
        tournament,
        lambda: account_invite(
            everywhere="everywhere" in request.POST,
            tournament_id=tournament.pk,
            username=request.POST["username"],
            name=request.POST.get("name", ""),
            role=request.POST.get("role", ""),
            **who_and_when(request),
        ),
        done=_(
            "If there is an account of this name, its owner is invited now. The role begins when the "
            "owner logs in and accepts it on the list of tournaments."
        ),
    )


@page(write=(Power.DECIDE,))
@require_POST
def withdraw(request: HtmxHttpRequest, tournament: Tournament, invitation_id: int) -> HttpResponse:
    """Withdraw an invitation."""
    return _do(
        request,
        tournament,
        lambda: invitation_withdraw(
            tournament_id=tournament.pk, invitation_id=invitation_id, **who_and_when(request)
        ),
        done=_("The invitation is withdrawn."),
    )


@page(write=(Power.DECIDE,))
@require_POST
def remove(request: HtmxHttpRequest, tournament: Tournament, appointment_id: int) -> HttpResponse:
    """End the role of a person at once."""
    appointment = _of(tournament, appointment_id)
    return _do(
        request,
        tournament,
        lambda: person_leave(
            appointment_id=appointment.pk,
            **who_and_when(request),
            seen_version=seen_version(request.POST),
        ),
        done=_("The role of %(name)s has ended.") % {"name": role_name(appointment)},
    )


@page(write=(Power.DECIDE,))
@require_POST
def renew(request: HtmxHttpRequest, tournament: Tournament, appointment_id: int) -> HttpResponse:
    """Make a new link and a new PIN for a person."""
    appointment, access = _of(tournament, appointment_id), new_access()
    return _do(
        request,
        tournament,
        lambda: access_renew(
            appointment_id=appointment.pk,
            access=access,
            **who_and_when(request),
            seen_version=seen_version(request.POST),
        ),
        access=None if chooses_password(appointment.person) else access,
        makes_link=True,
        done=_(
            "The old link no longer works, and the person is logged out. Hand over the new one now."
        ),
    )


@page(write=(Power.DECIDE,))
@require_POST
def hand_over(
    request: HtmxHttpRequest, tournament: Tournament, appointment_id: int
) -> HttpResponse:
    """Make a deputy the Chief Arbiter; the user becomes a deputy."""
    appointment = _of(tournament, appointment_id)
    return _do(
        request,
        tournament,
        lambda: chief_hand_over(
            appointment_id=appointment.pk,
            **who_and_when(request),
            seen_version=seen_version(request.POST),
        ),
        done=_("%(name)s is now the Chief Arbiter.") % {"name": role_name(appointment)},
    )


def _of(tournament: Tournament, appointment_id: int) -> Appointment:
    return get_object_or_404(
        Appointment.objects.select_related("person"), pk=appointment_id, tournament=tournament
    )


def _do(
    request: HtmxHttpRequest,
    tournament: Tournament,
    action: Callable[[], Appointment | Invitation | None],
    *,
    done: str,
    access: Access | None = None,
    makes_link: bool = False,
) -> HttpResponse:
    """Run *action*; if it *makes_link*, the next page shows the new *access* of the appointment
    that it returns, or without *access* the link for the password of the account.
    """
    made: list[Appointment | Invitation | None] = []
    to = reverse("people", args=[tournament.slug])
    response = do(
        request,
        lambda: made.append(action()),
        done=done,
        to=to,
        refused=lambda problem: _page(request, tournament, problem),
    )
    if makes_link and made and isinstance(made[0], Appointment):
        person = made[0].person
        secret, pin = (access.secret, access.pin) if access else (link_for(person), "")
        show_next(request, response, SHOWN_ONCE, [made[0].pk, secret, pin], to=to)
    return response


def _page(
    request: HtmxHttpRequest, tournament: Tournament, problem: Problem | None = None
) -> HttpResponse:
    tournament = Tournament.objects.select_related("section__event").get(pk=tournament.pk)
    everybody = people_of(tournament)
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "desk",
        "people": [
            {
                "appointment": one,
                "name": role_name(one),
                "is_locked": is_locked(one),
                "has_no_password": one.accepted and chooses_password(one.person),
            }
            for one in everybody
        ],
        "invitations": invitations_of(tournament),
        "decides": may_decide(request.user, tournament),
        "roles": [(role.value, role.label) for role in APPOINTABLE],
        "typed": request.POST,
        "new": _shown_once(request, everybody),
        "problem": problem,
        "may_create": may_create(request.user),
        "may_check_venue": may_check_venue(request.user),
    }
    response = render_with_problem(request, "people/people.html", context)
    return forget(request, response, SHOWN_ONCE)


def _shown_once(request: HtmxHttpRequest, everybody: list[Appointment]) -> dict[str, object] | None:
    """Return the new link with its QR code and the PIN, once."""
    kept = shown_once(request, SHOWN_ONCE)
    appointment = next((one for one in everybody if kept and one.pk == kept[0]), None)
    if kept is None or appointment is None:
        return None
    if not kept[2]:
        return shown_account(request, appointment, kept[1])
    return shown(request, appointment, Access(kept[1], kept[2]))
