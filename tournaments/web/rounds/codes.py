"""The QR codes of a published round: a page for the wall, and each code as a picture."""

from __future__ import annotations

from typing import Final

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse

from pairing.rounds.round_page import RoundPage
from pairing.rules.rounds import PUBLIC_STATES
from tournaments.core.frame import Frame
from tournaments.core.public_address import printed_address
from tournaments.core.qr_codes import qr_path
from tournaments.models import Round
from tournaments.reports.round_codes import code_lines, signed_code
from tournaments.standings.ranked_field import round_for
from tournaments.web.htmx import HtmxHttpRequest, page_or_partial
from tournaments.web.public_page import visitor_page

SVG: Final = "image/svg+xml"


@visitor_page
def codes(request: HtmxHttpRequest, frame: Frame, number: int) -> HttpResponse:
    """Show all codes of a published round, large, also on an open page; 404 for a draft."""
    page = _published(frame, number)
    lines = code_lines(page) if printed_address("/") else ()
    context = {"frame": frame, "section": "pairings", "page": page, "codes": lines}
    return page_or_partial(request, "rounds/codes.html", "live", context)


@visitor_page
def code(request: HtmxHttpRequest, frame: Frame, number: int, part: int) -> HttpResponse:
    """Return one code as a picture.

    404 for a draft, without such a code, and where no phone could open the address.
    """
    page = _published(frame, number)
    address = printed_address(reverse("offline", args=[frame.tournament.slug]))
    if address is None or not 1 <= part <= len(code_lines(page)):
        raise Http404
    modules, path = qr_path(f"{address}#", signed_code(frame, page, part))
    return render(
        request, "rounds/_code.svg", {"size": modules + 8, "path": path}, content_type=SVG
    )


def _published(frame: Frame, number: int) -> RoundPage:
    row = get_object_or_404(Round, tournament=frame.tournament, number=number)
    if row.state not in PUBLIC_STATES:
        raise Http404
    return round_for(frame, row)
