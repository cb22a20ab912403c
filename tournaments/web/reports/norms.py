"""Title norms, and the certificate of one of them."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from pairing.ratings.editions import Title
from pairing.ratings.model import EventKind
from tournaments.core.frame import tournament_frame
from tournaments.models import Tournament
from tournaments.reports.norms import certificate, norms_page
from tournaments.web.access import arbiter_only
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.templatetags.fide_norms import KINDS

_TITLES = {title.value: title for title in Title}


@arbiter_only
@require_safe
def norms(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the conditions of the event, the norms and what is still needed for others."""
    frame, kind = tournament_frame(tournament, runs=True), _kind(request)
    context = {
        "frame": frame,
        "section": "desk",
        "page": norms_page(frame, kind),
        "kind": kind,
        "kinds": KINDS.items(),
    }
    return render(request, "reports/norms.html", context)


@arbiter_only
@require_safe
def norm(
    request: HtmxHttpRequest, tournament: Tournament, entry_id: int, title: str
) -> HttpResponse:
    """Show the conditions of one norm, and its certificate IT1 to print."""
    frame, kind = tournament_frame(tournament, runs=True), _kind(request)
    sought = _TITLES.get(title.upper())
    found = certificate(frame, entry_id, sought, kind) if sought else None
    if found is None:
        raise Http404
    context = {"frame": frame, "section": "desk", "certificate": found, "kind": kind}
    return render(request, "reports/norm.html", context)


def _kind(request: HttpRequest) -> EventKind:
    """Return the kind of event of ``?kind=``."""
    value = request.GET.get("kind", "")
    return next((kind for kind in EventKind if kind.value == value), EventKind.ORDINARY)
