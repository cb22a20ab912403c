"""Compare the services with docs/rules/c04-2-handling-rules.md:
every state of a round, action, user and time.

Every combination is tried. A row of the tables that names no user or no deadline holds for all of
them.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import F

from pairing.rounds.arrange import Pairings, round_arrange
from pairing.rounds.changes import round_change
from pairing.rounds.corrections import Report, colours_correct, rating_correct, result_correct
from pairing.rounds.pair import round_pair, round_unpair
from pairing.rounds.publish import results_publish, round_publish
from pairing.rounds.results import result_record
from pairing.rounds.seats import arrangement_of
from pairing.rounds.snapshot import snapshot
from pairing.rules.published import Situation
from tests.tournaments.factories import (
    NOW,
    enter_results,
    entry_of,
    make_ready,
    pair_and_publish,
    play_rounds,
    round_of,
)
from tournaments.core import record
from tournaments.core.errors import ServiceError
from tournaments.desk.undo import action_undo
from tournaments.entries.byes import bye_request
from tournaments.entries.check_in import check_in_settle
from tournaments.entries.entries import (
    entry_add,
    entry_remove,
    entry_return,
    entry_update,
    entry_withdraw,
    numbers_assign,
)
from tournaments.models import Entry, Game, PointAdjustment, Round, Tournament
from tournaments.models.payload_data import Player
from tournaments.models.payloads import (
    AnyPayload,
    ByeRequested,
    EntryWithdrawn,
    PairingsPublished,
    ResultRecorded,
    RoundPaired,
)
from tournaments.setup.initial_colour import initial_colour_set
from tournaments.setup.number_of_rounds import number_of_rounds_change
from tournaments.setup.tie_breaks import tie_breaks_change
from tournaments.setup.tournaments import tournament_update
from tournaments.standings.adjust_points import points_adjust, points_withdraw
from tournaments.standings.lots import lots_draw

DOCS = Path(__file__).resolve().parents[3] / "docs" / "rules" / "c04-2-handling-rules.md"
STATES: Final = ("planned", "draft", "published", "results published")
CLOCKS: Final = {"runs": NOW + timedelta(minutes=10), "over": NOW + timedelta(minutes=60)}
"""The results were published at ``NOW``; mistakes are to be reported within 30 minutes."""
NOT_THEIRS: Final = "not theirs"
Who = dict[str, Any]


class Case:
    """A tournament whose round 2 is in a given state, and the objects of the actions."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.pk = tournament.pk
        self.round: Round = round_of(tournament, 2)
        self.entry: Entry = entry_of(tournament, 8)

    def game(self, result: str | None = None) -> Game:
        """Return board 1 of round 2; if the round is not paired, make the board."""
        game, _ = Game.objects.get_or_create(round=self.round, board=1, first=None)
        if result is not None:
            Game.objects.filter(pk=game.pk).update(result=result)
        return game

    def swapped(self) -> Pairings:
        """Return round 2 with the colours of board 1 swapped."""
        now, _ = arrangement_of(self.round, snapshot(self.tournament, 2)[1])
        pk = {entry.tpn: entry.pk for entry in Entry.objects.filter(tournament=self.tournament)}
        boards = {n: (pk[white], pk[black]) for n, (white, black) in now.boards.items()}
        return Pairings(boards | {1: boards[1][::-1]} if boards else {}, {})

    def unrated(self) -> Entry:
        Entry.objects.filter(pk=self.entry.pk).update(fide_rating=None, rating_source="estimate")
        return self.entry

    def withdrawn(self) -> Entry:
        Entry.objects.filter(pk=self.entry.pk).update(withdrawn_from=3)
        return self.entry

    def stale(self) -> int:
        Tournament.objects.filter(pk=self.pk).update(pairing_version=F("pairing_version") + 1)
        return self.round.pk

    def missing(self) -> list[int]:
        """Close the check-in of round 2 with one player missing."""
        Tournament.objects.filter(pk=self.pk).update(check_in_round=2, check_in_open=False)
        Entry.objects.filter(tournament=self.pk).exclude(pk=self.entry.pk).update(checked_in=True)
        return [self.entry.pk]

    def penalise(self, who: Who, number: int) -> object:
        return points_adjust(
            tournament_id=self.pk, entry_id=self.entry.pk, points=-5, round_number=number, article="Laws 12.9",
            reason="so it is", seen=0, **who,
        )  # fmt: skip

    def withdraw_penalty(self, who: Who, number: int) -> object:
        """Withdraw half a point that was taken in round *number*."""
        PointAdjustment.objects.create(
            tournament=self.tournament, entry=self.entry, points=-5, round_number=number
        )
        return points_withdraw(
            tournament_id=self.pk,
            entry_id=self.entry.pk,
            points=-5,
            round_number=number,
            reason="so it is",
            **who,
        )

    @property
    def about(self) -> Player:
        return {"entry": self.entry.pk, "name": self.entry.name, "tpn": self.entry.tpn}

    def undo(self, who: Who, payload: AnyPayload) -> object:
        """Undo an action, which is the last one and was done by the Chief Arbiter."""
        last = record.append(
            tournament=self.tournament, action=payload.action, actor=self.tournament.created_by, now=NOW,
            round_number=2, before=payload.before, after=payload.after,
        )  # fmt: skip
        return action_undo(tournament_id=self.pk, sequence=last.sequence, **who)


