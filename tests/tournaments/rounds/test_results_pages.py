"""Entering results: board by board with the script, all boards at once with the plain form."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.publish import results_publish
from pairing.rounds.results import result_record
from pairing.rounds.versions import pairings_version
from pairing.rules.rounds import RoundState
from tests.tournaments import factories
from tests.tournaments.neighbour import own
from tournaments.models import (
    Appointment,
    Correction,
    Decision,
    Game,
    GameResult,
    Role,
    Round,
    Seat,
)
from tournaments.web.rounds.result_keys import QUICK, RESULT_KEYS
from tournaments.web.templatetags.results import result_short

OVERTAKEN = (
    "Somebody else entered a result for board 1 in the meantime: it is now 0 – 1 (Dan "
    "Deputy, 21 Nov 2026, 09:00:00)."
)


@pytest.fixture
def desk(client: Client, chief_arbiter: User) -> Client:
    client.force_login(chief_arbiter)
    return client


def game_of(round_: Round, board: int) -> Game:
    return Game.objects.get(round=round_, board=board)


def address(game: Game) -> str:
    return reverse("game-result", args=[game.round.tournament.slug, game.pk])


def test_a_result_is_saved_with_its_new_version(published_round: Round, desk: Client) -> None:
    game = game_of(published_round, 2)
    response = desk.post(address(game), {"result": "==", "seen_version": "0"})
    assert (response.status_code, response.json()) == (200, {"result": "==", "version": 1})
    game.refresh_from_db()
    assert game.result == GameResult.DRAW


def test_the_same_result_again_changes_nothing(published_round: Round, desk: Client) -> None:
    """A retry after a lost answer must not become a conflict with oneself."""
    game = game_of(published_round, 2)
    desk.post(address(game), {"result": "==", "seen_version": "0"})
    decisions = own(Decision).count()
    response = desk.post(address(game), {"result": "==", "seen_version": "0"})
    assert (response.status_code, response.json()) == (200, {"result": "==", "version": 1})
    assert own(Decision).count() == decisions


def test_a_result_can_be_cleared(published_round: Round, desk: Client) -> None:
    game = game_of(published_round, 1)
    desk.post(address(game), {"result": "10", "seen_version": "0"})
    response = desk.post(address(game), {"result": "", "seen_version": "1"})
    assert response.json() == {"result": "", "version": 2}


def test_another_arbiters_result_is_not_overwritten_unseen(
    published_round: Round, desk: Client, deputy: User
) -> None:
    game = game_of(published_round, 1)
    result_record(game_id=game.pk, result="01", actor=deputy, now=factories.NOW)
    response = desk.post(address(game), {"result": "10", "seen_version": "0"})
    assert response.status_code == 409
    assert response.json() == {
        "result": "01",
        "version": 1,
        "sentence": OVERTAKEN,
        "conflict": True,
        "confirm": False,
    }
    # After reading it, the arbiter may still enter another result.
    response = desk.post(address(game), {"result": "10", "seen_version": "1"})
    assert response.json() == {"result": "10", "version": 2}


def test_a_result_that_does_not_exist_is_refused(published_round: Round, desk: Client) -> None:
    game = game_of(published_round, 1)
    response = desk.post(address(game), {"result": "22"})
    assert response.status_code == 400
    assert response.json()["sentence"].startswith("“22” is not a result")
    assert response.json()["conflict"] is False
    game.refresh_from_db()
    assert game.result == ""


def test_c04_2_4_3_no_result_is_entered_after_publication(
    played_round: Round, desk: Client
) -> None:
    game = game_of(played_round, 1)
    response = desk.post(address(game), {"result": "==", "seen_version": str(game.version)})
    assert response.status_code == 409
    assert response.json()["sentence"].endswith(
        "use a correction to change a wrong result. (C.04.2 4.3)"
    )
    assert response.json()["result"] == game.result


@pytest.mark.costly
def test_the_plain_form_saves_what_was_changed_and_nothing_else(
    published_round: Round, desk: Client, deputy: User
) -> None:
    games = list(Game.objects.filter(round=published_round).order_by("board"))
    shown = {f"was-{game.pk}": "" for game in games} | {f"version-{game.pk}": "0" for game in games}
    wanted = dict(zip([f"result-{game.pk}" for game in games], ["10", "==", "", ""], strict=True))
    # A deputy was faster on board 4, which this form does not change.
    result_record(game_id=games[3].pk, result="01", actor=deputy, now=factories.NOW)
    url = reverse("round-results", args=[published_round.tournament.slug, 1])
    response = desk.post(url, shown | wanted, follow=True)
    assert response.redirect_chain == [
        (reverse("round", args=[published_round.tournament.slug, 1]), 302)
    ]
    assert [board[2] for board in factories.boards(published_round.tournament, 1)] == [
        "10",
        "==",
        "",
        "01",
    ]


@pytest.mark.costly
def test_the_plain_form_keeps_the_good_boards_when_one_is_refused(
    published_round: Round, desk: Client, deputy: User
) -> None:
    games = list(Game.objects.filter(round=published_round).order_by("board"))
    result_record(game_id=games[0].pk, result="01", actor=deputy, now=factories.NOW)
    form = {f"was-{game.pk}": "" for game in games} | {f"version-{game.pk}": "0" for game in games}
    form |= {f"result-{game.pk}": "10" for game in games}
    response = desk.post(reverse("round-results", args=[published_round.tournament.slug, 1]), form)
    assert response.status_code == 409
    assert OVERTAKEN in response.content.decode()
    assert "Saved: board 2; board 3; board 4." in response.content.decode()
    assert [board[2] for board in factories.boards(published_round.tournament, 1)] == [
        "01",
        "10",
        "10",
        "10",
    ]


def test_news_for_other_screens(published_round: Round, desk: Client, deputy: User) -> None:
    tournament = published_round.tournament
    tournament.refresh_from_db()
    url = reverse("results-state", args=[tournament.slug, 1])
    assert desk.get(url, {"v": tournament.version}).status_code == 204

    def white(board: int) -> int:
        return Seat.objects.get(game=game_of(published_round, board), colour="w").entry_id

    result_record(
        game_id=game_of(published_round, 3).pk, result="--", actor=deputy, now=factories.NOW
    )
    news = desk.get(url, {"v": tournament.version})
    assert news.json() == {
        "version": tournament.version + 1,
        "pairings": pairings_version(tournament, 1),
        "reports": 0,
        "boards": [
            {
                "game": game_of(published_round, board).pk,
                "result": result,
                "version": version,
                "white": white(board),
                "reported": "",
                "reported_by": "",
                "starts_at": None,
                "place": "",
                "date": "",
            }
            for board, result, version in ((1, "", 0), (2, "", 0), (3, "--", 1), (4, "", 0))
        ],
    }


@pytest.mark.costly
def test_c04_2_4_3_2_colours_are_swapped_with_a_key_and_the_winner_stays(
    published_round: Round, desk: Client, chief_arbiter: User
) -> None:
    game = game_of(published_round, 1)
    white, black = (Seat.objects.get(game=game, colour=colour).entry_id for colour in "wb")
    result_record(game_id=game.pk, result="10", actor=chief_arbiter, now=factories.NOW)
    url = reverse("game-colours", args=[published_round.tournament.slug, game.pk])
    assert (
        desk.post(url, {"seen_version": "0"}).status_code == 409
    )  # the page has not seen the result yet
    response = desk.post(url, {"seen_version": "1"})
    assert (response.status_code, response.json()) == (200, {"result": "01", "version": 2})
    assert [Seat.objects.get(game=game, colour=colour).entry_id for colour in "wb"] == [
        black,
        white,
    ]
    assert Correction.objects.get(game=game).effect == "next_round"
    # Sent twice, it is out of date and does not swap the players back.
    assert desk.post(url, {"seen_version": "1"}).status_code == 409
    assert Seat.objects.get(game=game, colour="w").entry_id == black
    state = desk.get(reverse("results-state", args=[published_round.tournament.slug, 1])).json()
    assert state["boards"][0]["white"] == black


def test_swapped_colours_need_an_arbiter_and_an_open_round(
    published_round: Round, client: Client, stranger: User
) -> None:
    Appointment.objects.create(
        tournament=published_round.tournament,
        person=stranger,
        role=Role.RESULT_DESK,
        since=factories.NOW,
    )
    client.force_login(stranger)
    game = game_of(published_round, 1)
    url = reverse("game-colours", args=[published_round.tournament.slug, game.pk])
    assert client.post(url, {"seen_version": game.version}).status_code == 403
    page = client.get(reverse("round", args=[published_round.tournament.slug, 1])).content.decode()
    assert "Colours swapped" not in page
    assert "data-colours-url" not in page


@pytest.mark.costly
def test_c04_2_4_3_2_colours_of_another_tournament_are_not_swapped_here(
    published_round: Round, desk: Client, chief_arbiter: User
) -> None:
    other = factories.make_ready(chief_arbiter, name="Other")
    game = game_of(factories.pair_and_publish(other, 1, chief_arbiter), 1)
    before = list(game.seats.order_by("pk").values_list("entry", "colour"))
    statuses = []
    for tournament in (published_round.tournament, other):
        url = reverse("game-colours", args=[tournament.slug, game.pk])
        statuses.append(desk.post(url, {"seen_version": "0"}).status_code)
        after = list(game.seats.order_by("pk").values_list("entry", "colour"))
        assert (after == before) == (tournament == published_round.tournament)
    assert statuses == [404, 200]


def test_c04_2_4_3_2_after_the_results_are_published_colours_need_the_correction(
    played_round: Round, desk: Client
) -> None:
    game = game_of(played_round, 1)
    url = reverse("game-colours", args=[played_round.tournament.slug, game.pk])
    assert desk.post(url, {"seen_version": game.version}).status_code == 404


@pytest.mark.costly
def test_c04_2_4_2_results_are_published_when_all_are_entered(
    published_round: Round, desk: Client, chief_arbiter: User
) -> None:
    url = reverse("results-publish", args=[published_round.tournament.slug, 1])
    refused = desk.post(url)
    assert refused.status_code == 409
    assert (
        "Round 1: results are missing on board 1, 2, 3, 4. (C.04.2 4.2)" in refused.content.decode()
    )
    factories.enter_results(published_round.tournament, 1, chief_arbiter)
    done = desk.post(url, factories.page_versions(published_round.tournament, 1), follow=True)
    assert "The results of round 1 are published." in done.content.decode()
    published_round.refresh_from_db()
    assert published_round.state == RoundState.RESULTS_PUBLISHED


def test_no_results_can_be_entered_before_publication(draft_round: Round, desk: Client) -> None:
    url = reverse("round-results", args=[draft_round.tournament.slug, 1])
    response = desk.get(url, follow=True)
    assert response.redirect_chain == [
        (reverse("round", args=[draft_round.tournament.slug, 1]), 302)
    ]
    assert "results cannot be entered" in response.content.decode()


def test_every_result_has_one_key() -> None:
    assert sorted(key.code for key in RESULT_KEYS) == sorted(GameResult.values)
    keys = [key for result in RESULT_KEYS for key in result.keys]
    assert len(keys) == len(set(keys))
    # The keys that move the focus on the page are not results.
    assert not set(keys) & {"/", "*", ".", ",", "Enter", "ArrowUp", "ArrowDown", "Home", "End"}
    # Outside the menu no letter enters a result: a name typed by mistake does nothing.
    assert {key.code for key in RESULT_KEYS if key.in_menu_only} == {
        "--",
        "??",
        "WL",
        "DD",
        "LW",
        "00",
        "=0",
        "0=",
    }
    assert list(QUICK) == ["10", "==", "01"]


def test_the_page_carries_the_boards_and_the_legend(published_round: Round, desk: Client) -> None:
    text = desk.get(reverse("round", args=[published_round.tournament.slug, 1])).content.decode()
    assert text.count("data-board=") == 4
    assert text.count("<select") == 4
    assert "<kbd>x</kbd>" in text


def test_c04_2_3_1_the_page_asks_before_it_treats_boards_as_adjourned(
    published_round: Round, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    slug = published_round.tournament.slug
    text = client.get(reverse("round", args=[slug, 1])).content.decode()
    assert "Publish results with these boards adjourned" in text
    assert text.count('name="adjourning"') == 4
    form = {
        "adjourning": ["1", "2", "3", "4"],
        **factories.page_versions(published_round.tournament, 1),
    }
    client.post(reverse("results-publish", args=[slug, 1]), form)
    published_round.refresh_from_db()
    assert published_round.state == "results_published"
    assert {game.result for game in Game.objects.filter(round=published_round)} == {"??"}


@pytest.mark.costly
def test_c04_2_3_1_an_adjourned_game_that_is_no_draw_is_confirmed(
    published_round: Round, desk: Client, chief_arbiter: User
) -> None:
    """By script and in the plain form.

    A draw, which the pairings counted, needs no confirmation.
    """
    tournament = published_round.tournament
    factories.enter_results(tournament, 1, chief_arbiter, lambda board, white, black: "??")
    results_publish(round_id=published_round.pk, actor=chief_arbiter, now=factories.NOW)
    one, other, drawn = (game_of(published_round, board) for board in (1, 2, 3))
    page = reverse("round-results", args=[tournament.slug, 1])
    assert f'name="confirmed-{one.pk}"' in desk.get(page, follow=True).content.decode()
    answer = desk.post(address(one), {"result": "10", "seen_version": one.version})
    assert (answer.status_code, answer.json()["confirm"], answer.json()["conflict"]) == (
        409,
        True,
        False,
    )
    saved = desk.post(
        address(one), {"result": "10", "seen_version": one.version, "confirmed": "yes"}
    )
    assert (saved.status_code, saved.json()["result"]) == (200, "10")
    form = {
        f"result-{other.pk}": "01",
        f"was-{other.pk}": "??",
        f"version-{other.pk}": str(other.version),
    }
    assert "a draft has to be paired again" in desk.post(page, form).content.decode()
    assert desk.post(page, form | {f"confirmed-{other.pk}": "yes"}).status_code == 302
    assert (
        desk.post(address(drawn), {"result": "==", "seen_version": drawn.version}).status_code
        == 200
    )
    assert [game_of(published_round, board).result for board in (1, 2, 3)] == ["10", "01", "=="]


def test_c04_2_3_1_a_past_round_has_a_list_of_results_for_its_adjourned_game_only(
    played_round: Round, client: Client, chief_arbiter: User
) -> None:
    """Without a script too; the others show their result. "Adjourned" is not a result to choose,
    clearing neither.
    """
    Game.objects.filter(round=played_round, board=2).update(result="??")
    client.force_login(chief_arbiter)
    page = client.get(reverse("round", args=[played_round.tournament.slug, 1]))
    text = page.content.decode()
    assert (text.count('<select id="result-'), page.context["entered"]) == (
        1,
        len(page.context["games"]) - 1,
    )
    assert 'option value=""' not in text
    assert {line.caps[0] for line in page.context["key_lines"]}.isdisjoint({"⌫", ";", "a"})


def test_messages_write_a_result_as_pages_do() -> None:
    values = {code: label for code, label in GameResult.choices if code not in ("", "??")}
    assert values == {code: result_short(code) for code in values}
    assert values["10"] == "1 – 0"


def test_c04_2_3_1_a_result_that_comes_after_the_adjournment_is_told_who_adjourned_the_game(
    published_round: Round, desk: Client, deputy: User
) -> None:
    factories.enter_results(published_round.tournament, 1, deputy)
    game = game_of(published_round, 2)
    Game.objects.filter(pk=game.pk).update(result="", version=0)
    results_publish(round_id=published_round.pk, actor=deputy, now=factories.NOW, adjourning=[2])
    answer = desk.post(address(game), {"result": "==", "seen_version": "0"})
    assert answer.status_code == 409
    assert "it is now adjourned (Dan Deputy, 21 Nov 2026, 09:00:00)." in answer.json()["sentence"]
