"""What players and their friends read: overview, players, pairings, standings, record, the TRF file."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from tournaments.htmx import HtmxHttpRequest, page_or_partial
from tournaments.models import Round, RoundState
from tournaments.selectors.changes import against_engine
from tournaments.selectors.entries import entry_list, starting_order
from tournaments.selectors.frame import Frame
from tournaments.selectors.points import adjustments, other_changes
from tournaments.selectors.record import publications_of, record_page, standings_record
from tournaments.selectors.rounds import round_page
from tournaments.selectors.standings import opened_standing, standings as read_standings
from tournaments.services.exports import trf_export

from .visitors import one_of, page_number, visitor_page, visitor_page_with, words


@visitor_page
def overview(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """What the tournament is, where it stands, and the way to everything else."""
    context = {
        "frame": frame,
        "section": "public",
        "schedule": Round.objects.filter(tournament=frame.tournament).order_by("number"),
        "players": frame.tournament.entries.count(),
    }
    return page_or_partial(request, "tournaments/overview.html", "live", context)


@visitor_page_with(q=words)
def players(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """The list of participants in the order of their numbers."""
    search = request.GET.get("q", "")
    seen = entry_list(frame.tournament, search=search)
    context = {
        "frame": frame,
        "section": "players",
        "lines": starting_order(seen.lines),
        "total": seen.total,
        "q": search,
    }
    return page_or_partial(request, "tournaments/players.html", "live", context)


@visitor_page_with(q=words, order=one_of("name"))
def pairings(request: HtmxHttpRequest, frame: Frame, number: int) -> HttpResponse:
    """The pairings of a published round, by board or by name; a draft is no page at all."""
    row = get_object_or_404(Round, tournament=frame.tournament, number=number)
    if row.state not in (RoundState.PUBLISHED, RoundState.RESULTS_PUBLISHED):
        raise Http404
    page = round_page(frame, row)
    search = request.GET.get("q", "").strip()
    seen = page.searched(search) if search else page
    by_name = request.GET.get("order") == "name"
    publications = publications_of(frame.tournament, number)
    context = {
        "frame": frame,
        "section": "pairings",
        "page": seen,
        "names": seen.by_name(search) if by_name or search else (),
        "by_name": by_name,
        "q": search,
        "publication": publications[-1] if publications else None,
        "changes": publications[1:],
    }
    return page_or_partial(request, "tournaments/pairings.html", "live", context)


@visitor_page_with(q=words)
def standings(request: HtmxHttpRequest, frame: Frame, number: int | None = None) -> HttpResponse:
    """The standings after round *number*, or after the newest round with published results."""
    latest = frame.latest_results
    after = latest if number is None else number
    if after > latest:
        raise Http404
    search = request.GET.get("q", "").strip()
    table = read_standings(frame, after_round=after, search=search)
    listed = adjustments(frame.tournament, after_round=after)
    told = standings_record(frame.tournament, after)
    context = {
        "frame": frame,
        "section": "standings",
        "standings": table,
        "adjustments": listed,
        "other_changes": other_changes(table.by_decision, listed),
        "after": after,
        "rounds_done": range(1, latest + 1),
        "is_final": after == len(frame.rounds),
        "publication": told.publication,
        "corrections": told.corrections,
        "corrected": told.corrected,
        "q": search,
    }
    return page_or_partial(request, "tournaments/standings.html", "live", context)


@visitor_page
def standing(request: HtmxHttpRequest, frame: Frame, number: int, entry_id: int) -> HttpResponse:
    """One player's place after round *number* with every tie-break opened into its parts."""
    is_public = number <= frame.latest_results
    opened = opened_standing(frame, after_round=number, entry_id=entry_id) if is_public else None
    if opened is None:
        raise Http404
    context = {
        "frame": frame,
        "section": "standings",
        "opened": opened,
        "after": number,
        "adjustments": adjustments(frame.tournament, after_round=number, tpn=opened.line.tpn),
    }
    return page_or_partial(request, "tournaments/standing.html", "live", context)


@require_safe
def standing_by_number(request: HttpRequest, slug: str, number: int, tpn: int) -> HttpResponse:
    """An old address: numbers move, so it leads to the standings and not to whoever has the number now."""
    return redirect("standings-after", slug, number, permanent=True)


@visitor_page_with(page=page_number)
def record(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """What was decided, when, under which article, by whom."""
    seen = record_page(frame, request.GET.get("page", 1))
    return render(request, "tournaments/record.html", {"frame": frame, "section": "record", "record": seen})


@visitor_page
def engine(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """How many published boards are not what the engine gave, and by which decision [C.04.2/2026 1.5]."""
    rounds = against_engine(frame)
    context = {
        "frame": frame,
        "section": "record",
        "rounds": rounds,
        "boards": sum(row.boards for row in rounds if row.known),
        "differing": sum(len(row.deviations) for row in rounds),
    }
    return render(request, "tournaments/against_engine.html", context)


@visitor_page
def export(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """The tournament as a TRF file; to visitors only what is published."""
    text = trf_export(frame.tournament, public=not frame.runs)
    response = HttpResponse(text.encode("utf-8"), content_type="text/plain; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="{frame.tournament.slug}.trf"'
    return response
