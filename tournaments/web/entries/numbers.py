"""Pages that assign pairing numbers and close the list of players."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tournaments.core.actions import in_own_edition
from tournaments.core.frame import tournament_frame
from tournaments.core.messages import sentence
from tournaments.entries.entries import numbers_assign
from tournaments.entries.number_preview import number_preview
from tournaments.entries.waiting_rows import waiting_rows
from tournaments.models import Tournament
from tournaments.setup.tournaments import list_close, list_reopen
from tournaments.web.access import arbiter_only, who_and_when
from tournaments.web.action_form import Problem, do, render_with_problem, seen_version
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.rating_lists.reminder import reminder


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def numbers(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the order of [C.04.2/2026 2.2], and assign pairing numbers."""
    if request.method != "POST":
        return _numbers_page(request, tournament)
    return do(
        request,
        lambda: numbers_assign(
            tournament_id=tournament.pk,
            **who_and_when(request),
            seen_version=seen_version(request.POST),
        ),
        done=_("The pairing numbers are assigned."),
        to=reverse("numbers", args=[tournament.slug]),
        refused=lambda problem: _numbers_page(request, tournament, problem),
    )


def _numbers_page(
    request: HtmxHttpRequest, tournament: Tournament, problem: Problem | None = None
) -> HttpResponse:
    if problem is not None:
        tournament.refresh_from_db()
    preview = number_preview(tournament)
    frame = tournament_frame(tournament, runs=True)
    context = {
        "frame": frame,
        "outdated": reminder(frame),
        "waiting_count": 0 if preview.definitive else waiting_rows(tournament).count(),
        "section": "entries",
        "preview": preview,
        "refusal": sentence(in_own_edition(tournament, preview.refused)) if preview.refused else "",
        "problem": problem,
        "seen_version": tournament.version,
    }
    return render_with_problem(request, "entries/numbers.html", context)


@arbiter_only
@require_POST
def close_list(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Close the list: numbers are definitive [C.04.2/2026 2.5]; ``reopen`` opens it."""
    reopens = "reopen" in request.POST
    change = list_reopen if reopens else list_close
    return do(
        request,
        lambda: change(
            tournament_id=tournament.pk,
            **who_and_when(request),
            seen_version=seen_version(request.POST),
        ),
        done=_("The list of participants is open again: the pairing numbers are provisional.")
        if reopens
        else _("The list of participants is closed: the pairing numbers are definitive."),
        to=reverse("numbers", args=[tournament.slug]),
        refused=lambda problem: _numbers_page(request, tournament, problem),
    )
