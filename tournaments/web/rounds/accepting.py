"""Players' reports on the page of result entry: what it shows, and what its form accepts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.http import QueryDict

from pairing.rounds.players_reports import ReportedBy, reports_of
from pairing.rounds.report_acceptance import report_accept
from pairing.rounds.results import result_record
from pairing.rounds.round_page import GameLine
from pairing.rounds.table_codes import codes_of
from tournaments.models import Game, Tournament
from tournaments.web.rounds.result_keys import REPORT_KEY


def report_context(
    tournament: Tournament, number: int, games: Sequence[GameLine]
) -> dict[str, Any]:
    """Return the reports for result entry: by game, and those both report alike."""
    reports = reports_of(tournament, number)
    alike = [
        game
        for game in games
        if game.game_id in reports and reports[game.game_id].by is ReportedBy.BOTH
    ]
    return {
        "reports": reports,
        "alike": alike,
        "seen_reports": codes_of(tournament).reports,
        "report_key": REPORT_KEY,
    }


def accepted_report(data: QueryDict, game_id: int) -> str:
    """Return the reported result that a pressed button of a plain form accepts; or empty.

    The button *accept all* sends ``all``, and the form lists its games in ``alike``; that of a
    board sends the game.
    """
    pressed = data.get("accept", "")
    if pressed != str(game_id) and not (pressed == "all" and str(game_id) in data.getlist("alike")):
        return ""
    return data.get(f"reported-{game_id}", "")


def save_result(
    *,
    game_id: int,
    result: str,
    actor: User,
    now: datetime,
    seen_version: int,
    confirmed: bool,
    accepts: bool,
) -> Game:
    """Enter a result, or accept it as the players' report if it is still that."""
    if accepts:
        return report_accept(
            game_id=game_id, result=result, actor=actor, now=now, seen_version=seen_version
        )
    return result_record(
        game_id=game_id,
        result=result,
        actor=actor,
        now=now,
        seen_version=seen_version,
        confirmed=confirmed,
    )
