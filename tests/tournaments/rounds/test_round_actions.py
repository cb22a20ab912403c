"""Pairing, publishing and playing a round: each action is one transaction."""

from dataclasses import replace

import pytest
from django.core.exceptions import PermissionDenied

from pairing.engine.dutch.edition_2026.procedure import pair_dutch_2026
from pairing.engine.errors import InvariantError
from pairing.engine.model import Pairing, TournamentState
from pairing.engine.systems import SYSTEMS
from pairing.rounds.pair import round_pair, round_unpair
from pairing.rounds.publish import results_publish, round_publish
from pairing.rounds.results import result_record
from pairing.rules.rounds import RoundState
from tests.engine.systems import paired_by
from tests.tournaments.factories import (
    NOW,
    boards,
    byes,
    enter_results,
    entry_of,
    make_entries,
    make_ready,
    make_tournament,
    pair_and_publish,
    play_rounds,
    round_of,
    white_wins,
)
from tests.tournaments.neighbour import own
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.entries.byes import bye_request
from tournaments.entries.entries import entry_withdraw, numbers_assign
from tournaments.models import Decision, Entry, Game, Round, Seat, Tournament
from tournaments.reports.trf_export import trf_export

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.on_postgres("statements of actions, and record and tables after each"),
]


def everything() -> dict[str, list[tuple[object, ...]]]:
    """Return every row of every table of the application."""
    return {
        model.__name__: list(model.objects.order_by("pk").values_list())
        for model in (Tournament, Entry, Round, Game, Seat, Decision)
    }


def colours_reversed(state: TournamentState) -> Pairing:
    """Return a pairing with every colour reversed, as from an engine with an error."""
    pairing = pair_dutch_2026(state)
    return replace(pairing, pairs=tuple((black, white) for white, black in pairing.pairs))


def contradicts_itself(state: TournamentState) -> Pairing:
    raise InvariantError("contradiction")


