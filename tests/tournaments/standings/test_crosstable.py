"""The crosstable on a page, as CSV and as JSON; visitors get published results only."""

from __future__ import annotations

import csv
import io
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.engine.model import Result
from tests.tournaments import factories
from tournaments.core.frame import tournament_frame
from tournaments.entries.byes import bye_request
from tournaments.models import Entry, Tournament
from tournaments.standings.crosstable import Cell, CrosstableOrder, crosstable

FRENCH = {"Accept-Language": "fr"}


@pytest.fixture
@factories.cached
def five(chief_arbiter: User) -> Tournament:
    """Round 1: 1-3 (1-0), 4-2 (forfeit for 2), 5 has the allocated bye;
    round 2 in play, 3 with a half-point bye.
    """
    tournament = factories.make_ready(chief_arbiter, players=5, rounds=3)
    third = factories.entry_of(tournament, 3)
    bye_request(entry_id=third.pk, actor=chief_arbiter, now=factories.NOW, round_number=2, kind="H")
    factories.play_rounds(
        tournament, [1], chief_arbiter, lambda board, white, black: "10" if board == 1 else "-+"
    )
    factories.pair_and_publish(tournament, 2, chief_arbiter)
    factories.enter_results(tournament, 2, chief_arbiter, lambda board, white, black: "==")
    tournament.refresh_from_db()
    return tournament


def cells(
    tournament: Tournament, order: CrosstableOrder, *, runs: bool
) -> dict[int, list[tuple[int | None, str, Result]]]:
    table = crosstable(tournament_frame(tournament, runs=runs), order=order)
    return {
        line.tpn: [(cell.number, cell.colour, cell.result) for cell in line.cells]
        for line in table.lines
    }


def page(client: Client, tournament: Tournament, query: str = "", **headers: str) -> str:
    response = client.get(reverse("crosstable", args=[tournament.slug]) + query, headers=headers)
    assert response.status_code == 200
    return " ".join(
        re.sub(r"<[^>]*>", " ", response.content.decode().partition("<main")[2]).split()
    )


def test_a_row_has_opponent_colour_and_result_of_each_round(five: Tournament) -> None:
    assert cells(five, CrosstableOrder.TPN, runs=False) == {
        1: [(3, "w", Result.WIN)],
        2: [(4, "b", Result.FORFEIT_WIN)],
        3: [(1, "b", Result.LOSS)],
        4: [(2, "w", Result.FORFEIT_LOSS)],
        5: [(None, "", Result.PAIRING_ALLOCATED_BYE)],
    }


def test_by_rank_an_opponent_is_named_by_rank(five: Tournament) -> None:
    table = crosstable(tournament_frame(five, runs=False))
    assert [line.number for line in table.lines] == [1, 2, 3, 4, 5]
    place = {line.tpn: line.number for line in table.lines}
    tpn = {line.number: line.tpn for line in table.lines}
    assert sorted(place) == [1, 2, 3, 4, 5]
    for line in table.lines:
        for cell in line.cells:
            assert (None if cell.number is None else tpn[cell.number]) == cell.opponent
    assert [line.rank for line in table.lines] == sorted(line.rank for line in table.lines)
    assert {line.tpn: line.points for line in table.lines} == {1: 10, 2: 10, 3: 0, 4: 0, 5: 10}


def test_c04_2_4_2_an_arbiter_sees_the_round_in_play_and_a_visitor_does_not(
    five: Tournament, client: Client, chief_arbiter: User
) -> None:
    assert {len(row) for row in cells(five, CrosstableOrder.TPN, runs=False).values()} == {1}
    arbiters = cells(five, CrosstableOrder.TPN, runs=True)
    assert arbiters[3][1] == (None, "", Result.HALF_POINT_BYE)
    assert sorted(row[1][2].value for row in arbiters.values()) == ["=", "=", "=", "=", "H"]
    seen = page(client, five)
    assert "Crosstable after round 1" in seen
    assert "in play" not in seen
    client.force_login(chief_arbiter)
    assert "Round 2 is being played: its results so far are visible to arbiters only." in page(
        client, five
    )


