"""Take over an event that another computer has handed over: choose the file, and go on here."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _, gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from tournaments.core.errors import Conflict
from tournaments.core.moments import exact
from tournaments.core.names_of_people import name_of
from tournaments.core.permissions import require_may_take_over
from tournaments.models import Appointment, Role
from tournaments.models.decision import action_name
from tournaments.people.people import Access, new_access
from tournaments.people.sign_in import signs_in_with_a_link
from tournaments.site.backups.log_ins import (
    role_confirm,
    roles_here,
    roles_to_confirm,
    waiting_for_a_link,
)
from tournaments.site.backups.one_event import Imported
from tournaments.site.backups.taking_over import NotTakenOver, event_take_over, taken_over
from tournaments.web.access import signed_in, who_and_when
from tournaments.web.action_form import Problem
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.people.new_access import shown
from tournaments.web.shown_once import forget, show_next, shown_once

SHOWN_ONCE: Final = "taken-over-links"
"""The name of the new links and PINs, between the action and the page that shows them once."""


class TakeOverForm(forms.Form):
    """The file of the other computer."""

    file = forms.FileField(
        label=gettext_lazy("File of the other computer"),
        help_text=gettext_lazy("Its name ends in .event; at most 64 MB."),
        error_messages={
            "required": gettext_lazy("Choose the file."),
            "empty": gettext_lazy("This file is empty."),
        },
    )


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def take_over(request: HtmxHttpRequest) -> HttpResponse:
    """Show the form and the events taken over; POST takes over that of the file.

    403 unless a site administrator.
    """
    require_may_take_over(request.user)
    if request.method != "POST":
        return _page(request, TakeOverForm())
    if "confirm" in request.POST:
        return _confirm(request)
    form = TakeOverForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, form, status=422)
    file: UploadedFile = form.cleaned_data["file"]
    try:
        done = event_take_over(file.chunks(), **who_and_when(request))
    except NotTakenOver as error:
        return _page(request, TakeOverForm(), _problem(error), status=error.status)
    _add_messages(request, done)
    return _show(request, done.links)


def _confirm(request: HtmxHttpRequest) -> HttpResponse:
    """Let the role of a Chief Arbiter known here before count; show the new link once."""
    number, access = request.POST["confirm"], new_access()
    appointment_id = (
        int(number) if number.isascii() and number.isdecimal() and len(number) < 19 else 0
    )
    try:
        row = role_confirm(appointment_id=appointment_id, access=access, **who_and_when(request))
    except Conflict as error:
        problem = Problem(_("The role was not confirmed."), str(error), error.status)
        return _page(request, TakeOverForm(), problem, status=error.status)
    return _show(request, [(row, access)])


def _show(request: HtmxHttpRequest, links: list[tuple[Appointment, Access]]) -> HttpResponse:
    """Go to the page, which shows *links* once."""
    response, to = redirect("take-over"), reverse("take-over")
    show_next(
        request,
        response,
        SHOWN_ONCE,
        [[row.pk, access.secret, access.pin] for row, access in links],
        to=to,
    )
    return response


def _add_messages(request: HtmxHttpRequest, done: Imported) -> None:
    for tournament in done.tournaments:
        messages.success(
            request, _("“%(name)s” is taken over: go on with it here.") % {"name": tournament.name}
        )
    for sentence in dict.fromkeys(_log_ins(done)):  # the same person in several sections
        messages.warning(request, sentence)


def _log_ins(done: Imported) -> Iterator[str]:
    """Yield which accounts of this site have a role in the event, and how everybody logs in here.

    Two queries.
    """
    offered = _(
        "The file names “%(name)s” (%(person)s), an account of this computer, as %(role)s of "
        "“%(tournament)s”. This role has no effect until %(person)s accepts it on the page of the "
        "tournaments. If you did not expect it, ask who made the file."
    )
    to_confirm = _(
        "The file names “%(name)s” (%(person)s), an account of this computer that logs in with a "
        "link, as %(role)s of "
        "“%(tournament)s”. This role has no effect until you confirm it below."
    )
    to_appoint = _(
        "The file names “%(name)s” (%(person)s), an account of this computer that logs in with a "
        "link, as %(role)s of "
        "“%(tournament)s”. This role has no effect: the Chief Arbiter ends it and appoints the "
        "person again."
    )
    was_here = _(
        "%(person)s (%(role)s) logs in here as “%(name)s”, with the password and the second step "
        "that this account "
        "had here before. A password or second step set on the other computer does not work here."
    )
    for row in roles_here(done):
        given = {
            "role": row.get_role_display(),
            "name": row.person.get_username(),
            "tournament": row.tournament.name,
        }
        if not row.accepted:
            message = offered
            if signs_in_with_a_link(row.person):
                message = to_confirm if row.role == Role.CHIEF else to_appoint
            yield message % {**given, "person": name_of(row.person)}
        elif not signs_in_with_a_link(row.person):
            yield was_here % {**given, "person": name_of(row.person)}
    if waiting := waiting_for_a_link(done):
        message = ngettext(
            "%(number)s other person of the event needs a new link: the Chief Arbiter makes it on "
            "the page People.",
            "%(number)s other people of the event need new links: the Chief Arbiter makes them on "
            "the page People.",
            waiting,
        )
        yield message % {"number": waiting}
    for old, new in done.renamed:
        message = _(
            "The account “%(old)s” of the other computer is called “%(new)s” here. The account "
            "“%(old)s” of this "
            "computer stays as it was."
        )
        yield message % {"old": old, "new": new}


def _problem(error: NotTakenOver) -> Problem:
    more = tuple(_first_lines(error.params)) if error.code == "take_over.fork" else ()
    return Problem(_("The event was not taken over."), str(error), error.status, more)


def _first_lines(params: dict[str, Any]) -> list[str]:
    """Return the first line that is different, as it is here and in the file."""
    sentences = {
        "here": _("Here: “%(action)s”, %(actor)s, %(at)s, fingerprint %(fingerprint)s"),
        "file": _("In the file: “%(action)s”, %(actor)s, %(at)s, fingerprint %(fingerprint)s"),
    }
    lines = []
    for side, text in sentences.items():
        line = params[side]
        name = action_name(line["action"])
        lines.append(
            text % {**line, "action": name, "at": exact(datetime.fromisoformat(line["at"]))}
        )
    return lines


def _page(
    request: HtmxHttpRequest,
    form: TakeOverForm,
    problem: Problem | None = None,
    *,
    status: int = 200,
) -> HttpResponse:
    context = {
        "form": form,
        "problem": problem,
        "taken_over": taken_over(),
        "links": _shown_once(request),
        "to_confirm": [
            (row, name_of(row.person), ", ".join(there)) for row, there in roles_to_confirm()
        ],
    }
    return forget(
        request, render(request, "setup/take_over.html", context, status=status), SHOWN_ONCE
    )


def _shown_once(request: HtmxHttpRequest) -> list[dict[str, object]]:
    """Return the new links and PINs of the Chief Arbiters, once."""
    kept = shown_once(request, SHOWN_ONCE) or []
    rows = Appointment.objects.select_related("person").in_bulk([pk for pk, *_access in kept])
    return [shown(request, rows[pk], Access(*access)) for pk, *access in kept if pk in rows]
