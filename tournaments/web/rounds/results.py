"""Result entry: the page, one board at a time with the keyboard, all boards at once with a plain form."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from pairing.rounds.board_states import board_states
from pairing.rounds.corrections import Report, colours_correct
from pairing.rounds.plausible import questions, result_confirm
from pairing.rounds.publish import results_publish
from pairing.rounds.round_page import RoundPage, round_page
from pairing.rounds.second_reading import game_readings, open_readings
from pairing.rounds.table_codes import codes_of
from pairing.rounds.versions import pairings_version
from pairing.rules.rounds import PUBLIC_STATES, RoundState
from pairing.rules.second_reading import ReadingState
from tournaments.core.chosen_rules import point_system
from tournaments.core.errors import Conflict, ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.permissions import Power, may_run
from tournaments.core.request_values import numbers_of
from tournaments.models import Game, Role, Round, Tournament
from tournaments.templatetags.results import game_name
from tournaments.web.access import arbiter, arbiter_only, page
from tournaments.web.action_form import Problem, do, seen_version
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.rounds.accepting import accepted_report, report_context, save_result
from tournaments.web.rounds.result_keys import COLOURS_KEY, RESULT_KEYS, choices, words_for_script


@page(read=(Power.READ, Power.RESULTS), write=(Power.RESULTS,))
@require_http_methods(["GET", "HEAD", "POST"])
def results(request: HtmxHttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show the boards of a round with their results; POST saves every changed board (no script needed)."""
    row = get_object_or_404(Round, tournament=tournament, number=number)
    if request.role is Role.READER:
        return HttpResponseRedirect(reverse("round", args=[tournament.slug, number]))
    if tournament.final_at is not None and request.method != "POST":
        return HttpResponseRedirect(reverse("pairings-public", args=[tournament.slug, number]))
    if row.state not in PUBLIC_STATES:
        messages.info(request, _("The pairings are not published yet: results cannot be entered."))
        if request.role is Role.RESULT_DESK:
            return HttpResponseRedirect(reverse("desk", args=[tournament.slug]))  # leads to the own page
        return HttpResponseRedirect(reverse("round", args=[tournament.slug, number]))
    if request.method != "POST":
        return _page(request, tournament, row)
    problem = _save_all(request, round_page(tournament_frame(tournament, runs=True), row))
    if problem is not None:
        return _page(request, tournament, row, problem)
    messages.success(request, _("The results are saved."))
    return HttpResponseRedirect(reverse("round-results", args=[tournament.slug, number]))


def _save_all(request: HtmxHttpRequest, boards: RoundPage) -> Problem | None:
    """Save the changes of the form, game by game; return all refusals as one problem, with the boards that are saved.

    Each game is an action of its own, so that a refusal does not affect the others.
    """
    refused: list[ServiceError] = []
    saved: list[str] = []
    for line in boards.games:
        wanted = request.POST.get(f"result-{line.game_id}")
        accepted = accepted_report(request.POST, line.game_id)
        if not accepted and (wanted is None or wanted == request.POST.get(f"was-{line.game_id}")):
            continue
        try:
            save_result(
                game_id=line.game_id,
                result=accepted or wanted or "",
                actor=arbiter(request),
                now=timezone.now(),
                seen_version=seen_version(request.POST, f"version-{line.game_id}"),
                confirmed=f"confirmed-{line.game_id}" in request.POST,
                accepts=bool(accepted),
            )
        except ServiceError as error:
            refused.append(error)
        else:
            saved.append(game_name(line.board, line.number))
    if not refused:
        return None
    first = Problem.of(refused[0], request)
    others = tuple(str(error) for error in refused[1:])
    if saved:
        others = (_("Saved: %(boards)s.") % {"boards": "; ".join(saved)}, *others)
    return Problem(first.title, first.sentence, first.status, others + first.more)


@page(read=(Power.READ, Power.RESULTS), write=(Power.RESULTS,))
@require_POST
def game_result(request: HtmxHttpRequest, tournament: Tournament, game_id: int) -> HttpResponse:
    """Save the result of one board; answer in JSON with the current result and version.

    409 with ``conflict`` if somebody else has changed the board since the version on the page, and with ``confirm`` if
    an adjourned game did not end in a draw and is not ``confirmed``. With ``accepts`` it is the players' report.
    """
    get_object_or_404(Game, pk=game_id, round__tournament=tournament)
    try:
        game = save_result(
            game_id=game_id,
            result=request.POST.get("result", ""),
            actor=arbiter(request),
            now=timezone.now(),
            seen_version=seen_version(request.POST),
            confirmed="confirmed" in request.POST,
            accepts="accepts" in request.POST,
        )
    except ServiceError as error:
        stands = Game.objects.get(pk=game_id)
        answer = {
            "result": stands.result,
            "version": stands.version,
            "sentence": str(error),
            "conflict": isinstance(error, Conflict),
            "confirm": error.code == "result.not_the_draw",
        }
        return JsonResponse(answer, status=error.status)
    return JsonResponse({"result": game.result, "version": game.version})


