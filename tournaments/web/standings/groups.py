"""The clubs, federations and categories of the players, with links to the filtered lists."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from tournaments.core.frame import Frame
from tournaments.standings.player_groups import Group, player_groups
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.public_page import visitor_page


def group_of(request: HtmxHttpRequest, frame: Frame) -> Group | None:
    """Return the group of ``?only=``; None without it. Queries as for :func:`player_groups`."""
    key = request.GET.get("only", "")
    return player_groups(frame).find(key) if key else None


@visitor_page
def groups(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """List the groups of players: each leads to its players in standings and pairings."""
    found = player_groups(frame)
    context = {
        "frame": frame,
        "section": "players",
        "kinds": [
            (_("Categories"), "categories", [each for each in found.categories if each.entries]),
            (_("Federations"), "federations", found.federations),
            (_("Clubs"), "clubs", found.clubs),
        ],
    }
    return render(request, "standings/groups.html", context)
