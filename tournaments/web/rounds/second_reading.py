"""The second reading: the page without the first results, and that of the differences."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from pairing.rounds.round_page import GameLine, round_page
from pairing.rounds.second_reading import (
    GameReading,
    game_readings,
    open_readings,
    reading_decide,
    reading_record,
)
from pairing.rules.plausible import shifted_reading
from pairing.rules.rounds import PUBLIC_STATES, RoundState
from pairing.rules.second_reading import ReadingState
from tournaments.core.chosen_rules import point_system
from tournaments.core.errors import Conflict, ServiceError
from tournaments.core.frame import Frame, tournament_frame
from tournaments.core.permissions import Power, may_run
from tournaments.core.request_values import optional_number_of
from tournaments.models import Game, Round, SecondReading, Tournament
from tournaments.web.access import arbiter, arbiter_only, page, who_and_when
from tournaments.web.action_form import Problem, do, render_with_problem, seen_version
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.rounds.board_parts import (
    GameState,
    elsewhere,
    part_of_round,
    same_part,
    searched,
)
from tournaments.web.rounds.result_keys import (
    RESULT_KEYS,
    choices,
    result_key_lines,
    words_for_script,
)


@dataclass(frozen=True, slots=True)
class Difference:
    """A game whose two readings differ, with its players."""

    line: GameLine
    reading: GameReading


@page(read=(Power.RESULTS,), write=(Power.RESULTS,))
@require_http_methods(["GET", "HEAD", "POST"])
def read(request: HtmxHttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Enter the second reading: boards and players, but no result entered by others."""
    row = get_object_or_404(Round, tournament=tournament, number=number)
    is_closed = row.state == RoundState.RESULTS_PUBLISHED or tournament.final_at is not None
    if row.state not in PUBLIC_STATES or (is_closed and request.method != "POST"):
        messages.info(
            request,
            _("The second reading takes place between entry and publication of the results."),
        )
        return HttpResponseRedirect(reverse("desk", args=[tournament.slug]))
    problem = None
    if request.method == "POST":
        problem = _save_all(request, tournament, number)
        if problem is None:
            messages.success(request, _("The second reading is saved."))
            here = reverse("second-reading", args=[tournament.slug, number])
            return HttpResponseRedirect(same_part(here, request))
    return _blind_page(request, tournament, row, problem)


def _blind_page(
    request: HtmxHttpRequest, tournament: Tournament, row: Round, problem: Problem | None
) -> HttpResponse:
    frame = tournament_frame(tournament, runs=True)
    me = arbiter(request).pk
    boards = round_page(frame, row)
    address = reverse("second-reading", args=[tournament.slug, row.number])
    to_board, found = searched(request, boards, address)
    if to_board is not None:
        return to_board
    readings = {reading.game_id: reading for reading in game_readings(tournament, row.number)}
    own = {pk for pk, each in readings.items() if each.entered_by and each.entered_by.pk == me}
    others = {pk for pk, each in readings.items() if each.counts_for_another(me)} - own
    to_read = [
        _without_result(game, readings[game.game_id], me)
        for game in boards.games
        if game.game_id not in own and game.game_id not in others
    ]
    part = part_of_round(request, boards)
    here = [game for game in boards.games if game.board in part.boards]
    states = (GameState(game.board, game.number, game.result, game.version) for game in to_read)
    context: dict[str, Any] = {
        "frame": frame,
        "section": "rounds",
        "page": boards,
        "games": [game for game in to_read if game.board in part.boards],
        "total": len(to_read),
        "board_part": part,
        "boards_address": address,
        "found_boards": found,
        "elsewhere": elsewhere(part, states, address),
        "entered": sum(bool(game.result) for game in to_read),
        "own": tuple(dict.fromkeys(game.board for game in here if game.game_id in own)),
        "others": tuple(dict.fromkeys(game.board for game in here if game.game_id in others)),
        "is_reading": True,
        "may_run": may_run(request.user, tournament),
        "keys": RESULT_KEYS,
        "key_lines": result_key_lines(swaps_colours=False, cards=False, reports=False),
        "choices": choices(),
        "words": words_for_script(point_system(tournament)),
        "problem": problem,
    }
    return render_with_problem(request, "rounds/second_reading.html", context)


def _without_result(game: GameLine, reading: GameReading, me: int) -> GameLine:
    """Return *game* with nothing but the result that the reader *me* has entered here."""
    mine = reading.read_by is not None and reading.read_by.pk == me
    return replace(game, result=reading.reading if mine else "", version=reading.reading_version)


