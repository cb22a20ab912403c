"""Show matches of two games to people, programs and report files [C.04.5/2026]."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from pairing.recheck import round_difference
from pairing.rules.kept_records import NOTE_ON_MATCHES
from pairing.rules.rounds import RoundState
from pairing.trf.document import PlayerRecord
from pairing.trf.matches import by_rounds_played
from pairing.trf.reader import read
from tests.tournaments import factories
from tests.tournaments.factories import (
    NOW,
    entry_of,
    make_ready,
    pair_and_publish,
    player_address,
    round_of,
)
from tests.tournaments.markup import tidy
from tournaments.entries.byes import bye_request
from tournaments.entries.entries import entry_add
from tournaments.lists.imports.trf_tournament import tournament_import_trf, trf_preview
from tournaments.models import GameResult, Tournament
from tournaments.reports.recheck import event_recheck
from tournaments.reports.trf_export import trf_export

from .matches import DOUBLE_SWISS, enter, game_of, page_of, play, points

pytestmark = pytest.mark.django_db


class TestReports:
    def test_c04_5_0_the_report_has_two_rounds_a_match_and_says_so(
        self, event: Tournament, chief_arbiter: User
    ) -> None:
        play(event, 1, chief_arbiter)
        text = trf_export(event, public=True)
        assert f"### {NOTE_ON_MATCHES}\n" in text
        assert "142 6\n" in text
        assert "192 FIDE_DOUBLESWISS\n" in text
        (first, fourth) = (
            next(r for r in read(text).of(PlayerRecord) if r.tpn == tpn) for tpn in (1, 4)
        )
        assert [(c.opponent, c.colour.value, c.result.value) for c in first.rounds] == [
            (4, "w", "1"),
            (4, "b", "="),
        ]
        assert [(c.opponent, c.colour.value, c.result.value) for c in fourth.rounds] == [
            (1, "b", "0"),
            (1, "w", "="),
        ]
        assert (first.points, fourth.points) == (15, 5)

    @pytest.mark.costly
    @pytest.mark.parametrize("acceleration", ["", "baku"])
    def test_a_file_of_matches_is_opened_and_the_event_goes_on(
        self, chief_arbiter: User, acceleration: str
    ) -> None:
        event = make_ready(
            chief_arbiter, players=9, rounds=4, system=DOUBLE_SWISS, acceleration=acceleration
        )
        bye_request(
            entry_id=entry_of(event, 6).pk, round_number=3, kind="H", actor=chief_arbiter, now=NOW
        )
        falls = [("10", "=="), ("-+", "01"), ("==", "=="), ("+-", "-+")]
        for number in (1, 2):
            play(
                event,
                number,
                chief_arbiter,
                lambda board, number=number: falls[(board + number) % 4],
            )
        text = trf_export(event, public=False)
        preview = trf_preview(text.encode())
        assert (preview.rounds_played, preview.total_rounds, preview.rounds_compared) == (2, 4, 2)
        assert (preview.differences, preview.warnings, preview.accelerated) == (
            (),
            (),
            bool(acceleration),
        )
        assert {player.tpn: player.points for player in preview.players} == points(event, 2)
        again = tournament_import_trf(actor=chief_arbiter, now=NOW, data=text.encode())
        assert trf_export(again, public=False) == text
        for tournament in (event, again):
            pair_and_publish(tournament, 3, chief_arbiter)
        assert factories.boards(again, 3) == factories.boards(event, 3)
        assert factories.byes(again, 3) == factories.byes(event, 3)
        assert trf_export(again, public=False) == trf_export(event, public=False)

    def test_a_file_in_the_middle_of_a_match_is_opened(
        self, published: Tournament, chief_arbiter: User
    ) -> None:
        enter(published, 1, 1, 1, "10", chief_arbiter)
        text = trf_export(published, public=False)
        assert trf_preview(text.encode()).boards_open == 3
        again = tournament_import_trf(actor=chief_arbiter, now=NOW, data=text.encode())
        assert round_of(again, 1).state == RoundState.PAIRINGS_PUBLISHED
        assert [game_of(again, 1, 1, game).result for game in (1, 2)] == ["10", ""]

    @pytest.mark.costly
    @pytest.mark.parametrize("acceleration", ["", "baku"])
    def test_the_whole_event_checked_from_its_report_has_no_difference(
        self, chief_arbiter: User, acceleration: str
    ) -> None:
        event = make_ready(
            chief_arbiter, players=9, rounds=4, system=DOUBLE_SWISS, acceleration=acceleration
        )
        codes = [code for code in GameResult.values if code not in ("", "??")]
        for number in range(1, 5):
            play(
                event,
                number,
                chief_arbiter,
                lambda b, n=number: (codes[(5 * b + n) % 12], codes[(7 * b + 3 * n) % 12]),
            )
        found = event_recheck(event)
        assert found.problem == ""
        assert found.found is not None
        assert (found.found.rounds, found.found.ranks, found.found.differences) == (4, 9, 0)
        assert (found.rounds, found.points, found.ranks) == ((), (), ())


class TestPages:
    def pages(self, event: Tournament) -> list[str]:
        return [
            reverse("pairings-public", args=[event.slug, 1]),
            reverse("pairings-public", args=[event.slug, 1]) + "?order=name&q=Dumont",
            reverse("standings", args=[event.slug]),
            reverse("crosstable", args=[event.slug]),
            player_address(event, 4),
            player_address(event, 4, after=1),
            reverse("progress", args=[event.slug]),
        ]

    @pytest.mark.costly
    def test_c04_2_4_2_visitors_see_neither_game_before_the_results_are_published(
        self, published: Tournament, chief_arbiter: User, client: Client
    ) -> None:
        enter(published, 1, 1, 1, "10", chief_arbiter)
        enter(published, 1, 1, 2, "==", chief_arbiter)
        seen = page_of(published, 1, runs=False).boards[0]
        assert (seen.result, seen.second_result, seen.match_points) == ("", "", None)
        text = client.get(reverse("pairings-public", args=[published.slug, 1])).content.decode()
        assert "1½" not in text
        assert "match of two games" in text
        about = f"/api/v1/tournaments/{published.slug}/rounds/1/pairings/"
        board = client.get(about).json()["boards"][0]
        assert (board["result"], board["second_result"]) == (None, None)
        assert " 4 b " in trf_export(published, public=True)
        assert " 4 b =" not in trf_export(published, public=True)

    @pytest.mark.costly
    def test_the_pages_of_a_round_show_both_games(
        self, event: Tournament, chief_arbiter: User, client: Client
    ) -> None:
        play(event, 1, chief_arbiter)
        texts = [client.get(page).content.decode() for page in self.pages(event)]
        pairings, by_name, _, table, player, opened, _ = texts
        assert "<b>1½ – ½</b>" in pairings
        assert '<abbr title="White wins">1 – 0</abbr>, <abbr title="draw">½ – ½</abbr>' in pairings
        assert "<b>1½ – ½</b>" in by_name
        assert "in the first game" in by_name
        assert "0·½" in table
        assert "0·½" in player
        assert "Abara" in opened

    @pytest.mark.costly
    def test_the_api_gives_both_games_and_the_system(
        self, event: Tournament, chief_arbiter: User, client: Client
    ) -> None:
        play(event, 1, chief_arbiter, lambda board: ("10", "01"))
        about = f"/api/v1/tournaments/{event.slug}/"
        detail = client.get(about).json()
        assert (detail["system"], detail["games_a_round"], detail["points"]["pab"]) == (
            DOUBLE_SWISS,
            2,
            1.5,
        )
        board = client.get(about + "rounds/1/pairings/").json()["boards"][0]
        assert (board["result"], board["second_result"]) == ("10", "01")
        rows = client.get(about + "crosstable/").json()["players"]
        first = next(row for row in rows if row["tpn"] == 1)
        assert [(r["result"], r["second_result"], r["points"]) for r in first["rounds"]] == [
            ("1", "1", 2)
        ]
        csv = client.get(about + "rounds/1/pairings/csv/").content.decode()
        assert "white_second_result,black_second_result" in csv.splitlines()[0]
        assert csv.splitlines()[1].endswith(",1,0,1,0")

    @pytest.mark.costly
    def test_the_plain_form_saves_game_by_game(
        self, published: Tournament, arbiter_desk: Client
    ) -> None:
        url = reverse("round-results", args=[published.slug, 1])
        text = arbiter_desk.get(url, follow=True).content.decode()
        assert "Result of board 1, game 2" in tidy(text)
        second = game_of(published, 1, 1, 2)
        form = {f"result-{second.pk}": "01", f"version-{second.pk}": "0", f"was-{second.pk}": ""}
        assert arbiter_desk.post(url, form).status_code == 302
        assert [game_of(published, 1, 1, game).result for game in (1, 2)] == ["", "01"]

    @pytest.mark.costly
    def test_pages_cost_the_same_number_of_queries_for_few_and_many(
        self, chief_arbiter: User, arbiter_desk: Client
    ) -> None:
        counts = []
        for players in (4, 12):
            event = make_ready(
                chief_arbiter,
                players=players,
                rounds=2,
                system=DOUBLE_SWISS,
                name=f"Size {players}",
            )
            play(event, 1, chief_arbiter)
            pages = [*self.pages(event), reverse("round", args=[event.slug, 1])]
            counts.append([_queries(arbiter_desk, page) for page in pages])
        assert counts[0] == counts[1]


def _queries(client: Client, page: str) -> int:
    with CaptureQueriesContext(connection) as caught:
        assert client.get(page).status_code == 200
    return len(caught)


class TestLateEntry:
    @pytest.mark.costly
    def test_c04_5_4_3_1_a_late_entry_leaves_the_colours_of_round_1_right(
        self, event: Tournament, chief_arbiter: User
    ) -> None:
        """In C.04.5 the pairing number counts (docs/rules.md, DS4):
        the number that paired round 1.
        """
        play(event, 1, chief_arbiter)
        given = {"tournament_id": event.pk, "actor": chief_arbiter, "now": NOW, "checked_in": True}
        entry_add(**given, name="Late, Lea", fide_rating=2395)
        entry_add(**given, name="Later, Lou", fide_rating=2375)
        text = trf_export(event, public=False)
        assert [line for line in text.splitlines() if "Late entry" in line] == [
            "### Late entry @ Round 1: TPN 2, C.04.2 2.4",
            "### Late entry @ Round 1: TPN 5, C.04.2 2.4",
        ]
        assert event_recheck(event).rounds == ()
        # Without the comments the present numbers would decide.
        plain = "".join(line for line in text.splitlines(keepends=True) if "Late entry" not in line)
        assert round_difference(by_rounds_played(read(plain)), 1) is not None
        play(event, 2, chief_arbiter)
        found = event_recheck(event)
        assert (found.found and found.found.rounds, found.rounds) == (2, ())
        again = tournament_import_trf(
            data=trf_export(event, public=False).encode(), actor=chief_arbiter, now=NOW
        )
        assert event_recheck(again).rounds == ()
