"""Take over an event that another computer has handed over: choose the file, and go on here."""

from __future__ import annotations

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
from tournaments.models import Action
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
    for old, new in done.renamed:
        told = _("The name “%(old)s” is taken here: this person logs in as “%(new)s”, with the same password.")
        messages.warning(request, told % {"old": old, "new": new})


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
