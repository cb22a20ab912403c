"""Show a tournament in the public list, copy it, archive it, or delete it."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from pairing.rules.verdict import Allowed
from tournaments.core.errors import ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.permissions import may_create, may_decide
from tournaments.core.request_values import BadValue
from tournaments.lists.imports.duplicate import tournament_duplicate
from tournaments.models import Entry, Tournament
from tournaments.setup.deletion import may_delete, tournament_delete
from tournaments.setup.visibility import tournament_archive, tournament_list_set
from tournaments.web.access import arbiter_only, who_and_when
from tournaments.web.action_form import (
    Problem,
    add_service_error,
    confirms_leaving,
    do,
    render_with_problem,
    seen_version,
)
from tournaments.web.form_fields import validate_year
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.way_back import way_back

ACTIONS: Final[dict[str, str | Promise]] = {
    "list": gettext_lazy("The tournament is now in the public list."),
    "unlist": gettext_lazy("The tournament is no longer in the public list."),
    "archive": gettext_lazy(
        "The tournament is archived. You find it under “Archived tournaments” below the list."
    ),
    "restore": gettext_lazy("The tournament is back in your list."),
}
"""What the page says after each action."""


class CopyForm(forms.Form):
    """The name and the first day of a copy, and what else it has."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=200)
    first_day = forms.DateField(
        label=gettext_lazy("First day"),
        required=False,
        widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"),
        validators=[validate_year],
        help_text=gettext_lazy("The schedule is moved to begin on this day. Empty: no schedule."),
    )
    people = forms.BooleanField(
        label=gettext_lazy("People with an account, in their roles"),
        required=False,
        initial=True,
        help_text=gettext_lazy(
            "You become the Chief Arbiter. The others are invited, and accept; people with a link "
            "need a new one."
        ),
    )
    players = forms.BooleanField(
        label=gettext_lazy("Players, with their ratings and prohibited pairs"),
        required=False,
        help_text=gettext_lazy("Without numbers, byes and results."),
    )


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def manage(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the page; POST: ``do`` is ``list``, ``unlist``, ``archive`` or ``restore``."""
    if request.method != "POST":
        return _page(request, tournament)
    what = request.POST.get("do", "")
    if what not in ACTIONS:
        raise BadValue("request.choice", field="do", name="do", expected=sorted(ACTIONS))
    given: dict[str, Any] = {
        "tournament_id": tournament.pk,
        **who_and_when(request),
        "seen_version": seen_version(request.POST),
    }
    if what in ("list", "unlist"):
        action = partial(tournament_list_set, listed=what == "list", **given)
    else:
        action = partial(tournament_archive, archived=what == "archive", **given)
    return do(
        request,
        action,
        done=str(ACTIONS[what]),
        to=way_back(request, tournament, reverse("tournament-manage", args=[tournament.slug])),
        refused=lambda problem: _page(request, tournament, problem),
    )


@arbiter_only
@require_POST
def delete(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Delete the tournament after its name was typed."""
    return do(
        request,
        lambda: tournament_delete(
            tournament_id=tournament.pk,
            **who_and_when(request),
            name=request.POST.get("name", ""),
            seen_version=seen_version(request.POST),
        ),
        done=_("The tournament “%(name)s” is deleted.") % {"name": tournament.name},
        to=reverse("home"),
        refused=lambda problem: _page(request, tournament, problem),
    )


def _page(
    request: HtmxHttpRequest, tournament: Tournament, problem: Problem | None = None
) -> HttpResponse:
    frame = tournament_frame(Tournament.objects.get(pk=tournament.pk), runs=True)
    context = {
        "frame": frame,
        "section": "desk",
        "problem": problem,
        "seen_version": frame.tournament.version,
        "decides": may_decide(request.user, tournament),
        "may_create": may_create(request.user),
        "may_delete": isinstance(may_delete(tournament), Allowed),
    }
    return render_with_problem(request, "setup/manage.html", context)


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def duplicate(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Make a copy of the settings as a new tournament, and go to its desk."""
    form = CopyForm(request.POST or None, initial=_as_next_year(tournament))
    if request.method == "POST" and form.is_valid():
        try:
            made = tournament_duplicate(
                source_id=tournament.pk,
                **who_and_when(request),
                leave_fide_mode=confirms_leaving(request.POST),
                **form.cleaned_data,
            )
        except ServiceError as error:
            add_service_error(form, error)
        else:
            messages.success(
                request, _("The copy is created. Check its settings and its schedule.")
            )
            return redirect("desk", made.slug)
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "desk",
        "form": form,
        "players": Entry.objects.filter(tournament=tournament).count(),
        "may_create": may_create(request.user),
    }
    return render(request, "setup/duplicate.html", context, status=422 if form.is_bound else 200)


def _as_next_year(tournament: Tournament) -> dict[str, object]:
    """Return the name with the next year, and the same day of the week 52 weeks later."""
    day = tournament.start_date
    if day is None:
        return {"name": tournament.name}
    return {
        "name": tournament.name.replace(str(day.year), str(day.year + 1)),
        "first_day": day + timedelta(weeks=52),
    }
