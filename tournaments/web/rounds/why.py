"""Explain why a player was paired with one opponent and not with another.

It is a GET, because it changes nothing.
"""

from __future__ import annotations

from typing import Final, TypedDict

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from pairing.engine.plain.words import LANGUAGES
from pairing.rounds.draft_views import draft_viewed
from pairing.rounds.why import people, why
from pairing.rules.rounds import PUBLIC_STATES, RoundState
from tournaments.core.frame import Frame, tournament_frame
from tournaments.models import Entry, Round, Tournament
from tournaments.web.access import arbiter, arbiter_only
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.public_page import line_number, visitor_page_with

MOST_NAMES: Final = 1_000
"""With more players a list of all their names would be too large for a phone:
their numbers are typed.
"""


@arbiter_only
@require_safe
def round_why(request: HtmxHttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Ask for ``?player=`` and any ``&other=``, by number; show the explanation."""
    row = get_object_or_404(Round, tournament=tournament, number=number)
    if row.state == RoundState.PLANNED:
        raise Http404
    draft_viewed(row, arbiter(request), timezone.now())
    entries = people(tournament)
    form = _form(request, entries)
    player, other = form["selected"], form["other"]
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "rounds",
        "number": number,
        **form,
        "why": why(tournament, row, player=player, other=other, language=_language())
        if player
        else None,
    }
    response = render(request, "rounds/why.html", context)
    response.headers["Cache-Control"] = "private, no-store"
    return response


@visitor_page_with(player=line_number, other=line_number)
def public_why(request: HtmxHttpRequest, frame: Frame, number: int) -> HttpResponse:
    """Show the same to everybody, for a published round, or that the arbiter does not allow it."""
    tournament = frame.tournament
    row = get_object_or_404(Round, tournament=tournament, number=number)
    if row.state not in PUBLIC_STATES:
        raise Http404
    context: dict[str, object] = {
        "frame": frame,
        "section": "pairings",
        "number": number,
        "is_public": True,
    }
    if not tournament.explanations_public:
        return render(request, "rounds/why_public.html", context)
    entries = people(tournament)
    form = _form(request, entries)
    player, other = form["selected"], form["other"]
    found = (
        why(tournament, row, player=player, other=other, language=_language()) if player else None
    )
    context |= {**form, "why": found}
    return render(request, "rounds/why_public.html", context)


class _Form(TypedDict):
    """What the form shows: names to choose from, or fields for numbers; and the selected player."""

    by_number: bool
    people: list[Entry]
    selected: Entry | None
    other: Entry | None
    unknown: str


def _form(request: HtmxHttpRequest, entries: list[Entry]) -> _Form:
    """Return the form for *entries*.

    404 if no entry has a number that was chosen; a typed one is ``unknown``.
    """
    by_number = len(entries) > MOST_NAMES
    numbers = [request.GET.get(name, "") for name in ("player", "other")]
    by_tpn = {str(entry.tpn): entry for entry in entries}
    unknown = next((number for number in numbers if number and number not in by_tpn), "")
    if unknown and not by_number:
        raise Http404
    selected, other = (None if unknown else by_tpn.get(number) for number in numbers)
    people_ = [] if by_number else entries
    return {
        "by_number": by_number,
        "people": people_,
        "selected": selected,
        "other": other,
        "unknown": unknown,
    }


def _language() -> str:
    """Return the language of the page, for the explanations."""
    language = (get_language() or "").partition("-")[0]
    return language if language in LANGUAGES else "en"
