"""The smallest change of published pairings in the record, for each user [C.04.2/2026 4.4]."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from pairing.engine.systems import pair
from pairing.rounds.arrange import Pairings, pairings_of, round_arrange
from pairing.rounds.change_page import changeable
from pairing.rounds.changes import round_change
from pairing.rounds.corrections import Report, rating_correct, result_correct
from pairing.rounds.pair import round_pair
from pairing.rounds.publish import results_publish, round_publish
from pairing.rounds.results import result_record
from pairing.rounds.snapshot import snapshot
from pairing.rules.published import Situation, affected, changed_boards
from pairing.rules.smallest import proposal
from tests.tournaments.double_swiss.matches import DOUBLE_SWISS, play
from tests.tournaments.factories import (
    CUT_SHORT,
    NOW,
    byes,
    enter_results,
    entry_of,
    make_ready,
    pair_and_publish,
    play_rounds,
    round_of,
)
from tests.tournaments.neighbour import own
from tests.tournaments.rounds.met_again import by_number, pairs_of, repeat
from tournaments.core.errors import Conflict, RuleRefused
from tournaments.entries.entries import entry_add, entry_update, numbers_assign
from tournaments.models import Decision, Entry, Game, RatingSource, Seat, Tournament
from tournaments.reports.trf_export import trf_export
from tournaments.setup.schedule import round_schedule

pytestmark = pytest.mark.django_db

WHY = "board 1 met in round 1"


def smallest(tournament: Tournament, number: int, situation: Situation) -> Pairings:
    facts, _, entries = changeable(tournament, round_of(tournament, number), at=NOW)
    found = proposal(facts, situation)
    assert found is not None
    return pairings_of(found.after, entries)


def change(
    tournament: Tournament, actor: User, situation: Situation, pairings: Pairings, **more: Any
) -> str:
    """Change round 2; return the code and article of the refusal,
    which saves nothing, or ``saved``.
    """
    before = list(Seat.objects.order_by("pk").values()), own(Decision).count()
    given: dict[str, Any] = {
        "consents": (),
        "witness": "Wilma",
        "reason": WHY,
        "now": NOW,
        "actor": actor,
    } | more
    try:
        round_change(
            round_id=round_of(tournament, 2).pk, situation=situation, pairings=pairings, **given
        )
    except (RuleRefused, Conflict) as refused:
        assert (list(Seat.objects.order_by("pk").values()), own(Decision).count()) == before
        return f"{refused.code} {refused.article}".strip()
    return "saved"


class TestService:
    @pytest.mark.costly
    def test_c04_2_4_4_1_the_smallest_change_needs_one_reason(
        self, repeated: Tournament, chief_arbiter: User
    ) -> None:
        row = [
            number for number, pair in enumerate(pairs_of(repeated, 2), start=1) if pair == "5-1"
        ]
        found = smallest(repeated, 2, Situation.ALREADY_MET)
        assert change(repeated, chief_arbiter, Situation.ALREADY_MET, found) == "saved"
        line = own(Decision).latest("sequence")
        assert len(line.after["boards"]) == 2
        assert str(row[0]) in line.after["boards"]
        assert not {"further", "exception", "started"} & line.after.keys()
        assert f"{sorted(map(int, line.after['boards']))}"[1:-1] in trf_export(
            repeated, public=True
        )
        # Twice: nobody meets again any more.
        assert change(repeated, chief_arbiter, Situation.ALREADY_MET, found).startswith(
            "change.nothing"
        )

    @pytest.mark.costly
    def test_c04_2_4_4_1_a_larger_change_needs_a_second_reason(
        self, repeated: Tournament, chief_arbiter: User
    ) -> None:
        now = pairs_of(repeated, 2)
        wide = {"5-1": "5-3", "2-3": "8-1", "7-8": "2-7"}
        larger = by_number(repeated, " ".join(wide.get(pair, pair) for pair in now))
        for reason in ("", ".", " "):
            answer = change(repeated, chief_arbiter, Situation.ALREADY_MET, larger, further=reason)
            assert answer == "change.not_minimal C.04.2 4.4.1"
        given = {"further": "7 and 8 are sisters"}
        assert change(repeated, chief_arbiter, Situation.ALREADY_MET, larger, **given) == "saved"
        assert own(Decision).latest("sequence").after["further"] == "7 and 8 are sisters"

    @pytest.mark.costly
    def test_c04_2_4_4_2_boards_beyond_those_concerned_need_a_second_reason(
        self, chief_arbiter: User
    ) -> None:
        tournament = repeat(chief_arbiter, change_clause="7.3")
        now = pairs_of(tournament, 2)
        wide = {"5-1": "5-3", "2-3": "8-1", "7-8": "2-7"}
        larger = by_number(tournament, " ".join(wide.get(pair, pair) for pair in now))
        board = {pair: n for n, pair in enumerate(now, start=1)}
        one, other = {"concerned": [board["5-1"]]}, {"concerned": [board["4-6"]]}
        assert change(tournament, chief_arbiter, Situation.REGULATIONS, larger, **one) == (
            "change.not_minimal C.04.2 4.4.2"
        )
        assert (
            change(tournament, chief_arbiter, Situation.REGULATIONS, larger)
            == "change.not_minimal C.04.2 4.4.2"
        )
        assert change(tournament, chief_arbiter, Situation.REGULATIONS, larger, **other) == (
            "change.others_concerned C.04.2 4.4.2"
        )
        assert (
            change(
                tournament, chief_arbiter, Situation.REGULATIONS, larger, **one, further="sisters"
            )
            == "saved"
        )
        assert own(Decision).latest("sequence").after["concerned"] == [board["5-1"]]

    @pytest.mark.costly
    def test_c04_2_4_4_after_the_announced_start_a_second_confirmation(
        self, repeated: Tournament, chief_arbiter: User
    ) -> None:
        start = NOW + timedelta(minutes=10)
        row = round_of(repeated, 2)
        round_schedule(
            round_id=row.pk,
            actor=chief_arbiter,
            now=NOW,
            starts_at=start,
            results_due_at=None,
            reason="the hall opened late",
        )
        found = smallest(repeated, 2, Situation.ALREADY_MET)
        later: dict[str, Any] = {"now": start}
        answer = change(repeated, chief_arbiter, Situation.ALREADY_MET, found, **later)
        assert answer == "change.confirm_start C.04.2 4.4.1"
        assert (
            change(repeated, chief_arbiter, Situation.ALREADY_MET, found, **later, started=True)
            == "saved"
        )
        line = own(Decision).latest("sequence")
        assert line.after["started"] == sorted(map(int, line.before["boards"]))

    def test_c04_2_4_4_after_the_start_no_game_is_stopped_without_need(
        self, repeated: Tournament, chief_arbiter: User
    ) -> None:
        start = NOW + timedelta(minutes=10)
        row = round_of(repeated, 2)
        round_schedule(
            round_id=row.pk,
            actor=chief_arbiter,
            now=NOW,
            starts_at=start,
            results_due_at=None,
            reason="the hall opened late",
        )
        wide = {"5-1": "5-3", "2-3": "8-1", "7-8": "2-7"}
        larger = by_number(
            repeated, " ".join(wide.get(pair, pair) for pair in pairs_of(repeated, 2))
        )
        given: dict[str, Any] = {"now": start, "further": "sisters", "started": True}
        answer = change(repeated, chief_arbiter, Situation.ALREADY_MET, larger, **given)
        assert answer == "change.begun C.04.2 4.4.1"

    @pytest.mark.costly
    def test_c04_2_4_4_before_the_start_no_confirmation(
        self, repeated: Tournament, chief_arbiter: User
    ) -> None:
        row = round_of(repeated, 2)
        start = NOW + timedelta(minutes=10)
        round_schedule(
            round_id=row.pk,
            actor=chief_arbiter,
            now=NOW,
            starts_at=start,
            results_due_at=None,
            reason="the hall opened late",
        )
        found = smallest(repeated, 2, Situation.ALREADY_MET)
        assert change(repeated, chief_arbiter, Situation.ALREADY_MET, found) == "saved"
        assert "started" not in own(Decision).latest("sequence").after

    @pytest.mark.costly
    def test_c04_2_4_4_4_the_colours_of_the_new_board_follow_the_colour_rules(
        self, chief_arbiter: User
    ) -> None:
        """The holder of the bye has had Black twice in a row and gets White."""
        tournament = make_ready(chief_arbiter, players=7)
        play_rounds(tournament, [1], chief_arbiter)
        # Round 1 was 1-4, 5-2, 3-6; the bye for 7. In round 2 the same players have Black again.
        draft = round_pair(round_id=round_of(tournament, 2).pk, actor=chief_arbiter, now=NOW)
        pk = {entry.tpn: entry.pk for entry in tournament.entries.all()}
        by_hand = Pairings({1: (pk[1], pk[2]), 2: (pk[3], pk[4]), 3: (pk[7], pk[6])}, {pk[5]: "U"})
        round_arrange(
            round_id=draft.pk, pairings=by_hand, reason="by mistake", actor=chief_arbiter, now=NOW
        )
        round_publish(
            round_id=draft.pk,
            actor=chief_arbiter,
            now=NOW,
            cut_short=CUT_SHORT,
            leave_fide_mode=True,
        )
        play_on(tournament, 2, chief_arbiter)
        pair_and_publish(tournament, 3, chief_arbiter)
        (holder,) = (tpn for tpn, letter in byes(tournament, 3).items() if letter == "U")
        entry_add(
            tournament_id=tournament.pk,
            actor=chief_arbiter,
            now=NOW,
            name="Late, Lara",
            checked_in=True,
        )
        facts, _, _ = changeable(tournament, round_of(tournament, 3), at=NOW)
        found = proposal(facts, Situation.LATE_ENTRY)
        assert found is not None
        (board,) = changed_boards(facts.now, found.after)
        white, black = found.after.boards[board]
        assert holder in (2, 4, 6)
        assert (white, facts.barred[holder], found.breaches) == (holder, "b", 0)
        assert {white, black} == {holder, 8}

    @pytest.mark.costly
    def test_c04_2_4_4_the_boards_of_matches_that_change_are_those_recorded(
        self, chief_arbiter: User
    ) -> None:
        tournament = make_ready(
            chief_arbiter, players=8, rounds=5, system=DOUBLE_SWISS, change_clause="7.3"
        )
        play(tournament, 1, chief_arbiter)
        pair_and_publish(tournament, 2, chief_arbiter)
        facts, _, entries = changeable(tournament, round_of(tournament, 2), at=NOW)
        due = facts.due(frozenset())
        assert [due.white_and_black(*sorted(two)) for two in facts.now.boards.values()] == [
            *facts.now.boards.values()
        ]
        found = proposal(facts, Situation.REGULATIONS, concerned=[2])
        assert found is not None
        assert 2 in found.games
        assert len(found.games) == 2
        kept = {n: Game.objects.get(round__number=2, round__tournament=tournament, board=n, first=None)
                for n in facts.now.boards if n not in found.games}  # fmt: skip
        pairings = pairings_of(found.after, entries)
        assert (
            change(tournament, chief_arbiter, Situation.REGULATIONS, pairings, concerned=[2])
            == "saved"
        )
        line = own(Decision).latest("sequence")
        assert sorted(map(int, line.after["boards"])) == sorted(found.games)
        assert [Game.objects.get(pk=game.pk).board for game in kept.values()] == list(kept)
        assert Game.objects.filter(round__tournament=tournament, round__number=2).count() == 8

    @pytest.mark.costly
    def test_c04_2_4_4_3_missing_players_lose_their_places_and_other_boards_stay(
        self, chief_arbiter: User
    ) -> None:
        tournament = make_ready(chief_arbiter, players=9)
        play_rounds(tournament, [1], chief_arbiter)
        pair_and_publish(tournament, 2, chief_arbiter)
        game = Game.objects.get(round=round_of(tournament, 2), board=2)
        result_record(game_id=game.pk, result="+-", actor=chief_arbiter, now=NOW)
        facts, _, entries = changeable(tournament, round_of(tournament, 2), at=NOW)
        found = proposal(facts, Situation.WITHOUT_OPPONENT)
        if found is None:  # They are more than a win apart: then no change is proposed.
            (one,) = (tpn for tpn, letter in facts.now.byes.items() if letter == "U")
            assert abs(facts.points[one] - facts.points[facts.now.boards[2][0]]) > facts.close
            return
        moved = [entries[tpn].pk for tpn in affected(facts.now, found.after)]
        assert found.games == (2,)
        pairings = pairings_of(found.after, entries)
        assert (
            change(tournament, chief_arbiter, Situation.WITHOUT_OPPONENT, pairings, consents=moved)
            == "saved"
        )


def play_on(tournament: Tournament, number: int, actor: User) -> None:
    """Enter results of a published round and publish them."""

    enter_results(tournament, number, actor)
    results_publish(round_id=round_of(tournament, number).pk, actor=actor, now=NOW)
    tournament.refresh_from_db()


def engine_pairs(tournament: Tournament) -> list[tuple[Entry, Entry]]:
    """Return round 2 as the engine pairs it from the present data."""
    state, entries = snapshot(tournament, 2)
    return [(entries[white], entries[black]) for white, black in pair(state).pairs]


class TestBefore2017:
    """A correction opens a published round only if it changes the
    engine's pairing itself [C.04.3/pre2017 F7].
    """

    @pytest.fixture
    def old(self, chief_arbiter: User) -> Tournament:
        tournament = make_ready(chief_arbiter, players=10, system="dutch_pre2017")
        entry, second = entry_of(tournament, 3), entry_of(tournament, 2)
        entry_update(entry_id=entry.pk, actor=chief_arbiter, now=NOW, fide_rating=None)
        entry_update(entry_id=entry.pk, actor=chief_arbiter, now=NOW, rating=second.rating)
        numbers_assign(tournament_id=tournament.pk, actor=chief_arbiter, now=NOW)
        play_rounds(tournament, [1], chief_arbiter)
        pair_and_publish(tournament, 2, chief_arbiter)
        return tournament

    def follows(self, tournament: Tournament) -> object:
        return changeable(tournament, round_of(tournament, 2), at=NOW)[0].follows

    @pytest.mark.costly
    def test_c04_3_pre2017_f7_other_numbers_are_no_correction(
        self, old: Tournament, chief_arbiter: User
    ) -> None:
        """A title is changed and the numbers assigned again;
        then a rating is corrected by one point.
        """
        published = [(w.name, b.name) for w, b in engine_pairs(old)]
        equal = old.entries.get(tpn=3)
        entry_update(
            entry_id=equal.pk, actor=chief_arbiter, now=NOW, title="GM", reason="the title is new"
        )
        numbers_assign(tournament_id=old.pk, actor=chief_arbiter, now=NOW)
        other = old.entries.get(tpn=10)
        report = Report(reported_at=NOW, reason=WHY)
        rating_correct(
            entry_id=other.pk, ratings={"fide_rating": (other.fide_rating or 0) + 1}, report=report,
            actor=chief_arbiter, now=NOW,
        )  # fmt: skip
        names = [(w.name, b.name) for w, b in engine_pairs(old)]
        assert {*names} != {*published}
        assert self.follows(old) is None

    @pytest.mark.costly
    def test_c04_3_pre2017_f7_a_corrected_result_changes_the_pairing(
        self, old: Tournament, chief_arbiter: User
    ) -> None:
        game = Game.objects.get(round=round_of(old, 1), board=1)
        report = Report(reported_at=NOW, reason=WHY)
        result_correct(game_id=game.pk, result="01", report=report, actor=chief_arbiter, now=NOW)
        assert self.follows(old) is not None
        # Corrected back: nothing follows any more.
        result_correct(game_id=game.pk, result="10", report=report, actor=chief_arbiter, now=NOW)
        assert self.follows(old) is None

    @pytest.mark.costly
    def test_c04_3_pre2017_f7_a_corrected_rating_changes_the_numbers_and_the_pairing(
        self, old: Tournament, chief_arbiter: User
    ) -> None:
        rated = old.entries.get(tpn=4)
        report = Report(reported_at=NOW, reason=WHY)
        rating_correct(
            entry_id=rated.pk,
            ratings={"fide_rating": 2600},
            report=report,
            actor=chief_arbiter,
            now=NOW,
        )
        assert self.follows(old) is None
        numbers_assign(tournament_id=old.pk, actor=chief_arbiter, now=NOW)
        assert self.follows(old) is not None

    def test_c04_3_pre2017_f7_a_corrected_estimate_changes_them_as_a_rating_does(
        self, old: Tournament, chief_arbiter: User
    ) -> None:
        estimated = old.entries.get(rating_source=RatingSource.ESTIMATE)
        report = Report(reported_at=NOW, reason=WHY)
        rating_correct(
            entry_id=estimated.pk,
            ratings={"rating": 1500},
            report=report,
            actor=chief_arbiter,
            now=NOW,
        )
        assert self.follows(old) is None
        numbers_assign(tournament_id=old.pk, actor=chief_arbiter, now=NOW)
        assert self.follows(old) is not None
