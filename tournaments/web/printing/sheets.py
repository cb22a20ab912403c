"""Lists as sheets of paper, as a PDF file, and as text for a message."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.core.frame import tournament_frame
from tournaments.core.permissions import Power, may
from tournaments.core.pictures import CONTENT_TYPES
from tournaments.core.request_values import whole_number
from tournaments.events.event_page import sections_of
from tournaments.models import Tournament
from tournaments.setup.logo import logo_file
from tournaments.standings.further_columns import USUAL, Column
from tournaments.web.access import arbiter_only
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.printing.chromium import STYLES, browser, pdf_of
from tournaments.web.printing.columns import columns_of, takes_width
from tournaments.web.printing.kinds import KINDS, Kind, Source
from tournaments.web.standings.certificates import heading_of_event

SIZES: Final = ("large", "compact")
PAPERS: Final = ("letter",)
LONGEST_NOTICE: Final = 1000
"""Letters: it is a part of the address."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the address asks for: lists of one or more tournaments, and how they look.

    Titles and heads of columns are in all ``languages``, everything else in the first of them.
    """

    kinds: tuple[Kind, ...]
    sources: tuple[Source, ...]
    size: str | None
    paper: str | None
    languages: tuple[str, ...]
    printed_at: datetime = field(default_factory=timezone.now)

    @property
    def there(self) -> list[tuple[Source, Kind]]:
        """The lists that have something to print, those of a tournament together; a list of several
        sections is once there, with the first.
        """
        return [
            (source, kind)
            for source in self.sources
            for kind in self.kinds
            if kind.is_there(source) and (kind.of_event is None or source is self.sources[0])
        ]


@arbiter_only
@require_safe
def sheets(request: HtmxHttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the lists of ``?list=`` as sheets; a button opens the print dialog.

    ``round`` is the round, without it the newest. ``for=event`` takes all sections of the event.
    ``notice`` are the words of a notice. ``columns`` are the names of the columns of standings and
    crosstable, ``language`` the languages of titles and heads. ``size`` is ``large`` for a wall or
    ``compact``, ``paper`` can be ``letter``. ``as`` is ``pdf`` for a file or ``text`` for a message.
    """
    wanted = wanted_by(request, tournament)
    match request.GET.get("as"):
        case "pdf":
            return _as_pdf(request, tournament, wanted)
        case "text":
            return _as_text(request, tournament, wanted)
        case _:
            return _page(request, tournament, wanted)


def _as_pdf(request: HtmxHttpRequest, tournament: Tournament, wanted: Wanted) -> HttpResponse:
    """Return a file made by this computer's browser; else the sheets with a sentence."""
    made = pdf_of(as_file(request, wanted))
    if made is None:
        return _page(request, tournament, wanted, has_failed=True)
    response = HttpResponse(made, content_type="application/pdf")
    names = "-".join(kind.name for kind in wanted.kinds[:3])
    response.headers["Content-Disposition"] = f'inline; filename="{tournament.slug}-{names}.pdf"'
    return response


def as_file(request: HtmxHttpRequest, wanted: Wanted, stylesheet: str = STYLES) -> str:
    """Return the sheets as a page that needs no server, with its *stylesheet* as another file."""
    context = _paper(request, wanted) | {"stylesheet": stylesheet, "is_file": True}
    page = str(render_to_string("printing/sheets.html", context, request))
    for source in wanted.sources:
        page = _with_own_logo(page, source.tournament)
    return page


def _with_own_logo(page: str, tournament: Tournament) -> str:
    """Return *page* with the logo of *tournament* inside, instead of its address on the server."""
    if not (data := logo_file(tournament.slug, tournament.logo)):
        return page
    kind = CONTENT_TYPES[tournament.logo.rpartition(".")[2]]
    inside = f"data:{kind};base64,{b64encode(data).decode()}"
    return page.replace(reverse("logo", args=[tournament.slug, tournament.logo]), inside)


def _as_text(request: HtmxHttpRequest, tournament: Tournament, wanted: Wanted) -> HttpResponse:
    with translation.override(wanted.languages[0]):
        texts = [
            render_to_string(kind.text_template, _context(source, kind, wanted)).strip()
            for source, kind in wanted.there
            if kind.has_text
        ]
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "print",
        "text": "\n\n".join(texts),
        "labels": [kind.label for kind in wanted.kinds],
    }
    return render(request, "printing/text.html", context)


