"""The public record, and the comparison with the engine."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render

from pairing.rounds.against_engine import against_engine
from tournaments.core import signing
from tournaments.core.frame import Frame
from tournaments.models import Entry
from tournaments.reports.record_file import record_file
from tournaments.reports.record_page import PER_PAGE, fingerprint_rows, record_page
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.public_page import (
    line_number,
    page_number,
    page_with_more_for_arbiters,
    visitor_page,
)


@page_with_more_for_arbiters(page=page_number, line=line_number)
def record(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """Show all actions with time, article and user; with ``?line=12`` the page that has line 12."""
    page = record_page(
        frame, request.GET.get("page", 1), line=line_number(request.GET.get("line", ""))
    )
    names = (
        {}
        if frame.runs
        else dict(Entry.objects.filter(tournament=frame.tournament).values_list("pk", "name"))
    )
    return render(
        request,
        "reports/record.html",
        {"frame": frame, "section": "record", "record": page, "names": names},
    )


@page_with_more_for_arbiters(page=page_number)
def fingerprints(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """List every fingerprint ever shown, with its signature, and the key of this installation."""
    rows = Paginator(fingerprint_rows(frame).reverse(), PER_PAGE).get_page(
        request.GET.get("page", 1)
    )
    context = {"frame": frame, "section": "record", "rows": rows, "key": signing.public_key()}
    return render(request, "reports/fingerprints.html", context)


@page_with_more_for_arbiters()
def download(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """Return the record for ``python -m pairing verify``; visitors get public lines."""
    response = HttpResponse(
        "".join(record_file(frame)), content_type="application/jsonl; charset=utf-8"
    )
    response.headers["Content-Disposition"] = (
        f'attachment; filename="{frame.tournament.slug}-record.jsonl"'
    )
    return response


@visitor_page
def engine(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """Show how many boards differ from the engine's, and why [C.04.2/2026 1.5]."""
    rounds = against_engine(frame)
    context = {
        "frame": frame,
        "section": "record",
        "rounds": rounds,
        "boards": sum(row.boards for row in rounds if row.known and not row.no_legal_pairing),
        "differing": sum(len(row.deviations) for row in rounds if not row.no_legal_pairing),
    }
    return render(request, "rounds/against_engine.html", context)
