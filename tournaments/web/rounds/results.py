"""Result entry: one board at a time by keyboard, or all at once with a plain form."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from pairing.rounds.board_states import board_states
from pairing.rounds.corrections import Report, colours_correct
from pairing.rounds.moved_results import results_move
from pairing.rounds.plausible import result_confirm
from pairing.rounds.publish import results_publish
from pairing.rounds.round_page import RoundPage, round_page
from pairing.rounds.table_codes import codes_of
from pairing.rounds.versions import pairings_version
from pairing.rules.rounds import PUBLIC_STATES, RoundState
from tournaments.core.errors import Conflict, ServiceError
from tournaments.core.frame import tournament_frame
from tournaments.core.permissions import Power
from tournaments.core.request_values import numbers_of
from tournaments.models import Game, Role, Round, Tournament
from tournaments.web.access import arbiter, arbiter_only, page, who_and_when
from tournaments.web.action_form import Problem, do, render_with_problem, seen_version
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.rounds.accepting import accepted_report, save_result
from tournaments.web.rounds.board_parts import (
    board_part,
    boards_address,
    elsewhere,
    same_part,
    searched,
    states_now,
)
from tournaments.web.rounds.entry import entry_context, results_checks
from tournaments.web.rounds.surface import round_surface
from tournaments.web.templatetags.numbers import moment_at
from tournaments.web.templatetags.results import game_name


@page(read=(Power.READ, Power.RESULTS), write=(Power.RESULTS,))
@require_http_methods(["GET", "HEAD", "POST"])
def results(request: HtmxHttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Show the entry of results; POST saves every changed board (without a script).

    Arbiters enter results on the page of the round.
    """
    row = get_object_or_404(Round, tournament=tournament, number=number)
    if (
        request.role is not Role.RESULT_DESK
        and request.method != "POST"
        and row.state in PUBLIC_STATES
    ):
        return HttpResponseRedirect(
            same_part(reverse("round", args=[tournament.slug, number]), request)
        )
    if tournament.final_at is not None and request.method != "POST":
        return HttpResponseRedirect(reverse("pairings-public", args=[tournament.slug, number]))
    if row.state not in PUBLIC_STATES:
        if request.role is Role.RESULT_DESK and number == 1:
            return HttpResponseRedirect(
                reverse("desk", args=[tournament.slug])
            )  # says when there is something to do
        messages.info(request, _("The pairings are not published yet: results cannot be entered."))
        if request.role is Role.RESULT_DESK:
            return HttpResponseRedirect(
                reverse("desk", args=[tournament.slug])
            )  # leads to the own page
        return HttpResponseRedirect(reverse("round", args=[tournament.slug, number]))
    if request.method != "POST":
        return _page(request, tournament, row)
    problem = _save_all(request, round_page(tournament_frame(tournament, runs=True), row))
    if problem is not None:
        return _page(request, tournament, row, problem)
    messages.success(request, _("The results are saved."))
    return _own_page(request, tournament, number)


