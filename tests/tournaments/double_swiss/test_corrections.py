"""Corrections of the games of a match: one result, both colours, late ones [C.04.5/2026]."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from pairing.rounds.correction_outlook import outlook_for_game
from pairing.rounds.corrections import Report, colours_correct, result_correct
from pairing.rules.corrections import CorrectionKind
from pairing.trf.document import PlayerRecord
from pairing.trf.reader import read
from tests.tournaments.factories import (
    NOW,
)
from tests.tournaments.neighbour import own
from tournaments.models import Decision, Game, Tournament
from tournaments.reports.rating_report import rating_report
from tournaments.reports.trf_export import trf_export

from .matches import game_of, page_of, play, points

pytestmark = pytest.mark.django_db


class TestCorrections:
    @pytest.fixture
    def played(self, event: Tournament, chief_arbiter: User) -> Tournament:
        play(event, 1, chief_arbiter)
        return event

    def report(self, minutes: int = 1) -> Report:
        return Report(reported_at=NOW + timedelta(minutes=minutes), reason="Both players say so")

    def test_c04_2_4_3_1_the_result_of_one_game_is_corrected(
        self, played: Tournament, chief_arbiter: User
    ) -> None:
        second = game_of(played, 1, 1, 2)
        outlook = outlook_for_game(
            Game.objects.select_related("round__tournament", "second", "first__second").get(
                pk=second.pk
            ),
            CorrectionKind.RESULT,
            result="10",
            reported_at=NOW,
        )
        # Dumont (4) had White in the second game.
        assert {place.tpn: place.points_after for place in outlook.scoregroups} == {1: 10, 4: 10}
        correction = result_correct(
            game_id=second.pk,
            result="10",
            report=self.report(),
            actor=chief_arbiter,
            now=NOW + timedelta(minutes=2),
        )
        assert (points(played, 1)[1], points(played, 1)[4]) == (10, 10)
        row = own(Decision).latest("sequence")
        assert (row.before["board"], row.before["game"], row.before["result"]) == (1, 2, "==")
        assert (correction.after, row.after["result"]) == ({"result": "10", "game": 2}, "10")
        assert "### Correction @ Round 1: board 1 game 2, result == -> 10" in trf_export(
            played, public=True
        )

    @pytest.mark.costly
    def test_c04_2_4_3_2_colours_are_corrected_for_the_whole_match(
        self, played: Tournament, chief_arbiter: User
    ) -> None:
        before = points(played, 1)
        colours_correct(
            game_id=game_of(played, 1, 1, 2).pk,
            report=self.report(),
            actor=chief_arbiter,
            now=NOW + timedelta(hours=1),
        )
        line = page_of(played, 1).boards[0]
        assert (line.white.tpn, line.black.tpn, line.result, line.second_result) == (
            4,
            1,
            "01",
            "==",
        )
        assert points(played, 1) == before

    @pytest.mark.costly
    def test_c04_2_4_3_a_late_correction_is_in_the_rating_report_only(
        self, played: Tournament, chief_arbiter: User
    ) -> None:
        play(played, 2, chief_arbiter)
        late = {"actor": chief_arbiter, "now": NOW + timedelta(hours=2)}
        result_correct(
            game_id=game_of(played, 1, 1, 2).pk, result="01", report=self.report(60), **late
        )
        result_correct(
            game_id=game_of(played, 1, 2, 1).pk, result="01", report=self.report(60), **late
        )

        def games(text: str) -> dict[int, str]:
            players = read(text).of(PlayerRecord)
            return {
                p.tpn: "".join(c.result.value for c in p.rounds[:2] if c and c.result)
                for p in players
            }

        assert {tpn: games(trf_export(played, public=False))[tpn] for tpn in (1, 4, 5, 2)} == {
            1: "1=", 4: "0=", 5: "1=", 2: "0="
        }  # fmt: skip
        assert {tpn: games(rating_report(played))[tpn] for tpn in (1, 4, 5, 2)} == {
            1: "11",
            4: "00",
            5: "0=",
            2: "1=",
        }

    @pytest.mark.costly
    def test_the_correction_pages_keep_the_game_of_the_match(
        self, played: Tournament, arbiter_desk: Client
    ) -> None:
        url = reverse("round-correct", args=[played.slug, 1])
        start = arbiter_desk.get(url).content.decode()
        assert 'value="1/2"' in start
        assert arbiter_desk.get(url, {"kind": "result", "board": "1/3"}).status_code == 404
        page = arbiter_desk.get(url, {"kind": "result", "board": "1/2"})
        assert page.context["subject"].line.game_id == game_of(played, 1, 1, 2).pk
        form = {
            "result": "10",
            "reported_at": "2026-11-21T10:00",
            "reason": "both players",
            "version": "1",
            "save": "yes",
        }
        response = arbiter_desk.post(f"{url}?kind=result&board=1/2", form)
        assert response.status_code == 302, response.context["form"].errors
        listed = arbiter_desk.get(reverse("corrections", args=[played.slug])).content.decode()
        assert "board 1, game 2: ½ – ½ → 1 – 0" in listed
