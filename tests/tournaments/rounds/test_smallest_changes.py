"""The smallest change of published pairings on the pages and in the record, for each user
[C.04.2/2026 4.4].
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from pairing.engine.systems import pair
from pairing.rounds.arrange import Pairings, pairings_of, round_arrange
from pairing.rounds.change_page import change_page, changeable
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
    boards,
    byes,
    enter_results,
    entry_of,
    make_ready,
    pair_and_publish,
    play_rounds,
    round_of,
)
from tests.tournaments.markup import tidy
from tests.tournaments.neighbour import own
from tournaments.core.errors import Conflict, RuleRefused
from tournaments.entries.entries import entry_add, entry_update, numbers_assign
from tournaments.models import Decision, Entry, Game, RatingSource, Seat, Tournament
from tournaments.reports.trf_export import trf_export
from tournaments.setup.tournaments import round_schedule

pytestmark = pytest.mark.django_db

WHY = "board 1 met in round 1"


def by_number(tournament: Tournament, text: str) -> Pairings:
    """Return the pairings of ``"1-2 3-4"``, by TPN."""
    pairs = [pair.split("-") for pair in text.split()]
    pk = {entry.tpn: entry.pk for entry in tournament.entries.all()}
    return Pairings({n: (pk[int(w)], pk[int(b)]) for n, (w, b) in enumerate(pairs, start=1)})


def pairs_of(tournament: Tournament, number: int) -> list[str]:
    return [f"{white}-{black}" for white, black, _ in boards(tournament, number)]


@pytest.fixture
def repeated(chief_arbiter: User) -> Tournament:
    """Return an event of eight with round 2 published, in which 1 and 5 meet again on board 1.

    Round 1 was 1-5, 6-2, 3-7, 8-4. The regulations allow no changes.
    """
    return repeat(chief_arbiter)


def repeat(actor: User, **settings: Any) -> Tournament:
    tournament = make_ready(actor, players=8, **settings)
    play_rounds(tournament, [1], actor)
    draft = round_pair(round_id=round_of(tournament, 2).pk, actor=actor, now=NOW)
    by_hand = by_number(tournament, "5-1 2-3 4-6 7-8")
    round_arrange(round_id=draft.pk, pairings=by_hand, reason="by mistake", actor=actor, now=NOW)
    round_publish(
        round_id=draft.pk, actor=actor, now=NOW, cut_short=CUT_SHORT, leave_fide_mode=True
    )
    tournament.refresh_from_db()
    return tournament


def smallest(tournament: Tournament, number: int, situation: Situation) -> Pairings:
    facts, _, entries = changeable(tournament, round_of(tournament, number), at=NOW)
    found = proposal(facts, situation)
    assert found is not None
    return pairings_of(found.after, entries)


def change(
    tournament: Tournament, actor: User, situation: Situation, pairings: Pairings, **more: Any
) -> str:
    """Change round 2; return the code and article of the refusal, which saves nothing, or
    ``saved``.
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
    """A correction opens a published round only if it changes the engine's pairing itself
    [C.04.3/pre2017 F7].
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

    def test_c04_3_pre2017_f7_other_numbers_are_no_correction(
        self, old: Tournament, chief_arbiter: User
    ) -> None:
        """A title is changed and the numbers assigned again; then a rating is corrected by one
        point.
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


