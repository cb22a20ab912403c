"""The public page of a tournament."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from pairing.rounds.round_page import BoardLine, round_page
from tournaments.core.frame import Frame
from tournaments.events.registration.opening import is_offered
from tournaments.models import Round, Tournament
from tournaments.reports.publications import left_fide_mode_by
from tournaments.setup.tournament_list import next_tournament
from tournaments.standings.standings import StandingLine, standings, winners_of
from tournaments.web.access import not_to_be_stored
from tournaments.web.htmx import HtmxHttpRequest, page_or_partial
from tournaments.web.public_page import visitor_page

TOP_BOARDS: Final = 5
LEADERS: Final = 5
"""The number of players who are named; the standings have all."""


@visitor_page
def overview(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """Show the tournament, its current state, and links to all other pages."""
    schedule = list(Round.objects.filter(tournament=frame.tournament).order_by("number"))
    context = {
        "frame": frame,
        "section": "public",
        "schedule": schedule,
        "next_round": next((row for row in schedule if not row.published_at), None),
        "leaders": _leaders(frame),
        "winners": winners_of(frame) if frame.is_over else [],
        "top_boards": _top_boards(frame, schedule),
        "has_starts": any(row.starts_at for row in schedule),
        "has_result_times": any(row.results_due_at for row in schedule),
        "left_fide_mode_by": left_fide_mode_by(frame),
        "players": frame.tournament.entries.count(),
        "registration": not frame.published and is_offered(frame.tournament),
    }
    return page_or_partial(request, "overview.html", "live", context)


@require_safe
def next_event(request: HttpRequest, slug: str) -> HttpResponse:
    """Redirect to the next tournament of this site, of its event where it has sections; without
    one to the list of all.

    Pages that are stored for one tournament lead here: they know nothing of others.
    """
    row = Tournament.objects.select_related("section__event")
    found = next_tournament(get_object_or_404(row, slug=slug))
    if found is None:
        address = f"{reverse('home')}?all"
    elif (section := getattr(found, "section", None)) is not None:
        address = reverse("event", args=[section.event.slug])
    else:
        address = reverse("tournament", args=[found.slug])
    return not_to_be_stored(redirect(address))


def _leaders(frame: Frame) -> tuple[StandingLine, ...]:
    """Return the first players of the newest published standings; nobody before them."""
    if not frame.latest_results:
        return ()
    return standings(frame, after_round=frame.latest_results).lines[:LEADERS]


def _top_boards(frame: Frame, schedule: list[Round]) -> list[BoardLine]:
    """Return the first boards of the newest round with published results; none before.

    Without an acceleration the other boards are not read.
    """
    numbers = range(1, TOP_BOARDS + 1)
    rows = [row for row in schedule if row.number == frame.latest_results]
    found = [line for row in rows for line in round_page(frame, row, boards=numbers).boards]
    return found[:TOP_BOARDS]
