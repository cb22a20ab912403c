"""The cards of a round's page: one player or board, with the actions that make sense now."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.http import require_safe

from pairing.rounds.absences import no_shows
from pairing.rounds.announce import announced_with
from pairing.rounds.correction_outlook import counts_for_the_next_pairing
from pairing.rounds.corrections import RIGHT_RESULTS
from pairing.rounds.draft_views import draft_viewed
from pairing.rounds.round_page import BoardLine, RoundPage, round_page
from pairing.rules.entries import after_the_last
from pairing.rules.published import FORFEITS
from pairing.rules.rounds import PUBLIC_STATES, RoundFacts, RoundState
from pairing.rules.verdict import Allowed
from tournaments.core.chosen_rules import handling
from tournaments.core.frame import Frame, tournament_frame
from tournaments.core.namesakes import apart_of
from tournaments.core.permissions import may, may_run
from tournaments.entries.byes import may_have_bye
from tournaments.models import Action, ByeKind, Entry, GameResult, RequestedBye, Round, Tournament
from tournaments.standings.round_card import player_card
from tournaments.web.access import arbiter, arbiter_only
from tournaments.web.htmx import HtmxHttpRequest, page_or_partial
from tournaments.web.rounds.corrections import quick_form
from tournaments.web.rounds.entry import takes_results
from tournaments.web.rounds.result_keys import RESULT_KEYS
from tournaments.web.rounds.swap import is_open


@arbiter_only
@require_safe
def player(
    request: HtmxHttpRequest, tournament: Tournament, number: int, entry_id: int
) -> HttpResponse:
    """Show a player: the game, rounds before, possible actions; htmx gets the card."""
    entry = get_object_or_404(
        Entry.objects.select_related("tournament"), tournament=tournament, pk=entry_id
    )
    row, frame, page = _round(request, tournament, number)
    card = player_card(frame, page, entry)
    context = {
        "frame": frame,
        "section": "rounds",
        "number": number,
        "page": page,
        "card": card,
        "apart": apart_of(entry),
        "board": card.board,
        "takes_results": _takes_result_of(request, tournament, page, card.board),
        "can_swap": is_open(tournament, row) and _may(request, tournament, Action.ROUND_ARRANGED),
        "needs_opponent": _can_change(request, tournament, row)
        and _has_no_opponent(entry, card.board, number),
        **_of_the_player(request, frame, entry, number),
    }
    return page_or_partial(request, "rounds/card_of_player.html", "card", context)


@arbiter_only
@require_safe
def board(
    request: HtmxHttpRequest, tournament: Tournament, number: int, board: int
) -> HttpResponse:
    """Show a board with its players and possible actions; htmx gets the card alone."""
    row, frame, page = _round(request, tournament, number)
    line = next((line for line in page.boards if line.board == board), None)
    if line is None:
        raise Http404
    is_open_now = tournament.final_at is None
    context = {
        "frame": frame,
        "section": "rounds",
        "number": number,
        "page": page,
        "board": line,
        "takes_results": _takes_result_of(request, tournament, page, line),
        "can_swap": is_open(tournament, row) and _may(request, tournament, Action.ROUND_ARRANGED),
        "can_change": _can_change(request, tournament, row),
        "may_be_absent": not frame.is_of_matches and line.result in (GameResult.NOT_YET, *FORFEITS),
        "can_correct": is_open_now
        and row.state in PUBLIC_STATES
        and may_run(request.user, tournament),
        # An adjourned game has no result yet.
        "has_result": any(game.result != GameResult.ADJOURNED for game in line.games),
        "corrections": _corrections(request, tournament, row, line),
        "result_keys": [(key.code, key.keys) for key in RESULT_KEYS if key.code in RIGHT_RESULTS],
    }
    return page_or_partial(request, "rounds/card_of_board.html", "card", context)


def _can_change(request: HtmxHttpRequest, tournament: Tournament, row: Round) -> bool:
    """Return whether this person may change the published pairings of the round *row*."""
    return row.state == RoundState.PAIRINGS_PUBLISHED and _may(
        request, tournament, Action.ROUND_CHANGED
    )


def _has_no_opponent(entry: Entry, board: BoardLine | None, number: int) -> bool:
    """Return whether *entry* is here without an opponent in round *number*:
    with a bye, entered late, or against a player who did not come.
    """
    if entry.tpn is None or (entry.withdrawn_from or number + 1) <= number:
        return False
    won = "+-" if board and board.white.entry_id == entry.pk else "-+"
    return board is None or (board.second_result == "" and board.result == won)


def _round(
    request: HtmxHttpRequest, tournament: Tournament, number: int
) -> tuple[Round, Frame, RoundPage]:
    row = get_object_or_404(Round, tournament=tournament, number=number)
    draft_viewed(row, arbiter(request), timezone.now())
    frame = tournament_frame(tournament, runs=True)
    return row, frame, round_page(frame, row)


def _takes_result_of(
    request: HtmxHttpRequest, tournament: Tournament, page: RoundPage, line: BoardLine | None
) -> bool:
    """Return whether this person enters the result of *line* now;
    in a past round that of an adjourned game only.
    """
    if line is None or not takes_results(request, tournament, page):
        return False
    return page.state != RoundState.RESULTS_PUBLISHED or any(
        game.result == GameResult.ADJOURNED for game in line.games
    )


def _may(request: HtmxHttpRequest, tournament: Tournament, action: Action) -> bool:
    """Return whether the person has the power of *action*, and the standings are not final."""
    return tournament.final_at is None and may(request.user, tournament, action.row.power)


def _of_the_player(
    request: HtmxHttpRequest, frame: Frame, entry: Entry, number: int
) -> dict[str, Any]:
    """Return the actions for *entry* from round *number* on.

    They count from the first round that is not published.
    """
    tournament = frame.tournament
    coming = next(
        (tab.number for tab in frame.rounds if tab.number >= number and not tab.is_public), None
    )
    wish = RequestedBye.objects.filter(entry=entry, round_number=coming).first() if coming else None
    plays = coming is not None and (entry.withdrawn_from is None or entry.withdrawn_from > coming)
    asks_bye = plays and wish is None and _may(request, tournament, Action.BYE_REQUESTED)
    kinds = (ByeKind.HALF_POINT, ByeKind.ZERO_POINT, ByeKind.FULL_POINT)
    leaves = after_the_last([RoundFacts(tab.number, tab.state) for tab in frame.rounds])
    stays = plays or (leaves is not None and entry.withdrawn_from is None)
    can_withdraw = (
        stays
        and frame.rounds[0].state != RoundState.PLANNED
        and _may(request, tournament, Action.ENTRY_WITHDRAWN)
    )
    return {
        "coming": coming,
        "wish": wish,
        "byes": [
            kind
            for kind in kinds
            if asks_bye
            and coming
            and isinstance(may_have_bye(tournament, entry, coming, kind), Allowed)
        ],
        "can_cancel_bye": wish is not None and _may(request, tournament, Action.BYE_CANCELLED),
        "can_withdraw": can_withdraw,
        "withdraw_from": coming or leaves,
        "announced_round": coming,
        "announced_boards": announced_with(tournament, coming, [entry.pk])
        if can_withdraw and coming
        else (),
        "can_return": entry.withdrawn_from is not None
        and _may(request, tournament, Action.ENTRY_RETURNED),
        "can_check_in": plays
        and coming == number
        and _may(request, tournament, Action.ENTRY_CHECKED_IN),
        "absence": next((each for each in no_shows(frame) if each.entry_id == entry.pk), None)
        if _may(request, tournament, Action.ABSENCE_EXPLAINED)
        else None,
        "handling": handling(tournament),
        "is_expelled": entry.pk in tournament.expelled,
    }


def _corrections(
    request: HtmxHttpRequest, tournament: Tournament, row: Round, line: BoardLine
) -> list[dict[str, object]]:
    """Return the short form of a correction for each game of the board,
    if it counts for the next pairing.
    """
    if row.state != RoundState.RESULTS_PUBLISHED or not _may(
        request, tournament, Action.RESULT_CORRECTED
    ):
        return []
    if not counts_for_the_next_pairing(tournament, row.number, timezone.now()):
        return []
    return [
        {"game": game, "form": quick_form(game)}
        for game in line.games
        if game.result not in (GameResult.ADJOURNED, GameResult.NOT_YET)
    ]
