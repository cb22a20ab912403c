"""Hidden from visitors: a draft, a result before it is published, and the users of actions.

Each test first makes sure that there is something that could leak.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client

from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish, round_publish
from pairing.trf.reader import read as trf_read
from tests.tournaments import factories
from tournaments.entries.entries import entry_update
from tournaments.models import Round, Tournament

from .asking import error, everything, get, read


@pytest.mark.costly
def test_a_draft_changes_nothing_for_a_visitor(
    client: Client,
    logged_in: Callable[[User], Client],
    ready: Tournament,
    chief_arbiter: User,
    stranger: User,
) -> None:
    readers = (client, logged_in(stranger))
    before = [everything(reader, ready) for reader in readers]
    round_pair(round_id=factories.round_of(ready, 1).pk, actor=chief_arbiter, now=factories.NOW)
    assert len(factories.boards(ready, 1)) == 4
    assert [everything(reader, ready) for reader in readers] == before
    assert before[0] == before[1]


@pytest.mark.costly
def test_a_draft_of_a_later_round_changes_nothing_for_a_visitor(
    client: Client, played_round: Round, chief_arbiter: User
) -> None:
    tournament = played_round.tournament
    before = everything(client, tournament)
    round_pair(
        round_id=factories.round_of(tournament, 2).pk, actor=chief_arbiter, now=factories.NOW
    )
    assert len(factories.boards(tournament, 2)) == 4
    assert everything(client, tournament) == before


def test_a_draft_looks_to_a_visitor_like_an_unpaired_round(
    client: Client, draft_round: Round
) -> None:
    tournament = draft_round.tournament
    assert len(factories.boards(tournament, 1)) == 4
    answers = [
        error(get(client, f"tournaments/{tournament.slug}/rounds/{number}/pairings/"))
        for number in (1, 2)
    ]
    assert [(status, problem["code"]) for status, problem in answers] == [
        (404, "round.not_published")
    ] * 2
    assert read(client, f"tournaments/{tournament.slug}/rounds/1/")["state"] == "planned"


def test_an_arbiter_of_the_tournament_sees_the_draft_as_a_draft(
    logged_in: Callable[[User], Client], draft_round: Round, chief_arbiter: User, deputy: User
) -> None:
    tournament = draft_round.tournament
    for user in (chief_arbiter, deputy):
        client = logged_in(user)
        page = read(client, f"tournaments/{tournament.slug}/rounds/1/pairings/")
        assert page["state"] == "draft"
        boards = [
            (line["white"]["tpn"], line["black"]["tpn"], line["result"]) for line in page["boards"]
        ]
        assert boards == [
            (white, black, None) for white, black, _ in factories.boards(tournament, 1)
        ]
        assert read(client, f"tournaments/{tournament.slug}/rounds/1/")["state"] == "draft"


def test_an_account_alone_does_not_show_a_draft(
    logged_in: Callable[[User], Client], draft_round: Round, stranger: User
) -> None:
    response = get(
        logged_in(stranger), f"tournaments/{draft_round.tournament.slug}/rounds/1/pairings/"
    )
    status, problem = error(response)
    assert (status, problem["code"]) == (404, "round.not_published")


@pytest.mark.costly
def test_a_result_changes_nothing_for_a_visitor_before_it_is_published(
    client: Client, published_round: Round, chief_arbiter: User
) -> None:
    tournament = published_round.tournament
    before = everything(client, tournament)
    factories.enter_results(tournament, 1, chief_arbiter)
    assert [result for _, _, result in factories.boards(tournament, 1)] == ["10", "01", "10", "01"]
    assert everything(client, tournament) == before
    page = read(client, f"tournaments/{tournament.slug}/rounds/1/pairings/")
    assert [line["result"] for line in page["boards"]] == [None] * 4

    results_publish(round_id=published_round.pk, actor=chief_arbiter, now=factories.NOW)
    page = read(client, f"tournaments/{tournament.slug}/rounds/1/pairings/")
    assert [line["result"] for line in page["boards"]] == ["10", "01", "10", "01"]


def test_an_arbiter_of_the_tournament_sees_results_as_they_are_entered(
    logged_in: Callable[[User], Client], published_round: Round, chief_arbiter: User
) -> None:
    tournament = published_round.tournament
    factories.enter_results(tournament, 1, chief_arbiter)
    page = read(logged_in(chief_arbiter), f"tournaments/{tournament.slug}/rounds/1/pairings/")
    assert [line["result"] for line in page["boards"]] == ["10", "01", "10", "01"]


@pytest.mark.costly
def test_the_record_shows_a_visitor_the_actions_of_a_round_when_it_is_public(
    client: Client, logged_in: Callable[[User], Client], ready: Tournament, chief_arbiter: User
) -> None:
    def actions(reader: Client) -> list[str]:
        rows = read(reader, f"tournaments/{ready.slug}/record/?page_size=500")["results"]
        return [row["action"] for row in rows if row["round"] == 1]

    arbiter = logged_in(chief_arbiter)
    round_ = factories.round_of(ready, 1)
    round_pair(round_id=round_.pk, actor=chief_arbiter, now=factories.NOW)
    assert (actions(arbiter), actions(client)) == (["round.paired"], [])
    round_publish(round_id=round_.pk, actor=chief_arbiter, now=factories.NOW)
    factories.enter_results(ready, 1, chief_arbiter)
    paired = ["round.paired", "pairings.published"]
    assert (actions(arbiter), actions(client)) == ([*paired, *["result.recorded"] * 4], paired)
    results_publish(round_id=round_.pk, actor=chief_arbiter, now=factories.NOW)
    assert (
        actions(client)
        == actions(arbiter)
        == [*paired, *["result.recorded"] * 4, "results.published"]
    )


def test_the_report_for_a_visitor_has_no_result_before_it_is_published(
    client: Client, logged_in: Callable[[User], Client], published_round: Round, chief_arbiter: User
) -> None:
    factories.enter_results(published_round.tournament, 1, chief_arbiter)

    def results(reader: Client) -> list[object]:
        players = trf_read(
            get(reader, f"tournaments/{published_round.tournament.slug}/trf/").content
        ).players
        return [cell.result and cell.result.value for player in players if (cell := player.cell(1))]

    assert results(logged_in(chief_arbiter)) == ["1"] * 4 + ["0"] * 4
    assert results(client) == [None] * 8


@pytest.mark.parametrize("who", ["visitor", "chief_arbiter"])
def test_the_record_has_no_private_data_of_a_player(
    who: str,
    client: Client,
    logged_in: Callable[[User], Client],
    ready: Tournament,
    chief_arbiter: User,
) -> None:
    entry = factories.entry_of(ready, 1)
    entry_update(entry_id=entry.pk, actor=chief_arbiter, now=factories.NOW, birth_date="1990/01/02")
    assert ready.decisions.order_by("sequence").last().after["birth_date"] == "1990/01/02"
    reader = client if who == "visitor" else logged_in(chief_arbiter)
    response = get(reader, f"tournaments/{ready.slug}/record/")
    assert response.json()["results"][-1]["action"] == "entry.updated"
    assert "1990/" not in response.content.decode()  # a fingerprint may contain the four digits
    assert "Abara" not in response.content.decode()
