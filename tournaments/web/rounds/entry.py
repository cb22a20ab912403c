"""The entry of results: what the page of a round and that of the result desk show."""

from __future__ import annotations

from typing import Any

from pairing.rounds.plausible import questions
from pairing.rounds.round_page import RoundPage
from pairing.rounds.second_reading import game_readings, open_readings
from pairing.rounds.versions import pairings_version
from pairing.rules.rounds import RoundState
from pairing.rules.second_reading import ReadingState
from tournaments.core.chosen_rules import point_system
from tournaments.core.permissions import Power, may, may_run
from tournaments.models import GameResult, Role, Round, Tournament
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.rounds.accepting import report_context
from tournaments.web.rounds.board_parts import (
    board_part,
    boards_address,
    elsewhere,
    part_of_round,
    states_of,
)
from tournaments.web.rounds.result_keys import (
    COLOURS_KEY,
    RESULT_KEYS,
    choices,
    result_key_lines,
    words_for_script,
)


def takes_results(request: HtmxHttpRequest, tournament: Tournament, boards: RoundPage) -> bool:
    """Return whether this person enters results of the round now.

    Until they are published, and then of adjourned games.
    """
    if tournament.final_at is not None or not may(request.user, tournament, Power.RESULTS):
        return False
    if boards.state == RoundState.RESULTS_PUBLISHED:
        return any(game.result == GameResult.ADJOURNED for game in boards.games)
    return boards.state == RoundState.PAIRINGS_PUBLISHED


def entry_context(
    request: HtmxHttpRequest, tournament: Tournament, row: Round, boards: RoundPage
) -> dict[str, Any]:
    """Return the entry of results of *boards* for its template. Two queries and the checks'.

    ``is_past``: the results are published. Then only adjourned games get a result
    [C.04.2/2026 3.1]; each other board leads to its card, where a correction begins
    [C.04.2/2026 4.3].
    """
    seats = pairings_version(tournament, row.number)
    has_cards = request.role is not Role.RESULT_DESK
    is_past = row.state == RoundState.RESULTS_PUBLISHED
    swaps_colours = not is_past and may_run(request.user, tournament)
    adjourned = sum(game.result == GameResult.ADJOURNED for game in boards.games)
    part, address = part_of_round(request, boards), boards_address(request, tournament, row.number)
    games = [game for game in boards.games if game.board in part.boards]
    return {
        "games": games,
        "total": len(boards.games),
        "board_part": part,
        "elsewhere": elsewhere(part, states_of(boards), address, is_past=is_past),
        "is_past": is_past,
        "entered": boards.games_entered - (adjourned if is_past else 0),
        "pairings_version": seats,
        "seen_version": seats + sum(game.version for game in boards.games),
        "has_cards": has_cards,
        "keys": RESULT_KEYS,
        "key_lines": result_key_lines(
            swaps_colours=swaps_colours, cards=has_cards, reports=not is_past, is_past=is_past
        ),
        "swaps_colours": swaps_colours,
        "colours_key": COLOURS_KEY,
        "choices": choices(is_past=is_past),
        "words": words_for_script(point_system(tournament)),
        **report_context(tournament, row.number, games),
        **results_checks(request, tournament, row),
    }


def results_checks(request: HtmxHttpRequest, tournament: Tournament, row: Round) -> dict[str, Any]:
    """Return the checks before the results of the round are published; none afterwards."""
    address = boards_address(request, tournament, row.number)
    if row.state != RoundState.PAIRINGS_PUBLISHED:
        return {"is_open": False, "boards_address": address}
    readings = game_readings(tournament, row.number)
    started = any(reading.reading_version for reading in readings)
    return {
        "is_open": True,
        "boards_address": address,
        "board_part": board_part(
            request.GET.get("page", ""), readings[-1].board if readings else 0
        ),
        "may_run": may_run(request.user, tournament),
        "questions": questions(tournament, row),
        "is_read": started or tournament.second_reading,
        "unread": open_readings(readings, ReadingState.UNREAD),
        "different": open_readings(readings, ReadingState.DIFFERENT),
        "only_read": tuple(
            dict.fromkeys(each.board for each in readings if each.reading and not each.result)
        ),
    }
