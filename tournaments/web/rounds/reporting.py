"""The pages on which players report a result: the one behind the QR code of a table, and the kiosk.

Without scripts.
"""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from pairing.rounds.mistakes import may_report, newest_round, report_of, reportable, waiting_reports
from pairing.rounds.players_reports import OFFERED, SIDES, players_report_give
from pairing.rounds.running import (
    TableGame,
    games_at,
    games_found,
    games_of,
    running_round,
    with_times,
)
from pairing.rounds.running_results import hides_results
from pairing.rounds.table_codes import KIOSK, codes_of, is_code
from pairing.rules.rounds import RoundState
from pairing.rules.verdict import Allowed
from tournaments.core import request_limits as counting
from tournaments.core.errors import ServiceError
from tournaments.core.permissions import Power, may
from tournaments.core.request_values import whole_number
from tournaments.models import Entry, Round, Tournament
from tournaments.web.access import not_to_be_stored, private

MOST_SHOWN: Final = 12
"""A search at the kiosk that finds more boards asks for more letters."""
LEAST_LETTERS: Final = 2
DONE: Final = 12
IDLE: Final = 60
"""The kiosk returns to its start after so many seconds:
soon when both have reported, else when nobody goes on.

Between rounds it looks as often whether the next one has begun.
"""


@require_http_methods(["GET", "HEAD", "POST"])
def table(request: HttpRequest, slug: str, number: int, code: str) -> HttpResponse:
    """Show the game at table *number* and ask for its result;
    POST reports it. 404 for a code that has ended.

    Somebody who may enter results, and has logged in, gets the board on the floor page instead. The
    code of a result slip names its round too: a slip of another round than the one being played
    asks for nothing, and leads who may enter results to the board of that round.
    """
    tournament = get_object_or_404(Tournament, slug=slug)
    round_ = running_round(tournament)
    slip = _round_of_slip(request, tournament, round_)
    if may(request.user, tournament, Power.RESULTS) and slip is not None:
        games = games_at(slip, number)
        there = reverse("round", args=[slug, slip.number])
        return redirect(f"{there}#board-{games[0].board}" if games else there)
    if may(request.user, tournament, Power.RESULTS) and round_ is not None:
        games = games_at(round_, number)
        here = reverse("round-floor", args=[slug, round_.number])
        return redirect(f"{here}?board={games[0].board}#board-{games[0].board}" if games else here)
    codes = codes_of(tournament)
    if not is_code(codes, number, code):
        return _ended(request)
    mistake = reverse("table-mistake", args=[slug, number, code])
    shown = round_ if codes.takes_reports and slip is None else None
    if shown is None and not reportable(tournament, timezone.now(), table=number).games:
        mistake = ""  # there is no result that could be wrong
    return _board(request, tournament, shown, number, kiosk="", mistake=mistake, slip=slip)


def _round_of_slip(
    request: HttpRequest, tournament: Tournament, running: Round | None
) -> Round | None:
    """Return the round that the code of a result slip names, if it is not the one being played.

    One query for such a slip.
    """
    number = whole_number(request.GET.get("round", ""))
    if not number or (running is not None and number == running.number):
        return None
    published = [RoundState.PAIRINGS_PUBLISHED, RoundState.RESULTS_PUBLISHED]
    rounds = Round.objects.filter(tournament=tournament, number=number, state__in=published)
    return rounds.first()


