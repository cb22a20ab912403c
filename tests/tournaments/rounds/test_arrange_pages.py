"""Arranging drafts by hand in the browser without script [C.04.3/2026 1.9.3]."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from pairing.rounds.publish import round_publish
from tests.tournaments import factories
from tests.tournaments.markup import tidy
from tests.tournaments.rounds.test_changes_pages import WHY, address, pk
from tournaments.models import Decision, Round, Tournament
from tournaments.reports.trf_export import trf_export


class TestDraft:
    @pytest.mark.costly
    def test_c04_3_1_9_3_two_boards_are_arranged_and_compared(
        self, draft_round: Round, client: Client, chief_arbiter: User
    ) -> None:
        tournament = draft_round.tournament
        client.force_login(chief_arbiter)
        url = address(tournament, "?b=1&b=2")
        four = {tpn: pk(tournament, tpn) for tpn in (1, 5, 6, 2)}
        form = {
            "w-1": four[1],
            "b-1": four[6],
            "w-2": four[5],
            "b-2": four[2],
            "left": "Z",
            "reason": WHY,
        }
        response = client.post(url, {**form, "show": "yes"})
        assert response.context["outlook"]["differs"] == (1, 2)
        assert "2 boards differ from the engine’s pairing." in response.content.decode()
        tournament.refresh_from_db()
        client.post(url, {**form, "version": tournament.version, "save": "yes"})
        assert factories.boards(tournament, 1) == [(1, 6, ""), (5, 2, ""), (3, 7, ""), (8, 4, "")]

    def test_a_missing_reason_is_named(
        self, draft_round: Round, client: Client, chief_arbiter: User
    ) -> None:
        tournament = draft_round.tournament
        client.force_login(chief_arbiter)
        form = {
            "w-1": pk(tournament, 5),
            "b-1": pk(tournament, 1),
            "left": "Z",
            "reason": "",
            "save": "yes",
        }
        response = client.post(address(tournament, "?b=1"), form)
        assert response.status_code == 400
        assert "Enter a reason. It is saved in the record." in response.content.decode()

    @pytest.mark.costly
    @pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
    def test_c04_2_3_6_the_page_names_the_boards_that_change_and_the_record_their_new_numbers(
        self, draft_round: Round, client: Client, chief_arbiter: User, headers: dict[str, str]
    ) -> None:
        """1-5 and 6-2 become 1-2 and 6-5; the latter is the weakest board and becomes board 4."""
        tournament = draft_round.tournament
        client.force_login(chief_arbiter)
        url = address(tournament, "?b=1&b=2")
        seats = {"w-1": 1, "b-1": 2, "w-2": 6, "b-2": 5}
        form = {seat: pk(tournament, tpn) for seat, tpn in seats.items()} | {
            "left": "Z",
            "reason": WHY,
        }
        text = client.post(url, {**form, "show": "yes"}, headers=headers).content.decode()
        assert "2 boards differ from the engine’s pairing. (1, 2)" in tidy(text)
        assert "Changed boards: 1, 2" in text
        tournament.refresh_from_db()
        saving = {**form, "version": tournament.version, "save": "yes"}
        assert client.post(url, saving, headers=headers).status_code == 302
        assert [row[:2] for row in factories.boards(tournament, 1)] == [
            (1, 2),
            (3, 7),
            (8, 4),
            (6, 5),
        ]
        assert Decision.objects.latest("sequence").after["changed"] == [1, 4]
        round_publish(round_id=draft_round.pk, actor=chief_arbiter, now=factories.NOW)
        assert "MPA @ Round 1: boards 1, 4, C.04.3 1.9.3" in trf_export(tournament, public=True)

    def test_a_player_at_two_boards_is_named(
        self, draft_round: Round, client: Client, chief_arbiter: User
    ) -> None:
        tournament = draft_round.tournament
        client.force_login(chief_arbiter)
        one, five = pk(tournament, 1), pk(tournament, 5)
        form = {
            "w-1": one,
            "b-1": five,
            "w-2": one,
            "b-2": pk(tournament, 2),
            "left": "Z",
            "show": "yes",
        }
        text = client.post(address(tournament, "?b=1&b=2"), form).content.decode()
        assert (
            f"These players are in two places at once: {factories.entry_of(tournament, 1).name}."
            in text
        )

    @pytest.mark.parametrize("state", ["planned", "results_published"])
    def test_only_a_draft_or_a_published_round_has_such_a_page(
        self, ready: Tournament, client: Client, chief_arbiter: User, state: str
    ) -> None:
        if state == "results_published":
            factories.play_rounds(ready, [1], chief_arbiter)
        client.force_login(chief_arbiter)
        assert client.get(address(ready)).status_code == 404
