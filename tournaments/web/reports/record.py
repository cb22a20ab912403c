"""The public record, and the comparison with the engine."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from pairing.rounds.against_engine import against_engine
from tournaments.core.frame import Frame
from tournaments.reports.record_page import record_page
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.public_page import page_number, visitor_page, visitor_page_with


@visitor_page_with(page=page_number)
def record(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """Show all actions with time, article and user."""
    page = record_page(frame, request.GET.get("page", 1))
    return render(request, "reports/record.html", {"frame": frame, "section": "record", "record": page})


@visitor_page
def engine(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """Show how many published boards differ from the engine's pairing, and the decisions for it [C.04.2/2026 1.5]."""
    rounds = against_engine(frame)
    context = {
        "frame": frame,
        "section": "record",
        "rounds": rounds,
        "boards": sum(row.boards for row in rounds if row.known),
        "differing": sum(len(row.deviations) for row in rounds),
    }
    return render(request, "rounds/against_engine.html", context)
