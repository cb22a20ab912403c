"""Download the tournament as a TRF file."""

from __future__ import annotations

from django.http import HttpResponse

from tournaments.core.frame import Frame
from tournaments.reports.trf_export import trf_export
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.public_page import page_with_more_for_arbiters


@page_with_more_for_arbiters()
def export(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """Return the tournament as a TRF file; visitors get only published data."""
    text = trf_export(frame.tournament, public=not frame.runs)
    response = HttpResponse(text.encode("utf-8"), content_type="text/plain; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{frame.tournament.slug}.trf"'
    return response
