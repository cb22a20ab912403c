"""Run an event with random arbiters: do an action, move the event on,
check what must be true after every action.

The actions are the rules of the state machine in ``test_random_arbiters.py`` and
``arbiters_outside_rounds.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import cycle
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.db import transaction
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from pairing.engine.systems import SYSTEMS
from pairing.rounds.attendance import attendance, not_arrived
from pairing.rounds.pair import is_stale, round_pair
from pairing.rounds.publish import results_publish, round_publish
from pairing.rounds.results import result_record
from pairing.rules.handling import HANDLING
from pairing.rules.regulations import ACCELERATED_SYSTEMS
from pairing.rules.rounds import RoundState
from pairing.standings.codes import DEFAULT_LIST
from tournaments.core.errors import ServiceError
from tournaments.desk.undo import action_undo
from tournaments.entries.check_in import check_in_close, check_in_settle
from tournaments.entries.entries import entry_add, entry_check_in, numbers_assign
from tournaments.entries.missing import missing_answer
from tournaments.models import Decision, Entry, Game, Round
from tournaments.setup.initial_colour import initial_colour_set

from . import agreement
from .agreement import Moments
from .contents import Contents, tables
from .factories import NOW, SURNAMES, appoint_on_record, make_tournament
from .replay import Replay

PICKS = st.integers(0, 1_000)
"""A random choice among any number of items, by remainder."""


@dataclass(frozen=True)
class Turn:
    """The user of an action and the minutes since the action before.

    ``goes_on``: the event moves on one step in between. ``regrets``: the user undoes the action at
    once.
    """

    who: str = "chief"
    minutes: int = 0
    goes_on: bool = False
    regrets: bool = False


TURNS = st.builds(
    Turn,
    who=st.sampled_from(["chief", "chief", "chief", "chief", "deputy", "deputy", "stranger"]),
    minutes=st.integers(0, 45),
    goes_on=st.sampled_from([False, False, True]),
    regrets=st.sampled_from([False, False, False, False, True]),
)
EVENTS = st.fixed_dictionaries(
    {
        "system": st.sampled_from(sorted(SYSTEMS)),
        "handling_edition": st.sampled_from(["", "", *HANDLING]),
        "players": st.sampled_from([8, 7, 9, 10, 11, 12, 6, 5, 2]),
        "rounds": st.integers(1, 7),
        "begun": st.integers(0, 16),
        "accelerated": st.booleans(),
        "correction_minutes": st.sampled_from([None, 0, 30]),
        "change_clause": st.sampled_from(["", "7.3"]),
        "top_boards": st.integers(0, 2),
        "max_byes": st.sampled_from([None, None, 1]),
        "last_bye_round": st.sampled_from([None, None, 2]),
        "late_entry_bye": st.sampled_from(["Z", "H"]),
        "byes_in_advance": st.booleans(),
        "entered_results": st.sampled_from(["own", "own", "all", "none"]),
        "explanations_public": st.booleans(),
        "forecast_public": st.booleans(),
        "automatic_pairings": st.none() | st.integers(0, 90),
        "automatic_results": st.booleans(),
        "keeps_data_days": st.sampled_from([None, 0, 90]),
        "rating_method": st.sampled_from(["FIDON", "FIDON", "NIDOF", "HBFN", "NRO"]),
        "third_criterion": st.sampled_from(["", "national", "entered"]),
        "points_pab": st.sampled_from([10, 5, 0]),
        "tie_breaks": st.sampled_from([",".join(DEFAULT_LIST), "DE,ARO,BH/C1", ""]),
    }
)
PLAYED = ("10", "==", "01", "10", "01", "+-", "-+", "--", "=0", "00", "WL", "??")


class Event(RuleBasedStateMachine):
    """One event from its declaration on, in a transaction that is rolled back at the end."""

    people: dict[str, User]

    def __init__(self) -> None:
        super().__init__()
        self.frame = transaction.atomic()
        self.frame.__enter__()
        self.now = NOW

    def teardown(self) -> None:
        try:
            self.hand_over()
        finally:
            transaction.set_rollback(True)
            self.frame.__exit__(None, None, None)

    @initialize(events=st.lists(EVENTS, min_size=3, max_size=3))
    def declare(self, events: list[dict[str, Any]]) -> None:
        """Declare several events, in case one finishes before the random actions end."""
        self.refusals: set[tuple[str, str]] = set()
        self.events = cycle(events)
        self.begin(next(self.events))

    def begin(self, event: dict[str, Any]) -> None:
        fields = {
            name: value
            for name, value in event.items()
            if name not in ("players", "begun", "accelerated")
        }
        if not event["handling_edition"]:
            del fields["handling_edition"]
        if event["accelerated"] and event["system"] in ACCELERATED_SYSTEMS:
            fields["acceleration"] = "baku"
        if event["system"] == "double_swiss_2026":
            fields["tie_breaks"] = "BH/C1,SB,DE"
        chief = self.people["chief"]
        self.tournament = make_tournament(chief, **fields)
        appoint_on_record(self.tournament, self.people["deputy"], chief)
        given = {"tournament_id": self.tournament.pk, "actor": chief, "now": self.now}
        for number in range(event["players"]):
            rating = (
                {"national_rating": 2000 - number}
                if number % 5 == 3
                else {"fide_rating": 2400 - 7 * number}
            )
            entry_add(**given, name=f"{SURNAMES[number]}, Player", federation="FRA", **rating)
        numbers_assign(**given)
        initial_colour_set(**given, colour="b")
        self.tournament.refresh_from_db()
        self.replay = Replay()
        self.moments: dict[int, Moments] = {}
        self.before_last: Contents | None = None
        """The tables before the newest action, if it added exactly one line to the record."""
        self.held = tables(self.tournament)
        """The tables after the newest action."""
        self.agreed = self.rechecked = -1
        """The versions of the tournament up to which everything was compared."""
        self.over_for = 0
        self.go_on_by(event["begun"], Turn(minutes=20), list(range(6)))

    # Doing an action

    def action(self, turn: Turn, service: Callable[..., object], **arguments: object) -> object:
        """Do the action or have it refused; a refused action changes nothing except the clock."""
        if turn.goes_on:
            self.go_on_by(1, Turn(minutes=7), [turn.minutes + board for board in range(6)])
        self.now += timedelta(minutes=turn.minutes)
        before, version = self.held, self.tournament.version
        try:
            done = service(actor=self.people[turn.who], now=self.now, **arguments)
        except (PermissionDenied, ObjectDoesNotExist):
            # The user has no right to it, or the draft is gone.
            self.require_untouched()
            return None
        except ServiceError as error:
            self.require_untouched()
            self.refusals.add((error.code, str(error)))
            return None
        assert turn.who != "stranger"
        self.tournament.refresh_from_db()
        assert self.rows() == self.tournament.version
        new = self.tournament.version - version
        if new:
            self.before_last = before if new == 1 else None
            self.held = tables(self.tournament)
            if turn.regrets:
                self.require_agreement()
                self.undo_last(Turn(turn.who, 1))
        return done

    def require_untouched(self) -> None:
        """Check that nothing was saved, not even in part."""
        version = self.tournament.version
        assert tables(self.tournament) == self.held
        self.tournament.refresh_from_db()
        assert self.rows() == self.tournament.version == version

    def rows(self) -> int:
        """Return the number of lines in the record, which is the number of actions."""
        return Decision.objects.filter(tournament=self.tournament).count()

    def pick_round(self, pick: int) -> Round:
        """Return the current round, or sometimes another one."""
        rounds = list(Round.objects.filter(tournament=self.tournament).order_by("number"))
        at_hand = [row for row in rounds if row.state != RoundState.RESULTS_PUBLISHED]
        return at_hand[0] if at_hand and pick % 4 else rounds[pick // 4 % len(rounds)]

    def pick_game(self, pick: int) -> Game | None:
        games = list(
            Game.objects.filter(round__tournament=self.tournament).order_by(
                "-round__number", "board"
            )
        )
        return games[pick % len(games)] if games else None

    def pick_entry(self, pick: int) -> Entry | None:
        entries = list(Entry.objects.filter(tournament=self.tournament).order_by("pk"))
        return entries[pick % len(entries)] if entries else None

    def go_on_by(self, steps: int, turn: Turn, picks: list[int]) -> None:
        """Do the next step: pair, publish the pairings, enter the results or publish them."""
        for _ in range(steps):
            row = self.pick_round(1)
            match RoundState(row.state):
                case RoundState.DRAFT if not is_stale(row, self.tournament):
                    self.publish_round(turn, row)
                case RoundState.PLANNED | RoundState.DRAFT:
                    self.receive(turn, row)
                    # Perhaps no legal pairing exists: that ends an event too.
                    self.over_for += (
                        self.action(turn, round_pair, round_id=row.pk, older_open=True) is None
                    )
                case RoundState.PAIRINGS_PUBLISHED if games := self.games_to_end(row):
                    for game in games:
                        result = PLAYED[
                            picks[game.board % 6] % (len(PLAYED) - (game.result == "??"))
                        ]
                        self.action(
                            turn, result_record, game_id=game.pk, result=result, confirmed=True
                        )
                case RoundState.PAIRINGS_PUBLISHED:
                    self.publish_results_of(turn, row, [])
                case RoundState.RESULTS_PUBLISHED:
                    self.over_for += 1

    def receive(self, turn: Turn, row: Round) -> None:
        """Check in the late entries, and let the players missing at the check-in be paired."""
        plain = replace(turn, minutes=0, goes_on=False, regrets=False)
        for entry in not_arrived(
            self.tournament.entries.filter(first_round__lte=row.number).order_by("pk")
        ):
            self.action(plain, entry_check_in, entry_id=entry.pk, checked_in=True)
        missing = (
            attendance(self.tournament).missing
            if self.tournament.check_in_round is not None
            else ()
        )
        if missing and self.tournament.check_in_round != row.number:
            answers = dict.fromkeys((entry.pk for entry in missing), "coming")
            given = {"tournament_id": self.tournament.pk, "round_number": row.number}
            self.action(plain, missing_answer, **given, answers=answers)
        elif missing:
            given = {"tournament_id": self.tournament.pk}
            if self.tournament.check_in_open:
                self.action(plain, check_in_close, **given)
            seen = [entry.pk for entry in missing]
            self.action(plain, check_in_settle, **given, consequence="paired", seen=seen)

    def games_to_end(self, row: Round) -> list[Game]:
        """Return the games without a result and, before the final standings,
        the adjourned games.
        """
        games = Game.objects.filter(round=row, result="")
        if not games and row.number == self.tournament.total_rounds:
            games = Game.objects.filter(round__tournament=self.tournament, result="??")
        return list(games.order_by("round__number", "board"))

    def publish_round(self, turn: Turn, row: Round) -> None:
        if self.action(
            turn,
            round_publish,
            round_id=row.pk,
            cut_short="the hall closes early",
            leave_fide_mode=True,
        ):
            self.moments[row.number] = Moments(pairings=self.now)
            agreement.require_publication(self.tournament, row.number)

    def publish_results_of(self, turn: Turn, row: Round, adjourning: list[int]) -> None:
        if self.action(turn, results_publish, round_id=row.pk, adjourning=adjourning):
            self.moments[row.number] = Moments(self.moments[row.number].pairings, self.now)

    def undo_last(self, turn: Turn, back: int = 0) -> None:
        """Undo the last action, or the one *back* lines earlier, if nothing depends on it.

        After the undo of the last action the tables are as before it; after pairing twice, no draft
        remains.
        """
        last = Decision.objects.filter(tournament=self.tournament).latest("sequence")
        before = None if back else self.before_last
        done = self.action(
            turn, action_undo, tournament_id=self.tournament.pk, sequence=last.sequence - back
        )
        if done and before is not None and last.before.get("state") != "draft":
            assert self.held == before

    # Checks after every action

    @invariant()
    def everything_agrees(self) -> None:
        if not hasattr(self, "tournament"):
            return
        self.require_agreement()
        if self.over_for > 8:
            self.hand_over()
            self.begin(next(self.events))

    def require_agreement(self) -> None:
        assert all(contents not in ("", code) for code, contents in self.refusals)
        if self.agreed != self.tournament.version:
            self.agreed = self.tournament.version
            agreement.require_agreement(self.tournament, self.replay, self.held)

    @rule()
    def hand_over(self) -> None:
        """Re-check the event from its file alone, and import the file elsewhere."""
        if hasattr(self, "tournament") and self.rechecked != self.tournament.version:
            self.rechecked = self.tournament.version
            agreement.require_recheck(self.tournament)
            agreement.require_import(self.tournament, self.people["chief"], self.now)