class TestPages:
    def address(self, tournament: Tournament, query: str = "?situation=4.4.1&go=on") -> str:
        return reverse("round-change", args=[tournament.slug, 2]) + query

    def form(
        self, response: HttpResponse, tournament: Tournament, **more: object
    ) -> dict[str, object]:
        """Return the form as the page shows it."""
        tournament.refresh_from_db()
        context: Any = response.context  # type: ignore[attr-defined]
        seats = {
            f"{side}-{row.board}": pk or ""
            for row in context["rows"]
            for side, pk in (("w", row.white), ("b", row.black))
        }
        return {
            **seats,
            "left": context["left"],
            "reason": WHY,
            "version": tournament.version,
            "save": "yes",
            **more,
        }

    @pytest.mark.costly
    def test_c04_2_4_4_1_the_smallest_change_is_proposed_and_saved_with_one_reason(
        self, repeated: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        client.force_login(chief_arbiter)
        response = client.get(self.address(repeated))
        text = tidy(response.content.decode())
        assert "2 published boards change. This is the smallest change that is enough." in text
        assert "Save change" in text
        assert "Reason for the further changes" not in text
        form = self.form(response, repeated)
        assert client.post(self.address(repeated), {**form, "reason": "."}).status_code == 400
        assert client.post(self.address(repeated), form).status_code == 302
        line = own(Decision).latest("sequence")
        assert (line.action, line.article, len(line.after["boards"])) == (
            "round.changed",
            "C.04.2 4.4.1",
            2,
        )
        # Twice, and from the same page: the situation does not hold any more.
        again = client.post(self.address(repeated), form)
        assert again.status_code == 200
        assert own(Decision).latest("sequence") == line

    def test_c04_2_4_4_1_a_stale_page_saves_nothing(
        self, repeated: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        client.force_login(chief_arbiter)
        form = self.form(client.get(self.address(repeated)), repeated)
        round_schedule(
            round_id=round_of(repeated, 3).pk,
            actor=chief_arbiter,
            now=NOW,
            starts_at=NOW,
            results_due_at=None,
            reason="the hall opened late",
        )
        before = pairs_of(repeated, 2)
        for version in (form["version"], ""):
            response = client.post(self.address(repeated), {**form, "version": version})
            assert response.status_code == 409
        assert pairs_of(repeated, 2) == before

    def test_c04_2_4_4_1_a_deputy_changes_nothing(
        self, repeated: Tournament, client: Client, chief_arbiter: User, deputy: User
    ) -> None:
        client.force_login(chief_arbiter)
        form = self.form(
            client.get(self.address(repeated)), repeated, further=WHY, exception=WHY, started="yes"
        )
        client.force_login(deputy)
        assert client.post(self.address(repeated), form).status_code == 403
        assert "5-1" in pairs_of(repeated, 2)

    @pytest.mark.costly
    def test_c04_2_4_4_1_more_boards_need_the_second_reason_which_is_shown(
        self, repeated: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        client.force_login(chief_arbiter)
        url = self.address(repeated, "?situation=4.4.1&go=on&more=1,2,3,4")
        response = client.get(url)
        assert [row.board for row in response.context["rows"]] == [1, 2, 3, 4]
        pk = {tpn: entry_of(repeated, tpn).pk for tpn in range(1, 9)}
        wide = {"5-1": "5-3", "2-3": "8-1", "7-8": "2-7"}
        seats = {}
        for n, two in enumerate(pairs_of(repeated, 2), start=1):
            white, black = wide.get(two, two).split("-")
            seats |= {f"w-{n}": pk[int(white)], f"b-{n}": pk[int(black)]}
        form = self.form(response, repeated) | seats
        shown = client.post(
            url, {key: value for key, value in form.items() if key != "save"} | {"show": "yes"}
        )
        assert "Reason for the further changes" in shown.content.decode()
        for further in ("", "."):
            refused = client.post(url, {**form, "further": further})
            assert refused.status_code == 409
            assert "3 published games; 2 would be enough" in refused.content.decode()
        assert client.post(url, {**form, "further": "7 and 8 are sisters"}).status_code == 302
        for name in ("record", "event-report"):
            page = client.get(reverse(name, args=[repeated.slug])).content.decode()
            assert "reason for the further changes: 7 and 8 are sisters" in page
        client.logout()
        assert "sisters" not in client.get(reverse("record", args=[repeated.slug])).content.decode()

    @pytest.mark.costly
    def test_c04_2_4_4_4_boards_that_are_typed_and_not_shown_are_not_ignored(
        self, repeated: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        client.force_login(chief_arbiter)
        url = self.address(repeated)
        response = client.get(url)
        shown = [row.board for row in response.context["rows"]]
        other = next(board for board in (1, 2, 3, 4) if board not in shown)
        form = self.form(response, repeated, more=str(other))
        before = pairs_of(repeated, 2)
        refused = client.post(url, form)
        assert refused.status_code == 422
        assert f"not in the form yet: {other}." in refused.content.decode()
        assert pairs_of(repeated, 2) == before
        opened = client.post(url, form | {"boards": "show"}, follow=True)
        assert [row.board for row in opened.context["rows"]] == sorted([*shown, other])
        assert client.post(url, form | {"more": ""}).status_code == 302

    @pytest.mark.costly
    def test_c04_2_4_4_1_the_announced_start_is_confirmed_on_the_page(
        self, repeated: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        past: datetime = timezone.now() - timedelta(minutes=1)
        round_schedule(
            round_id=round_of(repeated, 2).pk,
            actor=chief_arbiter,
            now=NOW,
            starts_at=past,
            results_due_at=None,
            reason="the hall opened late",
        )
        client.force_login(chief_arbiter)
        response = client.get(self.address(repeated))
        assert 'name="started" value="yes" required' in tidy(response.content.decode())
        form = self.form(response, repeated)
        refused = client.post(self.address(repeated), form)
        assert refused.status_code == 409
        assert "Confirm that their games are stopped" in refused.content.decode()
        assert client.post(self.address(repeated), {**form, "started": "yes"}).status_code == 302
        record = client.get(reverse("record", args=[repeated.slug])).content.decode()
        assert "announced start passed" in record

    def test_c04_1_7_a_warning_is_in_the_record_page_and_the_report(
        self, repeated: Tournament, client: Client, chief_arbiter: User
    ) -> None:
        """Round 2 was arranged by hand: 5 and 1 had met before."""
        client.force_login(chief_arbiter)
        for name in ("record", "event-report"):
            text = client.get(reverse(name, args=[repeated.slug])).content.decode()
            assert "they have already played each other [C.04.1 2]" in text

    @pytest.mark.costly
    def test_c04_2_4_4_5_nothing_is_ticked_for_the_top_boards(
        self, client: Client, chief_arbiter: User
    ) -> None:
        tournament = make_ready(chief_arbiter, players=8, rounds=2, top_boards=2)
        play_rounds(tournament, [1], chief_arbiter)
        pair_and_publish(tournament, 2, chief_arbiter)
        client.force_login(chief_arbiter)
        url = self.address(tournament, "?situation=4.4.5&go=on")
        assert "Tick the boards and players that change" in client.get(url).content.decode()
        game = Game.objects.get(round=round_of(tournament, 2), board=1)
        result_record(game_id=game.pk, result="+-", actor=chief_arbiter, now=NOW)
        assert client.get(url).context["choice"].concerned == (1,)

    def test_c04_2_4_4_the_five_situations_are_read_with_few_queries(
        self, repeated: Tournament, django_assert_max_num_queries: Any
    ) -> None:
        row = round_of(repeated, 2)
        with django_assert_max_num_queries(8):
            assert len(change_page(repeated, row, at=NOW).situations) == 5
