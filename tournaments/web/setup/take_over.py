"""Take over an event that another computer has handed over: choose the file, and go on here."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django import forms
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_http_methods

from tournaments.backups.one_event import Imported
from tournaments.backups.taking_over import NotTakenOver, event_take_over, taken_over
from tournaments.core.moments import exact
from tournaments.core.permissions import require_may_take_over
from tournaments.models import Action, Appointment, Role
from tournaments.web.access import arbiter, signed_in
from tournaments.web.action_form import Problem
from tournaments.web.htmx import HtmxHttpRequest


class TakeOverForm(forms.Form):
    """The file of the other computer."""

    file = forms.FileField(
        label=gettext_lazy("File of the other computer"),
        help_text=gettext_lazy("Its name ends in .event; at most 64 MB."),
        error_messages={"required": gettext_lazy("Choose the file."), "empty": gettext_lazy("This file is empty.")},
    )


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def take_over(request: HtmxHttpRequest) -> HttpResponse:
    """Show the form and the events taken over; POST takes over that of the file. 403 unless a site administrator."""
    require_may_take_over(request.user)
    if request.method != "POST":
        return _page(request, TakeOverForm())
    form = TakeOverForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, form, status=422)
    file: UploadedFile = form.cleaned_data["file"]
    try:
        done = event_take_over(file.chunks(), actor=arbiter(request), now=timezone.now())
    except NotTakenOver as error:
        return _page(request, TakeOverForm(), _problem(error), status=error.status)
    _tell(request, done)
    return redirect("take-over")


def _tell(request: HtmxHttpRequest, done: Imported) -> None:
    for tournament in done.tournaments:
        messages.success(request, _("“%(name)s” is taken over: go on with it here.") % {"name": tournament.name})
    for sentence in _log_ins(done):
        messages.warning(request, sentence)


def _log_ins(done: Imported) -> Iterator[str]:
    """Yield how the Chief Arbiter logs in here, and everybody who has another name here. Two queries."""
    rows = Appointment.objects.filter(tournament__in=done.tournaments, until=None).select_related("person")
    roles: dict[str, Appointment] = {}
    for row in sorted(rows, key=lambda row: row.role != Role.CHIEF):
        roles.setdefault(row.person.get_username(), row)
    old_names = {new: old for old, new in done.renamed}
    texts = {
        "came": _("%(person)s (%(role)s) logs in here as “%(name)s”, with the password from the other computer."),
        "renamed": _(
            "%(person)s (%(role)s) logs in here as “%(name)s”, with the password from the other computer. The name "
            "“%(old)s” belongs to another account here."
        ),
        "was_here": _(
            "%(person)s (%(role)s) logs in here as “%(name)s”, with the password and the second step that this account "
            "had here before. A password or second step set on the other computer does not work here."
        ),
    }
    for name, row in roles.items():
        person, old = row.person, old_names.get(name, "")
        if not (old or row.role == Role.CHIEF) or not person.has_usable_password():
            continue
        kind = "renamed" if old else "came" if person.pk in done.came else "was_here"
        shown = person.get_full_name() or old or name
        yield texts[kind] % {"person": shown, "role": row.get_role_display(), "name": name, "old": old}
    for old, new in done.renamed:
        if new not in roles:
            told = _(
                "The account “%(old)s” of the other computer has no role in the event; here it is called “%(new)s”. "
                "The account “%(old)s” of this computer stays as it was."
            )
            yield told % {"old": old, "new": new}


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
        name = Action(line["action"]).label if line["action"] in Action.values else line["action"]
        lines.append(text % {**line, "action": name, "at": exact(datetime.fromisoformat(line["at"]))})
    return lines


def _page(
    request: HtmxHttpRequest, form: TakeOverForm, problem: Problem | None = None, *, status: int = 200
) -> HttpResponse:
    context = {"form": form, "problem": problem, "taken_over": taken_over()}
    return render(request, "setup/take_over.html", context, status=status)