@require_safe
def kiosk(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """Ask for a board number or a name, and lead to the board; 404 for a link that has ended."""
    tournament = get_object_or_404(Tournament, slug=slug)
    codes = codes_of(tournament)
    if not is_code(codes, KIOSK, code):
        return _ended(request)
    search = request.GET.get("q", "").strip()[:60]
    round_ = running_round(tournament) if codes.takes_reports else None
    enough = search.isdecimal() or sum(map(str.isalpha, search)) >= LEAST_LETTERS
    found = games_found(round_, search) if round_ is not None and enough else []
    if len(found) == 1:
        return redirect("kiosk-board", slug, code, found[0].table)
    context = {
        "tournament": tournament,
        "round": round_,
        "code": code,
        "search": search,
        "too_short": bool(search) and not enough,
        "too_many": len(found) > MOST_SHOWN,
        "found": found if len(found) <= MOST_SHOWN else [],
    }
    response = private(render(request, "reporting/kiosk.html", context))
    if search or round_ is None:
        _return_to(response, request.path, IDLE)
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def kiosk_board(request: HttpRequest, slug: str, code: str, number: int) -> HttpResponse:
    """Show the game at table *number* to one player, then the other; POST reports a result."""
    tournament = get_object_or_404(Tournament, slug=slug)
    codes = codes_of(tournament)
    if not is_code(codes, KIOSK, code):
        return _ended(request)
    round_ = running_round(tournament) if codes.takes_reports else None
    return _board(request, tournament, round_, number, kiosk=reverse("kiosk", args=[slug, code]))


@require_safe
def entered(request: HttpRequest, slug: str, entry_id: int) -> HttpResponse:
    """Show the player *entry_id* what was entered for the own game, before it is published.

    With it, also after the publication, comes a report that it is wrong, while that waits for an
    arbiter. *My board* asks for it. The page of the player, which is for everybody and stored, does
    not have it.
    """
    tournament = get_object_or_404(Tournament, slug=slug)
    get_object_or_404(Entry, tournament=tournament, pk=entry_id)
    round_ = newest_round(tournament)
    games = games_of(round_, entry_id) if round_ is not None else []
    is_running = round_ is not None and round_.state == RoundState.PAIRINGS_PUBLISHED
    is_hidden = is_running and hides_results(tournament)
    waiting = waiting_reports([] if is_hidden else [each.game_id for each in games])
    found = [(game, waiting.get(game.game_id, [])) for game in games]
    verdict = may_report(tournament, round_, timezone.now())
    context = {
        "round": round_,
        "games": [(game, reports, report_of(reports, entry_id)) for game, reports in found],
        "is_running": is_running,
        "is_hidden": is_hidden,
        "is_open": isinstance(verdict, Allowed),
        "mistake_url": reverse("mistake", args=[slug, entry_id]),
    }
    return private(render(request, "reporting/entered.html", context))


def _board(
    request: HttpRequest,
    tournament: Tournament,
    round_: Round | None,
    number: int,
    *,
    kiosk: str,
    mistake: str = "",
    slip: Round | None = None,
) -> HttpResponse:
    """Answer for the game at table *number*; *kiosk* is the address of its start,
    empty on a phone, *mistake* that of the page for a wrong result, and *slip* the round of a
    result slip that is not being played.
    """
    error: ServiceError | None = None
    if request.method == "POST":
        try:
            _report(request, tournament, number, kiosk=bool(kiosk))
        except ServiceError as refused:
            error = refused
        else:
            return redirect(request.path)
    games = with_times(games_at(round_, number)) if round_ is not None else []
    done = bool(games) and all(
        each.is_entered or each.reported.by.value == "both" for each in games
    )
    waiting = waiting_reports([each.game_id for each in games if mistake and each.is_entered])
    context: dict[str, Any] = {
        "tournament": tournament,
        "round": round_,
        "number": number,
        "games": [
            {**_shown(request, each), "mistakes": waiting.get(each.game_id, [])} for each in games
        ],
        "error": error,
        "kiosk": kiosk,
        "is_hidden": bool(kiosk) or hides_results(tournament),
        "done": done,
        "mistake_url": mistake,
        "slip": slip,
    }
    response = private(
        render(request, "reporting/board.html", context, status=error.status if error else 200)
    )
    if kiosk:
        _return_to(response, kiosk, DONE if done else IDLE)
    return response


def _report(request: HttpRequest, tournament: Tournament, number: int, *, kiosk: bool) -> None:
    """Save the report in the form about the game at this table; too many are refused."""
    now = timezone.now()
    whose = f"{tournament.pk}" if kiosk else f"{tournament.pk} {number}"
    counting.count_request(
        counting.KIOSK if kiosk else counting.REPORT, whose, now=now, busy=counting.TOO_MANY_REPORTS
    )
    round_ = running_round(tournament)
    game = whole_number(request.POST.get("game", "")) or 0
    version = whole_number(request.POST.get("version", ""))
    if round_ is not None and game not in {each.game_id for each in games_at(round_, number)}:
        game = 0  # this table's code is for the game at this table only
    players_report_give(
        game_id=game,
        side=request.POST.get("side", ""),
        result=request.POST.get("result", ""),
        now=now,
        seen_version=-1 if version is None else version,
    )


def _shown(request: HttpRequest, game: TableGame) -> dict[str, Any]:
    """Return one game for the page.

    ``side`` is the player chosen on the page, who now reports a result. ``other`` is the player who
    has not reported yet, after the first report.
    """
    chosen = request.GET.get("side", "") if request.GET.get("game") == str(game.game_id) else ""
    by = game.reported.by.value
    other = {"white": "b", "black": "w"}.get(by, "")
    side = chosen if chosen in SIDES else ""
    return {
        "game": game,
        "by": by,
        "side": side,
        "name": game.name_of(side) if side else "",
        "answers": _answers(side) if side else [],
        "other": other,
        "other_name": game.name_of(other) if other else "",
        "first_name": game.name_of("w" if other == "b" else "b") if other else "",
    }


def _answers(side: str) -> list[tuple[str, str]]:
    """Return the results as the player of *side* says them: won, draw, lost."""
    won, draw, lost = OFFERED if side == "w" else reversed(OFFERED)
    return [(won, "won"), (draw, "draw"), (lost, "lost")]


def _ended(request: HttpRequest) -> HttpResponse:
    return not_to_be_stored(render(request, "reporting/ended.html", status=404))


def _return_to(response: HttpResponse, start: str, seconds: int) -> None:
    """Let the browser go to *start* by itself, without a script."""
    response.headers["Refresh"] = f"{seconds}; url={start}"
