"""A tournament with the Double-Swiss System: every board is a match of two games [C.04.5/2026]."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from pairing.rounds.absences import no_shows
from pairing.rounds.arrange import Pairings, round_arrange
from pairing.rounds.changes import round_change
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish
from pairing.rounds.results import result_record
from pairing.rounds.snapshot import snapshot
from pairing.rules.published import Situation
from tests.tournaments import factories
from tests.tournaments.factories import (
    NOW,
    entry_of,
    make_ready,
    make_tournament,
    pair_and_publish,
    round_of,
)
from tests.tournaments.neighbour import own
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.core.frame import tournament_frame
from tournaments.desk.desk import desk
from tournaments.desk.undo import action_undo
from tournaments.entries.byes import bye_request
from tournaments.models import Decision, Game, Seat, Tournament
from tournaments.reports.event_report import event_report
from tournaments.reports.recheck import event_recheck
from tournaments.setup.tournaments import tournament_create, tournament_update
from tournaments.standings.crosstable import crosstable
from tournaments.standings.player import player_page
from tournaments.standings.standings import standings
from tournaments.web.templatetags.reports import made_short

from .matches import DOUBLE_SWISS, enter, game_of, page_of, play, points

pytestmark = pytest.mark.django_db


class TestSetUp:
    def test_c04_2_1_3_the_system_is_chosen_in_the_form_and_shown_to_everybody(
        self, arbiter_desk: Client
    ) -> None:
        form = {
            "name": "Match Open",
            "total_rounds": "3",
            "system": DOUBLE_SWISS,
            "acceleration": "baku",
        }
        form |= {"scoring": "standard", "pab": "win", "tie_breaks": "BH/C1,BH,SB,DE,WIN"}
        form |= {"tie_break_edition": "fide-2026", "handling_edition": "c04_2_2026"}
        response = arbiter_desk.post(reverse("tournament-create"), form)
        assert response.status_code == 302, response.context["form"].errors
        made = own(Tournament).get()
        # Other settings follow the system: the bye of C.04.5 1.4, and tie-breaks that do not count
        # single games.
        assert (made.system, made.points_pab, made.tie_breaks) == (
            DOUBLE_SWISS,
            15,
            "BH/C1,BH,SB,DE",
        )
        lines = [str(message) for message in get_messages(response.wsgi_request)]
        assert any(
            "follow the pairing system and are now BH/C1,BH,SB,DE." in words for words in lines
        )
        page = arbiter_desk.get(reverse("tournament", args=[made.slug])).content.decode()
        assert "FIDE Double-Swiss System 2026" in page
        assert "Every pairing is a match of two games" in page
        assert (
            arbiter_desk.get(reverse("tournament-edit", args=[made.slug]))
            .context["form"]["pab"]
            .value()
            == "win"
        )

    @pytest.mark.parametrize("worth, tenths", [("win", 15), ("draw", 10), ("none", 0)])
    def test_c04_5_1_4_the_bye_is_worth_a_win_and_a_draw_unless_the_rules_say_otherwise(
        self, arbiter_desk: Client, worth: str, tenths: int
    ) -> None:
        form = {
            "name": "Bye Open",
            "total_rounds": "3",
            "system": DOUBLE_SWISS,
            "scoring": "standard",
            "pab": worth,
        }
        arbiter_desk.post(reverse("tournament-create"), form)
        assert own(Tournament).get().points_pab == tenths

    def test_defaults_follow_the_system_and_chosen_values_stay(self, chief_arbiter: User) -> None:
        made = make_tournament(chief_arbiter, rounds=3)
        change = {"tournament_id": made.pk, "actor": chief_arbiter, "now": NOW}
        there = tournament_update(**change, system=DOUBLE_SWISS)
        assert (there.points_pab, there.tie_breaks) == (15, "BH/C1,BH,SB,DE")
        back = tournament_update(**change, system="dutch_2026")
        assert (back.points_pab, back.tie_breaks) == (10, "BH/C1,BH,SB,DE,WIN")
        worth_more = tournament_update(**change, system=DOUBLE_SWISS, points_win=20, points_draw=10)
        assert worth_more.points_pab == 30
        tournament_update(**change, system="dutch_2026", points_win=10, points_draw=5)
        tournament_update(**change, points_pab=5, tie_breaks="SB")
        kept = tournament_update(**change, system=DOUBLE_SWISS)
        assert (kept.points_pab, kept.tie_breaks) == (5, "SB")

    def test_tie_breaks_that_count_single_games_are_refused(self, chief_arbiter: User) -> None:
        with pytest.raises(BadInput, match="WON counts single games") as bad:
            tournament_create(
                actor=chief_arbiter,
                now=NOW,
                name="X",
                total_rounds=3,
                system=DOUBLE_SWISS,
                tie_breaks="BH,WON",
            )
        assert (bad.value.code, bad.value.field) == ("tie_break.of_games", "tie_breaks")


class TestTwoGames:
    def test_c04_5_0_a_board_is_two_games_with_the_colours_reversed(
        self, published: Tournament
    ) -> None:
        assert Game.objects.filter(round__tournament=published).count() == 6
        assert Seat.objects.filter(game__first__isnull=False).count() == 0
        lines = page_of(published, 1).boards
        assert [(line.white.tpn, line.black.tpn) for line in lines] == [(1, 4), (5, 2), (3, 6)]
        assert [
            (game.number, game.white.tpn, game.black.tpn)
            for line in lines
            for game in line.games
            if line.board == 2
        ] == [(1, 5, 2), (2, 2, 5)]

    def test_c04_5_0_games_are_entered_one_by_one_and_the_match_has_a_running_score(
        self, published: Tournament, chief_arbiter: User
    ) -> None:
        enter(published, 1, 1, 1, "10", chief_arbiter)
        assert [line.match_points for line in page_of(published, 1).boards] == [
            (10, 0),
            (0, 0),
            (0, 0),
        ]
        # In the second game player 4 has White and draws.
        enter(published, 1, 1, 2, "==", chief_arbiter)
        page = page_of(published, 1)
        assert (page.boards[0].match_points, page.games_entered, page.missing) == (
            (15, 5),
            2,
            (2, 3),
        )
        assert desk(tournament_frame(published, runs=True)).missing == (2, 3)
        found = (
            own(Decision)
            .filter(action="result.recorded")
            .order_by("sequence")
            .values_list("after", flat=True)
        )
        assert list(found) == [
            {"board": 1, "game": 1, "result": "10"},
            {"board": 1, "game": 2, "result": "=="},
        ]

    def test_two_arbiters_at_the_two_games_of_a_board_do_not_disturb_each_other(
        self, published: Tournament, chief_arbiter: User, deputy: User
    ) -> None:
        first, second = game_of(published, 1, 1), game_of(published, 1, 1, 2)
        result_record(game_id=first.pk, result="10", actor=chief_arbiter, now=NOW, seen_version=0)
        result_record(game_id=second.pk, result="01", actor=deputy, now=NOW, seen_version=0)
        with pytest.raises(Conflict):
            result_record(
                game_id=second.pk, result="==", actor=chief_arbiter, now=NOW, seen_version=0
            )
        with pytest.raises(Conflict) as stale:  # not the deputy, who entered the other game
            result_record(
                game_id=first.pk, result="==", actor=chief_arbiter, now=NOW, seen_version=0
            )
        assert stale.value.params["by"] == "Clara Chief"

    def test_c04_2_4_2_results_wait_for_both_games(
        self, published: Tournament, chief_arbiter: User
    ) -> None:
        for board in (1, 2, 3):
            enter(published, 1, board, 1, "10", chief_arbiter)
        enter(published, 1, 2, 2, "10", chief_arbiter)
        with pytest.raises(RuleRefused) as refused:
            results_publish(round_id=round_of(published, 1).pk, actor=chief_arbiter, now=NOW)
        assert refused.value.params["boards"] == (1, 3)

    def test_c04_2_3_1_a_game_of_a_match_can_be_adjourned(
        self, published: Tournament, chief_arbiter: User
    ) -> None:
        for board in (1, 2, 3):
            enter(published, 1, board, 1, "10", chief_arbiter)
        enter(published, 1, 2, 2, "10", chief_arbiter)
        enter(published, 1, 3, 2, "10", chief_arbiter)
        round_ = round_of(published, 1)
        results_publish(round_id=round_.pk, actor=chief_arbiter, now=NOW, adjourning=[1])
        assert [game_of(published, 1, 1, game).result for game in (1, 2)] == ["10", "??"]
        # For the standings the adjourned game gives no points yet; for the pairing it is a draw.
        assert (points(published, 1)[1], points(published, 1)[4]) == (10, 0)
        state, _ = snapshot(published, 2)
        record = next(player for player in state.players if player.tpn == 1).rounds[0]
        assert state.points.worth(record) == 15
        enter(published, 1, 1, 2, "01", chief_arbiter, confirmed=True)
        assert (points(published, 1)[1], points(published, 1)[4]) == (20, 0)

    def test_results_are_undone_game_by_game(
        self, published: Tournament, chief_arbiter: User
    ) -> None:
        enter(published, 1, 2, 1, "10", chief_arbiter)
        enter(published, 1, 2, 2, "01", chief_arbiter)
        newest = own(Decision).latest("sequence").sequence
        action_undo(tournament_id=published.pk, actor=chief_arbiter, now=NOW, sequence=newest)
        assert [game_of(published, 1, 2, game).result for game in (1, 2)] == ["10", ""]


class TestForfeits:
    @pytest.mark.costly
    def test_c04_5_0_a_single_forfeited_game_is_played(
        self, event: Tournament, chief_arbiter: User
    ) -> None:
        play(event, 1, chief_arbiter, lambda board: ("-+", "==") if board == 1 else ("10", "=="))
        assert (points(event, 1)[1], points(event, 1)[4]) == (5, 15)
        state, _ = snapshot(event, 2)
        round_pair(round_id=round_of(event, 2).pk, actor=chief_arbiter, now=NOW)
        assert frozenset({1, 4}) not in {
            frozenset((b.white.tpn, b.black.tpn)) for b in page_of(event, 2).boards
        }
        assert state.points.pairing_allocated_bye == 15

    def test_c04_5_0_a_match_is_forfeited_only_with_both_games(
        self, published: Tournament, chief_arbiter: User
    ) -> None:
        # Player 4 misses both games of board 1; player 2 misses only the first game of board 2.
        enter(published, 1, 1, 1, "+-", chief_arbiter)
        frame = tournament_frame(published, runs=True)
        assert no_shows(frame) == ()
        enter(published, 1, 1, 2, "-+", chief_arbiter)
        enter(published, 1, 2, 1, "+-", chief_arbiter)
        enter(published, 1, 2, 2, "10", chief_arbiter)
        assert [(absent.tpn, absent.board) for absent in no_shows(frame)] == [(4, 1)]
        forfeits = event_report(frame).forfeits
        assert [(line.board, line.game, line.white.name[:5], line.result) for line in forfeits] == [
            (1, 1, "Abara", "+-"),
            (1, 2, "Dumon", "-+"),
            (2, 1, "Eriks", "+-"),
        ]

    @pytest.mark.costly
    def test_c04_5_2_1_2_the_winner_of_a_match_by_forfeit_may_not_have_the_bye(
        self, chief_arbiter: User
    ) -> None:
        event = make_ready(chief_arbiter, players=3, rounds=3, system=DOUBLE_SWISS)
        play(event, 1, chief_arbiter, lambda board: ("+-", "-+"))
        (first,) = page_of(event, 1).boards
        assert factories.byes(event, 1) == {3: "U"}
        pair_and_publish(event, 2, chief_arbiter)
        # Player 3 had the bye, White of board 1 won by forfeit: only the other players may have it.
        assert factories.byes(event, 2) == {first.black.tpn: "U"}

    def test_c04_2_4_4_a_board_with_one_game_played_is_not_changed(
        self, published: Tournament, chief_arbiter: User
    ) -> None:
        enter(published, 1, 1, 1, "10", chief_arbiter)
        pk = {tpn: entry_of(published, tpn).pk for tpn in range(1, 7)}
        pairings = Pairings({1: (pk[1], pk[2]), 2: (pk[5], pk[4]), 3: (pk[3], pk[6])})
        with pytest.raises(RuleRefused) as refused:
            round_change(
                round_id=round_of(published, 1).pk, pairings=pairings, situation=Situation.REGULATIONS, consents=(),
                reason="X", actor=chief_arbiter, now=NOW,
            )  # fmt: skip
        assert refused.value.code == "change.played"

    def test_a_board_arranged_by_hand_has_two_games_too(
        self, event: Tournament, chief_arbiter: User
    ) -> None:
        round_ = round_of(event, 1)
        round_pair(round_id=round_.pk, actor=chief_arbiter, now=NOW)
        pk = {tpn: entry_of(event, tpn).pk for tpn in range(1, 7)}
        pairings = Pairings({1: (pk[1], pk[2]), 2: (pk[5], pk[4]), 3: (pk[3], pk[6])})
        round_arrange(
            round_id=round_.pk, pairings=pairings, reason="Lot", actor=chief_arbiter, now=NOW
        )
        lines = page_of(event, 1).boards
        assert sorted((line.white.tpn, line.black.tpn, len(line.games)) for line in lines) == [
            (1, 2, 2), (3, 6, 2), (5, 4, 2)
        ]  # fmt: skip
        done = own(Decision).latest("sequence")
        assert (done.article, done.after["cautions"]) == ("C.04.5 3.3.3", [])


class TestByes:
    @pytest.mark.costly
    def test_c04_5_1_4_a_bye_covers_both_games_of_a_match(self, chief_arbiter: User) -> None:
        event = make_ready(chief_arbiter, players=7, rounds=3, system=DOUBLE_SWISS)
        for tpn, kind in ((1, "H"), (2, "F"), (3, "Z")):
            bye_request(
                entry_id=entry_of(event, tpn).pk,
                round_number=1,
                kind=kind,
                actor=chief_arbiter,
                now=NOW,
            )
        event.refresh_from_db()
        play(event, 1, chief_arbiter)
        after = points(event, 1)
        assert (after[1], after[2], after[3]) == (10, 20, 0)
        # A half-point bye is half a point for each game of the match; "bye 1" would read as a
        # full-point bye.
        assert [
            made_short(line.cells[0])
            for line in crosstable(tournament_frame(event, runs=False)).lines[:4]
        ] == [
            "bye 1·1",
            "1·½",
            "1·½",
            "bye ½·½",
        ]
        pab_only = make_ready(chief_arbiter, players=5, rounds=3, system=DOUBLE_SWISS, name="Odd")
        play(pab_only, 1, chief_arbiter)
        assert points(pab_only, 1)[5] == 15


class TestStandings:
    @pytest.mark.costly
    def test_c04_5_0_standings_are_by_game_points(
        self, event: Tournament, chief_arbiter: User
    ) -> None:
        play(
            event,
            1,
            chief_arbiter,
            lambda board: {1: ("10", "01"), 2: ("10", "=="), 3: ("==", "==")}[board],
        )
        seen = standings(tournament_frame(event, runs=False), after_round=1)
        assert {line.tpn: line.points for line in seen.lines} == {
            1: 20,
            5: 15,
            3: 10,
            6: 10,
            2: 5,
            4: 0,
        }
        assert [column.code for column in seen.columns] == ["BH/C1", "BH", "SB", "DE"]
        assert seen.is_our_list

    def test_the_crosstable_and_the_players_page_show_both_games(
        self, event: Tournament, chief_arbiter: User
    ) -> None:
        play(event, 1, chief_arbiter)
        frame = tournament_frame(event, runs=False)
        line = next(line for line in crosstable(frame).lines if line.tpn == 4)
        (cell,) = line.cells
        assert (cell.colour, cell.result.value, cell.second and cell.second.value, cell.points) == (
            "b",
            "0",
            "=",
            5,
        )
        page = player_page(frame, entry_of(event, 4).pk)
        assert page is not None
        assert page.performance is not None
        assert (page.points, page.performance.games, page.performance.made) == (5, 2, 50)


class TestLastRound:
    @pytest.mark.costly
    def test_c04_5_2_3_4_the_last_round_is_paired_as_the_last(
        self, event: Tournament, chief_arbiter: User
    ) -> None:
        """[C7] and [C8] do not apply in the last round; the engine gets the number of rounds."""
        for number in (1, 2):
            play(event, number, chief_arbiter)
        state, _ = snapshot(event, 3)
        assert (state.system, state.is_last_round) == (DOUBLE_SWISS, True)
        play(event, 3, chief_arbiter)
        assert event_recheck(event).rounds == ()

    @pytest.mark.costly
    def test_c04_5_3_3_3_a_round_without_a_legal_pairing_names_its_article(
        self, chief_arbiter: User
    ) -> None:
        event = make_ready(chief_arbiter, players=2, rounds=2, system=DOUBLE_SWISS)
        play(event, 1, chief_arbiter)
        with pytest.raises(RuleRefused) as refused:
            round_pair(round_id=round_of(event, 2).pk, actor=chief_arbiter, now=NOW)
        assert (refused.value.code, refused.value.article) == ("no_legal_pairing", "C.04.5 3.3.3")

    def test_the_record_cites_the_articles_of_the_system(self, published: Tournament) -> None:
        cited = dict(Decision.objects.filter(tournament=published).values_list("action", "article"))
        assert (cited["round.paired"], cited["colour.drawn"]) == ("C.04.5 3.3", "C.04.5 4.1")
