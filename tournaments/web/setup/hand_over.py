"""Hand the event over to another computer, download its file, and bring it back."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournaments.core.frame import tournament_frame
from tournaments.core.permissions import Power, may_decide
from tournaments.core.request_values import BadValue
from tournaments.models import Tournament
from tournaments.site.backups.hand_over import (
    event_bring_back,
    event_file,
    event_hand_over,
    sections_with,
)
from tournaments.web.access import not_to_be_stored, page, who_and_when
from tournaments.web.action_form import Problem, do, render_with_problem, seen_version
from tournaments.web.htmx import HtmxHttpRequest

ACTIONS: Final = ("hand-over", "file", "bring-back")


@page(read=(Power.RUN,), write=(Power.DECIDE,))
@require_http_methods(["GET", "HEAD", "POST"])
def hand_over(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the page; POST with ``do`` = ``hand-over``, ``file`` or ``bring-back`` does that."""
    if request.method != "POST":
        return _page(request, tournament)
    what = request.POST.get("do", "")
    if what not in ACTIONS:
        raise BadValue("request.choice", field="do", name="do", expected=list(ACTIONS))
    if what == "file" and tournament.handed_over_at is not None:
        return _file(tournament)
    given: dict[str, Any] = {
        "tournament_id": tournament.pk,
        **who_and_when(request),
        "seen_version": seen_version(request.POST),
    }
    if what == "hand-over":
        action = partial(
            event_hand_over,
            to=request.POST.get("to", ""),
            address=request.POST.get("address", ""),
            **given,
        )
        done = _(
            "The event is handed over. Nothing can be changed here any more: now download the file."
        )
    else:  # The file of an event that is not handed over is refused like this.
        action = partial(
            event_bring_back, confirmed=request.POST.get("confirmed") == "yes", **given
        )
        done = _("The event is back: go on with it here, and only here.")
    return do(
        request,
        action,
        done=done,
        to=reverse("hand-over", args=[tournament.slug]),
        refused=lambda problem: _page(request, tournament, problem),
    )


def _file(tournament: Tournament) -> HttpResponse:
    """Return the file for the other computer."""
    response = HttpResponse(
        event_file(tournament, now=timezone.now()), content_type="application/octet-stream"
    )
    response.headers["Content-Disposition"] = f'attachment; filename="{tournament.slug}.event"'
    return not_to_be_stored(response)


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
        "sections": sections_with(tournament),
        "to": request.POST.get("to", "")[:100],
        "address": request.POST.get("address", "")[:200],
    }
    return render_with_problem(request, "setup/hand_over.html", context)
