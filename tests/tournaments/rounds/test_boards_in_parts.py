"""The arbiters' pages of a round with more than 200 boards:
parts by number, searches and keys over all of them.
"""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.results import result_record
from pairing.rules.rounds import RoundState
from tests.tournaments import factories
from tests.tournaments.large import make_large
from tournaments.models import Appointment, Entry, Game, Role, Round, SecondReading, Tournament
from tournaments.web.rounds.board_parts import GameState, board_part, elsewhere
from tournaments.web.templatetags.board_links import board_link

pytestmark = pytest.mark.django_db
PLAYERS = 810
"""405 boards: the third part has five."""


@pytest.fixture(autouse=True)
def _logged_in(chief_arbiter: User, client: Client) -> None:
    client.force_login(chief_arbiter)


@pytest.fixture
@factories.cached
def large(chief_arbiter: User) -> Tournament:
    return make_large(chief_arbiter, players=PLAYERS, rounds=3, played=0)


def url(name: str, tournament: Tournament) -> str:
    return reverse(name, args=[tournament.slug, 1])


def text_of(client: Client, address: str) -> str:
    return client.get(address, follow=True).content.decode()


def boards_on(client: Client, address: str) -> list[int]:
    return [int(board) for board in re.findall(r'data-board="(\d+)"', text_of(client, address))]


def game_of(tournament: Tournament, board: int) -> Game:
    return Game.objects.get(round__tournament=tournament, round__number=1, board=board)


@pytest.mark.costly
@pytest.mark.parametrize("page", ["round", "second-reading", "round-floor"])
def test_every_board_is_in_one_part(page: str, large: Tournament, client: Client) -> None:
    address = url(page, large)
    parts = [boards_on(client, f"{address}?page={number}") for number in (1, 2, 3)]
    assert parts == [list(range(1, 201)), list(range(201, 401)), list(range(401, 406))]
    assert boards_on(client, address) == parts[0]
    assert client.get(f"{address}?page=4").status_code == 404
    assert f'<a href="{address}?page=3" aria-current="page">401–405</a>' in text_of(
        client, f"{address}?page=3"
    )


@pytest.mark.costly
def test_a_round_of_200_boards_is_on_one_page(chief_arbiter: User, client: Client) -> None:
    small = make_large(chief_arbiter, players=400, rounds=3, played=0)
    address = url("round", small)
    text = text_of(client, address)
    assert len(boards_on(client, address)) == 200
    assert "page=2" not in text
    assert f'action="{url("round-results", small)}"' in text
    assert "elsewhere" not in client.get(url("results-state", small)).json()


@pytest.mark.costly
def test_the_state_has_the_boards_of_the_part_and_a_sum_of_the_others(
    large: Tournament, client: Client, chief_arbiter: User
) -> None:
    for board in (1, 2, 404):
        result_record(
            game_id=game_of(large, board).pk, result="10", actor=chief_arbiter, now=factories.NOW
        )
    state = client.get(url("results-state", large), {"page": "3"}).json()
    assert [each["result"] for each in state["boards"]] == ["", "", "", "10", ""]
    others = state["elsewhere"]
    assert (others["entered"], others["versions"], others["more"]) == (2, 2, 398 - 8)
    assert [each["label"] for each in others["open"]] == [str(board) for board in range(3, 11)]
    assert others["next"] == f"{url('round', large)}#board-3"
    # The page says the same, also without JavaScript.
    text = text_of(client, f"{url('round', large)}?page=3")
    assert '<span id="entered">3</span> / 405' in " ".join(text.split())
    assert f'<a href="{url("round", large)}#board-3">3</a>' in text
    assert client.get(url("results-state", large), {"page": "4"}).status_code == 404


def test_the_next_missing_board_is_after_the_part_then_from_the_top() -> None:
    games = [
        GameState(board, None, "" if board in (7, 450) else "10", 1) for board in range(1, 601)
    ]
    second, third = (elsewhere(board_part(page, 600), games, "/r/") for page in ("2", "3"))
    assert second is not None
    assert third is not None
    assert second["next"] == "/r/?page=3#board-450"
    assert third["next"] == "/r/#board-7"
    assert second["entered"] == 398
    match = elsewhere(board_part("2", 250), [GameState(4, 2, "", 0)], "/r/")
    assert match is not None
    assert match["open"] == [{"label": "4/2", "url": "/r/#board-4-2"}]


@pytest.mark.costly
@pytest.mark.parametrize("page", ["round", "second-reading", "round-results"])
def test_a_search_reaches_every_board_without_javascript(
    page: str, large: Tournament, client: Client
) -> None:
    address = url(page, large)
    found = client.get(address, {"find": "404"}, follow=True)
    place = url("round", large) if page == "round-results" else address
    assert found.redirect_chain[-1][0] == f"{place}?page=3#board-404"
    entry = Entry.objects.get(seats__game=game_of(large, 203), seats__colour="w")
    surname, given = entry.name.split(", Given ")
    assert surname
    named = client.get(place, {"find": f"given {given}"})
    assert named.headers["Location"] == f"{place}?page=2#board-203"
    several = text_of(client, f"{place}?find=given+1")
    assert several.count("#board-") >= 16
    assert "No board of this round fits." in text_of(client, f"{place}?find=406")


