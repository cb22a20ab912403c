"""One player's page, and the picture of the progress of all players."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import get_template
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tournaments.core.frame import Frame
from tournaments.core.stored_pages import ENTRY, NAME, OWN, in_shell
from tournaments.reports.publications import left_fide_mode_by
from tournaments.standings.performance_picture import curve_of
from tournaments.standings.player import PlayerPage, forget as forget_seats, player_page, player_pages
from tournaments.standings.points import Adjustment, adjustments
from tournaments.standings.progress import Progress, counted
from tournaments.templatetags.once import IN_COMMON
from tournaments.templatetags.performance import picture_alone
from tournaments.templatetags.players import entry_url
from tournaments.web.htmx import HtmxHttpRequest, page_or_partial, wants_part
from tournaments.web.parts import ELEMENTS, Part, asked_part, rows_of
from tournaments.web.public_page import rendered, visitor_page, visitor_page_with

SVG = "image/svg+xml; charset=utf-8"


@visitor_page
def player(request: HtmxHttpRequest, frame: Frame, entry_id: int) -> HttpResponse:
    """Show games, colours, opponents, results and points round by round, and the next board.

    Between a publication and the storing of these pages, and after actions that store nothing, hundreds of players open
    their own pages: only what is the player's own is rendered, and what all have in common once in this process.
    """
    page = player_page(frame, entry_id)
    if page is None:
        raise Http404
    shells = _shells_for(frame, frame.public_key, get_language() or "")
    own = _own_part(frame, page, shells.adjusted.get(page.entry.pk, []), shells.in_common).encode()
    if wants_part(request):
        response = HttpResponse(shells.part.replace(OWN.encode(), own))
    else:
        response = HttpResponse(in_shell(shells.whole, own, number=page.entry.pk, title=page.entry.name))
    patch_vary_headers(response, ["HX-Request"])
    return response


@dataclass(frozen=True, slots=True)
class _Shells:
    """The text around the own part, in the page and in the part for open pages; ``in_common`` has the shared labels.

    ``adjusted`` are the point adjustments by entry.
    """

    whole: bytes
    part: bytes
    in_common: dict[str, SafeString]
    adjusted: Mapping[int, list[Adjustment]]


@lru_cache(maxsize=8)
def _shells_for(frame: Frame, key: str, language: str) -> _Shells:
    """Return the shells in *language*, the active one, for the version of *frame*, which has this *key*."""
    address = reverse("player-page", args=[frame.tournament.slug, ENTRY])
    _path, (whole, part) = rendered(frame, address, shell)
    return _Shells(whole.content, part.content, {}, _adjusted(frame))


def forget() -> None:
    """Forget the shells, for tests: the tournaments of the next one have the same keys."""
    _shells_for.cache_clear()
    forget_seats()


def _adjusted(frame: Frame) -> Mapping[int, list[Adjustment]]:
    adjusted: defaultdict[int, list[Adjustment]] = defaultdict(list)
    for line in adjustments(frame.tournament, after_round=frame.latest_results):
        adjusted[line.entry_id].append(line)
    return adjusted


def context_of(frame: Frame, page: PlayerPage, adjusted: Sequence[Adjustment]) -> dict[str, object]:
    """Return the context of the page of a player with these point adjustments."""
    return {
        "frame": frame,
        "section": "players",
        "page": page,
        "adjustments": adjusted,
    }


def shell(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """Render what is around :func:`own_parts`, in the page and in its part: the same for all players."""
    entry = {"name": NAME, "pk": ENTRY}
    own = mark_safe(OWN)  # noqa: S308 - no text of anybody
    context = {"frame": frame, "section": "players", "page": {"entry": entry}, "own_part": own}
    return page_or_partial(request, "standings/player.html", "live", context)


def own_parts(frame: Frame) -> Iterator[tuple[PlayerPage, str]]:
    """Yield each player's page with what is the player's own on it, in the active language. Four queries."""
    adjusted = _adjusted(frame)
    in_common: dict[str, SafeString] = {}
    for page in player_pages(frame):
        yield page, _own_part(frame, page, adjusted[page.entry.pk], in_common)


def _own_part(
    frame: Frame, page: PlayerPage, adjusted: Sequence[Adjustment], in_common: dict[str, SafeString]
) -> SafeString:
    here = {"path": entry_url("player-page", frame.tournament.slug, page.entry.pk)}
    context = context_of(frame, page, adjusted) | {IN_COMMON: in_common, "request": here}
    return mark_safe(get_template("standings/_player.html").render(context))  # noqa: S308 - a template


@require_safe
def player_by_number(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Redirect an old address to the list: numbers change, so the number may belong to another player now."""
    return redirect("players", slug, permanent=True)


@visitor_page
def performance_picture(request: HtmxHttpRequest, frame: Frame, entry_id: int) -> HttpResponse:
    """Return the curve of a player's performance to download; 404 without games against rated opponents."""
    page = player_page(frame, entry_id)
    curve = curve_of(page.performance) if page is not None else None
    if page is None or curve is None:
        raise Http404
    response = HttpResponse(picture_alone(curve, page.entry.name), content_type=SVG)
    return to_be_kept(response, f"{frame.tournament.slug}-{page.entry.tpn}-performance.svg")


@visitor_page_with(page=asked_part)
def progress(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """Show the flow of the scoregroups as a picture and as a table; many rounds of many scoregroups in parts."""
    part, drawn = _progress(request, frame)
    context = {"frame": frame, "section": "standings", "progress": drawn, "part": part}
    return render(request, "standings/progress.html", {**context, "left_fide_mode_by": left_fide_mode_by(frame)})


@visitor_page_with(page=asked_part)
def progress_picture(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """Return the picture alone, to download, in the parts of the page; ``?page=all`` is the whole one."""
    part, drawn = _progress(request, frame)
    context = {"frame": frame, "progress": drawn, "alone": True}
    response = render(request, "standings/_progress_picture.html", context, content_type=SVG)
    number = f"-{part.number}" if part.is_long and part.number else ""
    return to_be_kept(response, f"{frame.tournament.slug}-progress{number}.svg")


def _progress(request: HtmxHttpRequest, frame: Frame) -> tuple[Part[int], Progress]:
    """Return the rounds of ``?page=``, and their picture."""
    whole = counted(frame)
    asked, count, size = asked_part(request.GET.get("page", "")), whole.after_round, whole.rounds_together(ELEMENTS)
    rounds = rows_of(count, asked, size=size, whole=0)
    return Part(range(1, count + 1)[rounds], count, size, asked, whole=0), whole.drawn(rounds)


def to_be_kept(response: HttpResponse, filename: str) -> HttpResponse:
    """Return *response* as a file to download as *filename*."""
    response.headers["Content-Disposition"] = f'attachment; filename="{filename}"'
    return response
