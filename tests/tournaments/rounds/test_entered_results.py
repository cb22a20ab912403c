"""What players learn of their own result before it is published [C.04.2/2026 4.2]."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.publish import results_publish
from pairing.rounds.results import result_record
from tests.tournaments.factories import NOW
from tests.tournaments.neighbour import own
from tests.tournaments.rounds.test_players_reports import give, running
from tests.tournaments.rounds.test_report_pages import kiosk_url, table_url, text_of
from tournaments.models import Entry, Game, Round, Seat

__all__ = ["running"]


def url_of(round_: Round, entry: int) -> str:
    return reverse("entered-result", args=[round_.tournament.slug, entry])


def players_at(round_: Round, board: int) -> dict[str, int]:
    return dict(
        Seat.objects.filter(game__round=round_, game__board=board).values_list("colour", "entry_id")
    )


def enter(round_: Round, board: int, result: str, actor: User, minutes: int) -> None:
    game = Game.objects.get(round=round_, board=board)
    at = NOW + timedelta(minutes=minutes)
    result_record(game_id=game.pk, result=result, actor=actor, now=at)


@pytest.mark.costly
def test_a_player_reads_the_own_result_and_its_time_as_soon_as_it_is_entered(
    running: Round, chief_arbiter: User, client: Client
) -> None:
    own_board, other_board = players_at(running, 1), players_at(running, 2)
    waits = "No result has been entered for this game yet."
    assert [waits in text_of(client.get(url_of(running, pk))) for pk in own_board.values()] == [
        True,
        True,
    ]
    enter(running, 1, "10", chief_arbiter, 0)
    enter(running, 1, "01", chief_arbiter, 20)
    winner = Entry.objects.get(pk=own_board["b"]).name
    expected = f"Entered: 0 – 1 at 09:20. The winner is {winner}. If it is wrong, tell an arbiter now. Report it here"
    for pk in own_board.values():
        answer = client.get(url_of(running, pk))
        assert text_of(answer) == expected
        assert answer.headers["Cache-Control"] == "private, no-store"
    assert waits in text_of(client.get(url_of(running, other_board["w"])))
    assert expected in text_of(client.get(table_url(running, 1)))
    # Everybody reaches every board at the kiosk: there the result is not named.
    assert "has entered the result" in (kiosk := text_of(client.get(kiosk_url(running, 1))))
    assert "Entered:" not in kiosk
    # The public page of the player, which is the same for everybody, does not have it.
    page = text_of(
        client.get(reverse("player-page", args=[running.tournament.slug, own_board["b"]]))
    )
    assert "Entered" not in page


@pytest.mark.parametrize("result", ["==", "+-", "--"])
def test_nobody_is_named_as_winner_of_a_draw_or_a_forfeit(
    result: str, running: Round, chief_arbiter: User, client: Client
) -> None:
    enter(running, 1, result, chief_arbiter, 0)
    text = text_of(client.get(url_of(running, players_at(running, 1)["w"])))
    assert text.endswith("at 09:00. If it is wrong, tell an arbiter now. Report it here")


def test_what_both_players_report_is_shown_until_an_arbiter_enters_it(
    running: Round, client: Client
) -> None:
    players = players_at(running, 2)
    white = Entry.objects.get(pk=players["w"]).name
    give(running, 2, "w", "==")
    for player in players.values():
        assert text_of(client.get(url_of(running, player))) == (
            f"{white} reported at 09:00: ½ – ½ . An arbiter has not entered it yet."
        )
    give(running, 2, "b", "01")
    differs = text_of(client.get(url_of(running, players["b"])))
    assert f"{white}: ½ – ½ ·" in differs
    assert "Your reports differ." in differs
    give(running, 2, "b", "==")
    assert text_of(client.get(url_of(running, players["b"]))) == (
        "Both players report: ½ – ½ 09:00 An arbiter has not entered it yet."
    )


@pytest.mark.costly
def test_adjourned_games_are_named_and_nothing_is_after_the_publication(
    running: Round, chief_arbiter: User, client: Client
) -> None:
    games = Game.objects.filter(round=running).count()
    enter(running, 1, "??", chief_arbiter, 0)
    for board in range(2, games + 1):
        enter(running, board, "10", chief_arbiter, 0)
    player = players_at(running, 1)["w"]
    assert "This game is adjourned." in text_of(client.get(url_of(running, player)))
    results_publish(round_id=running.pk, actor=chief_arbiter, now=NOW)
    assert text_of(client.get(url_of(running, player))) == ""


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_the_address_only_answers_questions(method: str, running: Round, client: Client) -> None:
    player = players_at(running, 1)["w"]
    assert getattr(client, method)(url_of(running, player)).status_code == 405


def test_a_player_of_another_tournament_is_not_found(running: Round, client: Client) -> None:
    stranger = Entry.objects.exclude(tournament=running.tournament).first()
    assert stranger is not None
    assert client.get(url_of(running, stranger.pk)).status_code == 404
    assert own(Round).exists()
