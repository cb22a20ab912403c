"""Title norms, and the certificate of one of them."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from pairing.ratings.editions import Title
from tournaments.core.frame import tournament_frame
from tournaments.models import Tournament
from tournaments.reports.norms import certificate, norms_page
from tournaments.web.access import arbiter_only
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.printing.kinds import FOR_FIDE, KINDS

_TITLES = {title.value: title for title in Title}


@arbiter_only
@require_safe
def norms(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the conditions of the event, the norms and the conditions still missing for others."""
    frame = tournament_frame(tournament, runs=True)
    context = {
        "frame": frame,
        "section": "desk",
        "page": norms_page(frame),
        "sheets": [(name, KINDS[name].label) for name in FOR_FIDE],
        "event_sheets": [(n, KINDS[n].label) for n in FOR_FIDE if KINDS[n].of_event],
    }
    return render(request, "reports/norms.html", context)


@arbiter_only
@require_safe
def norm(
    request: HtmxHttpRequest, tournament: Tournament, entry_id: int, title: str
) -> HttpResponse:
    """Show the conditions of one norm, and its certificate IT1 to print."""
    frame = tournament_frame(tournament, runs=True)
    sought = _TITLES.get(title.upper())
    found = certificate(frame, entry_id, sought) if sought else None
    if found is None:
        raise Http404
    context = {"frame": frame, "section": "desk", "certificate": found}
    return render(request, "reports/norm.html", context)
