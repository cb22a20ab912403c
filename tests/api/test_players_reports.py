"""Players' reports over REST: read and accept, for people who enter results."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client

from pairing.rounds.players_reports import players_report_give
from pairing.rounds.table_codes import players_reports_open
from tests.tournaments.factories import NOW
from tournaments.models import Appointment, Game, Role, Round


@pytest.fixture
def reported(published_round: Round, chief_arbiter: User) -> str:
    """The address of the reports of round 1: board 1 by both, board 2 with a difference."""
    players_reports_open(
        tournament_id=published_round.tournament_id, actor=chief_arbiter, now=NOW, secret="seed"
    )
    for board, side, result in ((1, "w", "10"), (1, "b", "10"), (2, "w", "=="), (2, "b", "01")):
        game = Game.objects.get(round=published_round, board=board).pk
        players_report_give(game_id=game, side=side, result=result, now=NOW, seen_version=0)
    return f"/api/v1/tournaments/{published_round.tournament.slug}/rounds/1/players-reports/"


def test_reports_are_read_and_accepted(
    reported: str, published_round: Round, stranger: User, logged_in: Callable[[User], Client]
) -> None:
    Appointment.objects.create(
        tournament=published_round.tournament, person=stranger, role=Role.RESULT_DESK, since=NOW
    )
    desk = logged_in(stranger)
    assert desk.get(reported).json() == [
        {
            "board": 1,
            "game": 1,
            "version": 0,
            "reported_by": "both",
            "result": "10",
            "white": "10",
            "black": "10",
        },
        {
            "board": 2,
            "game": 1,
            "version": 0,
            "reported_by": "different",
            "result": "",
            "white": "==",
            "black": "01",
        },
    ]

    def accept(**body: object) -> tuple[int, object]:
        answer = desk.post(reported, body, content_type="application/json")
        found = answer.json()
        return answer.status_code, found["error"]["code"] if "error" in found else found

    saved = {"board": 1, "game": 1, "result": "10", "version": 1}
    assert accept(board=1, result="10", seen_version=0) == (200, saved)
    assert accept(board=1, result="10", seen_version=0) == (200, saved)
    assert accept(board=2, result="==") == (409, "players_report.changed")
    assert accept(board=1, result="01", seen_version=0)[0] == 409
    assert accept(board=1, result="--")[0] == 400
    assert accept(board=9, result="10")[0] == 400
    assert [each["board"] for each in desk.get(reported).json()] == [2]


def test_reports_are_for_people_who_enter_results(
    reported: str,
    published_round: Round,
    client: Client,
    stranger: User,
    logged_in: Callable[[User], Client],
) -> None:
    Appointment.objects.create(
        tournament=published_round.tournament, person=stranger, role=Role.READER, since=NOW
    )
    for reader in (client, logged_in(stranger)):
        post = reader.post(reported, {"board": 1, "result": "10"}, content_type="application/json")
        assert {reader.get(reported).status_code, post.status_code} == {403}
    assert Game.objects.get(round=published_round, board=1).result == ""
