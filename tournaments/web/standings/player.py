"""One player's page, and the picture of the progress of all players."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from tournaments.core.frame import Frame
from tournaments.core.public_address import printed_address
from tournaments.reports.publications import left_fide_mode_by
from tournaments.standings.adjust_points import adjustments
from tournaments.standings.performance_picture import curve_of
from tournaments.standings.player import player_page
from tournaments.standings.progress import Progress, counted
from tournaments.web.htmx import HtmxHttpRequest, page_or_partial
from tournaments.web.parts import ELEMENTS, Part, requested_page, rows_of
from tournaments.web.public_page import visitor_page, visitor_page_with

SVG = "image/svg+xml; charset=utf-8"


@visitor_page
def player(request: HtmxHttpRequest, frame: Frame, entry_id: int) -> HttpResponse:
    """Show games, colours, opponents, results and points round by round, and the next board."""
    page = player_page(frame, entry_id)
    if page is None:
        raise Http404
    context = {
        "frame": frame,
        "section": "players",
        "page": page,
        "subscription": _subscription(frame, entry_id),
        "curve": curve_of(page.performance),
        "adjustments": adjustments(
            frame.tournament, after_round=page.after_round, tpn=page.entry.tpn
        ),
    }
    return page_or_partial(request, "standings/player.html", "live", context)


def _subscription(frame: Frame, entry_id: int) -> str:
    """Return the address at which a calendar program subscribes; empty if no phone reaches it."""
    path = reverse("player-calendar", args=[frame.tournament.slug, entry_id])
    return (printed_address(path) or "").replace("http", "webcal", 1).replace("webcals", "webcal")


@require_safe
def player_by_number(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Redirect an old address to the list: numbers may belong to others now."""
    return redirect("players", slug, permanent=True)


@visitor_page
def performance_picture(request: HtmxHttpRequest, frame: Frame, entry_id: int) -> HttpResponse:
    """Return the curve of a performance to download; 404 without rated opponents."""
    page = player_page(frame, entry_id)
    curve = curve_of(page.performance) if page is not None else None
    if page is None or curve is None:
        raise Http404
    context = {"page": page, "curve": curve, "alone": True}
    response = render(request, "standings/_performance_picture.html", context, content_type=SVG)
    return as_download(response, f"{frame.tournament.slug}-{page.entry.tpn}-performance.svg")


@visitor_page_with(page=requested_page)
def progress(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """Show the flow of scoregroups as picture and table; many rounds in parts."""
    part, drawn = _progress(request, frame)
    context = {"frame": frame, "section": "standings", "progress": drawn, "part": part}
    return render(
        request,
        "standings/progress.html",
        {**context, "left_fide_mode_by": left_fide_mode_by(frame)},
    )


@visitor_page_with(page=requested_page)
def progress_picture(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """Return the picture alone, in the parts of the page; ``?page=all`` is the whole one."""
    part, drawn = _progress(request, frame)
    context = {"frame": frame, "progress": drawn, "alone": True}
    response = render(request, "standings/_progress_picture.html", context, content_type=SVG)
    number = f"-{part.number}" if part.is_long and part.number else ""
    return as_download(response, f"{frame.tournament.slug}-progress{number}.svg")


def _progress(request: HtmxHttpRequest, frame: Frame) -> tuple[Part[int], Progress]:
    """Return the rounds of ``?page=``, and their picture."""
    whole = counted(frame)
    requested, count, size = (
        requested_page(request.GET.get("page", "")),
        whole.after_round,
        whole.rounds_together(ELEMENTS),
    )
    rounds = rows_of(count, requested, size=size, whole=0)
    return Part(range(1, count + 1)[rounds], count, size, requested, whole=0), whole.drawn(rounds)


def as_download(response: HttpResponse, filename: str) -> HttpResponse:
    """Return *response* as a file to download as *filename*."""
    response.headers["Content-Disposition"] = f'attachment; filename="{filename}"'
    return response
