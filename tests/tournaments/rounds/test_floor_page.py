"""The floor page and accepting players' reports there and in result entry, without scripts."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.game_dates import game_schedule
from pairing.rounds.players_reports import players_report_give
from pairing.rounds.results import result_record
from pairing.rounds.table_codes import players_reports_open
from tests.tournaments import factories
from tests.tournaments.factories import NOW
from tests.tournaments.neighbour import own
from tournaments.models import Decision, Game, Round


@pytest.fixture
def running(published_round: Round, chief_arbiter: User) -> Round:
    """Round 1 with a result at board 1; board 3 reported by both, board 4 by White."""
    tournament = published_round.tournament
    players_reports_open(tournament_id=tournament.pk, actor=chief_arbiter, now=NOW, secret="seed")
    result_record(game_id=game_of(published_round, 1).pk, result="10", actor=chief_arbiter, now=NOW)
    for board, side, result in ((3, "w", "=="), (3, "b", "=="), (4, "w", "01")):
        players_report_give(
            game_id=game_of(published_round, board).pk,
            side=side,
            result=result,
            now=NOW,
            seen_version=0,
        )
    tournament.refresh_from_db()
    return published_round


@pytest.fixture
def desk(client: Client, deputy: User) -> Client:
    client.force_login(deputy)
    return client


def game_of(round_: Round, board: int) -> Game:
    return Game.objects.get(round=round_, board=board)


def url_of(name: str, round_: Round) -> str:
    return reverse(name, args=[round_.tournament.slug, round_.number])


def results(round_: Round) -> list[str]:
    return [board[2] for board in factories.boards(round_.tournament, 1)]


def save(
    round_: Round, board: int, result: str, version: int = 0, name: str = "save"
) -> dict[str, str]:
    pk = game_of(round_, board).pk
    return {name: f"{pk}:{result}", f"version-{pk}": str(version)}


@pytest.mark.costly
def test_boards_without_a_result_come_first(running: Round, desk: Client) -> None:
    page = desk.get(url_of("round-floor", running)).content.decode()
    assert re.findall(r'<details id="board-(\d+)"', page) == ["2", "3", "4", "1"]
    assert not re.search(r"\sopen>", page)
    assert [words in page for words in ("reported ½ – ½ (both)", "reported 0 – 1 (White)")] == [
        True,
        True,
    ]
    opened = desk.get(url_of("round-floor", running), {"board": "4"}).content.decode()
    assert re.findall(r'<details id="board-(\d+)"[^>]*\sopen>', opened) == ["4"]
    assert (
        "There is no board 77"
        in desk.get(url_of("round-floor", running), {"board": "77"}).content.decode()
    )


@pytest.mark.costly
def test_a_board_shows_its_table_the_date_of_its_game_and_that_it_is_adjourned(
    running: Round, desk: Client, chief_arbiter: User
) -> None:
    late = game_of(running, 2)
    Game.objects.filter(pk=late.pk).update(table=9)
    game_schedule(game_id=late.pk, starts_at=NOW, place="Town hall", actor=chief_arbiter, now=NOW)
    result_record(game_id=game_of(running, 4).pk, result="??", actor=chief_arbiter, now=NOW)
    page = desk.get(url_of("round-floor", running)).content.decode()
    first, *_others, entered = page.split('<details id="board-')[1:]
    assert (first[:1], "table 9" in first, ", Town hall" in first) == ("2", True, True)
    assert (entered[:1], "adj." in entered.partition("</summary>")[0]) == ("4", True)


@pytest.mark.costly
def test_the_second_tap_saves(running: Round, desk: Client) -> None:
    url = url_of("round-floor", running)
    answer = desk.post(url, save(running, 2, "01"), follow=True)
    assert (answer.redirect_chain, results(running)) == ([(url, 302)], ["10", "01", "", ""])
    assert "Board 2: 0 – 1" in answer.content.decode()
    desk.post(url, save(running, 2, "01"))  # twice
    assert own(Decision).filter(action="result.recorded").count() == 2
    stale = desk.post(url, save(running, 2, "=="))
    assert (stale.status_code, results(running)[1]) == (409, "01")
    assert desk.post(url, save(running, 2, "", 1)).status_code == 302  # cleared
    assert results(running) == ["10", "", "", ""]
    elsewhere = Game.objects.exclude(pk__in=own(Game)).values_list("pk", flat=True)[0]
    for invalid in (
        {},
        {"save": "x"},
        {"save": f"{elsewhere}:"},
        {"save": f"{game_of(running, 2).pk}:22"},
    ):
        assert desk.post(url, invalid).status_code in (302, 400)
    assert results(running) == ["10", "", "", ""]


@pytest.mark.costly
def test_a_report_is_accepted_on_the_floor_page(running: Round, desk: Client) -> None:
    url = url_of("round-floor", running)
    assert desk.post(url, save(running, 3, "==", name="accept")).status_code == 302
    assert (
        desk.post(url, save(running, 4, "10", name="accept")).status_code == 409
    )  # they report something else
    assert (
        desk.post(url, save(running, 2, "10", name="accept")).status_code == 409
    )  # they report nothing
    assert results(running) == ["10", "", "==", ""]


@pytest.mark.costly
def test_the_floor_page_is_for_the_running_round(
    running: Round, desk: Client, chief_arbiter: User
) -> None:
    factories.enter_results(running.tournament, 1, chief_arbiter, factories.white_wins)
    factories._publish_results(running.pk, chief_arbiter)
    assert desk.get(url_of("round-floor", running)).headers["Location"] == url_of(
        "round-results", running
    )
    assert desk.post(url_of("round-floor", running), save(running, 2, "01")).status_code == 302
    assert results(running)[1] == "10"


def plain_form(round_: Round, **more: object) -> dict[str, object]:
    """Return what the form of result entry sends if nothing was chosen."""
    form: dict[str, object] = {}
    for game in Game.objects.filter(round=round_):
        form |= {
            f"result-{game.pk}": game.result,
            f"was-{game.pk}": game.result,
            f"version-{game.pk}": game.version,
        }
    form |= {f"reported-{game_of(round_, 3).pk}": "==", f"reported-{game_of(round_, 4).pk}": "01"}
    return form | {"alike": [game_of(round_, 3).pk]} | more


@pytest.mark.costly
def test_result_entry_shows_the_reports_and_their_key(running: Round, desk: Client) -> None:
    page = desk.get(url_of("round", running)).content.decode()
    assert re.findall(r'data-reported="(.*?)" data-reported-by="(\w*)"', page) == [
        ("", ""), ("", ""), ("==", "both"), ("01", "white"),
    ]  # fmt: skip
    assert "<kbd>;</kbd>" in page
    assert "Accept 1 result" in page
    reading = desk.get(url_of("second-reading", running)).content.decode()
    assert "data-reported" not in reading
    assert "reported ½" not in reading.replace("reported %r", "")


def test_one_report_is_accepted_without_scripts_and_other_entries_are_saved(
    running: Round, desk: Client
) -> None:
    url, two, four = (
        url_of("round-results", running),
        game_of(running, 2).pk,
        game_of(running, 4).pk,
    )
    form = plain_form(running, accept=four) | {f"result-{two}": "+-"}
    assert desk.post(url, form).status_code == 302
    assert results(running) == ["10", "+-", "", "01"]


@pytest.mark.costly
def test_all_reports_of_both_players_are_accepted_at_once(running: Round, desk: Client) -> None:
    url = url_of("round-results", running)
    assert (
        desk.post(url, plain_form(running)).status_code == 302
    )  # an ordinary "Save" accepts nothing
    assert results(running) == ["10", "", "", ""]
    form = plain_form(running, accept="all")
    players_report_give(
        game_id=game_of(running, 3).pk, side="b", result="01", now=NOW, seen_version=0
    )
    stale = desk.post(url, form)
    assert (stale.status_code, results(running)) == (409, ["10", "", "", ""])
    assert "The players of board 3 now report something else" in stale.content.decode()
    players_report_give(
        game_id=game_of(running, 3).pk, side="b", result="==", now=NOW, seen_version=0
    )
    assert desk.post(url, form).status_code == 302
    assert results(running) == ["10", "", "==", ""]


@pytest.mark.costly
def test_the_key_saves_only_what_the_players_still_report(running: Round, desk: Client) -> None:
    url = reverse("game-result", args=[running.tournament.slug, game_of(running, 4).pk])
    answer = desk.post(url, {"result": "10", "seen_version": "0", "accepts": "yes"})
    assert (answer.status_code, answer.json()["conflict"], answer.json()["result"]) == (
        409,
        True,
        "",
    )
    answer = desk.post(url, {"result": "01", "seen_version": "0", "accepts": "yes"})
    assert answer.json() == {"result": "01", "version": 1}


def test_open_pages_learn_of_new_reports(running: Round, desk: Client) -> None:
    url, version = url_of("results-state", running), running.tournament.version
    assert desk.get(url, {"v": version, "r": "3"}).status_code == 204
    players_report_give(
        game_id=game_of(running, 4).pk, side="b", result="10", now=NOW, seen_version=0
    )
    news = desk.get(url, {"v": version, "r": "3"}).json()
    assert (news["version"], news["reports"]) == (version, 4)
    assert [(each["reported"], each["reported_by"]) for each in news["boards"]] == [
        ("", ""), ("", ""), ("==", "both"), ("", "different"),
    ]  # fmt: skip