def report(who: Who) -> Report:
    """Return a report made at the moment it is entered."""
    return Report(who["now"], "White showed the scoresheet")


ACTIONS: Final[dict[str, Callable[[Case, Who], object]]] = {
    "pair": lambda c, who: round_pair(round_id=c.round.pk, **who),
    "pair again a draft that is out of date": lambda c, who: round_pair(round_id=c.stale(), **who),
    "discard the draft": lambda c, who: round_unpair(round_id=c.round.pk, **who),
    "publish the pairings": lambda c, who: round_publish(round_id=c.round.pk, **who),
    "publish the pairings of a draft that is out of date": lambda c, who: round_publish(round_id=c.stale(), **who),
    "enter a result": lambda c, who: result_record(game_id=c.game().pk, result="==", **who),
    "enter the end of an adjourned game": lambda c, who: result_record(game_id=c.game("??").pk, result="==", **who),
    "publish the results": lambda c, who: results_publish(round_id=c.round.pk, **who),
    "correct a result": lambda c, who: result_correct(game_id=c.game().pk, result="==", report=report(who), **who),
    "correct colours": lambda c, who: colours_correct(game_id=c.game().pk, report=report(who), **who),
    "correct a rating": lambda c, who: rating_correct(
        entry_id=c.entry.pk, ratings={"fide_rating": 2222}, report=report(who), **who
    ),
    "edit a rating without a correction": lambda c, who: entry_update(entry_id=c.entry.pk, fide_rating=2222, **who),
    "enter a player for this round": lambda c, who: entry_add(
        tournament_id=c.pk, name="Late, Lena", first_round=2, **who
    ),
    "remove an entry": lambda c, who: entry_remove(entry_id=c.entry.pk, **who),
    "withdraw a player from this round on": lambda c, who: entry_withdraw(entry_id=c.entry.pk, from_round=2, **who),
    "bring a withdrawn player back": lambda c, who: entry_return(entry_id=c.withdrawn().pk, reason="as told", **who),
    "grant or cancel a bye for this round": lambda c, who: bye_request(
        entry_id=c.entry.pk, round_number=2, kind="Z", **who
    ),
    "decide about the missing players at its check-in": lambda c, who: check_in_settle(
        tournament_id=c.pk, consequence="excluded", seen=c.missing(), **who
    ),
    "assign the pairing numbers again": lambda c, who: numbers_assign(tournament_id=c.pk, **who),
    "change the estimate of an unrated player": lambda c, who: entry_update(
        entry_id=c.unrated().pk, rating=1999, reason="as told", **who
    ),
    "draw the initial colour": lambda c, who: initial_colour_set(tournament_id=c.pk, colour="b", **who),
    "change the number of rounds as a setting": lambda c, who: tournament_update(
        tournament_id=c.pk, total_rounds=5, **who
    ),
    "change the number of rounds after the start": lambda c, who: number_of_rounds_change(
        tournament_id=c.pk, total_rounds=5, reason="the hall is free", version=c.tournament.version, **who
    ),
    "change the tie-breaks after the start": lambda c, who: tie_breaks_change(
        tournament_id=c.pk, tie_breaks="DE", edition="fide-2026", reason="on time", version=c.tournament.version,
        **who,
    ),
    "draw lots between tied players": lambda c, who: lots_draw(
        tournament_id=c.pk, **who
    ),
    "arrange the draft by hand": lambda c, who: round_arrange(
        round_id=c.round.pk, pairings=c.swapped(), reason="so it is", **who
    ),
    "change the pairings by 4.4.2": lambda c, who: round_change(
        round_id=c.round.pk, pairings=c.swapped(), situation=Situation.REGULATIONS, consents=[], reason="so", **who
    ),
    "adjust points in this round": lambda c, who: c.penalise(who, 2),
    "withdraw a point adjustment of this round": lambda c, who: c.withdraw_penalty(who, 2),
    "adjust points in the previous round": lambda c, who: c.penalise(who, 1),
    "withdraw a point adjustment of the previous round": lambda c, who: c.withdraw_penalty(who, 1),
    "undo the draft": lambda c, who: c.undo(
        who,
        RoundPaired(
            {"state": "planned"},
            {"state": "draft", "system": "dutch_2026", "pairs": [], "pairing_allocated_bye": None, "boards": [],
             "not_paired": []},
        ),
    ),
    "undo a result": lambda c, who: c.undo(
        who, ResultRecorded({"board": c.game().board, "result": ""}, {"board": c.game().board, "result": "10"})
    ),
    "undo a withdrawal": lambda c, who: c.undo(
        who, EntryWithdrawn({**c.about, "value": None}, {**c.about, "value": 2})
    ),
    "undo a bye": lambda c, who: c.undo(who, ByeRequested({**c.about, "value": None}, {**c.about, "value": "Z"})),
    "undo a publication": lambda c, who: c.undo(
        who, PairingsPublished({"state": "draft"}, {"state": "pairings_published"})
    ),
}  # fmt: skip


