"""The public pairings of a round."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404

from pairing.rounds.announce import announced_names
from pairing.rounds.round_page import round_page
from pairing.rules.rounds import PUBLIC_STATES
from tournaments.core.frame import Frame
from tournaments.models import Round
from tournaments.reports.publications import left_fide_mode_by, publications_of
from tournaments.web.htmx import HtmxHttpRequest, page_or_partial
from tournaments.web.public_page import one_of, visitor_page_with, words


@visitor_page_with(q=words, order=one_of("name"))
def pairings(request: HtmxHttpRequest, frame: Frame, number: int) -> HttpResponse:
    """Show the pairings of a published round, by board or by name; 404 for a draft."""
    row = get_object_or_404(Round, tournament=frame.tournament, number=number)
    if row.state not in PUBLIC_STATES:
        raise Http404
    page = round_page(frame, row)
    search = request.GET.get("q", "").strip()
    shown = page.searched(search) if search else page
    by_name = request.GET.get("order") == "name"
    publications = publications_of(frame.tournament, number)
    context = {
        "frame": frame,
        "section": "pairings",
        "page": shown,
        "names": shown.by_name(search) if by_name or search else (),
        "by_name": by_name,
        "q": search,
        "publication": publications[-1] if publications else None,
        "changes": publications[1:],
        "announced": announced_names(frame.tournament, number + 1) if number == frame.latest_published else (),
        "left_fide_mode_by": left_fide_mode_by(frame),
    }
    return page_or_partial(request, "rounds/pairings.html", "live", context)
