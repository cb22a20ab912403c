"""The floor page: results on a phone, while walking along the boards.

Two taps each; it works without scripts too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from pairing.rounds.players_reports import NOTHING, Reported, reports_of
from pairing.rounds.report_acceptance import report_accept
from pairing.rounds.results import result_record
from pairing.rounds.round_page import GameLine, round_page
from pairing.rounds.table_codes import codes_of
from pairing.rounds.versions import pairings_version
from pairing.rules.rounds import RoundState
from tournaments.core.chosen_rules import point_system
from tournaments.core.errors import ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.permissions import Power, may_run
from tournaments.core.request_values import whole_number
from tournaments.models import GameResult, Round, Tournament
from tournaments.web.access import page, who_and_when
from tournaments.web.action_form import Problem, render_with_problem, seen_version
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.rounds.board_parts import elsewhere, part_of_round, same_part, states_of
from tournaments.web.rounds.result_keys import QUICK, RESULT_KEYS, words_for_script
from tournaments.web.templatetags.numbers import colon
from tournaments.web.templatetags.results import game_name, result_short

OTHERS: Final = tuple(key.code for key in RESULT_KEYS if key.code and key.code not in QUICK)
"""The results behind *Other results*; the empty one clears a result and has a button of its own."""

GROUPS: Final = ("missing", "reported", "entered")
"""The lists of the page, in order."""


@dataclass(frozen=True, slots=True)
class FloorLine:
    """One game on the floor page, with what its players report."""

    game: GameLine
    reported: Reported

    @property
    def group(self) -> str:
        """Which of :data:`GROUPS` it is in."""
        if self.game.result != GameResult.NOT_YET:
            return "entered"
        return "reported" if self.reported.by.value else "missing"


@page(read=(Power.RESULTS,), write=(Power.RESULTS,))
@require_http_methods(["GET", "HEAD", "POST"])
def floor(request: HtmxHttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show the boards of the running round, those without a result first; POST saves one result
    (``save``), or accepts the players' report (``accept``), each with the game and the result:
    ``12:10``. ``?board=`` opens a board.
    """
    row = get_object_or_404(Round, tournament=tournament, number=number)
    if row.state != RoundState.PAIRINGS_PUBLISHED or tournament.final_at is not None:
        return redirect("round-results", tournament.slug, number)
    if request.method != "POST":
        return _page(request, tournament, row, opened=whole_number(request.GET.get("board", "")))
    frame = tournament_frame(tournament, runs=True)
    accepts = "accept" in request.POST
    game, _colon, result = request.POST.get("accept" if accepts else "save", "").partition(":")
    line = next((each for each in round_page(frame, row).games if str(each.game_id) == game), None)
    here = same_part(reverse("round-floor", args=[tournament.slug, number]), request)
    if line is None:
        messages.warning(
            request, _("This board is no longer in the round: the pairings have changed.")
        )
        return redirect(here)
    try:
        (report_accept if accepts else result_record)(
            game_id=line.game_id,
            result=result,
            **who_and_when(request),
            seen_version=seen_version(request.POST, f"version-{line.game_id}"),
        )
    except ServiceError as error:
        return _page(
            request, tournament, row, opened=line.board, problem=Problem.from_error(error, request)
        )
    saved = result_short(result) or _("no result")
    name = game_name(line.board, line.number)
    messages.success(request, f"{name[:1].upper()}{name[1:]}{colon()} {saved}")
    return redirect(here)


def _page(
    request: HtmxHttpRequest,
    tournament: Tournament,
    row: Round,
    *,
    opened: int | None = None,
    problem: Problem | None = None,
) -> HttpResponse:
    frame = tournament_frame(tournament, runs=True)
    boards = round_page(frame, row)
    reports = reports_of(tournament, row.number)
    there = [game for game in boards.games if game.board == opened]
    part = part_of_round(request, boards, board=opened if there else None)
    address = reverse("round-floor", args=[tournament.slug, row.number])
    shown = [game for game in boards.games if game.board in part.boards]
    lines = [FloorLine(game, reports.get(game.game_id, NOTHING)) for game in shown]
    context: dict[str, Any] = {
        "frame": frame,
        "section": "rounds",
        "number": row.number,
        "round_id": row.pk,
        "groups": [(name, [each for each in lines if each.group == name]) for name in GROUPS],
        "games": len(boards.games),
        "board_part": part,
        "boards_address": address,
        "elsewhere": elsewhere(part, states_of(boards), address),
        "pairings_version": pairings_version(tournament, row.number),
        "entered": boards.games_entered,
        "opened": opened,
        "opened_game": next(
            (game.game_id for game in sorted(there, key=lambda game: bool(game.result))), None
        ),
        "is_unknown": opened is not None and not there,
        "quick": QUICK,
        "others": OTHERS,
        "reports": codes_of(tournament).reports,
        "may_run": may_run(request.user, tournament),
        "words": words_for_script(point_system(tournament)),
        "problem": problem,
    }
    return render_with_problem(request, "rounds/floor.html", context)