def rows_of(heading: str, columns: int) -> list[list[str]]:
    """Return the rows of the tables with *columns* columns under a heading of the page,
    without the header.
    """
    section = DOCS.read_text().partition(f"### {heading}\n")[2].partition("\n### ")[0]
    lines = (line.strip("|").split("|") for line in section.splitlines() if line.startswith("| "))
    rows = [[cell.strip() for cell in line] for line in lines if len(line) == columns]
    return [row for row in rows if row[0] != "action"]


def expected_answers() -> dict[tuple[str, str, str, str], str]:
    """Return the answer of the tables for every (action, state, user, clock)."""
    of_anybody = {
        (action, clock): answers
        for action, *answers in rows_of("Every action and the state of its round", 5)
        for clock in CLOCKS
    }
    for action, deadline, *answers in rows_of("Every action, every user and the deadline", 6):
        of_anybody |= {
            (action, clock): answers for clock in CLOCKS if deadline in (clock, "either")
        }
    doers = dict(rows_of("Every action, every user and the deadline", 2))
    found = {}
    for (action, clock), answers in of_anybody.items():
        for state, answer in zip(STATES, answers, strict=True):
            found[action, state, "chief", clock] = answer
            found[action, state, "deputy", clock] = of_deputy(doers[action], answer)
            found[action, state, "stranger", clock] = found[action, state, "visitor", clock] = (
                NOT_THEIRS
            )
    assert doers.keys() == {action for action, _ in of_anybody}
    return found


def of_deputy(doer: str, answer: str) -> str:
    match doer:
        case "the arbiters":
            return answer
        case "the Chief Arbiter":
            return NOT_THEIRS
        case "the arbiters; the Chief Arbiter while the deadline runs":
            return answer.replace("deadline.running", "deadline.chief_arbiter_decides")
        case "the same user, or the Chief Arbiter":
            return answer if answer == "`undo.not_this`" else "`undo.of_another`"
    if doer.startswith("the Chief Arbiter, others get "):
        return doer.removeprefix("the Chief Arbiter, others get ")
    raise AssertionError(f"docs/rules/c04-2-handling-rules.md: unknown user '{doer}'")


def answer_of(case: Case, action: str, actor: User | AnonymousUser, clock: str) -> str:
    """Return the answer of the service, and roll its changes back."""
    with transaction.atomic():
        try:
            ACTIONS[action](case, {"actor": actor, "now": CLOCKS[clock]})
        except PermissionDenied:
            return NOT_THEIRS
        except ServiceError as error:
            return f"`{error.code}` {error.article.removeprefix('C.04.2 ')}".strip()
        finally:
            transaction.set_rollback(True)
    return "yes"


def bring_to(state: str, chief: User) -> Case:
    """Finish round 1, bring round 2 to *state* with every result entered; round 3 is planned;
    everything at ``NOW``.
    """
    tournament = make_ready(chief, rounds=3, correction_minutes=30, change_clause="7.3")
    play_rounds(tournament, [1], chief)
    match state:
        case "draft":
            round_pair(round_id=round_of(tournament, 2).pk, actor=chief, now=NOW)
        case "published":
            pair_and_publish(tournament, 2, chief)
            enter_results(tournament, 2, chief)
        case "results published":
            play_rounds(tournament, [2], chief)
    tournament.refresh_from_db()
    return Case(tournament)


@pytest.mark.costly
@pytest.mark.django_db
@pytest.mark.parametrize("state", STATES)
def test_c04_2_4_every_action_by_every_user_at_any_time_matches_the_tables(
    state: str, chief_arbiter: User, deputy: User, stranger: User, visitor: AnonymousUser
) -> None:
    actors = {"chief": chief_arbiter, "deputy": deputy, "stranger": stranger, "visitor": visitor}
    case = bring_to(state, chief_arbiter)
    answers = {
        (action, state, name, clock): answer_of(case, action, actor, clock)
        for action in ACTIONS
        for name, actor in actors.items()
        for clock in CLOCKS
    }
    expected = {key: answer for key, answer in expected_answers().items() if key[1] == state}
    differing = {
        key: (answers.get(key), expected.get(key)) for key in answers.keys() | expected.keys()
    }
    assert {key: pair for key, pair in differing.items() if pair[0] != pair[1]} == {}