class TestPair:
    def test_round_1_is_paired_by_the_rules_and_saved_as_a_draft(self, ready, chief_arbiter):
        round_ = round_pair(round_id=round_of(ready, 1).pk, actor=chief_arbiter, now=NOW)
        assert (round_.state, round_.paired_at) == (RoundState.DRAFT, NOW)
        assert boards(ready, 1) == [(1, 5, ""), (6, 2, ""), (3, 7, ""), (8, 4, "")]

    def test_c04_2_3_3_a_player_with_a_requested_bye_is_not_paired_and_gets_its_letter(
        self, ready, chief_arbiter
    ):
        for tpn, kind in ((2, "H"), (7, "Z")):
            bye_request(
                entry_id=entry_of(ready, tpn).pk,
                actor=chief_arbiter,
                now=NOW,
                round_number=1,
                kind=kind,
            )
        entry_withdraw(entry_id=entry_of(ready, 8).pk, actor=chief_arbiter, now=NOW, from_round=1)
        pair_and_publish(ready, 1, chief_arbiter)
        assert byes(ready, 1) == {2: "H", 6: "U", 7: "Z", 8: "Z"}
        assert boards(ready, 1) == [(1, 4, ""), (5, 3, "")]

    def test_c04_2_3_2_a_withdrawn_player_gets_no_points_for_a_bye_requested_earlier(
        self, ready, chief_arbiter
    ):
        entry = entry_of(ready, 8)
        bye_request(entry_id=entry.pk, actor=chief_arbiter, now=NOW, round_number=1, kind="H")
        entry_withdraw(entry_id=entry.pk, actor=chief_arbiter, now=NOW, from_round=1)
        pair_and_publish(ready, 1, chief_arbiter)
        assert byes(ready, 1) == {7: "U", 8: "Z"}

    @pytest.mark.costly
    def test_c04_3_1_9_3_no_legal_pairing_is_stated_and_the_round_stays_unpaired(
        self, chief_arbiter
    ):
        two = make_ready(chief_arbiter, players=2, rounds=2)
        play_rounds(two, [1], chief_arbiter)
        before = everything()
        with pytest.raises(RuleRefused) as refused:
            round_pair(round_id=round_of(two, 2).pk, actor=chief_arbiter, now=NOW)
        assert (refused.value.code, refused.value.article) == ("no_legal_pairing", "C.04.3 1.9.3")
        assert everything() == before

    def test_c04_2_4_2_missing_results_are_named_by_board(self, ready, chief_arbiter):
        pair_and_publish(ready, 1, chief_arbiter)
        for game in Game.objects.filter(round__tournament=ready, board__in=(1, 3)):
            result_record(game_id=game.pk, result="10", actor=chief_arbiter, now=NOW)
        with pytest.raises(RuleRefused) as refused:
            round_pair(round_id=round_of(ready, 2).pk, actor=chief_arbiter, now=NOW)
        assert refused.value.params == {"round": 1, "boards": (2, 4)}
        assert str(refused.value) == "Round 1: results are missing on board 2, 4. (C.04.2 4.2)"

    def test_c04_2_2_3_players_without_a_number_are_named(self, chief_arbiter):
        tournament = make_tournament(chief_arbiter)
        make_entries(tournament, chief_arbiter, 2)
        with pytest.raises(RuleRefused) as refused:
            round_pair(round_id=round_of(tournament, 1).pk, actor=chief_arbiter, now=NOW)
        assert refused.value.code == "numbers.missing"
        assert refused.value.params["names"] == ("Abara, Player 1", "Blomqvist, Player 2")

    def test_paired_twice_is_refused_the_second_time(self, draft_round, chief_arbiter):
        with pytest.raises(RuleRefused) as refused:
            round_pair(round_id=draft_round.pk, actor=chief_arbiter, now=NOW)
        assert refused.value.code == "round.already_paired"

    def test_a_deputy_may_pair_and_a_stranger_may_not(self, ready, stranger, deputy):
        round_id = round_of(ready, 1).pk
        with pytest.raises(PermissionDenied):
            round_pair(round_id=round_id, actor=stranger, now=NOW)
        assert round_pair(round_id=round_id, actor=deputy, now=NOW).state == RoundState.DRAFT

    @pytest.mark.costly
    def test_a_pairing_the_checker_does_not_agree_with_is_not_saved(
        self, ready, chief_arbiter, monkeypatch, caplog
    ):
        monkeypatch.setitem(SYSTEMS, "dutch_2026", paired_by(colours_reversed))
        before = everything()
        with pytest.raises(InvariantError, match=r"\[C\.04\.3 5\.2"):
            round_pair(round_id=round_of(ready, 1).pk, actor=chief_arbiter, now=NOW)
        assert everything() == before
        assert "the checker does not agree" in caplog.text

    @pytest.mark.costly
    def test_an_engine_that_fails_leaves_everything_as_it_was(
        self, ready, chief_arbiter, monkeypatch
    ):
        monkeypatch.setitem(SYSTEMS, "dutch_2026", paired_by(contradicts_itself))
        before = everything()
        with pytest.raises(InvariantError, match="contradiction"):
            round_pair(round_id=round_of(ready, 1).pk, actor=chief_arbiter, now=NOW)
        assert everything() == before

    def test_contradictory_tables_raise_an_internal_error(self, ready, chief_arbiter):
        play_rounds(ready, [1], chief_arbiter)
        seat = Seat.objects.filter(round__tournament=ready, colour="b").order_by("pk").first()
        Seat.objects.filter(pk=seat.pk).update(game=None, colour="", bye="Z")
        before = everything()
        with pytest.raises(InvariantError, match="has one player"):
            round_pair(round_id=round_of(ready, 2).pk, actor=chief_arbiter, now=NOW)
        assert everything() == before

    def test_the_record_has_the_pairings(self, draft_round, chief_arbiter):
        decision = own(Decision).last()
        assert (decision.action, decision.article, decision.actor, decision.at, decision.round_number) == (
            "round.paired", "C.04.3 1.9", chief_arbiter, NOW, 1,
        )  # fmt: skip
        assert decision.after == {
            "state": "draft",
            "system": "dutch_2026",
            "pairs": [[1, 5], [6, 2], [3, 7], [8, 4]],
            "pairing_allocated_bye": None,
            "not_paired": [],
            "boards": [
                [entry_of(draft_round.tournament, tpn).pk for tpn in pair]
                for pair in ((1, 5), (6, 2), (3, 7), (8, 4))
            ],
        }


