"""Delete personal data after the event, or of one player, and download what is kept."""

from __future__ import annotations

from django.http import HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from pairing.rules.verdict import Refused
from tournaments.core.frame import tournament_frame
from tournaments.core.messages import sentence
from tournaments.core.permissions import Power, may_decide
from tournaments.models import Entry, Tournament
from tournaments.setup.personal_data import (
    data_delete,
    data_of,
    deletion_due_at,
    found,
    may_delete_now,
    retention_days,
)
from tournaments.web.access import page, who_and_when
from tournaments.web.action_form import Problem, do, render_with_problem, seen_version
from tournaments.web.htmx import HtmxHttpRequest

runs = page(read=(Power.RUN,), write=(Power.DECIDE,))


@runs
@require_http_methods(["GET", "HEAD", "POST"])
def everybody(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show what is kept about all players, what stays, and when it is due; a POST deletes it."""
    return _page_or_delete(request, tournament, None)


@runs
@require_http_methods(["GET", "HEAD", "POST"])
def one_player(request: HtmxHttpRequest, tournament: Tournament, entry_id: int) -> HttpResponse:
    """Show the same about one player, with a link to the file of it; a POST deletes it."""
    return _page_or_delete(
        request, tournament, get_object_or_404(Entry, pk=entry_id, tournament=tournament)
    )


@runs
@require_safe
def as_file(request: HtmxHttpRequest, tournament: Tournament, entry_id: int) -> HttpResponse:
    """Return everything that the tournament keeps about one player, as JSON."""
    entry = get_object_or_404(
        Entry.objects.select_related("tournament"), pk=entry_id, tournament=tournament
    )
    response = JsonResponse(data_of(entry), json_dumps_params={"indent": 2, "ensure_ascii": False})
    response.headers["Content-Disposition"] = (
        f'attachment; filename="{tournament.slug}-player-{entry.pk}.json"'
    )
    return response


def _page_or_delete(
    request: HtmxHttpRequest, tournament: Tournament, entry: Entry | None
) -> HttpResponse:
    if request.method != "POST":
        return _page(request, tournament, entry)
    name, numbers = ("personal-data-of", [entry.pk]) if entry else ("personal-data", [])
    return do(
        request,
        lambda: data_delete(
            tournament_id=tournament.pk,
            entry_id=entry.pk if entry else None,
            **who_and_when(request),
            confirmed="confirmed" in request.POST,
            seen_version=seen_version(request.POST),
        ),
        done=_("The personal data are deleted."),
        to=reverse(name, args=[tournament.slug, *numbers]),
        refused=lambda problem: _page(request, tournament, entry, problem),
    )


def _page(
    request: HtmxHttpRequest,
    tournament: Tournament,
    entry: Entry | None,
    problem: Problem | None = None,
) -> HttpResponse:
    frame = tournament_frame(Tournament.objects.get(pk=tournament.pk), runs=True)
    verdict = may_delete_now(frame.tournament, timezone.now())
    context = {
        "frame": frame,
        "section": "desk",
        "problem": problem,
        "entry": entry,
        "found": found(frame.tournament, entry),
        "refused": sentence(verdict) if isinstance(verdict, Refused) else "",
        "due": deletion_due_at(frame.tournament),
        "days": retention_days(frame.tournament),
        "decides": may_decide(request.user, tournament),
        "seen_version": frame.tournament.version,
    }
    return render_with_problem(request, "setup/personal_data.html", context)
