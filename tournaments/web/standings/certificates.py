"""The certificate of a player, on a sheet of paper: after the last round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render

from tournaments.core.frame import Frame
from tournaments.core.request_values import MOST
from tournaments.models import Entry, Tournament
from tournaments.standings.prospects import PrizeNow, prizes_by_player
from tournaments.standings.standings import StandingLine, standings
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.public_page import visitor_page


@dataclass(frozen=True, slots=True)
class Certificate:
    """The rank and the points of a player at the end, with the prizes."""

    line: StandingLine
    prizes: tuple[PrizeNow, ...]


@visitor_page
def certificate(request: HtmxHttpRequest, frame: Frame, entry_id: int) -> HttpResponse:
    """Show the certificate of a player as a sheet to print; before the end a sentence.

    404 for a player without a number or, at the end, without a rank.
    """
    numbered = Entry.objects.filter(tournament=frame.tournament, tpn__isnull=False)
    player = numbered.filter(pk=entry_id).first() if entry_id <= MOST else None
    context = certificates_of(frame)
    mine = [each for each in context["certificates"] if each.line.entry_id == entry_id]
    if player is None or (frame.is_over and not mine):
        raise Http404
    context |= {"frame": frame, "tournament": frame.tournament}
    context |= {"player": player, "certificates": mine, "kind": "certificates"}
    return render(request, "printing/certificate.html", context)


def certificates_of(frame: Frame) -> dict[str, Any]:
    """Return the content of the sheets with the certificates of all players in order of rank;
    nobody has one before the results of the last round are published.

    Queries as for :func:`standings` and :func:`prospects`.
    """
    lines = standings(frame, after_round=frame.latest_results).lines if frame.is_over else ()
    currency, prizes = prizes_by_player(frame) if lines else ("", {})
    return {
        "certificates": [Certificate(line, prizes.get(line.tpn, ())) for line in lines],
        "currency": currency,
        "heading": heading_of_event(frame.tournament),
        "rounds": len(frame.rounds),
        "players": len(lines),
    }


def heading_of_event(tournament: Tournament) -> str:
    """Return the name of the event, once, and of the section."""
    section = getattr(tournament, "section", None)
    return f"{section.event.name} · {section.label}" if section else tournament.name