def _own_page(request: HtmxHttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Go back to the page, and to the part of the boards, on which this person enters results."""
    return HttpResponseRedirect(same_part(boards_address(request, tournament, number), request))


def _save_all(request: HtmxHttpRequest, boards: RoundPage) -> Problem | None:
    """Save the changes of the form, game by game; return all refusals as one problem,
    with the boards that are saved.

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
                **who_and_when(request),
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
    first = Problem.from_error(refused[0], request)
    others = tuple(str(error) for error in refused[1:])
    if saved:
        others = (_("Saved: %(boards)s.") % {"boards": "; ".join(saved)}, *others)
    return Problem(first.title, first.sentence, first.status, others + first.more)


@page(read=(Power.READ, Power.RESULTS), write=(Power.RESULTS,))
@require_POST
def game_result(request: HtmxHttpRequest, tournament: Tournament, game_id: int) -> HttpResponse:
    """Save the result of one board; answer in JSON with the current result and version.

    409 with ``conflict`` if somebody else has changed the board since the version on the page, and
    with ``confirm`` if an adjourned game did not end in a draw and is not ``confirmed``. With
    ``accepts`` it is the players' report.
    """
    get_object_or_404(Game, pk=game_id, round__tournament=tournament)
    try:
        game = save_result(
            game_id=game_id,
            result=request.POST.get("result", ""),
            **who_and_when(request),
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
    """Record that the game was played with the other colours [C.04.2/2026 4.3.2];
    answer as :func:`game_result`.

    For rounds whose results are not published: the result, if there is one, keeps its winner.
    """
    get_object_or_404(
        Game, pk=game_id, round__tournament=tournament, round__state=RoundState.PAIRINGS_PUBLISHED
    )
    now = timezone.now()
    report = Report(
        reported_at=now, reason=_("Played with colours reversed; reported with the result.")
    )
    try:
        colours_correct(
            game_id=game_id,
            report=report,
            actor=arbiter(request),
            now=now,
            seen_version=seen_version(request.POST),
        )
    except ServiceError as error:
        return JsonResponse(
            {"sentence": str(error), "conflict": isinstance(error, Conflict)}, status=error.status
        )
    game = Game.objects.get(pk=game_id)
    return JsonResponse({"result": game.result, "version": game.version})


@page(read=(Power.READ, Power.RESULTS), write=(Power.RESULTS,))
@require_safe
def state(request: HtmxHttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Return the results of every board and the players' reports, for other open pages.

    204 if nothing has changed since ``?v=`` and there is no new report since ``?r=``. With
    ``?page=`` only the boards of that part, and ``elsewhere`` sums up the others.
    """
    reports = codes_of(tournament).reports
    if (request.GET.get("v"), request.GET.get("r", "0")) == (str(tournament.version), str(reports)):
        return HttpResponse(status=204)
    row = get_object_or_404(Round, tournament=tournament, number=number, state__in=PUBLIC_STATES)
    part, about_others = None, {}
    if "page" in request.GET:
        games = states_now(row.pk)
        part = board_part(request.GET["page"], games[-1].board if games else 0)
        address, is_past = (
            boards_address(request, tournament, number),
            row.state == RoundState.RESULTS_PUBLISHED,
        )
        about_others = {"elsewhere": elsewhere(part, games, address, is_past=is_past)}
    return JsonResponse(
        {
            "version": tournament.version,
            "reports": reports,
            "pairings": pairings_version(tournament, number),
            **about_others,
            "boards": [
                {**board, "date": moment_at(board["starts_at"], board["place"])}
                for board in board_states(tournament, number, part.boards if part else None)
            ],
        }
    )


@page(read=(Power.READ, Power.RESULTS), write=(Power.RESULTS,))
@require_http_methods(["GET", "HEAD", "POST"])
def checks(request: HtmxHttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Return the questions about unusual results and the state of the second reading;
    POST answers a question, or moves the results of a question by one board.

    Without the script the button sends the whole form of the results, which is saved first.
    """
    row = get_object_or_404(Round, tournament=tournament, number=number, state__in=PUBLIC_STATES)
    problem = None
    if request.method == "POST":
        if not request.htmx:
            problem = _save_all(request, round_page(tournament_frame(tournament, runs=True), row))
        actor, now = arbiter(request), timezone.now()
        try:
            if "move" in request.POST:
                results_move(round_id=row.pk, move=request.POST["move"], actor=actor, now=now)
            else:
                question = request.POST.get("question", "")
                result_confirm(round_id=row.pk, question=question, actor=actor, now=now)
        except ServiceError as error:
            problem = problem or Problem.from_error(error, request)
        if not request.htmx and problem is None:
            return _own_page(request, tournament, number)
        if not request.htmx:
            return _page(request, tournament, row, problem)
    context = {
        "frame": tournament_frame(tournament, runs=True),
        "number": number,
        "checks_problem": problem,
        "is_part": True,
        **results_checks(request, tournament, row),
    }
    return render(
        request, "rounds/_results_checks.html", context, status=problem.status if problem else 200
    )


@arbiter_only
@require_POST
def publish(request: HtmxHttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Publish the results; ``adjourning``: boards that are adjourned [C.04.2/2026 3.1]."""
    adjourning = numbers_of(request.POST, "adjourning")
    row = get_object_or_404(Round, tournament=tournament, number=number)
    return do(
        request,
        lambda: results_publish(
            round_id=row.pk,
            **who_and_when(request),
            adjourning=adjourning,
            seen_version=seen_version(request.POST),
            before_time="before_time" in request.POST,
        ),
        done=_("The results of round %(n)d are published.") % {"n": number},
        to=reverse("desk", args=[tournament.slug]),
        stale=reverse("round", args=[tournament.slug, number]),
        refused=lambda problem: _page(request, tournament, row, problem),
    )


def _page(
    request: HtmxHttpRequest, tournament: Tournament, row: Round, problem: Problem | None = None
) -> HttpResponse:
    """Show the page of the round; to a person of the result desk only the entry of results."""
    if request.role is not Role.RESULT_DESK:
        return round_surface(request, tournament, row, problem)
    frame = tournament_frame(tournament, runs=True)
    boards = round_page(frame, row)
    to_board, found = searched(request, boards, boards_address(request, tournament, row.number))
    if to_board is not None:
        return to_board
    context = {
        "frame": frame,
        "section": "rounds",
        "page": boards,
        "number": row.number,
        "problem": problem,
    }
    context["found_boards"] = found
    context |= entry_context(request, tournament, row, boards)
    return render_with_problem(request, "rounds/round_results.html", context)
