"""The content of every read, field by field."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from django.contrib.auth.models import User
from django.test import Client

from pairing.trf.reader import read as trf_read
from tests.tournaments import factories
from tournaments.entries.byes import bye_request
from tournaments.entries.entries import entry_withdraw
from tournaments.models import Entry, Round, Tournament
from tournaments.setup.schedule import round_schedule
from tournaments.setup.tournaments import tournament_update
from tournaments.setup.visibility import tournament_list_set

from .asking import error, get, read

pytestmark = pytest.mark.on_postgres("one request of every page and read")


@pytest.mark.alone("the list of all tournaments")
def test_the_list_has_the_newest_first_and_those_without_a_date_last(
    client: Client, chief_arbiter: User
) -> None:
    days = {
        "No Date": None,
        "Spring": date(2026, 3, 1),
        "Autumn": date(2026, 9, 1),
        "Autumn Two": date(2026, 9, 1),
    }
    for name, day in days.items():
        made = factories.make_tournament(chief_arbiter, name=name, start_date=day)
        tournament_list_set(
            tournament_id=made.pk, actor=chief_arbiter, now=factories.NOW, listed=True
        )
    names = [line["name"] for line in read(client, "tournaments/")["results"]]
    assert names == ["Autumn Two", "Autumn", "Spring", "No Date"]


@pytest.mark.costly
@pytest.mark.alone("the list of all tournaments")
def test_a_tournament_in_the_list(client: Client, chief_arbiter: User) -> None:
    tournament = factories.make_ready(
        chief_arbiter, city="Lyon", federation="FRA", start_date=date(2026, 11, 21)
    )
    factories.play_rounds(tournament, [1], chief_arbiter)
    factories.pair_and_publish(tournament, 2, chief_arbiter)
    assert read(client, "tournaments/")["count"] == 0
    tournament_list_set(
        tournament_id=tournament.pk, actor=chief_arbiter, now=factories.NOW, listed=True
    )
    assert read(client, "tournaments/") == {
        "count": 1,
        "next": None,
        "previous": None,
        "results": [
            {
                "slug": "autumn-open",
                "name": "Autumn Open",
                "city": "Lyon",
                "federation": "FRA",
                "start_date": "2026-11-21",
                "end_date": None,
                "system": "dutch_2026",
                "games_a_round": 1,
                "total_rounds": 5,
                "players": 8,
                "pairings_published": 2,
                "results_published": 1,
            }
        ],
    }


def test_a_tournament_with_its_regulations(client: Client, chief_arbiter: User) -> None:
    tournament = factories.make_tournament(
        chief_arbiter,
        deputy_arbiters="Dan Deputy\n\n Dora Deputy \n",
        chief_arbiter="Clara Chief",
        time_control="90 min + 30 s",
        points_win=30,
        points_draw=10,
        points_pab=25,
    )
    detail = read(client, f"tournaments/{tournament.slug}/")
    assert detail == {
        "slug": "autumn-open",
        "name": "Autumn Open",
        "city": "",
        "federation": "",
        "start_date": None,
        "end_date": None,
        "system": "dutch_2026",
        "games_a_round": 1,
        "total_rounds": 5,
        "players": 0,
        "pairings_published": 0,
        "results_published": 0,
        "chief_arbiter": "Clara Chief",
        "deputy_arbiters": ["Dan Deputy", "Dora Deputy"],
        "time_control": "90 min + 30 s",
        "acceleration": None,
        "tie_break_edition": "fide-2026",
        "tie_breaks": ["BH/C1", "BH", "SB", "DE", "WIN"],
        "initial_colour": None,
        "initial_colour_method": None,
        "points": {"win": 3, "draw": 1, "loss": 0, "absence": 0, "pab": 2.5},
        "list_state": "provisional",
        "final_at": None,
        "goes_on_at": "",
        "left_fide_mode": None,
    }


def test_a_participant_has_only_the_fields_of_a_public_list(
    client: Client, ready: Tournament, chief_arbiter: User
) -> None:
    entry = factories.entry_of(ready, 1)
    # These could leak: a birth date, a check-in, a requested bye.
    Entry.objects.filter(pk=entry.pk).update(
        birth_date="1990/01/02", checked_in=True, sex="w", title="WGM"
    )
    bye_request(entry_id=entry.pk, actor=chief_arbiter, now=factories.NOW, round_number=2, kind="H")
    entry_withdraw(entry_id=entry.pk, actor=chief_arbiter, now=factories.NOW, from_round=4)
    assert read(client, f"tournaments/{ready.slug}/entries/?page_size=1") == {
        "count": 8,
        "next": "http://testserver/api/v1/tournaments/autumn-open/entries/?page=2&page_size=1",
        "previous": None,
        "results": [
            {
                "id": entry.pk,
                "tpn": 1,
                "name": "Abara, Player 1",
                "title": "WGM",
                "women_title": None,
                "federation": "FRA",
                "club": "",
                "rating_list": "",
                "fide_id": None,
                "fide_rating": 2400,
                "national_rating": None,
                "second_rating": None,
                "k_factor": None,
                "list_games": None,
                "rating": 2400,
                "rating_source": "fide",
                "first_round": 1,
                "withdrawn_from": 4,
            }
        ],
    }, (
        "Visitors read these fields of a player. Add a new one here if they may read it; if not, it "
        "is private: docs/developer/add-a-player-field.md"
    )


def test_participants_come_by_number_and_without_one_by_rating(
    client: Client, ready: Tournament, chief_arbiter: User
) -> None:
    for name, rating in (("Weak", 1500), ("Strong", 2700), ("Also weak", 1500)):
        factories.entry_add(
            tournament_id=ready.pk,
            actor=chief_arbiter,
            now=factories.NOW,
            name=name,
            fide_rating=rating,
        )
    lines = read(client, f"tournaments/{ready.slug}/entries/")["results"]
    assert [line["tpn"] for line in lines] == [1, 2, 3, 4, 5, 6, 7, 8, None, None, None]
    assert [line["name"] for line in lines[8:]] == ["Strong", "Also weak", "Weak"]


def test_the_pages_of_a_list_have_every_player_once(client: Client, ready: Tournament) -> None:
    pages = [
        read(client, f"tournaments/{ready.slug}/entries/?page_size=3&page={page}")
        for page in (1, 2, 3)
    ]
    assert [[line["tpn"] for line in page["results"]] for page in pages] == [
        [1, 2, 3],
        [4, 5, 6],
        [7, 8],
    ]
    assert pages[2]["next"] is None


def test_a_page_after_the_last_is_a_404(client: Client, ready: Tournament) -> None:
    status, problem = error(get(client, f"tournaments/{ready.slug}/entries/?page_size=4&page=3"))
    assert (status, problem["code"]) == (404, "not_found")


@pytest.mark.parametrize(
    "value", ["0", "-1", "501", "x", "", "1.0", "٣", "1&page_size=1", "9" * 5000]
)
def test_an_invalid_page_size_is_refused(value: str, client: Client, ready: Tournament) -> None:
    status, problem = error(get(client, f"tournaments/{ready.slug}/entries/?page_size={value}"))
    assert (status, problem["code"]) == (400, "query.invalid")
    assert problem["message"] == "page_size must be a whole number from 1 to 500, given once."
    assert problem["params"] == {"name": "page_size", "least": 1, "most": 500}


@pytest.mark.costly
def test_a_page_holds_up_to_five_hundred(client: Client, chief_arbiter: User) -> None:
    tournament = factories.make_tournament(chief_arbiter)
    Entry.objects.bulk_create(
        Entry(tournament=tournament, name=f"Player {n}", tpn=n, created_at=factories.NOW)
        for n in range(1, 502)
    )
    for query, expected in (("", 100), ("?page_size=500", 500), ("?page_size=500&page=2", 1)):
        page = read(client, f"tournaments/{tournament.slug}/entries/{query}")
        assert (page["count"], len(page["results"])) == (501, expected)


def test_the_rounds_with_their_schedule(
    client: Client, played_round: Round, chief_arbiter: User
) -> None:
    tournament = played_round.tournament
    second = factories.round_of(tournament, 2)
    round_schedule(
        round_id=second.pk,
        actor=chief_arbiter,
        now=factories.NOW,
        starts_at=factories.NOW,
        results_due_at=None,
    )
    rounds = read(client, f"tournaments/{tournament.slug}/rounds/")
    then = "2026-11-21T09:00:00Z"
    assert (rounds["count"], rounds["next"]) == (5, None)
    assert rounds["results"][:2] == [
        {
            "number": 1,
            "state": "results_published",
            "starts_at": None,
            "results_due_at": None,
            "published_at": then,
            "results_published_at": then,
        },
        {
            "number": 2,
            "state": "planned",
            "starts_at": then,
            "results_due_at": None,
            "published_at": None,
            "results_published_at": None,
        },
    ]
    assert read(client, f"tournaments/{tournament.slug}/rounds/2/") == rounds["results"][1]


def test_the_schedule_of_a_newer_tournament_is_not_shown(
    client: Client, ready: Tournament, chief_arbiter: User
) -> None:
    newer = factories.make_tournament(chief_arbiter, name="Newer")
    Round.objects.filter(tournament=newer).update(
        starts_at=factories.NOW, results_due_at=factories.NOW
    )
    rounds = read(client, f"tournaments/{ready.slug}/rounds/")["results"]
    assert [(line["starts_at"], line["results_due_at"]) for line in rounds] == [(None, None)] * 5


@pytest.mark.costly
def test_c04_2_3_6_the_boards_come_in_publication_order_with_the_byes(
    client: Client, chief_arbiter: User
) -> None:
    tournament = factories.make_ready(chief_arbiter, players=6)
    first = factories.entry_of(tournament, 6)
    bye_request(entry_id=first.pk, actor=chief_arbiter, now=factories.NOW, round_number=1, kind="H")
    factories.play_rounds(tournament, [1], chief_arbiter)
    page = read(client, f"tournaments/{tournament.slug}/rounds/1/pairings/")
    assert (page["round"], page["state"]) == (1, "results_published")
    boards = [
        (line["board"], line["white"]["tpn"], line["black"]["tpn"], line["result"])
        for line in page["boards"]
    ]
    assert boards == [
        (board, *rest) for board, rest in enumerate(factories.boards(tournament, 1), start=1)
    ]
    assert [(line["player"]["tpn"], line["kind"]) for line in page["byes"]] == [(5, "U"), (6, "H")]
    assert {line["player"]["tpn"]: line["kind"] for line in page["byes"]} == factories.byes(
        tournament, 1
    )


def test_a_player_at_a_board_has_the_points_from_before_the_round(
    client: Client, chief_arbiter: User
) -> None:
    tournament = factories.make_ready(chief_arbiter)
    factories.play_rounds(
        tournament, [1], chief_arbiter, lambda board, white, black: "==" if board == 4 else "10"
    )
    factories.pair_and_publish(tournament, 2, chief_arbiter)
    boards = read(client, f"tournaments/{tournament.slug}/rounds/2/pairings/")["boards"]
    points = {
        line[side]["tpn"]: line[side]["points"] for line in boards for side in ("white", "black")
    }
    drawn = {
        tpn
        for white, black, result in factories.boards(tournament, 1)
        for tpn in (white, black)
        if result == "=="
    }
    won = {white for white, _, result in factories.boards(tournament, 1) if result == "10"}
    assert len(drawn) == 2
    assert points == {tpn: 0.5 if tpn in drawn else 1 if tpn in won else 0 for tpn in range(1, 9)}
    player = boards[0]["white"]
    fields = {
        "id",
        "tpn",
        "name",
        "title",
        "federation",
        "fide_id",
        "rating",
        "points",
        "virtual_points",
    }
    assert set(player) == fields
    assert player["id"] == factories.entry_of(tournament, player["tpn"]).pk


@pytest.mark.costly
def test_the_standings_with_points_and_tie_breaks(client: Client, chief_arbiter: User) -> None:
    """Two rounds of four players, 1-3 and 4-2 first;
    worked out by hand from [C.07/2026 8.1, 9.1].
    """
    tournament = factories.make_ready(chief_arbiter, players=4)
    factories.play_rounds(tournament, [1], chief_arbiter, lambda board, white, black: "==")
    factories.play_rounds(tournament, [2], chief_arbiter)
    assert factories.boards(tournament, 1) == [(1, 3, "=="), (4, 2, "==")]
    assert factories.boards(tournament, 2) == [(2, 1, "01"), (3, 4, "10")]
    page = read(client, f"tournaments/{tournament.slug}/standings/")
    assert page["after_round"] == 2
    assert [(line["rank"], line["tpn"], line["points"]) for line in page["standings"]] == [
        (1, 1, 1.5),
        (1, 3, 1.5),
        (3, 2, 0.5),
        (3, 4, 0.5),
    ]
    assert page["standings"][0] == {
        "rank": 1,
        "id": factories.entry_of(tournament, 1).pk,
        "tpn": 1,
        "name": "Abara, Player 1",
        "title": None,
        "federation": "FRA",
        "fide_id": None,
        "rating": 2400,
        "points": 1.5,
        "by_decision": 0,
        "tie_breaks": [
            {"code": "BH/C1", "value": 1.5},
            {"code": "BH", "value": 2.0},
            {"code": "SB", "value": 1.25},
            {"code": "DE", "value": 1},
            {"code": "WIN", "value": 1},
        ],
        "withdrawn": False,
        "lot": None,
    }


@pytest.mark.costly
def test_the_standings_after_an_earlier_round(client: Client, chief_arbiter: User) -> None:
    tournament = factories.make_ready(chief_arbiter, players=4)
    factories.play_rounds(tournament, [1, 2], chief_arbiter)
    address = f"tournaments/{tournament.slug}/standings/"
    points = {
        after: {
            line["tpn"]: line["points"]
            for line in read(client, f"{address}?after_round={after}")["standings"]
        }
        for after in (0, 1)
    }
    assert points == {0: dict.fromkeys((1, 2, 3, 4), 0), 1: {1: 1, 2: 1, 3: 0, 4: 0}}
    assert read(client, address) == read(client, f"{address}?after_round=2")


def test_the_standings_after_a_round_without_published_results_are_a_404(
    client: Client, logged_in: Callable[[User], Client], published_round: Round, chief_arbiter: User
) -> None:
    factories.enter_results(published_round.tournament, 1, chief_arbiter)
    for reader in (client, logged_in(chief_arbiter)):
        for number in (1, 2, 99):
            response = get(reader, f"tournaments/autumn-open/standings/?after_round={number}")
            assert (error(response)[0], error(response)[1]["code"]) == (
                404,
                "results.not_published",
            )


@pytest.mark.parametrize("value", ["-1", "x", "", "100", "1&after_round=1"])
def test_an_invalid_round_number_is_refused(value: str, client: Client, ready: Tournament) -> None:
    status, problem = error(get(client, f"tournaments/{ready.slug}/standings/?after_round={value}"))
    assert (status, problem["code"]) == (400, "query.invalid")


def test_the_report_is_the_file_that_the_program_reads(client: Client, played_round: Round) -> None:
    tournament = played_round.tournament
    response = get(client, f"tournaments/{tournament.slug}/trf/")
    assert (response.status_code, response["Content-Type"]) == (200, "text/plain; charset=utf-8")
    document = trf_read(response.content)
    assert document.text("012") == "Autumn Open"
    pairs = {
        frozenset((player.tpn, cell.opponent))
        for player in document.players
        if (cell := player.cell(1))
    }
    assert pairs == {
        frozenset((white, black)) for white, black, _ in factories.boards(tournament, 1)
    }
    assert [player.points for player in document.players] == [10, 10, 10, 10, 0, 0, 0, 0]


def test_the_record_in_its_order(client: Client, played_round: Round, chief_arbiter: User) -> None:
    tournament = played_round.tournament
    tournament_update(
        tournament_id=tournament.pk, actor=chief_arbiter, now=factories.NOW, city="Lyon"
    )
    rows = read(client, f"tournaments/{tournament.slug}/record/")["results"]
    decisions = list(tournament.decisions.order_by("sequence"))
    assert [(row["sequence"], row["action"], row["round"], row["fingerprint"]) for row in rows] == [
        (decision.sequence, decision.action, decision.round_number, decision.hash)
        for decision in decisions
    ]
    assert rows[0] == {
        "sequence": 1,
        "action": "tournament.created",
        "article": "C.04.1 1",
        "at": "2026-11-21T09:00:00Z",
        "round": None,
        "by": "Clara Chief",
        "fingerprint": decisions[0].hash,
    }
    assert rows[-1]["article"] is None