def _save_all(request: HtmxHttpRequest, tournament: Tournament, number: int) -> Problem | None:
    """Save the changes of the plain form, game by game; return all refusals as one problem."""
    refused: list[ServiceError] = []
    for game_id in Game.objects.filter(
        round__tournament=tournament, round__number=number
    ).values_list("pk", flat=True):
        wanted = request.POST.get(f"result-{game_id}")
        if wanted is None or wanted == request.POST.get(f"was-{game_id}"):
            continue
        try:
            reading_record(
                game_id=game_id,
                result=wanted,
                **who_and_when(request),
                seen_version=seen_version(request.POST, f"version-{game_id}"),
            )
        except ServiceError as error:
            refused.append(error)
    if not refused:
        return None
    first = Problem.from_error(refused[0], request)
    return replace(first, more=tuple(str(error) for error in refused[1:]) + first.more)


@page(read=(Power.RESULTS,), write=(Power.RESULTS,))
@require_POST
def game_reading(request: HtmxHttpRequest, tournament: Tournament, game_id: int) -> HttpResponse:
    """Save a second reading; answer in JSON with nothing that another person read."""
    get_object_or_404(Game, pk=game_id, round__tournament=tournament)
    try:
        reading = reading_record(
            game_id=game_id,
            result=request.POST.get("result", ""),
            **who_and_when(request),
            seen_version=seen_version(request.POST),
        )
    except ServiceError as error:
        mine = SecondReading.objects.filter(game=game_id, reader=arbiter(request)).first()
        answer = {
            "result": mine.result if mine else "",
            "version": mine.version if mine else 0,
            "sentence": str(error),
            "conflict": isinstance(error, Conflict),
            "confirm": False,
        }
        return JsonResponse(answer, status=error.status)
    return JsonResponse(
        {"result": reading.result if reading else "", "version": reading.version if reading else 0}
    )


@arbiter_only
@require_http_methods(["GET", "HEAD", "POST"])
def differences(request: HtmxHttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show the games whose two readings differ; POST decides for one of the two."""
    row = get_object_or_404(Round, tournament=tournament, number=number)
    if request.method != "POST":
        if row.state != RoundState.PAIRINGS_PUBLISHED:
            return HttpResponseRedirect(reverse("desk", args=[tournament.slug]))
        return _differences_page(request, tournament, row)
    game = get_object_or_404(Game, pk=optional_number_of(request.POST, "game"), round=row)
    here = reverse("reading-differences", args=[tournament.slug, number])
    return do(
        request,
        lambda: reading_decide(
            game_id=game.pk,
            result=request.POST.get("result", ""),
            **who_and_when(request),
            seen_version=seen_version(request.POST),
            seen_reading=seen_version(request.POST, "seen_reading"),
        ),
        done=_("The difference on board %(board)s is decided.") % {"board": game.board},
        to=here,
        refused=lambda problem: _differences_page(request, tournament, row, problem),
    )


def _differences_page(
    request: HtmxHttpRequest, tournament: Tournament, row: Round, problem: Problem | None = None
) -> HttpResponse:
    frame = tournament_frame(tournament, runs=True)
    readings = game_readings(tournament, row.number)
    context = {
        "frame": frame,
        "section": "rounds",
        "number": row.number,
        "differences": _differences(frame, row, readings),
        "unread": open_readings(readings, ReadingState.UNREAD),
        "agreed": sum(
            each.state in (ReadingState.AGREED, ReadingState.DECIDED) for each in readings
        ),
        "shift": _shift(readings),
        "problem": problem,
    }
    return render_with_problem(request, "rounds/differences.html", context)


def _differences(frame: Frame, row: Round, readings: tuple[GameReading, ...]) -> list[Difference]:
    different = {each.game_id: each for each in readings if each.state is ReadingState.DIFFERENT}
    lines = round_page(frame, row).games if different else ()
    return [
        Difference(line, different[line.game_id]) for line in lines if line.game_id in different
    ]


def _shift(readings: tuple[GameReading, ...]) -> dict[str, int] | None:
    """Return the first and last board of a run that one person entered one too far, or None."""
    games = [each for each in readings if each.number == 1]
    found = shifted_reading([each.result for each in games], [each.reading for each in games])
    return found and {"first": games[found[0]].board, "last": games[found[1]].board}