class TestDraft:
    def test_a_discarded_draft_leaves_a_planned_round(self, draft_round, chief_arbiter):
        round_ = round_unpair(round_id=draft_round.pk, actor=chief_arbiter, now=NOW)
        assert (round_.state, round_.paired_at, round_.paired_from_version) == (
            RoundState.PLANNED,
            None,
            None,
        )
        assert (own(Game).count(), own(Seat).count()) == (0, 0)

    def test_a_draft_is_stale_when_somebody_withdraws_and_is_paired_again(
        self, ready, draft_round, chief_arbiter
    ):
        entry_withdraw(entry_id=entry_of(ready, 1).pk, actor=chief_arbiter, now=NOW)
        with pytest.raises(RuleRefused) as refused:
            round_publish(round_id=draft_round.pk, actor=chief_arbiter, now=NOW)
        assert (refused.value.code, refused.value.article) == ("draft.stale", "C.04.2 4.4")
        round_pair(round_id=draft_round.pk, actor=chief_arbiter, now=NOW)
        assert (
            round_publish(round_id=draft_round.pk, actor=chief_arbiter, now=NOW).state
            == RoundState.PAIRINGS_PUBLISHED
        )
        assert byes(ready, 1) == {1: "Z", 8: "U"}

    def test_renumbering_makes_a_draft_stale(self, ready, draft_round, chief_arbiter):
        Entry.objects.filter(tournament=ready, tpn=8).update(rating=3000)
        numbers_assign(tournament_id=ready.pk, actor=chief_arbiter, now=NOW)
        with pytest.raises(RuleRefused, match="Pair the round again"):
            round_publish(round_id=draft_round.pk, actor=chief_arbiter, now=NOW)


class TestPublish:
    def test_c04_2_4_4_published_pairing_is_not_discarded_paired_or_published_again(
        self, published_round, chief_arbiter
    ):
        before = everything()
        for action in (round_unpair, round_pair, round_publish):
            with pytest.raises(RuleRefused) as refused:
                action(round_id=published_round.pk, actor=chief_arbiter, now=NOW)
            assert (refused.value.code, refused.value.article) == (
                "round.already_published",
                "C.04.2 4.4",
            )
        assert everything() == before

    def test_a_planned_round_is_not_published(self, ready, chief_arbiter):
        with pytest.raises(RuleRefused) as refused:
            round_publish(round_id=round_of(ready, 1).pk, actor=chief_arbiter, now=NOW)
        assert refused.value.code == "round.not_paired"


