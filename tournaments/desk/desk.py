"""The arbiter's desk: the state of the event, and the next action."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from pairing.rounds.pair import is_stale
from pairing.rounds.snapshot import requested_byes
from pairing.rules.names import fold
from pairing.rules.rounds import RoundState
from tournaments.core.frame import Frame
from tournaments.core.namesakes import disambiguate
from tournaments.entries.entry_list import ByeWish
from tournaments.models import Action, ByeKind, Decision, Entry, Game, GameResult, ListState, Round
from tournaments.setup.usable_tie_breaks import NONE_NEEDED, RatingsNeeded, ratings_needed

_SMALL_ACTIONS = (
    Action.RESULT_RECORDED,
    Action.RESULT_UNDONE,
    Action.ENTRY_CHECKED_IN,
    Action.ENTRY_CHECKED_OUT,
    Action.DESK_DATA_CHANGED,
)
"""Frequent actions that are not listed, because they would fill the desk."""


class NextAction(Enum):
    """The arbiter's next action."""

    ADD_ENTRIES = "add-entries"
    ASSIGN_NUMBERS = "assign-numbers"
    DRAW_COLOUR = "draw-colour"
    PAIR = "pair"
    PAIR_AGAIN = "pair-again"
    """The draft is out of date."""
    PUBLISH = "publish"
    ENTER_RESULTS = "enter-results"
    PUBLISH_RESULTS = "publish-results"
    MAKE_FINAL = "make-final"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Absence:
    """A player who will not be paired in the coming round."""

    entry_id: int
    name: str
    wish: ByeWish | None
    """None for a withdrawal, and for a late entry that has not arrived."""
    arrives: int | None = None
    """The first round of a late entry."""


@dataclass(frozen=True, slots=True)
class Desk:
    """The data of the desk. ``number`` is the round of the next action."""

    next_action: NextAction
    number: int
    coming: int
    """The next round that has no pairing yet."""
    players: int
    checked_in: int
    not_checked_in: int
    """Of the players expected in the next round to be published, without byes,
    withdrawals and answered ones.
    """
    without_number: int
    definitive: bool
    boards: int
    missing: tuple[int, ...]
    absences: tuple[Absence, ...]
    decisions: tuple[Decision, ...]
    total_rounds: int
    ratings_needed: RatingsNeeded = NONE_NEEDED
    """The tie-breaks that players without a rating remove from the list [C.07/2026 10]."""

    @property
    def has_too_many_rounds(self) -> bool:
        """Whether round 1 is not paired yet and the players cannot have
        another opponent in every round [C.04.1 2].

        With an odd number of players each can also have one bye.
        """
        others = self.players - 1 + self.players % 2
        return self.coming == 1 and self.players > 1 and self.total_rounds > others

    @property
    def entered(self) -> int:
        return self.boards - len(self.missing)

    @property
    def expected(self) -> int:
        """The number of players in the coming round, without requested byes and withdrawals."""
        return self.players - len(self.absences)

    @property
    def asks_to_close_the_list(self) -> bool:
        """Whether the list of participants is open although a round is over [C.04.2/2026 2.5]."""
        return self.number > 1 and not self.definitive and not self.without_number

    @property
    def has_bye(self) -> bool:
        """Whether a player will get the pairing-allocated bye."""
        return self.expected % 2 == 1


def desk(frame: Frame) -> Desk:
    """Return the desk of the tournament of *frame*. Six queries, ten if the round is a draft.

    One more if the list of tie-breaks needs ratings.
    """
    number = frame.working_round
    entries = sorted(
        Entry.objects.filter(tournament=frame.tournament), key=lambda entry: fold(entry.real_name)
    )
    disambiguate(entries)
    results = list(
        Game.objects.filter(round__tournament=frame.tournament, round__number=number).values_list(
            "board", "result"
        )
    )
    missing = tuple(sorted({board for board, result in results if result == GameResult.NOT_YET}))
    coming = _coming_round(frame, number)
    absences = _absences(frame, entries, coming)
    # The check-in is for the next round to be published: if that is a draft, it is the round before
    # the coming one.
    is_draft = frame.state_of(number) == RoundState.DRAFT
    unexpected = {
        absence.entry_id
        for absence in (_absences(frame, entries, number) if is_draft else absences)
    }
    return Desk(
        next_action=_next_action(frame, entries, missing),
        number=number,
        coming=coming,
        players=len(entries),
        checked_in=sum(entry.checked_in for entry in entries),
        not_checked_in=sum(
            not entry.checked_in and not entry.answer and entry.pk not in unexpected
            for entry in entries
        ),
        without_number=sum(entry.tpn is None for entry in entries),
        definitive=frame.tournament.list_state == ListState.DEFINITIVE,
        boards=len({board for board, _ in results}),
        missing=missing,
        absences=absences,
        decisions=tuple(
            Decision.objects.filter(tournament=frame.tournament)
            .exclude(action__in=_SMALL_ACTIONS)
            .order_by("-sequence")[:6]
        ),
        total_rounds=len(frame.rounds),
        ratings_needed=ratings_needed(frame.tournament),
    )


def _next_action(frame: Frame, entries: list[Entry], missing: tuple[int, ...]) -> NextAction:
    number = frame.working_round
    match frame.state_of(number):
        case RoundState.DRAFT:
            draft = Round.objects.get(tournament=frame.tournament, number=number)
            return (
                NextAction.PAIR_AGAIN if is_stale(draft, frame.tournament) else NextAction.PUBLISH
            )
        case RoundState.PAIRINGS_PUBLISHED:
            return NextAction.ENTER_RESULTS if missing else NextAction.PUBLISH_RESULTS
        case RoundState.RESULTS_PUBLISHED:
            return NextAction.FINISHED if frame.tournament.final_at else NextAction.MAKE_FINAL
        case RoundState.PLANNED:
            pass
    if not entries:
        return NextAction.ADD_ENTRIES
    if any(entry.tpn is None for entry in entries):
        return NextAction.ASSIGN_NUMBERS
    return NextAction.PAIR if frame.tournament.initial_colour else NextAction.DRAW_COLOUR


def _coming_round(frame: Frame, number: int) -> int:
    """Return the next round that has no pairing yet."""
    return number if frame.state_of(number) == RoundState.PLANNED else number + 1


def _absences(frame: Frame, entries: list[Entry], number: int) -> tuple[Absence, ...]:
    wishes = requested_byes(frame.tournament, number)
    absences = []
    for entry in entries:
        if entry.withdrawn_from is not None and entry.withdrawn_from <= number:
            absences.append(Absence(entry.pk, entry.name_apart, None))
        elif entry.first_round > number:
            absences.append(Absence(entry.pk, entry.name_apart, None, arrives=entry.first_round))
        elif entry.pk in wishes:
            absences.append(
                Absence(entry.pk, entry.name_apart, ByeWish(number, ByeKind(wishes[entry.pk])))
            )
    return tuple(absences)