@arbiter_only
@require_POST
def swap_colours(request: HtmxHttpRequest, tournament: Tournament, game_id: int) -> HttpResponse:
    """Record that the game was played with the other colours [C.04.2/2026 4.3.2]; answer as :func:`game_result`.

    For rounds whose results are not published: the result, if there is one, keeps its winner.
    """
    get_object_or_404(Game, pk=game_id, round__tournament=tournament, round__state=RoundState.PAIRINGS_PUBLISHED)
    now = timezone.now()
    report = Report(reported_at=now, reason=_("Played with colours reversed; reported with the result."))
    try:
        colours_correct(
            game_id=game_id, report=report, actor=arbiter(request), now=now, seen_version=seen_version(request.POST)
        )
    except ServiceError as error:
        return JsonResponse({"sentence": str(error), "conflict": isinstance(error, Conflict)}, status=error.status)
    game = Game.objects.get(pk=game_id)
    return JsonResponse({"result": game.result, "version": game.version})


@page(read=(Power.READ, Power.RESULTS), write=(Power.RESULTS,))
@require_safe
def state(request: HtmxHttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Return the results of every board and the players' reports, for other open pages.

    204 if nothing has changed since ``?v=`` and there is no new report since ``?r=``.
    """
    reports = codes_of(tournament).reports
    if (request.GET.get("v"), request.GET.get("r", "0")) == (str(tournament.version), str(reports)):
        return HttpResponse(status=204)
    get_object_or_404(Round, tournament=tournament, number=number, state__in=PUBLIC_STATES)
    states = board_states(tournament, number)
    return JsonResponse({"version": tournament.version, "reports": reports, "boards": states})


@page(read=(Power.READ, Power.RESULTS), write=(Power.RESULTS,))
@require_http_methods(["GET", "HEAD", "POST"])
def checks(request: HtmxHttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Return the questions about unusual results and the state of the second reading; POST answers a question.

    Without the script the button sends the whole form of the results, which is saved first.
    """
    row = get_object_or_404(Round, tournament=tournament, number=number, state__in=PUBLIC_STATES)
    problem = None
    if request.method == "POST":
        if not request.htmx:
            problem = _save_all(request, round_page(tournament_frame(tournament, runs=True), row))
        try:
            result_confirm(
                round_id=row.pk,
                question=request.POST.get("question", ""),
                actor=arbiter(request),
                now=timezone.now(),
            )
        except ServiceError as error:
            problem = problem or Problem.of(error, request)
        if not request.htmx and problem is None:
            return HttpResponseRedirect(reverse("round-results", args=[tournament.slug, number]))
        if not request.htmx:
            return _page(request, tournament, row, problem)
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "number": number,
        "checks_problem": problem,
        **_checks(request, tournament, row),
    }
    return render(request, "rounds/_results_checks.html", context, status=problem.status if problem else 200)


def _checks(request: HtmxHttpRequest, tournament: Tournament, row: Round) -> dict[str, Any]:
    """Return the checks before the results of the round are published; none afterwards."""
    if row.state != RoundState.PAIRINGS_PUBLISHED:
        return {"is_open": False}
    readings = game_readings(tournament, row.number)
    started = any(reading.reading_version for reading in readings)
    return {
        "is_open": True,
        "may_run": may_run(request.user, tournament),
        "questions": questions(tournament, row),
        "is_read": started or tournament.second_reading,
        "unread": open_readings(readings, ReadingState.UNREAD),
        "different": open_readings(readings, ReadingState.DIFFERENT),
        "missing": open_readings(readings, ReadingState.NO_RESULT),
    }


@arbiter_only
@require_POST
def publish(request: HtmxHttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Publish the results of the round; ``adjourning`` are the boards that count as adjourned [C.04.2/2026 3.1]."""
    adjourning = numbers_of(request.POST, "adjourning")
    row = get_object_or_404(Round, tournament=tournament, number=number)
    return do(
        request,
        lambda: results_publish(
            round_id=row.pk,
            actor=arbiter(request),
            now=timezone.now(),
            adjourning=adjourning,
            seen_version=seen_version(request.POST),
        ),
        done=_("The results of round %(n)d are published.") % {"n": number},
        to=reverse("desk", args=[tournament.slug]),
        stale=reverse("round-results", args=[tournament.slug, number]),
        refused=lambda problem: _page(request, tournament, row, problem),
    )


def _page(request: HtmxHttpRequest, tournament: Tournament, row: Round, problem: Problem | None = None) -> HttpResponse:
    frame = tournament_frame(tournament, runs=True)
    boards, seats = round_page(frame, row), pairings_version(tournament, row.number)
    context: dict[str, Any] = {
        "frame": frame,
        "section": "rounds",
        "page": boards,
        "games": boards.games,
        "entered": boards.games_entered,
        "pairings_version": seats,
        "seen_version": seats + sum(game.version for game in boards.games),
        "is_last": row.number == len(frame.rounds),
        "next_number": row.number + 1,
        "keys": RESULT_KEYS,
        "swaps_colours": row.state == RoundState.PAIRINGS_PUBLISHED and may_run(request.user, tournament),
        "colours_key": COLOURS_KEY,
        "choices": choices(),
        "words": words_for_script(point_system(tournament)),
        "problem": problem,
        "number": row.number,
        **report_context(tournament, boards),
        **_checks(request, tournament, row),
    }
    return render(request, "rounds/round_results.html", context, status=problem.status if problem else 200)