class TestResults:
    def test_every_kind_of_result_can_be_entered_and_cleared(self, published_round, chief_arbiter):
        game = published_round.games.get(board=1)
        for version, result in enumerate(
            ["10", "==", "01", "00", "=0", "0=", "+-", "-+", "--", "WL", "DD", "LW", "??", ""],
            start=1,
        ):
            game = result_record(game_id=game.pk, result=result, actor=chief_arbiter, now=NOW)
            assert (game.result, game.version) == (result, version)

    @pytest.mark.parametrize("nonsense", ["11", "1", "+0", "1-0", "U"])
    def test_an_unknown_result_is_refused(self, published_round, chief_arbiter, nonsense):
        with pytest.raises(BadInput) as bad:
            result_record(
                game_id=published_round.games.get(board=1).pk,
                result=nonsense,
                actor=chief_arbiter,
                now=NOW,
            )
        assert (bad.value.code, bad.value.field, bad.value.params["value"]) == (
            "result.unknown",
            "result",
            nonsense,
        )

    def test_two_arbiters_at_one_board_do_not_overwrite_each_other(
        self, published_round, chief_arbiter, deputy
    ):
        game = published_round.games.get(board=2)
        result_record(game_id=game.pk, result="10", actor=chief_arbiter, now=NOW, seen_version=0)
        with pytest.raises(Conflict) as conflict:
            result_record(game_id=game.pk, result="01", actor=deputy, now=NOW, seen_version=0)
        expected = "Somebody else entered a result for board 2 in the meantime: it is now 1 – 0"
        assert str(conflict.value) == f"{expected} (Clara Chief, 21 Nov 2026, 09:00:00)."
        game.refresh_from_db()
        assert (game.result, game.version) == ("10", 1)

    def test_typing_the_same_result_again_writes_nothing(
        self, published_round, chief_arbiter, deputy
    ):
        game = published_round.games.get(board=2)
        result_record(game_id=game.pk, result="10", actor=chief_arbiter, now=NOW, seen_version=0)
        before = everything()
        result_record(game_id=game.pk, result="10", actor=deputy, now=NOW, seen_version=0)
        assert everything() == before

    def test_a_result_takes_eight_queries(
        self, published_round, chief_arbiter, django_assert_num_queries
    ):
        game = published_round.games.get(board=2)
        with django_assert_num_queries(
            10
        ):  # two of them are the savepoint of this test's own transaction
            result_record(
                game_id=game.pk, result="10", actor=chief_arbiter, now=NOW, seen_version=0
            )

    def test_a_draft_has_no_results(self, draft_round, chief_arbiter):
        with pytest.raises(RuleRefused) as refused:
            result_record(
                game_id=draft_round.games.get(board=1).pk, result="10", actor=chief_arbiter, now=NOW
            )
        assert refused.value.code == "result.round_not_published"

    def test_c04_2_4_3_published_results_cannot_be_entered_again(self, played_round, chief_arbiter):
        with pytest.raises(RuleRefused) as refused:
            result_record(
                game_id=played_round.games.get(board=1).pk,
                result="==",
                actor=chief_arbiter,
                now=NOW,
            )
        assert (refused.value.code, refused.value.article) == ("result.closed", "C.04.2 4.3")

    @pytest.mark.costly
    def test_c04_2_3_1_an_adjourned_game_is_a_draw_for_pairing_and_may_end_later(
        self, ready, chief_arbiter
    ):
        play_rounds(
            ready, [1], chief_arbiter, lambda board, white, black: "??" if board == 1 else "10"
        )
        draft = round_pair(round_id=round_of(ready, 2).pk, actor=chief_arbiter, now=NOW)
        # Players 3, 6 and 8 have 1 point, 1 and 5 half a point each for the adjourned game, 2, 4
        # and 7 none.
        assert boards(ready, 2) == [(6, 3, ""), (5, 8, ""), (2, 1, ""), (4, 7, "")]
        result_record(
            game_id=round_of(ready, 1).games.get(board=1).pk,
            result="01",
            actor=chief_arbiter,
            now=NOW,
            confirmed=True,
        )
        with pytest.raises(RuleRefused) as refused:
            round_publish(round_id=draft.pk, actor=chief_arbiter, now=NOW)
        assert refused.value.code == "draft.stale"

    def test_c04_2_4_2_results_are_not_published_while_a_board_has_none(
        self, published_round, chief_arbiter
    ):
        with pytest.raises(RuleRefused) as refused:
            results_publish(round_id=published_round.pk, actor=chief_arbiter, now=NOW)
        assert refused.value.params == {"round": 1, "boards": (1, 2, 3, 4)}

    def test_published_results_open_the_next_round(self, ready, published_round, chief_arbiter):
        enter_results(ready, 1, chief_arbiter, white_wins)
        round_ = results_publish(round_id=published_round.pk, actor=chief_arbiter, now=NOW)
        assert (round_.state, round_.results_published_at) == (RoundState.RESULTS_PUBLISHED, NOW)
        assert (
            round_pair(round_id=round_of(ready, 2).pk, actor=chief_arbiter, now=NOW).state
            == RoundState.DRAFT
        )


