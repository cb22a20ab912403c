"""Let arbiters do anything at any time: tables, record, report and engine
still agree after every action or refusal.

Every step of the machine is one action of the Chief Arbiter, a deputy or a user without rights, on
a clock of its own. A refused action changes nothing. An accepted action is replayed from the record
alone (:mod:`tests.tournaments.replay`) and compared with everything else
(:mod:`tests.tournaments.agreement`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from hypothesis import HealthCheck, settings, strategies as st
from hypothesis.stateful import rule, run_state_machine_as_test

from pairing.rounds.absences import absence_explain
from pairing.rounds.arrange import Pairings, round_arrange
from pairing.rounds.attendance import attendance
from pairing.rounds.by_hand import round_pair_by_hand
from pairing.rounds.changes import round_change
from pairing.rounds.corrections import (
    RIGHT_RESULTS,
    Report,
    colours_correct,
    rating_correct,
    result_correct,
    round_of_ratings,
)
from pairing.rounds.pair import round_pair, round_unpair
from pairing.rounds.published_round import published
from pairing.rounds.results import result_record
from pairing.rounds.seats import arrangement_of
from pairing.rounds.snapshot import snapshot
from pairing.rules.corrections import CorrectionEffect
from pairing.rules.published import Situation
from tests.examples import Examples
from tests.tournaments import agreement
from tests.tournaments.agreement import Moments
from tests.tournaments.arbiters import PICKS, TURNS, Turn
from tests.tournaments.arbiters_outside_rounds import OutsideRounds
from tests.tournaments.factories import NOW, SURNAMES
from tournaments.core.chosen_rules import handling
from tournaments.entries.byes import bye_cancel, bye_request
from tournaments.entries.check_in import check_in_close, check_in_open, check_in_settle
from tournaments.entries.entries import (
    entry_add,
    entry_check_in,
    entry_remove,
    entry_return,
    entry_update,
    entry_withdraw,
    numbers_assign,
)
from tournaments.entries.missing import missing_answer
from tournaments.models import Correction, GameResult, Round

pytestmark = pytest.mark.on_postgres("statements of actions, and record and tables after each")


class Arbiters(OutsideRounds):
    """One event after another, each with random actions."""

    # Moving the event on

    @rule(turn=TURNS, steps=st.integers(1, 5), picks=st.lists(PICKS, min_size=6, max_size=6))
    def go_on(self, turn: Turn, steps: int, picks: list[int]) -> None:
        self.go_on_by(steps, replace(turn, goes_on=False), picks)

    @rule(turn=TURNS, pick=PICKS)
    def pair(self, turn: Turn, pick: int) -> None:
        self.action(turn, round_pair, round_id=self.pick_round(pick).pk)

    @rule(turn=TURNS, pick=PICKS)
    def discard(self, turn: Turn, pick: int) -> None:
        self.action(turn, round_unpair, round_id=self.pick_round(pick).pk)

    @rule(turn=TURNS, pick=PICKS)
    def publish(self, turn: Turn, pick: int) -> None:
        self.publish_round(turn, self.pick_round(pick))

    @rule(turn=TURNS, pick=PICKS, result=st.sampled_from([*GameResult.values, "1-0"]))
    def record_result(self, turn: Turn, pick: int, result: str) -> None:
        if game := self.pick_game(pick):
            self.action(turn, result_record, game_id=game.pk, result=result)

    @rule(turn=TURNS, pick=PICKS, adjourning=st.lists(st.integers(1, 5), max_size=4))
    def publish_results(self, turn: Turn, pick: int, adjourning: list[int]) -> None:
        self.publish_results_of(turn, self.pick_round(pick), adjourning)

    # Entries

    @rule(turn=TURNS, rating=st.sampled_from([0, 1500, 2391, 2800]), pick=PICKS)
    def enter(self, turn: Turn, rating: int, pick: int) -> None:
        fields: dict[str, object] = {
            "federation": "GER",
            **({"fide_rating": rating} if rating else {}),
        }
        if pick % 5 == 0:
            fields["first_round"] = pick // 5 % 8
        if pick % 3 == 0:
            fields["checked_in"] = True
        name = f"{SURNAMES[pick % len(SURNAMES)]}, Player"
        if self.tournament.entries.count() < 16:
            self.action(turn, entry_add, tournament_id=self.tournament.pk, name=name, **fields)

    @rule(
        turn=TURNS,
        pick=PICKS,
        fields=st.sampled_from(
            [{"fide_rating": 2222}, {"title": "GM"}, {"name": "Same, Name"}, {"rating": 1999}, {"first_round": 2},
             {"first_round": 4}, {"fide_rating": None, "national_rating": 1800}, {"fixed_table": 2},
             {"fide_id": 77}, {"title": "XX"}],
        ),
    )  # fmt: skip
    def mend(self, turn: Turn, pick: int, fields: dict[str, object]) -> None:
        if entry := self.pick_entry(pick):
            self.action(
                turn,
                entry_update,
                entry_id=entry.pk,
                reason="" if pick % 5 == 4 else "a slip",
                **fields,
            )

    @rule(turn=TURNS, pick=PICKS)
    def remove_entry(self, turn: Turn, pick: int) -> None:
        if entry := self.pick_entry(pick):
            self.action(turn, entry_remove, entry_id=entry.pk)

    @rule(turn=TURNS)
    def number(self, turn: Turn) -> None:
        self.action(turn, numbers_assign, tournament_id=self.tournament.pk)

    @rule(turn=TURNS, pick=PICKS, from_round=st.sampled_from([None, None, 0, 1, 2, 3, 4, 5, 9]))
    def withdraw(self, turn: Turn, pick: int, from_round: int | None) -> None:
        if entry := self.pick_entry(pick):
            self.action(turn, entry_withdraw, entry_id=entry.pk, from_round=from_round)

    @rule(turn=TURNS, pick=PICKS)
    def come_back(self, turn: Turn, pick: int) -> None:
        gone = list(self.tournament.entries.filter(withdrawn_from__isnull=False).order_by("pk"))
        entry = gone[pick % len(gone)] if gone and pick % 4 else self.pick_entry(pick)
        if entry:
            self.action(
                turn, entry_return, entry_id=entry.pk, reason="well again" if pick % 7 else " "
            )

    @rule(turn=TURNS, pick=PICKS, round_number=st.integers(0, 7), kind=st.sampled_from("ZHFHU"))
    def ask_for_bye(self, turn: Turn, pick: int, round_number: int, kind: str) -> None:
        if entry := self.pick_entry(pick):
            self.action(turn, bye_request, entry_id=entry.pk, round_number=round_number, kind=kind)

    @rule(turn=TURNS, pick=PICKS, round_number=st.integers(1, 6))
    def cancel_bye(self, turn: Turn, pick: int, round_number: int) -> None:
        if entry := self.pick_entry(pick):
            self.action(turn, bye_cancel, entry_id=entry.pk, round_number=round_number)

    @rule(turn=TURNS, pick=PICKS, is_there=st.booleans())
    def tick(self, turn: Turn, pick: int, *, is_there: bool) -> None:
        if entry := self.pick_entry(pick):
            self.action(turn, entry_check_in, entry_id=entry.pk, checked_in=is_there)

    @rule(turn=TURNS, opening=st.booleans())
    def open_or_close_check_in(self, turn: Turn, *, opening: bool) -> None:
        self.action(
            turn, check_in_open if opening else check_in_close, tournament_id=self.tournament.pk
        )

    @rule(
        turn=TURNS,
        consequence=st.sampled_from(["excluded", "Z", "H", "paired", "F"]),
        confirmed=st.booleans(),
        odd=PICKS,
    )
    def settle_missing(self, turn: Turn, consequence: str, odd: int, *, confirmed: bool) -> None:
        seen = [entry.pk for entry in attendance(self.tournament).missing][
            : -1 if odd % 7 == 6 else None
        ]
        self.settle(turn, consequence, seen, confirmed=confirmed)

    def settle(self, turn: Turn, consequence: str, seen: list[int], *, confirmed: bool) -> None:
        self.action(
            turn, check_in_settle, tournament_id=self.tournament.pk, consequence=consequence, seen=seen,
            confirmed=confirmed,
        )  # fmt: skip

    @rule(turn=TURNS, consequence=st.sampled_from(["excluded", "Z", "H", "paired"]), there=PICKS)
    def hold_check_in(self, turn: Turn, consequence: str, there: int) -> None:
        """Hold a check-in, from its opening to the decision about the missing players."""
        plain = replace(turn, goes_on=False, regrets=False)
        self.action(plain, check_in_open, tournament_id=self.tournament.pk)
        for number, entry in enumerate(attendance(self.tournament).missing):
            if (there + number) % 6:
                self.action(plain, entry_check_in, entry_id=entry.pk, checked_in=True)
        self.action(plain, check_in_close, tournament_id=self.tournament.pk)
        self.settle(
            turn,
            consequence,
            [entry.pk for entry in attendance(self.tournament).missing],
            confirmed=True,
        )

    @rule(
        turn=TURNS,
        pick=PICKS,
        value=st.sampled_from(["skip", "skip", "withdraw", "coming"]),
        at=st.integers(0, 2),
    )
    def answer_about_missing(self, turn: Turn, pick: int, value: str, at: int) -> None:
        absent = attendance(self.tournament).not_there
        answers = {entry.pk: value for n, entry in enumerate(absent) if (pick + n) % 3}
        number = self.pick_round(at).number
        given = {"tournament_id": self.tournament.pk, "round_number": number, "answers": answers}
        self.action(turn, missing_answer, **given, confirmed=bool(pick % 5))

    @rule(turn=TURNS, pick=PICKS)
    def explain_absence(self, turn: Turn, pick: int) -> None:
        if entry := self.pick_entry(pick):
            number = self.pick_round(1).number - 1
            self.action(
                turn,
                absence_explain,
                entry_id=entry.pk,
                round_number=number,
                explanation="The train stopped.",
            )

    # Pairings by hand

    def pairings(self, row: Round, pick: int) -> Pairings:
        """Return the round with two players exchanged, sometimes with late entries added."""
        numbered = snapshot(self.tournament, row.number)[1]
        now, _ = arrangement_of(row, numbered)
        people = sorted({*now.everybody, *numbered} if pick % 3 == 0 else {*now.everybody})
        if len(people) < 2:
            return Pairings({}, {})
        one, other = people[pick % len(people)], people[pick // 7 % len(people)]
        swap = {one: other, other: one}
        pk = {tpn: numbered[swap.get(tpn, tpn)].pk for tpn in people}
        return Pairings(
            {n: (pk[white], pk[black]) for n, (white, black) in now.boards.items()},
            {pk[tpn]: letter for tpn, letter in now.byes.items()},
        )

    def two_alone(self, row: Round) -> Pairings:
        """Return a new board for the two players without an opponent,
        if they are missing and get no points [4.4.3].
        """
        facts, _, entries = published(self.tournament, row)
        pk = {tpn: entry.pk for tpn, entry in entries.items()}
        alone = [tpn for n, pair in facts.now.boards.items() for tpn in pair if facts.results[n] in ("+-", "-+")
                 and facts.results[n]["wb".index("w") if pair[0] == tpn else 1] == "+"]  # fmt: skip
        alone += [tpn for tpn, letter in facts.now.byes.items() if letter == "U"]
        late = sorted(facts.late)[:1]
        chosen = ([*late, *alone] if late else alone)[:2]
        boards = {
            n: (pk[w], pk[b]) for n, (w, b) in facts.now.boards.items() if not {w, b} & {*chosen}
        }
        byes = {pk[tpn]: letter for tpn, letter in facts.now.byes.items() if tpn not in chosen}
        for pair in facts.now.boards.values():
            byes |= {pk[tpn]: "Z" for tpn in pair if {*pair} & {*chosen} and tpn not in chosen}
        if len(chosen) == 2:
            boards[max(boards, default=0) + 1] = (pk[chosen[0]], pk[chosen[1]])
        elif chosen:
            byes[pk[chosen[0]]] = "U"
        return Pairings(boards, byes)

    @rule(
        turn=TURNS,
        pick=PICKS,
        situation=st.sampled_from([*Situation, Situation.REGULATIONS]),
        alone=st.booleans(),
    )
    def change(self, turn: Turn, pick: int, situation: Situation, *, alone: bool) -> None:
        row = self.pick_round(pick)
        pairings = self.two_alone(row) if alone else self.pairings(row, pick)
        everybody = list(self.tournament.entries.values_list("pk", flat=True))
        self.action(
            turn, round_change, round_id=row.pk, pairings=pairings, situation=situation,
            consents=everybody[: len(everybody) if pick % 5 else 1], reason="so it is" if pick % 7 else "",
        )  # fmt: skip

    @rule(turn=TURNS, pick=PICKS)
    def arrange(self, turn: Turn, pick: int) -> None:
        row = self.pick_round(pick)
        self.action(
            turn,
            round_arrange,
            round_id=row.pk,
            pairings=self.pairings(row, pick),
            reason="so it is",
        )

    @rule(turn=TURNS, pick=PICKS)
    def pair_by_hand(self, turn: Turn, pick: int) -> None:
        """Pair the round by hand in order of number, where the engine finds no legal pairing."""
        row = self.pick_round(pick)
        state, entries = snapshot(self.tournament, row.number)
        present = [entries[tpn].pk for tpn in sorted(entries) if tpn not in state.absent][
            : -1 if pick % 9 == 8 else None
        ]
        boards = dict(enumerate(zip(present[::2], present[1::2], strict=False), start=1))
        byes = {present[-1]: "U"} if len(present) % 2 else {}
        self.action(
            turn,
            round_pair_by_hand,
            round_id=row.pk,
            pairings=Pairings(boards, byes),
            reason="nothing is left",
        )

    # Mistakes

    def report(self, pick: int) -> Report:
        """Return a report of now, or a minute before or after one of the deciding moments."""
        moments = [
            each
            for known in self.moments.values()
            for each in (known.pairings, known.results)
            if each
        ]
        minutes = self.tournament.correction_minutes or 0
        moments += [
            known.results + timedelta(minutes=minutes)
            for known in self.moments.values()
            if known.results
        ]
        when = (moments or [NOW])[pick % max(len(moments), 1)] + timedelta(
            minutes=pick // 7 % 3 - 1
        )
        chosen = [None, None, None, *CorrectionEffect][pick // 11 % 6]
        return Report(
            min(when, self.now) if pick % 13 else when, "said so" if pick % 17 else " ", chosen
        )

    def correct(
        self, turn: Turn, number: int, when: int, service: Callable[..., object], **wrong: object
    ) -> None:
        """Save the correction; if the Chief Arbiter must choose its effect, send a choice."""
        report = self.report(when)
        done = self.action(turn, service, **wrong, report=report)
        if not done and report.chosen is None:
            report = replace(report, chosen=list(CorrectionEffect)[when % 3])
            done = self.action(replace(turn, goes_on=False), service, **wrong, report=report)
        self.require_effect(done, number, report)

    def require_effect(self, correction: object, number: int, report: Report) -> None:
        if isinstance(correction, Correction):
            following = None
            if number < self.tournament.total_rounds:
                following = self.moments.get(number + 1, Moments())
            allowed = agreement.effects_by_the_text(
                own=self.moments.get(number, Moments()),
                following=following,
                minutes=self.tournament.correction_minutes,
                has_deadline=handling(self.tournament).has_deadline,
                reported=report.reported_at,
            )
            assert agreement.correction_is_lawful(correction, allowed, following)

    @rule(turn=TURNS, pick=PICKS, result=st.sampled_from(RIGHT_RESULTS), when=PICKS)
    def correct_result(self, turn: Turn, pick: int, result: str, when: int) -> None:
        if game := self.pick_game(pick):
            self.correct(
                turn, game.round.number, when, result_correct, game_id=game.pk, result=result
            )

    @rule(turn=TURNS, pick=PICKS, when=PICKS)
    def correct_colours(self, turn: Turn, pick: int, when: int) -> None:
        if game := self.pick_game(pick):
            self.correct(turn, game.round.number, when, colours_correct, game_id=game.pk)

    @rule(turn=TURNS, pick=PICKS, rating=st.sampled_from([None, 1400, 2500]), when=PICKS)
    def correct_rating(self, turn: Turn, pick: int, rating: int | None, when: int) -> None:
        if entry := self.pick_entry(pick):
            ratings = {["fide_rating", "national_rating"][pick % 2]: rating}
            number = round_of_ratings(self.tournament)
            plain = replace(turn, goes_on=False)
            self.correct(plain, number, when, rating_correct, entry_id=entry.pk, ratings=ratings)


def walk(people: dict[str, User], **options: Any) -> None:
    machine = type("Arbiters", (Arbiters,), {"people": people})
    unhurried = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
    run_state_machine_as_test(
        machine, settings=settings(suppress_health_check=unhurried, **options)
    )


@pytest.fixture
def people(chief_arbiter: User, deputy: User, stranger: User) -> dict[str, User]:
    return {"chief": chief_arbiter, "deputy": deputy, "stranger": stranger}


@pytest.mark.costly
@pytest.mark.django_db
def test_c04_2_4_tables_record_and_report_agree_after_any_action(
    people: dict[str, User], examples: Examples
) -> None:
    """The events are the same in every run: two of them, or eight with --run-slow."""
    walk(people, max_examples=len(examples(range(8), 2)), stateful_step_count=70)


@pytest.mark.slow
@pytest.mark.django_db
def test_c04_2_4_tables_record_and_report_agree_in_long_events(people: dict[str, User]) -> None:
    """Different events in every run."""
    walk(people, max_examples=80, stateful_step_count=200, derandomize=False)