@pytest.mark.costly
def test_the_plain_form_saves_its_part_and_returns_to_it(large: Tournament, client: Client) -> None:
    page = f"{url('round', large)}?page=3"
    text = text_of(client, page)
    (action,) = re.findall(r'<form id="results"[^>]*action="([^"]*)"', text)
    assert action == f"{url('round-results', large)}?page=3"
    assert len(re.findall(r'name="result-\d+"', text)) == 5
    game = game_of(large, 402)
    form = {f"result-{game.pk}": "01", f"was-{game.pk}": "", f"version-{game.pk}": "0"}
    assert client.post(action, form).headers["Location"] == page
    game.refresh_from_db()
    assert game.result == "01"
    # The address of the form is also where the page asks for changed pairings.
    assert client.get(action).headers["Location"] == page


@pytest.mark.costly
def test_the_result_desk_returns_to_its_part(large: Tournament, client: Client) -> None:
    person = User.objects.create_user("typist", password="typist-secret")
    Appointment.objects.create(
        tournament=large, person=person, role=Role.RESULT_DESK, since=factories.NOW
    )
    client.force_login(person)
    page = f"{url('round-results', large)}?page=2"
    assert boards_on(client, page) == list(range(201, 401))
    game = game_of(large, 202)
    answer = client.post(
        page, {f"result-{game.pk}": "==", f"was-{game.pk}": "", f"version-{game.pk}": "0"}
    )
    assert answer.headers["Location"] == page


@pytest.mark.costly
def test_the_second_reading_returns_to_its_part(
    large: Tournament, client: Client, deputy: User
) -> None:
    own, read = game_of(large, 401), game_of(large, 402)
    result_record(game_id=own.pk, result="10", actor=large.created_by, now=factories.NOW)
    page = f"{url('second-reading', large)}?page=3"
    text = text_of(client, page)
    assert boards_on(client, page) == [402, 403, 404, 405]
    assert '<span id="entered">0</span> / 404' in " ".join(text.split())
    assert "You entered the result of board 401" in text
    form = {f"result-{read.pk}": "01", f"was-{read.pk}": "", f"version-{read.pk}": "0"}
    assert client.post(page, form).headers["Location"] == page
    assert SecondReading.objects.get(game=read).result == "01"


@pytest.mark.costly
def test_a_question_leads_to_the_part_of_its_board(
    large: Tournament, client: Client, chief_arbiter: User
) -> None:
    game = game_of(large, 404)
    Entry.objects.filter(seats__game=game, seats__colour="w").update(rating=2400)
    Entry.objects.filter(seats__game=game, seats__colour="b").update(rating=1900)
    result_record(game_id=game.pk, result="01", actor=chief_arbiter, now=factories.NOW)
    checks = url("results-checks", large)
    for message, part in (("", 1), ("?page=2", 2), ("?page=3", 3)):
        for page in (checks, url("round", large)):
            text = text_of(client, page + message)
            assert f'href="{url("round", large)}?page=3#board-404"' in text, page + message
            assert f'formaction="{checks}?page={part}"' in text, page + message


@pytest.mark.costly
def test_a_part_with_nothing_left_to_read_says_so(large: Tournament, client: Client) -> None:
    for board in range(401, 406):
        result_record(
            game_id=game_of(large, board).pk, result="10", actor=large.created_by, now=factories.NOW
        )
    text = text_of(client, f"{url('second-reading', large)}?page=3")
    assert "There is nothing left for you to read on these boards." in text
    assert f'<a href="{url("second-reading", large)}?page=2"' in text


@pytest.mark.costly
def test_an_open_page_of_a_past_round_gets_only_its_part(large: Tournament, client: Client) -> None:
    Game.objects.filter(round__tournament=large, round__number=1).update(result="10")
    Round.objects.filter(tournament=large, number=1).update(state=RoundState.RESULTS_PUBLISHED)
    page = f"{url('round', large)}?page=3"
    whole = text_of(client, page)
    (live,) = re.findall(r'id="round-news".*?hx-get="([^"]*)&amp;v=', whole, re.DOTALL)
    assert live == page
    part = client.get(f"{live}&v=old", headers={"HX-Request": "true"}).content.decode()
    rows = re.compile(r'<tr id="board-(\d+)"')
    assert rows.findall(whole) == rows.findall(part) == ["401", "402", "403", "404", "405"]


@pytest.mark.costly
def test_the_floor_page_opens_any_board(large: Tournament, client: Client) -> None:
    address = url("round-floor", large)
    text = text_of(client, f"{address}?board=404")
    game = game_of(large, 404)
    assert re.findall(r'<details id="board-(\d+)"', text) == ["401", "402", "403", "404", "405"]
    (action,) = re.findall(r'<form id="floor"[^>]*action="([^"]*)"', text)
    answer = client.post(action, {"save": f"{game.pk}:10", f"version-{game.pk}": "0"})
    assert answer.headers["Location"] == f"{address}?page=3"
    game.refresh_from_db()
    assert game.result == "10"


def test_the_place_of_a_board_is_its_part_and_row() -> None:
    assert [board_link(board) for board in (1, 200, 201, 450)] == [
        "#board-1", "#board-200", "?page=2#board-201", "?page=3#board-450",
    ]  # fmt: skip
    assert board_link(450, 2) == "?page=3#board-450-2"
