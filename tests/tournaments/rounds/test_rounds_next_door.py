"""Rounds of another tournament are neither read nor changed,
also where its rows are the newest and its lines more.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final

import pytest
from django.contrib.auth.models import User

from pairing.rounds.absences import absent_players
from pairing.rounds.against_engine import against_engine
from pairing.rounds.announce import announced, contradicted
from pairing.rounds.arrange import Pairings, round_arrange
from pairing.rounds.automatic import AT_REST, is_overdue, publish_due
from pairing.rounds.board_states import board_states
from pairing.rounds.change_page import change_page
from pairing.rounds.checklist import checklist
from pairing.rounds.computed_standings import tie_break_ratings
from pairing.rounds.correction_outlook import outlook_for_game
from pairing.rounds.corrections import Report, rating_correct, result_correct, round_of_ratings
from pairing.rounds.draft_views import draft_viewed, viewed_draft
from pairing.rounds.facts import round_facts
from pairing.rounds.game_dates import game_schedule
from pairing.rounds.next_round import next_round
from pairing.rounds.pair import require_plan_unmoved, round_pair, round_plan
from pairing.rounds.plausible import questions
from pairing.rounds.players_reports import reports_of
from pairing.rounds.publish import results_publish, round_publish
from pairing.rounds.results import result_record
from pairing.rounds.second_reading import entered_by
from pairing.rounds.snapshot import requested_byes, skipped, snapshot
from pairing.rounds.swapping import Click, swapping
from pairing.rounds.table_codes import number_of_tables
from pairing.rounds.versions import round_version
from pairing.rounds.without_corrections import without_corrections
from pairing.rules.corrections import CorrectionEffect, CorrectionKind
from pairing.rules.rounds import RoundState
from tests.tournaments import factories
from tests.tournaments.double_swiss.matches import DOUBLE_SWISS, game_of
from tests.tournaments.factories import CUT_SHORT, NOW, entry_of, make_ready, round_of
from tests.tournaments.rounds.test_next_round import at_once
from tournaments.core.actions import open_action
from tournaments.core.errors import Conflict
from tournaments.core.frame import tournament_frame
from tournaments.entries.byes import bye_request
from tournaments.entries.entries import entry_add, numbers_assign
from tournaments.models import (
    Correction,
    Entry,
    Event,
    Game,
    MissingAnswer,
    Round,
    Section,
    Tournament,
)
from tournaments.models.payloads import AnyPayload, BoardsAnnounced, ResultConfirmed

pytestmark = pytest.mark.django_db

LATER: Final = NOW + timedelta(hours=1)


def line(
    tournament: Tournament, actor: User, payload: AnyPayload, number: int | None, at: datetime = NOW
) -> None:
    """Write a line of the record that the action itself would refuse here."""
    with open_action(actor=actor, now=at, pk=tournament.pk) as action:
        action.record(payload, round_number=number)


def busy(actor: User, *, name: str = "The Hall Next Door") -> Tournament:
    """Return a larger tournament: two rounds over, round 2 arranged by hand and announced,
    round 3 drafted.

    A late entry has not arrived, players of round 2 were never seen or asked for byes, and others
    hold ratings of their own.
    """
    by: dict[str, Any] = {"actor": actor, "now": NOW}
    other = make_ready(actor, name=name, players=12)
    Entry.objects.filter(tournament=other).update(fide_rating=1500)
    for tpn, number in ((11, 1), (12, 2)):
        bye_request(entry_id=entry_of(other, tpn).pk, round_number=number, kind="H", **by)
    factories.play_rounds(other, [1], actor)
    second = round_pair(round_id=round_of(other, 2).pk, **by)
    turned = {game.board: pair_of(game)[::-1] for game in Game.objects.filter(round=second)}
    byes = {seat.entry_id: seat.bye for seat in second.seats.exclude(bye="")}
    round_arrange(
        round_id=second.pk, pairings=Pairings(turned, byes), reason="the arbiter decides", **by
    )
    round_publish(round_id=second.pk, cut_short=CUT_SHORT, **by)
    line(other, actor, BoardsAnnounced(before={}, after={"boards": [list(turned[1])]}), 2)
    factories.enter_results(other, 2, actor)
    results_publish(round_id=second.pk, before_time=True, **by)
    round_pair(round_id=round_of(other, 3).pk, **by)
    Entry.objects.filter(tournament=other, tpn=11).update(answer=MissingAnswer.COMING)
    Entry.objects.filter(tournament=other, tpn=4).update(answer=MissingAnswer.SKIP)
    Entry.objects.create(tournament=other, name="Late, Eva", first_round=2, created_at=NOW)
    return other


def pair_of(game: Game) -> tuple[int, int]:
    seats = dict(game.seats.values_list("colour", "entry_id"))
    return seats["w"], seats["b"]


READ: Final[dict[str, Callable[[Tournament], object]]] = {
    "absent": lambda own: absent_players(own, 1),
    "against the engine": lambda own: against_engine(tournament_frame(own, runs=True)),
    "announced": lambda own: announced(own, 2),
    "checklist": lambda own: checklist(own, round_of(own, 2), NOW),
    "effect of a correction": lambda own: outlook_for_game(
        Game.objects.select_related("round__tournament").get(round__tournament=own, round__number=1, board=1),
        CorrectionKind.RESULT, result="01", reported_at=NOW,
    ),
    "round of ratings": round_of_ratings,
    "rounds": round_facts,
    "players' reports": lambda own: reports_of(own, 2),
    "ratings of tie-breaks": tie_break_ratings,
    "who entered results": lambda own: entered_by(own, 1),
    "requested byes": lambda own: requested_byes(own, 2),
    "left out": lambda own: [skipped(own, number) for number in (1, 2)],
    "tables": number_of_tables,
    "version": lambda own: round_version(own, 2),
}  # fmt: skip


@pytest.mark.costly
def test_what_is_read_of_a_round_is_the_same_with_a_busy_hall_next_door(
    ready: Tournament, chief_arbiter: User, deputy: User
) -> None:
    eighth = Entry.objects.filter(tournament=ready, tpn=8)
    eighth.update(answer=MissingAnswer.SKIP)
    factories.play_rounds(ready, [1], chief_arbiter)
    eighth.update(answer="")
    factories.pair_only(ready, 2, chief_arbiter)
    eighth.update(answer=MissingAnswer.SKIP)
    own = Tournament.objects.get(pk=ready.pk)
    assert READ["left out"](own) == [frozenset({eighth[0].pk})] * 2
    assert READ["players' reports"](own) == {}
    before = {name: read(own) for name, read in READ.items()}
    busy(deputy)
    own = Tournament.objects.get(pk=ready.pk)
    assert {name: read(own) for name, read in READ.items()} == before


@pytest.mark.costly
def test_c04_2_2017_d_2_each_player_who_was_there_comes_back(chief_arbiter: User) -> None:
    older = make_ready(chief_arbiter, system="dutch_2017", correction_minutes=30)
    factories.play_rounds(
        older, [1], chief_arbiter, lambda board, _white, _black: "+-" if board < 3 else "10"
    )
    assert older.entries.filter(withdrawn_from=2).count() == 2
    for board in (1, 2):
        result_correct(
            game_id=game_of(older, 1, board).pk, result="10", report=Report(NOW, "they did play"),
            actor=chief_arbiter, now=NOW,
        )  # fmt: skip
    assert older.entries.filter(withdrawn_from=2).count() == 0


def test_an_announced_board_of_an_earlier_round_is_missing_in_the_draft(
    ready: Tournament, chief_arbiter: User
) -> None:
    factories.play_rounds(ready, [1], chief_arbiter)
    pair = pair_of(game_of(ready, 1, 1))
    line(ready, chief_arbiter, BoardsAnnounced(before={}, after={"boards": [list(pair)]}), 2)
    draft = factories.pair_only(ready, 2, chief_arbiter)
    names = [Entry.objects.get(pk=each).name for each in pair]
    assert contradicted(ready, draft) == (" – ".join(names),)


@pytest.mark.costly
def test_the_time_of_one_tournament_publishes_no_round_of_another(chief_arbiter: User) -> None:
    one, other = (
        make_ready(chief_arbiter, name=name, automatic_results=True) for name in ("One", "Other")
    )
    for each in (one, other):
        factories.pair_and_publish(each, 1, chief_arbiter)
    Round.objects.filter(tournament=one, number=1).update(results_due_at=NOW)
    Round.objects.filter(tournament=other, number=1).update(results_due_at=LATER)
    assert [is_overdue(each, 1, NOW) for each in (one, other)] == [True, False]
    Round.objects.filter(tournament=one, number=1).update(results_due_at=LATER)
    Round.objects.filter(tournament=other, number=1).update(results_due_at=NOW)
    assert [is_overdue(each, 1, NOW) for each in (one, other)] == [False, True]


@pytest.mark.costly
def test_c04_2_4_2_results_are_published_in_time_while_the_hall_next_door_enters_its_own(
    chief_arbiter: User,
) -> None:
    own, other = (
        make_ready(chief_arbiter, name=name, automatic_results=True) for name in ("Own", "Other")
    )
    for each in (own, other):
        factories.pair_and_publish(each, 1, chief_arbiter)
    factories.enter_results(own, 1, chief_arbiter)
    Round.objects.filter(tournament=own, number=1).update(starts_at=NOW, results_due_at=LATER)
    line(
        other,
        chief_arbiter,
        ResultConfirmed(before={}, after={"question": "none", "boards": [1]}),
        1,
        LATER,
    )
    assert timedelta() < AT_REST
    assert [found.number for found in publish_due(LATER)] == [1]
    assert round_of(own, 1).state == RoundState.RESULTS_PUBLISHED


@pytest.mark.costly
def test_c04_5_1_6_the_second_game_of_each_board_has_its_own_white(chief_arbiter: User) -> None:
    matches = make_ready(chief_arbiter, system=DOUBLE_SWISS)
    factories.pair_and_publish(matches, 1, chief_arbiter)
    states = {state["game"]: state["white"] for state in board_states(matches, 1)}
    for board in (1, 2, 3, 4):
        pair = pair_of(game_of(matches, 1, board))
        assert tuple(states[game_of(matches, 1, board, game).pk] for game in (1, 2)) == pair


@pytest.mark.costly
def test_c04_2_4_3_two_equal_corrections_for_the_rating_report_are_both_saved(
    chief_arbiter: User,
) -> None:
    own = make_ready(chief_arbiter, rounds=2, correction_minutes=30)
    factories.play_rounds(own, [1, 2], chief_arbiter)
    report = Report(LATER, "the scoresheets", CorrectionEffect.RATING_ONLY)
    by: dict[str, Any] = {"report": report, "actor": chief_arbiter, "now": LATER}
    for board in (1, 2):
        result_correct(game_id=game_of(own, 2, board).pk, result="==", **by)
    for tpn in (7, 8):
        rating_correct(entry_id=entry_of(own, tpn).pk, ratings={"fide_rating": 2222}, **by)
    made = Correction.objects.filter(tournament=own).values_list("kind", "effect")
    assert list(made) == [("result", "rating_only")] * 2 + [("rating", "rating_only")] * 2


def test_c04_2_4_4_who_has_viewed_a_draft_has_not_viewed_another(
    ready: Tournament, chief_arbiter: User, deputy: User
) -> None:
    other = make_ready(chief_arbiter, name="Other")
    own_draft, other_draft = (
        factories.pair_only(each, 1, chief_arbiter) for each in (ready, other)
    )
    draft_viewed(other_draft, deputy, NOW)
    assert viewed_draft(own_draft) == {}
    draft_viewed(own_draft, deputy, NOW)
    assert viewed_draft(own_draft)["viewed_by"] == ["Dan Deputy"]


@pytest.mark.costly
def test_a_date_or_result_entered_next_door_makes_no_page_out_of_date(
    ready: Tournament, published_round: Round, chief_arbiter: User, deputy: User
) -> None:
    other = make_ready(chief_arbiter, name="Other", players=12)
    factories.pair_and_publish(other, 1, chief_arbiter)
    by: dict[str, Any] = {"actor": chief_arbiter, "now": NOW}
    game_schedule(game_id=game_of(other, 1, 1).pk, starts_at=LATER, **by)
    own = Tournament.objects.get(pk=ready.pk)
    game_schedule(game_id=game_of(own, 1, 1).pk, starts_at=LATER, seen_version=own.version, **by)
    for each, actor in ((own, chief_arbiter), (other, deputy)):
        result_record(game_id=game_of(each, 1, 1).pk, result="10", actor=actor, now=NOW)
    with pytest.raises(Conflict) as refused:
        result_record(game_id=game_of(own, 1, 1).pk, result="01", seen_version=0, **by)
    assert refused.value.params["by"] == "Clara Chief"


@pytest.mark.costly
def test_c04_3_pre2017_f7_corrections_and_pairings_next_door_call_for_no_change(
    chief_arbiter: User,
) -> None:
    own = make_ready(chief_arbiter, system="dutch_pre2017", correction_minutes=30)
    factories.pair_and_publish(own, 1, chief_arbiter)
    other = make_ready(chief_arbiter, name="Other", correction_minutes=30, players=12)
    factories.play_rounds(other, [1], chief_arbiter)
    by: dict[str, Any] = {
        "report": Report(NOW, "the scoresheet"),
        "actor": chief_arbiter,
        "now": NOW,
    }
    result_correct(game_id=game_of(other, 1, 1).pk, result="01", **by)
    assert not change_page(own, round_of(own, 1), at=NOW).facts.corrected
    factories.enter_results(own, 1, chief_arbiter)
    results_publish(round_id=round_of(own, 1).pk, actor=chief_arbiter, now=NOW)
    result_correct(game_id=game_of(own, 1, 1).pk, result="01", **by)
    for each in (own, other):
        factories.pair_and_publish(each, 2, chief_arbiter)
    facts = change_page(Tournament.objects.get(pk=own.pk), round_of(own, 2), at=NOW).facts
    # The correction was entered before the pairing, in the same second: the engine took it into
    # account.
    assert (facts.corrected, facts.follows) == (True, None)


@pytest.mark.costly
def test_numbers_and_corrections_next_door_leave_the_state_as_it_is(chief_arbiter: User) -> None:
    own, other = (
        make_ready(chief_arbiter, name=name, correction_minutes=30) for name in ("Own", "Other")
    )
    for each in (own, other):
        factories.pair_and_publish(each, 1, chief_arbiter)
    # The old rating would give the eighth the first number.
    Entry.objects.filter(tournament=own, tpn=8).update(fide_rating=2600, rating=2600)
    by: dict[str, Any] = {"actor": chief_arbiter, "now": NOW + timedelta(minutes=1)}
    report = Report(NOW, "the list of FIDE")
    rating_correct(entry_id=entry_of(own, 8).pk, ratings={"fide_rating": 2330}, report=report, **by)
    state, entries = snapshot(own, 1)
    third = factories.make_tournament(chief_arbiter, name="Third")
    factories.make_entries(third, chief_arbiter, 3)
    numbers_assign(tournament_id=third.pk, actor=chief_arbiter, now=LATER)
    factories.enter_results(other, 1, chief_arbiter)
    results_publish(round_id=round_of(other, 1).pk, actor=chief_arbiter, now=NOW, before_time=True)
    result_correct(game_id=game_of(other, 1, 1).pk, result="==", report=report, **by)
    assert without_corrections(own, round_of(own, 1), state, entries) == (state, entries)


@pytest.mark.costly
def test_a_board_of_the_engine_is_known_while_the_hall_next_door_pairs(
    ready: Tournament, chief_arbiter: User
) -> None:
    draft = factories.pair_only(ready, 1, chief_arbiter)
    pairs = {game.board: pair_of(game) for game in Game.objects.filter(round=draft)}
    turned = Pairings(pairs | {1: pairs[1][::-1]})
    round_arrange(
        round_id=draft.pk,
        pairings=turned,
        reason="the arbiter decides",
        actor=chief_arbiter,
        now=NOW,
    )
    busy(chief_arbiter)
    own = Tournament.objects.get(pk=ready.pk)
    assert swapping(own, round_of(own, 1), "", Click(button="turn-1")).checks[1].is_engines


@pytest.mark.costly
def test_c04_2_2_4_a_late_entry_gets_a_bye_for_the_missed_rounds_of_this_tournament_alone(
    chief_arbiter: User,
) -> None:
    own, other = (
        make_ready(chief_arbiter, name=name, late_entry_bye="H") for name in ("Own", "Other")
    )
    for each in (other, own):
        factories.pair_and_publish(each, 1, chief_arbiter)
    late = entry_add(tournament_id=own.pk, name="Late, Eva", actor=chief_arbiter, now=NOW)
    assert list(late.seats.values_list("round__tournament", "round__number", "bye")) == [
        (own.pk, 1, "H")
    ]


@pytest.mark.costly
def test_players_next_door_without_a_number_stop_no_pairing(
    ready: Tournament, chief_arbiter: User
) -> None:
    other = factories.make_tournament(chief_arbiter, name="Other")
    factories.make_entries(other, chief_arbiter, 3)
    factories.pair_and_publish(ready, 1, chief_arbiter)
    assert next_round(ready, 2, at_once()) is not None
    factories.enter_results(ready, 1, chief_arbiter)
    results_publish(round_id=round_of(ready, 1).pk, actor=chief_arbiter, now=NOW, before_time=True)
    assert (
        round_pair(round_id=round_of(ready, 2).pk, actor=chief_arbiter, now=NOW).state
        == RoundState.DRAFT
    )


@pytest.mark.costly
def test_whoever_pairs_too_late_is_told_who_paired_here(
    ready: Tournament, chief_arbiter: User, deputy: User
) -> None:
    plan = round_plan(round_of(ready, 1).pk, chief_arbiter)
    draft = factories.pair_only(ready, 1, chief_arbiter)
    busy(deputy)
    with pytest.raises(Conflict) as refused:
        require_plan_unmoved(plan, Tournament.objects.get(pk=ready.pk), draft)
    assert refused.value.params == {"round": 1, "name": "Clara Chief"}


@pytest.mark.costly
def test_an_unusual_result_next_door_is_no_question_here(
    ready: Tournament, chief_arbiter: User
) -> None:
    other = make_ready(chief_arbiter, name="Other")
    Entry.objects.filter(tournament=other, tpn__gt=4).update(rating=1400)
    for each in (ready, other):
        factories.pair_and_publish(each, 1, chief_arbiter)
    factories.enter_results(ready, 1, chief_arbiter)
    factories.enter_results(
        other, 1, chief_arbiter, lambda _board, white, black: "01" if white < black else "10"
    )
    assert [len(questions(each, round_of(each, 1))) for each in (ready, other)] == [0, 4]


def same_person_twice(actor: User) -> list[Tournament]:
    """Return three tournaments at the same time, the first two in one event,
    with one FIDE ID in each.
    """
    found = [make_ready(actor, name=name) for name in ("One", "Two", "Elsewhere")]
    event = Event.objects.create(name="Festival", slug="festival", created_by=actor, created_at=NOW)
    for each, label in zip(found, "AB", strict=False):
        Section.objects.create(event=event, tournament=each, label=label)
    for number, each in enumerate(found):
        Entry.objects.filter(tournament=each).update(name=f"Somebody {number}")
        factories.pair_and_publish(each, 1, actor)
        factories.enter_results(each, 1, actor, lambda *_of: "==")
    return [Tournament.objects.get(pk=each.pk) for each in found]


def open_questions(tournament: Tournament) -> list[str]:
    return [each.key for each in questions(tournament, round_of(tournament, 1))]


@pytest.mark.costly
def test_a_person_who_plays_outside_the_event_is_no_question(chief_arbiter: User) -> None:
    one, two, elsewhere = same_person_twice(chief_arbiter)
    for each, fide_id in ((one, 1003), (elsewhere, 1003)):
        Entry.objects.filter(tournament=each, tpn=3).update(fide_id=fide_id)
    names = ("Ada", "Bea", "Cleo", "Dora", "Eva", "Fay", "Gia", "Hana")
    for letter, each in zip("ABC", (one, two, elsewhere), strict=True):
        for tpn, name in enumerate(names, start=1):
            Entry.objects.filter(tournament=each, tpn=tpn).update(name=f"{letter}, {name}")
    assert open_questions(one) == []
    Entry.objects.filter(tournament=two, tpn=3).update(fide_id=1003)
    assert open_questions(one) == ["twice:3:B:3"]
    line(
        two,
        chief_arbiter,
        ResultConfirmed(before={}, after={"question": "twice:3:B:3", "boards": [3]}),
        1,
    )
    assert open_questions(one) == ["twice:3:B:3"], "the answer in another section is none here"


@pytest.mark.costly
def test_two_namesakes_of_one_section_are_asked_about_once(chief_arbiter: User) -> None:
    one, two, _elsewhere = same_person_twice(chief_arbiter)
    names = ("Ada", "Bea", "Cleo", "Dora", "Eva", "Fay", "Gia", "Hana")
    for letter, each in zip("AB", (one, two), strict=True):
        for tpn, name in enumerate(names, start=1):
            Entry.objects.filter(tournament=each, tpn=tpn).update(name=f"{letter}, {name}")
    Entry.objects.filter(tournament=one, tpn__in=(1, 2)).update(name="Same, Name")
    assert open_questions(one) == ["twice:2::1"]


@pytest.mark.costly
def test_fixed_tables_next_door_move_no_board_here(chief_arbiter: User) -> None:
    other, own = (make_ready(chief_arbiter, name=name) for name in ("Other", "Own"))
    Entry.objects.filter(tournament=other, tpn=1).update(fixed_table=9)
    Entry.objects.filter(tournament=own, tpn=2).update(fixed_table=7)

    def tables(tournament: Tournament) -> dict[int, int | None]:
        return dict(Game.objects.filter(round__tournament=tournament).values_list("board", "table"))

    first = factories.pair_only(other, 1, chief_arbiter)
    there = tables(other)
    assert first.number == 1
    factories.pair_only(own, 1, chief_arbiter)
    assert (9 in tables(own).values(), 7 in tables(own).values(), tables(other)) == (
        False,
        True,
        there,
    )
