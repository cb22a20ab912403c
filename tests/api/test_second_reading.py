"""Second reading and questions over the API: permissions, both values,
and nothing that a reader must not see.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from pairing.rounds.results import result_record
from tests.tournaments import factories
from tests.tournaments.factories import NOW
from tournaments.models import Appointment, Entry, Game, Role, Round

pytestmark = pytest.mark.on_postgres("one request of every page and read")

LogIn = Callable[[User], Client]


@pytest.fixture
def entered(published_round: Round, chief_arbiter: User) -> Round:
    factories.enter_results(
        published_round.tournament, 1, chief_arbiter, lambda board, white, black: "=="
    )
    return published_round


@pytest.fixture
def reader(entered: Round, stranger: User) -> User:
    Appointment.objects.create(
        tournament=entered.tournament, person=stranger, role=Role.RESULT_DESK, since=NOW
    )
    return stranger


def ask(
    client: Client, round_: Round, path: str, body: object = None, number: int = 1
) -> tuple[int, Any]:
    url = f"/api/v1/tournaments/{round_.tournament.slug}/rounds/{number}/{path}/"
    response = (
        client.get(url)
        if body is None
        else client.post(url, json.dumps(body), content_type="application/json")
    )
    assert response.headers["Cache-Control"] == "private, no-store"
    return response.status_code, response.json()


def test_a_reading_is_entered_compared_and_decided(
    entered: Round, reader: User, chief_arbiter: User, logged_in: LogIn
) -> None:
    person, chief = logged_in(reader), logged_in(chief_arbiter)
    body = {"board": 2, "result": "10", "seen_version": 0}
    saved = {"board": 2, "game": 1, "result": "10", "version": 1}
    assert ask(person, entered, "second-reading", body) == (200, saved)
    assert ask(person, entered, "second-reading", body) == (200, saved)
    status, rows = ask(chief, entered, "second-reading")
    assert (status, [row["state"] for row in rows]) == (
        200,
        ["unread", "different", "unread", "unread"],
    )
    assert rows[1] == {
        "board": 2, "game": 1, "state": "different", "result": "==", "version": 1, "entered_by": "Clara Chief",
        "reading": "10", "reading_version": 1, "read_by": "stranger",
    }  # fmt: skip
    decision = {"board": 2, "result": "10", "seen_version": 1, "seen_reading": 1}
    stale = ask(chief, entered, "second-reading/decide", decision | {"seen_version": 0})
    assert (stale[0], stale[1]["error"]["code"]) == (409, "reading.changed_meanwhile")
    assert ask(chief, entered, "second-reading/decide", decision)[1]["state"] == "decided"
    assert Game.objects.get(round=entered, board=2).result == "10"


@pytest.mark.costly
def test_every_address_asks_for_the_role(
    entered: Round,
    reader: User,
    chief_arbiter: User,
    deputy: User,
    client: Client,
    logged_in: LogIn,
) -> None:
    body = {"board": 2, "result": "10"}
    for path in ("second-reading", "questions"):
        assert ask(client, entered, path)[0] == 403
        assert ask(client, entered, path, body)[0] == 403
    person = logged_in(reader)
    assert ask(person, entered, "second-reading")[0] == 403  # it would show the results
    assert ask(person, entered, "second-reading/decide", body)[0] == 403
    own = ask(logged_in(chief_arbiter), entered, "second-reading", body)
    assert (own[0], own[1]["error"]["code"]) == (409, "reading.own")
    assert ask(person, entered, "second-reading", body)[0] == 200
    other = ask(logged_in(deputy), entered, "second-reading", body)
    assert (other[0], other[1]["error"]["code"]) == (409, "reading.by_another")
    assert "10" not in other[1]["error"]["message"]


@pytest.mark.parametrize(
    "body, field",
    [
        ({"board": 2, "result": "22"}, "result"), ({"result": "10"}, "board"), ({"board": 99, "result": "10"}, "board"),
        ({"board": 2, "game": 2, "result": "10"}, "board"), ([], "non_field_errors"),
    ],
)  # fmt: skip
def test_a_bad_request_names_its_field(
    entered: Round, reader: User, logged_in: LogIn, body: object, field: str
) -> None:
    status, answer = ask(logged_in(reader), entered, "second-reading", body)
    assert (status, answer["error"]["params"]["field"]) == (400, field)


def test_an_unknown_round_is_missing(entered: Round, reader: User, logged_in: LogIn) -> None:
    assert ask(logged_in(reader), entered, "questions", number=99)[0] == 404


def test_a_question_is_read_and_answered_once(
    entered: Round, reader: User, chief_arbiter: User, logged_in: LogIn
) -> None:
    Entry.objects.filter(tournament=entered.tournament, tpn=5).update(rating=1500)
    game = Game.objects.get(round=entered, board=1)
    white = game.seats.get(colour="w").entry
    result_record(
        game_id=game.pk, result="10" if white.tpn == 5 else "01", actor=chief_arbiter, now=NOW
    )
    person = logged_in(reader)
    status, (question,) = ask(person, entered, "questions")
    assert (status, question["kind"], question["boards"]) == (200, "upset", [1])
    assert question["text"].endswith("Is that right?")
    assert ask(person, entered, "questions", {"question": question["question"]}) == (200, [])
    gone = ask(person, entered, "questions", {"question": "upset:4:0:10"})
    assert (gone[0], gone[1]["error"]["code"]) == (409, "question.gone")
