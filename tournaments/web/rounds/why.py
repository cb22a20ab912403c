"""Explain why a player was paired with one opponent and not with another. It is a GET, because it changes nothing."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from pairing.rounds.draft_views import draft_viewed
from pairing.rounds.why import people, why
from pairing.rules.rounds import PUBLIC_STATES, RoundState
from tournaments.core.frame import Frame, tournament_frame
from tournaments.models import Entry, Round, Tournament
from tournaments.web.access import arbiter, arbiter_only
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.public_page import line_number, visitor_page_with


@arbiter_only
@require_safe
def round_why(request: HtmxHttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Ask for ``?player=`` and optionally ``&other=``, both by number; show the explanation if there is a player."""
    row = get_object_or_404(Round, tournament=tournament, number=number)
    if row.state == RoundState.PLANNED:
        raise Http404
    draft_viewed(row, arbiter(request), timezone.now())
    entries = people(tournament)
    player, other = (_named(entries, request.GET.get(name, "")) for name in ("player", "other"))
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "section": "rounds",
        "number": number,
        "people": entries,
        "asked": player,
        "other": other,
        "why": why(tournament, row, asked=player, other=other, language=_language()) if player else None,
    }
    response = render(request, "rounds/why.html", context)
    response.headers["Cache-Control"] = "private, no-store"
    return response


@visitor_page_with(player=line_number, other=line_number)
def public_why(request: HtmxHttpRequest, frame: Frame, number: int) -> HttpResponse:
    """Show the same to everybody, for a published round, if the arbiter allows it; otherwise say so."""
    tournament = frame.tournament
    row = get_object_or_404(Round, tournament=tournament, number=number)
    if row.state not in PUBLIC_STATES:
        raise Http404
    context: dict[str, object] = {"frame": frame, "section": "pairings", "number": number, "is_public": True}
    if not tournament.explanations_public:
        return render(request, "rounds/why_public.html", context)
    entries = people(tournament)
    player, other = (_named(entries, request.GET.get(name, "")) for name in ("player", "other"))
    found = why(tournament, row, asked=player, other=other, language=_language()) if player else None
    context |= {"people": entries, "asked": player, "other": other, "why": found}
    return render(request, "rounds/why_public.html", context)


def _named(entries: list[Entry], number: str) -> Entry | None:
    """Return the entry with that number; None without a number, 404 if no entry has it."""
    if not number:
        return None
    for entry in entries:
        if str(entry.tpn) == number:
            return entry
    raise Http404


def _language() -> str:
    """Return the language of the page, for the explanations."""
    return "fr" if (get_language() or "").startswith("fr") else "en"
