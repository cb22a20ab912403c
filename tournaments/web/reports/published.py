"""The lists as they were published."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render

from tournaments.core.frame import Frame
from tournaments.reports.published_list_pages import (
    imported_rounds,
    published_list_page,
    published_lists_page,
)
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.public_page import page_number, page_with_more_for_arbiters


@page_with_more_for_arbiters(page=page_number)
def published_lists(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """List the stored pairings, standings and crosstables, newest first."""
    page = published_lists_page(frame, request.GET.get("page", 1))
    rounds, line = imported_rounds(frame)
    context = {
        "frame": frame,
        "section": "record",
        "rows": page,
        "imported": rounds,
        "import_line": line,
    }
    return render(request, "reports/published_lists.html", context)


@page_with_more_for_arbiters()
def published_list(request: HtmxHttpRequest, frame: Frame, list_id: int) -> HttpResponse:
    """Show one list as it was published, and its differences to today."""
    page = published_list_page(frame, list_id)
    if page is None:
        raise Http404
    return render(
        request, "reports/published_list.html", {"frame": frame, "section": "record", "page": page}
    )
