"""What a tournament publishes, for other web sites: an Atom feed, and lists to embed."""

from __future__ import annotations

from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import get_language, gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from pairing.rounds.round_page import round_page
from tournaments.core.frame import Frame, state_now, tournament_frame
from tournaments.core.page_store import EMBEDDED
from tournaments.core.public_address import printed_address
from tournaments.models import PublishedList, Round, Tournament
from tournaments.reports.published_list_pages import published_lists
from tournaments.standings.standings import standings
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.public_page import stored_for_visitors, visitor_page

NEWEST: Final = 30
"""The number of publications in the feed."""
ROWS: Final = 200
"""The number of rows of an embedded list; a link leads to the whole one."""
FRAMED: Final = "default-src 'none'; style-src 'self'; frame-ancestors *"
"""The policy of an embedded list: any site may show it, and it runs nothing."""
Kind = PublishedList.Kind


@visitor_page
def feed(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """Return the newest publications: pairings, standings, and their corrections. Three queries."""
    tournament = frame.tournament
    home = _address(reverse("tournament", args=[tournament.slug]))
    atom = Atom1Feed(
        title=tournament.name,
        link=home,
        description="",
        language=get_language(),
        feed_url=_address(reverse("feed", args=[tournament.slug])),
        feed_guid=_name(tournament, "feed"),
    )
    rows = published_lists(frame).exclude(kind=Kind.CROSSTABLE)
    for row in rows.defer("content")[:NEWEST]:
        link = _address(_page_of(tournament, row))
        atom.add_item(
            title=_title(row),
            link=link,
            description=_title(row),
            pubdate=row.decision.at,
            updateddate=row.decision.at,
            unique_id=_name(tournament, str(row.number)),
        )
    return HttpResponse(
        atom.writeString("utf-8"), content_type="application/atom+xml; charset=utf-8"
    )


def _title(row: PublishedList) -> str:
    if row.kind == Kind.PAIRINGS:
        return _("Pairings of round %(n)s") % {"n": row.round_number}
    return _("Standings after round %(n)s") % {"n": row.round_number}


def _page_of(tournament: Tournament, row: PublishedList) -> str:
    name = "pairings-public" if row.kind == Kind.PAIRINGS else "standings-after"
    return reverse(name, args=[tournament.slug, row.round_number])


def _name(tournament: Tournament, what: str) -> str:
    """Return a name that stays the same wherever the site moves [RFC 4151]."""
    return f"tag:swiss-arbiter,2026:{tournament.identity}/{what}"


def _address(path: str) -> str:
    return printed_address(path) or path


@require_safe
@xframe_options_exempt
def embedded(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """Show the newest standings or pairings alone, for a frame on another web site.

    Without scripts and without a timer: opening the page around it shows the newest state.
    """
    tournament = get_object_or_404(Tournament.objects.select_related("section__event"), slug=slug)
    if kind not in (Kind.STANDINGS, Kind.PAIRINGS):
        raise Http404

    def key() -> str:
        state = state_now(slug)
        return state.key if state is not None else ""

    response = stored_for_visitors(
        request,  # type: ignore[arg-type]  # the middleware of htmx has been there
        f"{EMBEDDED}{tournament.pk}-{kind}",
        key(),
        key,
        lambda reader: _list(reader, tournament, kind),
    )
    response.headers["Content-Security-Policy"] = FRAMED
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _list(request: HtmxHttpRequest, tournament: Tournament, kind: str) -> HttpResponse:
    frame = tournament_frame(tournament, runs=False, now=timezone.now())
    context: dict[str, Any] = {"frame": frame, "kind": kind, "rows": ROWS}
    if kind == Kind.STANDINGS and frame.latest_results:
        table = standings(frame, after_round=frame.latest_results)
        context |= {"lines": table.lines[:ROWS], "total": len(table.lines)}
    elif kind == Kind.PAIRINGS and frame.latest_published:
        row = Round.objects.get(tournament=tournament, number=frame.latest_published)
        page = round_page(frame, row)
        context |= {"page": page, "boards": page.boards[:ROWS], "total": len(page.boards)}
    return render(request, "reports/embedded.html", context)
