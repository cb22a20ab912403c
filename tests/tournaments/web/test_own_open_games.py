"""The open games of a player on the player's own page, which *My board* shows too:
what the open games' page tells.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client

from pairing.rounds.game_dates import game_schedule
from pairing.rounds.publish import results_publish
from pairing.rounds.results import result_record
from tests.tournaments import factories
from tests.tournaments.factories import NOW
from tests.tournaments.web.test_every_public_page import HTMX
from tournaments.core.frame import state_key
from tournaments.models import Game, Round, Tournament

AT = datetime(2027, 1, 9, 18, 30, tzinfo=UTC)


def game_of(tournament: Tournament, number: int, board: int) -> Game:
    return Game.objects.get(
        round__tournament=tournament, round__number=number, board=board, first=None
    )


def dated(game: Game, actor: User, at: datetime | None = AT, place: str = "") -> None:
    game_schedule(game_id=game.pk, starts_at=at, place=place, actor=actor, now=NOW)


def lines_of(client: Client, tournament: Tournament, tpn: int, language: str = "en") -> list[str]:
    """Return the words of each round of a player, from the part that open pages ask for."""
    address = factories.player_address(tournament, tpn)
    text = client.get(
        address, {"v": "0"}, headers=HTMX | {"Accept-Language": language}
    ).content.decode()
    (games,) = re.findall(r'<table class="of-player.*?<tbody>(.*?)</tbody>', text, re.DOTALL)
    rows = re.findall(r"<tr>.*?</tr>", games, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]*>", " ", row).split()) for row in rows]


def when_of(text: str) -> str:
    """Return what the page says about the time of the next game; nothing if it does not."""
    found = re.search(r'<p class="when">(.*?)</p>', text, re.DOTALL)
    return " ".join(found[1].split()) if found else ""


def adjourned(chief: User, boards: list[int]) -> Tournament:
    """Make an event of eight whose round 1 was published with these games adjourned."""
    tournament = factories.make_ready(chief, players=8)
    factories.pair_and_publish(tournament, 1, chief)
    for board in {1, 2, 3, 4} - set(boards):
        result_record(game_id=game_of(tournament, 1, board).pk, result="10", actor=chief, now=NOW)
    row = factories.round_of(tournament, 1)
    results_publish(round_id=row.pk, actor=chief, now=NOW, adjourning=boards)
    tournament.refresh_from_db()
    return tournament


def players_at(game: Game) -> tuple[int, int]:
    white, black = game.seats.order_by("-colour").values_list("entry__tpn", flat=True)
    assert white is not None
    assert black is not None
    return white, black


@pytest.mark.costly
def test_c04_2_3_1_both_players_see_the_date_and_the_place_of_their_adjourned_game(
    chief_arbiter: User, client: Client
) -> None:
    tournament = adjourned(chief_arbiter, [2, 3])
    dated(game_of(tournament, 1, 2), chief_arbiter, place="Room <2> & café")
    for tpn in players_at(game_of(tournament, 1, 2)):
        assert (
            "adjourned · 9 Jan 2027, 18:30, Room &lt;2&gt; &amp; café "
            in lines_of(client, tournament, tpn)[0]
        )
        assert (
            "ajournée · 9 jan. 2027, 18:30, Room &lt;2&gt;"
            in lines_of(client, tournament, tpn, "fr")[0]
        )
    for tpn in players_at(game_of(tournament, 1, 3)):
        assert re.search(r"adjourned \d{4} \?", lines_of(client, tournament, tpn)[0])
    for tpn in players_at(game_of(tournament, 1, 1)):
        assert "adjourned" not in lines_of(client, tournament, tpn)[0]


@pytest.mark.costly
def test_a_date_set_or_changed_later_takes_the_place_of_the_stored_page(
    chief_arbiter: User, client: Client
) -> None:
    tournament = adjourned(chief_arbiter, [2])
    game = game_of(tournament, 1, 2)
    tpn, _other = players_at(game)
    address, seen = factories.player_address(tournament, tpn), []
    for at, place in ((None, ""), (AT, "Room 2"), (AT + timedelta(days=1), ""), (None, "")):
        dated(game, chief_arbiter, at, place)
        tournament.refresh_from_db()
        key = state_key(tournament, runs=False)
        old = {"v": seen[-1]} if seen else {}
        part = client.get(address, old, headers=HTMX)
        assert part.status_code == 200
        assert f'data-key="{key}"' in part.content.decode()
        assert key not in seen
        seen.append(key)
        shown = lines_of(client, tournament, tpn)[0]
        date = (
            f"adjourned · {at.day} Jan 2027, 18:30{', Room 2' if place else ''} "
            if at
            else "adjourned "
        )
        assert date in shown
        assert ("Room 2" in client.get(address).content.decode()) == bool(place)
    result_record(game_id=game.pk, result="10", actor=chief_arbiter, now=NOW, confirmed=True)
    assert "adjourned" not in lines_of(client, tournament, tpn)[0]


def test_the_next_board_has_the_place_of_a_game_with_a_date_of_its_own(
    published_round: Round, chief_arbiter: User, client: Client
) -> None:
    tournament, starts_at = published_round.tournament, AT - timedelta(days=1)
    Round.objects.filter(pk=published_round.pk).update(starts_at=starts_at)
    dated(game_of(tournament, 1, 2), chief_arbiter, place="Room 2")
    for board, when in ((1, "8 Jan 2027, 18:30"), (2, "9 Jan 2027, 18:30, Room 2")):
        for tpn in players_at(game_of(tournament, 1, board)):
            text = client.get(factories.player_address(tournament, tpn)).content.decode()
            assert when_of(text) == f"play begins {when}"


@pytest.mark.parametrize("at, expected", [(AT, "play begins 9 Jan 2027, 18:30"), (None, "")])
def test_c04_2_3_1_nobody_sees_that_a_game_of_the_running_round_is_adjourned(
    published_round: Round, chief_arbiter: User, client: Client, at: datetime | None, expected: str
) -> None:
    """Until the results are published, as on the page of the open games."""
    game = game_of(published_round.tournament, 1, 2)
    dated(game, chief_arbiter, at)
    result_record(game_id=game.pk, result="??", actor=chief_arbiter, now=NOW)
    address = factories.player_address(published_round.tournament, players_at(game)[0])
    text = client.get(address, {"v": "0"}, headers=HTMX).content.decode()
    assert "adjourned" not in text
    assert when_of(text) == expected