def test_the_page_names_games_forfeits_and_byes(five: Tournament, client: Client) -> None:
    text = page(client, five, "?order=tpn")
    assert "1 Abara, Player 1 2400 3 w 1 1 " in text
    assert "4 Dumont, Player 4 2370 2 w − 0 " in text
    assert "5 Eriksen, Player 5 2360 bye 1 1 " in text
    body = client.get(reverse("crosstable", args=[five.slug]), {"order": "tpn"}).content.decode()
    assert 'title="won, White against Czerny, Player 3"' in body
    assert 'title="pairing-allocated bye"' in body


def test_in_french_an_allocated_bye_and_a_requested_bye_have_different_words(
    five: Tournament, client: Client, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    text = page(client, five, "?order=tpn", **FRENCH)
    assert "5 Eriksen, Player 5 2360 exempt 1 " in text
    assert re.search(r"3 Czerny, Player 3 2380 1 N 0 absence ½ ", text)


def test_before_the_first_results_the_page_says_so(ready: Tournament, client: Client) -> None:
    assert "The crosstable is available after the results of round 1 are published." in page(
        client, ready
    )


@pytest.mark.costly
def test_the_page_speaks_french(five: Tournament, client: Client) -> None:
    assert "Grille américaine après la ronde 1" in page(client, five, **FRENCH)


def read_csv(client: Client, tournament: Tournament) -> list[dict[str, str]]:
    response = client.get(f"/api/v1/tournaments/{tournament.slug}/crosstable/csv/")
    assert (
        response.headers["Content-Disposition"]
        == f'attachment; filename="{tournament.slug}-crosstable-after-1.csv"'
    )
    return list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))


def test_csv_and_json_agree(five: Tournament, client: Client) -> None:
    rows = read_csv(client, five)
    answer = client.get(f"/api/v1/tournaments/{five.slug}/crosstable/").json()
    assert [int(row["tpn"]) for row in rows] == [player["tpn"] for player in answer["players"]]
    assert {row["tpn"]: row["round_1"] for row in rows} == {
        "1": "3w1",
        "2": "4b+",
        "3": "1b0",
        "4": "2w-",
        "5": "U",
    }
    (first,) = [player for player in answer["players"] if player["tpn"] == 1]
    other = Entry.objects.get(tournament=five, tpn=3).pk
    result = {"colour": "w", "result": "1", "second_result": None, "points": 1}
    assert (answer["after_round"], first["rounds"]) == (
        1,
        [{"round": 1, "opponent": 3, "opponent_id": other, **result}],
    )


def test_json_of_a_round_that_is_not_over_is_refused_to_everybody(
    five: Tournament, client: Client
) -> None:
    url = f"/api/v1/tournaments/{five.slug}/crosstable/"
    assert client.get(url, {"after_round": 2}).status_code == 404
    assert client.get(url, {"after_round": 0}).json()["players"][0]["rounds"] == []


def test_a_name_is_not_a_formula_in_a_spreadsheet(five: Tournament, client: Client) -> None:
    Entry.objects.filter(tournament=five, tpn=1).update(name="=HYPERLINK(1)")
    assert {row["name"] for row in read_csv(client, five) if row["tpn"] == "1"} == {
        "'=HYPERLINK(1)"
    }


@pytest.mark.costly
def test_a_cell_has_the_points_of_its_round(five: Tournament) -> None:
    (line,) = [
        line for line in crosstable(tournament_frame(five, runs=True)).lines if line.tpn == 5
    ]
    assert line.cells[0] == Cell(
        1, None, None, None, "", "", Result.PAIRING_ALLOCATED_BYE, None, 10, 1
    )
    assert [cell.points for cell in line.cells] == [10, 5]
