"""My board: choose a name once; and the index of names it searches on phones."""

from __future__ import annotations

from collections import Counter
from typing import Final

from django.conf import settings
from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from pairing.rules.names import fold
from tournaments.core.build import build
from tournaments.core.frame import Frame
from tournaments.core.short_address import found_by
from tournaments.entries.entry_list import entry_list
from tournaments.models import Entry
from tournaments.reports.publications import left_fide_mode_by
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.not_found import not_found
from tournaments.web.public_page import visitor_page, visitor_page_with, words

MOST_FOUND: Final = 20
"""So many players are listed for one search; a longer search finds fewer."""


@visitor_page_with(q=words)
def me(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """Show the same page to everybody: only the phone knows who was chosen.

    Without scripts it is a search by name.
    """
    search = request.GET.get("q", "")
    found = (
        [line for line in entry_list(frame.tournament, search=search).lines if line.tpn]
        if search
        else []
    )
    request.finds = bool(found)
    context = {"frame": frame, "section": "me", "q": search, "build": build()}
    context["push_is_on"] = settings.PUSH
    context |= {"lines": found[:MOST_FOUND], "total": len(found)}
    context["not_found"] = not_found(found, search)
    entries = Entry.objects.filter(tournament=frame.tournament).aggregate(
        all=Count("pk"), numbered=Count("tpn")
    )
    context |= {
        "is_numbered": entries["numbered"],
        "is_waited_for": entries["all"] > entries["numbered"],
    }
    context["left_fide_mode_by"] = left_fide_mode_by(frame)
    return render(request, "standings/me.html", context)


@visitor_page
def names(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """Return ``[[entry id, number (TPN), name], …]`` by name, of all with a number.

    Players with equal names have ``[rating, federation, club]`` too, because hardly anybody knows
    the own number.
    """
    entries = Entry.objects.filter(tournament=frame.tournament, tpn__isnull=False)
    rows = list(entries.values_list("pk", "tpn", "name", "rating", "federation", "club"))
    known = Counter(fold(name) for _pk, _tpn, name, *_rest in rows)
    index = [
        [pk, tpn, name, *([[rating, federation, club]] if known[fold(name)] > 1 else [])]
        for pk, tpn, name, rating, federation, club in sorted(
            rows, key=lambda row: (fold(row[2]), row[1])
        )
    ]
    return JsonResponse(
        index, safe=False, json_dumps_params={"ensure_ascii": False, "separators": (",", ":")}
    )


@require_safe
def short_address(request: HttpRequest, code: str) -> HttpResponse:
    """Redirect a short address of a printed sheet to *My board*, or to *Me* of an event, which
    finds the section of each player; 404 for an unknown code.
    """
    found = found_by(code)
    if found is None:
        raise Http404
    section = getattr(found.tournament, "section", None) if found.whole_event else None
    if section is not None:
        return redirect("event-me", section.event.slug)
    return redirect("me", found.tournament.slug)