def wanted_by(request: HtmxHttpRequest, tournament: Tournament) -> Wanted:
    """Return what *request* asks for; 404 for an unknown list, or without the power."""
    names = request.GET.getlist("list") or ["boards"]
    if any(name not in KINDS for name in names):
        raise Http404
    kinds = tuple(KINDS[name] for name in dict.fromkeys(names))
    powers = {kind.power for kind in kinds}
    tournaments = [tournament]
    if request.GET.get("for") == "event" and hasattr(tournament, "section"):
        tournaments = [each.tournament for each in sections_of(tournament.section.event)]
    allowed = [
        each
        for each in tournaments
        if all(may(request.user, each, power) for power in powers | {Power.READ})
    ]
    if not allowed:
        raise Http404
    number = whole_number(request.GET.get("round", ""), least=1, most=999)
    notice = request.GET.get("notice", "")[:LONGEST_NOTICE]
    columns = tuple(
        column
        for column in columns_of(request.GET.getlist("columns"))
        if all(may(request.user, each, column.power) for each in allowed)
    )
    return Wanted(
        kinds=kinds,
        sources=tuple(source_of(each, number, notice, columns) for each in allowed),
        size=_one_of(request.GET, "size", SIZES),
        paper=_one_of(request.GET, "paper", PAPERS),
        languages=languages_of(request.GET),
    )


def languages_of(query: QueryDict) -> tuple[str, ...]:
    """Return the languages of titles and heads that *query* names; that of the reader if none."""
    known = dict(settings.LANGUAGES)
    chosen = [code for code in query.getlist("language") if code in known]
    return tuple(dict.fromkeys(chosen)) or (translation.get_language() or settings.LANGUAGE_CODE,)


def source_of(
    tournament: Tournament,
    number: int | None,
    notice: str = "",
    columns: tuple[Column, ...] = USUAL,
) -> Source:
    """Return *tournament* as visitors see it, with round *number* or the newest. One query."""
    frame = tournament_frame(tournament, runs=False)
    return Source(tournament, frame, number or len(frame.rounds), notice, columns)


def _page(
    request: HtmxHttpRequest, tournament: Tournament, wanted: Wanted, *, has_failed: bool = False
) -> HttpResponse:
    context = _paper(request, wanted) | {
        "tournament": tournament,
        "has_browser": browser() is not None,
        "has_failed": has_failed,
        "sizes": [(None, _("normal")), ("large", _("large type")), ("compact", _("compact"))],
        "papers": [(None, "A4"), ("letter", "Letter")],
        "stylesheet": static("css/sheets.css"),
    }
    return render(request, "printing/sheets.html", context, status=503 if has_failed else 200)


def _paper(request: HtmxHttpRequest, wanted: Wanted) -> dict[str, Any]:
    return {"sheets": _sheets(request, wanted), "wanted": wanted}


def _sheets(request: HtmxHttpRequest, wanted: Wanted) -> list[tuple[str, str]]:
    """Return the classes and the HTML of each list; a list with many columns is in landscape."""
    with translation.override(wanted.languages[0]):
        return [
            (
                _style(source, kind),
                render_to_string(kind.template, _context(source, kind, wanted), request),
            )
            for source, kind in wanted.there
        ]


def _style(source: Source, kind: Kind) -> str:
    wide = kind.has_columns and takes_width(source.columns)
    return f"of-{kind.name}{' wide' if wide else ''}"


def _context(source: Source, kind: Kind, wanted: Wanted) -> dict[str, Any]:
    return {
        "languages": wanted.languages,
        "frame": source.frame,
        "tournament": source.tournament,
        "heading": heading_of_event(source.tournament),
        "printed_at": wanted.printed_at,
        **(
            kind.of_event(wanted.sources)
            if kind.of_event and len(wanted.sources) > 1
            else kind.content(source)
        ),
    }


def _one_of(query: QueryDict, name: str, allowed: Sequence[str]) -> str | None:
    value = query.get(name)
    return value if value in allowed else None
