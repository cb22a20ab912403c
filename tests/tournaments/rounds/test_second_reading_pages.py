"""The pages of the second reading: they show no first result, and decide about each difference."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.publish import results_publish
from pairing.rounds.results import result_record
from pairing.rules.rounds import RoundState
from tests.tournaments import factories
from tests.tournaments.factories import NOW
from tests.tournaments.rounds.test_second_reading import decide, game_of, read, states
from tournaments.models import Appointment, Game, Role, Round, Tournament

pytestmark = pytest.mark.on_postgres("statements of actions, and record and tables after each")


def page_of(tournament: Tournament, name: str = "second-reading") -> str:
    return reverse(name, args=[tournament.slug, 1])


def test_the_page_shows_no_result_of_another_person(
    entered: Round, reader: User, client: Client
) -> None:
    client.force_login(reader)
    read(entered, 1, "01", reader)
    text = client.get(page_of(entered.tournament)).content.decode()
    assert re.findall(r'data-board="(\d)"', text) == ["1", "2", "3", "4"]
    assert re.findall(r'data-result="([^"]*)"', text) == ["01", "", "", ""]
    assert "Clara" not in text
    state = reverse("game-reading", args=[entered.tournament.slug, game_of(entered, 2).pk])
    answer = client.post(state, {"result": "01", "seen_version": "0"})
    assert (answer.status_code, answer.json()) == (200, {"result": "01", "version": 1})


@pytest.mark.costly
def test_the_page_leaves_out_own_boards_and_those_of_another_reader(
    entered: Round, reader: User, deputy: User, chief_arbiter: User, client: Client
) -> None:
    read(entered, 1, "10", reader)
    client.force_login(chief_arbiter)
    text = client.get(page_of(entered.tournament)).content.decode()
    assert "data-board=" not in text
    assert "js/results.js" not in text  # there is no table to work on
    assert "You entered the results of boards 1, 2, 3, 4" in text
    client.force_login(deputy)
    text = client.get(page_of(entered.tournament)).content.decode()
    assert re.findall(r'data-board="(\d)"', text) == ["2", "3", "4"]
    assert "Another person has already read board 1." in text
    answer = client.post(
        reverse("game-reading", args=[entered.tournament.slug, game_of(entered, 1).pk]),
        {"result": "01", "seen_version": "0"},
    )
    assert answer.status_code == 409
    assert answer.json() == {
        "result": "",
        "version": 0,
        "sentence": "Another person has already entered the second reading of board 1.",
        "conflict": False,
        "confirm": False,
    }


@pytest.mark.costly
def test_the_plain_form_saves_all_readings(entered: Round, reader: User, client: Client) -> None:
    client.force_login(reader)
    games = list(Game.objects.filter(round=entered).order_by("board"))
    form = {f"was-{game.pk}": "" for game in games} | {f"version-{game.pk}": "0" for game in games}
    form |= {f"result-{game.pk}": "10" for game in games[:3]}
    response = client.post(page_of(entered.tournament), form, follow=True)
    assert "The second reading is saved." in response.content.decode()
    assert states(entered) == ["agreed", "agreed", "agreed", "unread"]


@pytest.fixture
def elsewhere(entered: Round, chief_arbiter: User, deputy: User) -> Round:
    """The same round of another tournament of the same arbiters:
    White wins at all boards, and nothing is read.
    """
    other = factories.make_ready(chief_arbiter, name="Other")
    round_ = factories.pair_and_publish(other, 1, chief_arbiter)
    factories.enter_results(other, 1, chief_arbiter, lambda board, white, black: "10")
    return round_


@pytest.mark.costly
def test_a_form_with_games_of_another_tournament_reads_none_of_them(
    entered: Round, elsewhere: Round, deputy: User, client: Client
) -> None:
    client.force_login(deputy)
    games = [game_of(round_, 1) for round_ in (entered, elsewhere)]
    form = {f"was-{game.pk}": "" for game in games} | {f"version-{game.pk}": "0" for game in games}
    form |= {f"result-{game.pk}": "10" for game in games}
    assert client.post(page_of(entered.tournament), form).status_code == 302
    assert states(entered) == ["agreed", "unread", "unread", "unread"]
    assert states(elsewhere) == ["unread"] * 4


@pytest.mark.costly
def test_a_difference_of_another_tournament_is_not_decided_here(
    entered: Round, elsewhere: Round, reader: User, deputy: User, client: Client
) -> None:
    Appointment.objects.create(
        tournament=elsewhere.tournament, person=reader, role=Role.RESULT_DESK, since=NOW
    )
    for round_ in (entered, elsewhere):
        read(round_, 2, "01", reader)
    client.force_login(deputy)
    url = page_of(entered.tournament, "reading-differences")
    form = {"result": "01", "seen_version": 1, "seen_reading": 1}
    assert client.post(url, form | {"game": game_of(elsewhere, 2).pk}).status_code == 404
    assert states(elsewhere) == ["unread", "different", "unread", "unread"]
    assert client.post(url, form | {"game": game_of(entered, 2).pk}).status_code == 302
    assert states(entered) == ["unread", "decided", "unread", "unread"]


def test_a_refused_reading_answers_with_nothing_that_was_read_of_another_board(
    entered: Round, reader: User, deputy: User, client: Client
) -> None:
    read(entered, 1, "01", reader)
    read(entered, 2, "10", deputy)
    client.force_login(reader)
    answers = []
    for board in (1, 2):
        url = reverse("game-reading", args=[entered.tournament.slug, game_of(entered, board).pk])
        refused = client.post(url, {"result": "==", "seen_version": "0"})
        answers.append((refused.status_code, refused.json()["result"], refused.json()["version"]))
    assert answers == [(409, "01", 1), (409, "", 0)]


@pytest.mark.costly
def test_the_page_of_the_differences_shows_both_values_and_decides(
    entered: Round, reader: User, deputy: User, client: Client
) -> None:
    client.force_login(deputy)
    url = page_of(entered.tournament, "reading-differences")
    text = client.get(url).content.decode()
    assert ("Two people" in text, "read a second time, with" in text) == (False, False)
    read(entered, 2, "01", reader)
    read(entered, 3, "10", reader)
    text = client.get(url).content.decode()
    assert ("Two people" in text, "1 result has been read a second time, with" in text) == (
        True,
        True,
    )
    assert re.findall(r'<tr id="difference-(\d)"', text) == ["2"]
    headings = re.findall(r'class="only-narrow[^"]*">(\w+)<', text)
    assert headings == ["Board", "White", "Black"]  # on a phone the table has no headings
    assert "1 – 0 <small>Clara Chief</small>" in re.sub(r"\s+", " ", text)
    assert "0 – 1 <small>Rita Reader</small>" in re.sub(r"\s+", " ", text)
    form = {"game": game_of(entered, 2).pk, "result": "01", "seen_version": 1, "seen_reading": 1}
    stale = client.post(url, form | {"seen_reading": 0})
    assert stale.status_code == 409
    done = client.post(url, form, follow=True)
    assert "The difference on board 2 is decided." in done.content.decode()
    assert "No difference is open." in done.content.decode()
    client.force_login(reader)
    assert client.get(url).status_code == 403


@pytest.mark.costly
def test_the_results_page_says_what_the_second_reading_lacks(
    entered: Round, reader: User, chief_arbiter: User, client: Client
) -> None:
    client.force_login(chief_arbiter)
    url = page_of(entered.tournament, "round")
    assert "second time" not in client.get(url).content.decode()
    read(entered, 2, "01", reader)
    text = re.sub(r"\s+", " ", client.get(url).content.decode())
    assert "The second reading differs on board 2." in text
    assert "Not read a second time: boards 1, 3, 4." in text
    result_record(game_id=game_of(entered, 2).pk, result="", actor=chief_arbiter, now=NOW)
    text = re.sub(r"\s+", " ", client.get(url).content.decode())
    assert "The second reading has a result for board 2, which has none yet." in text
    result_record(game_id=game_of(entered, 2).pk, result="10", actor=chief_arbiter, now=NOW)
    publish = page_of(entered.tournament, "results-publish")
    assert (
        client.post(publish, factories.page_versions(entered.tournament, 1)).status_code == 409
    )  # one differs
    decide(entered, 2, "10", chief_arbiter)
    assert client.post(publish, factories.page_versions(entered.tournament, 1)).status_code == 302


@pytest.mark.costly
def test_c04_2_4_2_after_the_publication_open_pages_say_that_nothing_is_saved(
    entered: Round, reader: User, chief_arbiter: User, client: Client
) -> None:
    read(entered, 2, "01", reader)
    decide(entered, 2, "10", chief_arbiter)
    results_publish(round_id=entered.pk, actor=chief_arbiter, now=NOW)
    client.force_login(chief_arbiter)
    decision = {
        "game": game_of(entered, 2).pk,
        "result": "01",
        "seen_version": 1,
        "seen_reading": 2,
    }
    late = client.post(page_of(entered.tournament, "reading-differences"), decision)
    client.force_login(reader)
    game = game_of(entered, 3).pk
    form = {f"was-{game}": "", f"version-{game}": "0", f"result-{game}": "10"}
    for answer in (late, client.post(page_of(entered.tournament), form)):
        assert answer.status_code == 409
        assert "the second reading is over" in answer.content.decode()
        assert client.get(answer.request["PATH_INFO"]).status_code in (302, 403)


def test_a_form_sent_to_a_draft_shows_no_board_of_it(
    published_round: Round, reader: User, chief_arbiter: User, client: Client
) -> None:
    Round.objects.filter(pk=published_round.pk).update(state=RoundState.DRAFT)
    client.force_login(reader)
    game = game_of(published_round, 1).pk
    form = {f"was-{game}": "", f"version-{game}": "0", f"result-{game}": "10"}
    assert client.post(page_of(published_round.tournament), form).status_code == 302