@pytest.mark.costly
def test_a_whole_tournament_gives_a_game_or_a_bye_to_everybody_in_every_round(chief_arbiter):
    seven = make_ready(chief_arbiter, players=7, rounds=4)
    play_rounds(seven, [1, 2, 3, 4], chief_arbiter)
    assert [len(boards(seven, n)) * 2 + len(byes(seven, n)) for n in (1, 2, 3, 4)] == [7, 7, 7, 7]
    meetings = [frozenset(pair[:2]) for n in (1, 2, 3, 4) for pair in boards(seven, n)]
    assert len(set(meetings)) == len(meetings)


class TestAdjourned:
    @pytest.mark.costly
    def test_c04_2_3_1_adjourned_boards_count_as_draws_for_pairing_only(self, ready, chief_arbiter):
        round_ = pair_and_publish(ready, 1, chief_arbiter)
        for game in round_.games.filter(board__gt=2):
            result_record(game_id=game.pk, result="10", actor=chief_arbiter, now=NOW)
        with pytest.raises(RuleRefused) as refused:
            results_publish(round_id=round_.pk, actor=chief_arbiter, now=NOW, adjourning=[1])
        assert (refused.value.code, refused.value.params["boards"]) == ("results.missing", (2,))
        results_publish(round_id=round_.pk, actor=chief_arbiter, now=NOW, adjourning=[1, 2, 3])
        assert [result for _, _, result in boards(ready, 1)] == ["??", "??", "10", "10"]
        row = own(Decision).get(action="games.adjourned")
        assert (row.article, row.round_number, row.after) == ("C.04.2 3.1", 1, {"boards": [1, 2]})
        assert "### Adjournment @ Round 1: boards 1, 2, C.04.2 3.1" in trf_export(
            ready, public=True
        )
        pair_and_publish(ready, 2, chief_arbiter)

    @pytest.mark.costly
    def test_c04_2_3_1_the_final_standings_wait_for_adjourned_games(self, chief_arbiter):
        tournament = make_ready(chief_arbiter, players=4, rounds=2)
        play_rounds(
            tournament, [1], chief_arbiter, lambda board, white, black: "??" if board == 2 else "10"
        )
        last = pair_and_publish(tournament, 2, chief_arbiter)
        enter_results(tournament, 2, chief_arbiter, white_wins)
        with pytest.raises(RuleRefused) as refused:
            results_publish(round_id=last.pk, actor=chief_arbiter, now=NOW)
        assert (
            str(refused.value)
            == "The final standings cannot be published while games are adjourned (round/board): "
            "1/2. (C.04.2 3.1)"
        )
        adjourned = Game.objects.get(round__tournament=tournament, round__number=1, board=2)
        result_record(game_id=adjourned.pk, result="==", actor=chief_arbiter, now=NOW)
        assert (
            results_publish(round_id=last.pk, actor=chief_arbiter, now=NOW).state
            == RoundState.RESULTS_PUBLISHED
        )

    @pytest.mark.costly
    def test_c04_2_3_1_a_game_open_since_before_the_last_round_is_acknowledged(self, chief_arbiter):
        tournament = make_ready(chief_arbiter, rounds=4)
        play_rounds(
            tournament, [1], chief_arbiter, lambda board, white, black: "??" if board == 2 else "10"
        )
        # A game of the last round is an ordinary adjourned game.
        play_rounds(tournament, [2], chief_arbiter)
        third = round_of(tournament, 3)
        with pytest.raises(RuleRefused) as refused:
            round_pair(round_id=third.pk, actor=chief_arbiter, now=NOW)
        assert (refused.value.code, refused.value.article) == (
            "round.older_adjourned",
            "C.04.2 3.1",
        )
        assert refused.value.params == {"games": ("1/2",)}
        assert (
            round_pair(round_id=third.pk, actor=chief_arbiter, now=NOW, older_open=True).state
            == RoundState.DRAFT
        )
