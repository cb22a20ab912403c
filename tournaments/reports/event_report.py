"""The arbiter's report: course, actions by article, and who did not play."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import Q

from pairing.engine.model import TPN
from pairing.engine.systems import system_by_code
from pairing.rounds.absences import EXPLAINED, WITHDRAWN
from pairing.rounds.paired_before import PAIRED
from pairing.rounds.snapshot import group_a_end as read_group_a_end
from pairing.rules import rounds as policy
from pairing.rules.corrections import CorrectionEffect
from tournaments.core.chosen_rules import handling
from tournaments.core.frame import Frame
from tournaments.core.scores import AT_BOARD, Score
from tournaments.models import (
    Action,
    Correction,
    Decision,
    Entry,
    GameResult,
    Round,
    Seat,
    Tournament,
)
from tournaments.models.payloads import (
    AbsenceExplained,
    AbsenceLifted,
    AbsenceWithdrawn,
    ActionUndone,
    EntryExpelled,
    EntryReturned,
    EntryWithdrawn,
    undone_by,
)
from tournaments.reports.protests import Protest, protests_of

FORFEITS = (GameResult.BLACK_FORFEITS, GameResult.WHITE_FORFEITS, GameResult.BOTH_FORFEIT)


@dataclass(frozen=True, slots=True)
class ScheduleLine:
    """The announced and actual times of one round; None:
    not announced, not yet, or unknown for a round from a file.

    ``results_late`` and ``results_early`` are whole minutes after and before the announced
    publication of the results, ``pairings_late`` after the announced start of play; 0 if the time
    was kept or is unknown [C.04.2/2026 4.2].
    """

    number: int
    starts_at: datetime | None
    published_at: datetime | None
    results_due_at: datetime | None
    results_published_at: datetime | None
    pairings_late: int
    results_late: int
    results_early: int
    is_imported: bool
    is_public: bool
    changes: tuple[Decision, ...] = ()
    """The changes of the announced times since the pairings were published,
    with the times before.
    """

    @property
    def is_kept(self) -> bool:
        """Whether all was published in time, and no results too early [C.04.2/2026 4.2]."""
        return not (self.pairings_late or self.results_late or self.results_early)


@dataclass(frozen=True, slots=True)
class ArticleLine:
    """The actions under one article: each with its count, and the actions with a reason.

    ``with_reason`` also has the drafts that were not published, if anybody had viewed them.
    ``listed`` are these, the actions that changed values since round 1 was first paired
    (:data:`_WITH_VALUES`) and the handovers, in order.
    """

    article: str
    actions: tuple[tuple[str, int], ...]
    with_reason: tuple[Decision, ...]
    listed: tuple[Decision, ...]


class Named(NamedTuple):
    """A player by name, with the data that stays when numbers change."""

    name: str
    entry_id: int
    fide_id: int | None


@dataclass(frozen=True, slots=True)
class ForfeitLine:
    """A game that was not played; ``game`` is its number in a match, else None."""

    round_number: int
    board: int
    game: int | None
    white: Named
    black: Named
    result: str


@dataclass(frozen=True, slots=True)
class WithdrawalLine:
    """A withdrawn player, the first round of the withdrawal, and its article, empty without one."""

    entry_id: int
    tpn: int | None
    name: str
    fide_id: int | None
    withdrawn_from: int
    article: str


@dataclass(frozen=True, slots=True)
class ReturnLine:
    """A cancelled withdrawal: its first round, and the ``action`` that cancelled it."""

    entry_id: int
    tpn: int | None
    name: str
    fide_id: int | None
    withdrawn_from: int
    decision: Decision


@dataclass(frozen=True, slots=True)
class EventReport:
    """The report in the order of the page; ``articles`` locate the text of the system in the rules.

    ``group_a_last`` is the last player of group A of an acceleration [C.04.7/2026]; None without
    one.
    """

    articles: str
    group_a_last: Entry | None
    players: int
    rated: int
    schedule: tuple[ScheduleLine, ...]
    decisions: tuple[ArticleLine, ...]
    withdrawals: tuple[WithdrawalLine, ...]
    returns: tuple[ReturnLine, ...]
    late_entries: tuple[Entry, ...]
    forfeits: tuple[ForfeitLine, ...]
    corrections: tuple[Correction, ...]
    rating_only: tuple[Correction, ...]
    protests: tuple[Protest, ...]

    @property
    def not_kept(self) -> tuple[ScheduleLine, ...]:
        """The rounds in which the schedule was not kept."""
        return tuple(line for line in self.schedule if not line.is_kept)

    @property
    def is_announced(self) -> bool:
        """Whether any time was announced."""
        return any(line.starts_at or line.results_due_at or line.changes for line in self.schedule)


def event_report(frame: Frame) -> EventReport:
    """Return the report of the tournament of *frame*, for its arbiters. Seven queries."""
    tournament = frame.tournament
    entries = list(Entry.objects.filter(tournament=tournament).order_by("tpn", "pk"))
    made = Correction.objects.filter(tournament=tournament, waiting=False).select_related(
        "game", "entry"
    )
    corrections = tuple(made.order_by("pk"))
    withdrawing = Decision.objects.filter(
        tournament=tournament, action__in=(*_WITHDRAWING, *_TAKING_BACK, EXPLAINED)
    )
    withdrawing = withdrawing.order_by("sequence")
    numbered = {TPN(entry.tpn): entry for entry in entries if entry.tpn is not None}
    group_a_end = read_group_a_end(tournament, numbered)
    decisions = _decisions(frame)
    return EventReport(
        articles=system_by_code(tournament.system).articles,
        group_a_last=None if group_a_end is None else numbered[group_a_end],
        players=len(numbered),
        rated=sum(entry.tpn is not None and bool(entry.fide_rating) for entry in entries),
        schedule=_schedule(tournament, decisions),
        decisions=decisions,
        withdrawals=tuple(_withdrawals(tournament, entries, withdrawing)),
        returns=tuple(_returns(entries, withdrawing)),
        late_entries=tuple(entry for entry in entries if entry.first_round > 1),
        forfeits=forfeits_of(frame),
        corrections=tuple(row for row in corrections if row.effect != CorrectionEffect.RATING_ONLY),
        rating_only=tuple(row for row in corrections if row.effect == CorrectionEffect.RATING_ONLY),
        protests=tuple(protests_of(tournament)),
    )


def minutes_late(announced: datetime | None, done: datetime | None) -> int:
    """Return how many whole minutes *done* is after *announced*; 0 if it is not later."""
    return max(0, policy.minutes_late(announced, done)) if announced and done else 0


def _schedule(tournament: Tournament, decisions: Iterable[ArticleLine]) -> tuple[ScheduleLine, ...]:
    """Return the rounds with their announced times, which changed later in some of the *decisions*.

    One query.
    """
    changes: defaultdict[int | None, list[Decision]] = defaultdict(list)
    for line in (line for article in decisions for line in article.with_reason):
        if line.action == Action.ROUND_SCHEDULED:
            changes[line.round_number].append(line)
    rows = Round.objects.filter(tournament=tournament).order_by("number")
    return tuple(_schedule_line(row, tuple(changes[row.number])) for row in rows)


def _schedule_line(row: Round, changes: tuple[Decision, ...]) -> ScheduleLine:
    published = None if row.is_imported else row.published_at
    results_published = None if row.has_imported_results else row.results_published_at
    return ScheduleLine(
        number=row.number,
        starts_at=row.starts_at,
        published_at=published,
        results_due_at=row.results_due_at,
        results_published_at=results_published,
        pairings_late=minutes_late(row.starts_at, published),
        results_late=minutes_late(row.results_due_at, results_published),
        results_early=minutes_late(results_published, row.results_due_at),
        is_imported=row.is_imported,
        is_public=row.published_at is not None,
        changes=changes,
    )


_DISCARDING = (
    Action.ROUND_DISCARDED,
    Action.ACTION_UNDONE,
    Action.ROUND_PAIRED,
    Action.ROUND_PAIRED_BY_HAND,
)
"""The actions that end a draft without publishing it."""
_BEGINNING = (*PAIRED, Action.TOURNAMENT_IMPORTED)
"""The actions with which the event begins."""
_WITH_VALUES = (
    *(Action.TOURNAMENT_UPDATED, Action.ENTRY_UPDATED, Action.ENTRY_RATING_CHANGED),
    *(Action.ROUND_SCHEDULED, Action.GAME_SCHEDULED),
)
"""The actions that change values, old and new."""


def _decisions(frame: Frame) -> tuple[ArticleLine, ...]:
    actions: defaultdict[str, defaultdict[str, int]] = defaultdict(lambda: defaultdict(int))
    reasons: defaultdict[str, list[Decision]] = defaultdict(list)
    listed: defaultdict[str, list[Decision]] = defaultdict(list)
    always = (Action.ROUND_DISCARDED, *_BEGINNING, *_WITH_VALUES)
    decisions = Decision.objects.filter(tournament=frame.tournament).exclude(
        ~Q(action__in=always), article="", reason=""
    )
    begun = False
    with_reason: set[int] = set()
    for decision in decisions.order_by("sequence"):
        begun = begun or decision.action in _BEGINNING
        has_values = begun and decision.action in _WITH_VALUES
        if not (
            decision.article
            or decision.reason
            or has_values
            or decision.action == Action.ROUND_DISCARDED
        ):
            continue
        actions[decision.article][decision.action] += 1
        undoes_a_reason = (
            decision.action == Action.ACTION_UNDONE and decision.after["undone"] in with_reason
        )
        if decision.reason:
            with_reason.add(decision.sequence)
        if (
            decision.reason
            or undoes_a_reason
            or (decision.action in _DISCARDING and "viewed_by" in decision.after)
        ):
            reasons[decision.article].append(decision)
            listed[decision.article].append(decision)
        elif has_values or decision.action == Action.CHIEF_HANDED_OVER:
            listed[decision.article].append(decision)
    return tuple(
        ArticleLine(
            article,
            tuple(sorted(actions[article].items())),
            tuple(reasons[article]),
            tuple(listed[article]),
        )
        for article in sorted(actions)
    )


_TAKING_BACK = (Action.ENTRY_RETURNED, Action.ABSENCE_LIFTED, Action.ACTION_UNDONE)
_WITHDRAWING = (Action.ENTRY_WITHDRAWN, WITHDRAWN)


def _withdrawals(
    tournament: Tournament, entries: Iterable[Entry], rows: Iterable[Decision]
) -> Iterator[WithdrawalLine]:
    """Yield the players withdrawn now.

    An absence without notice has another article than a withdrawal.
    """
    articles = {}
    for row in rows:
        if isinstance(payload := row.payload, EntryWithdrawn | EntryExpelled | AbsenceWithdrawn):
            articles[payload.after["entry"], payload.after["value"]] = row.article
    usual = handling(tournament).cited("C.04.2 3.2")
    for entry in entries:
        if (first := entry.withdrawn_from) is not None:
            yield WithdrawalLine(
                entry.pk,
                entry.tpn,
                entry.real_name,
                entry.fide_id,
                first,
                articles.get((entry.pk, first), usual),
            )


def _returns(entries: Iterable[Entry], rows: Iterable[Decision]) -> Iterator[ReturnLine]:
    """Yield the cancelled withdrawals in order; the entries themselves no longer show them."""
    known = {entry.pk: entry for entry in entries}
    by_the_rules: dict[tuple[int, int | None], int] = {}
    for row in rows:
        if isinstance(payload := row.payload, AbsenceWithdrawn):
            by_the_rules[payload.after["entry"], row.round_number] = payload.after["value"]
            continue
        pk, first = _taken_back(row, by_the_rules)
        if first is not None and pk in known:
            entry = known[pk]
            yield ReturnLine(entry.pk, entry.tpn, entry.real_name, entry.fide_id, first, row)


def _taken_back(
    row: Decision, by_the_rules: Mapping[tuple[int, int | None], int]
) -> tuple[int, int | None]:
    """Return the player of the withdrawal that *row* cancels, and its first round;
    None if it cancels none.

    *by_the_rules*: the automatic withdrawals by player and round, with their first round; an
    explanation cancels them.
    """
    match row.payload:
        case AbsenceExplained(after=explained):
            return explained["entry"], by_the_rules.get((explained["entry"], row.round_number))
        case EntryReturned(before=gone, after=back) | AbsenceLifted(before=gone, after=back):
            return gone["entry"], gone["value"] if back["value"] is None else None
        case ActionUndone() as payload if isinstance(undone := undone_by(payload), EntryWithdrawn):
            gone, back = undone.after, undone.before
            return gone["entry"], gone["value"] if back["value"] is None else None
        case _:
            return 0, None


def forfeits_of(frame: Frame) -> tuple[ForfeitLine, ...]:
    """Return the games decided by forfeit, by round and board. One query."""
    boards: defaultdict[tuple[int, int], dict[str, Named]] = defaultdict(dict)
    scores: dict[tuple[int, int], Score] = {}
    forfeited = Q(game__result__in=FORFEITS) | Q(game__second__result__in=FORFEITS)
    seats = Seat.objects.filter(forfeited, round__tournament=frame.tournament).order_by(
        "round__number", "game__board"
    )
    columns = (
        "round__number",
        "game__board",
        "colour",
        "entry__name",
        "entry__full_name",
        "entry_id",
    )
    for number, board, colour, name, whole, pk, fide_id, first, second in seats.values_list(
        *columns, "entry__fide_id", *AT_BOARD
    ):
        boards[number, board or 0][colour] = Named(whole or name, pk, fide_id)
        scores[number, board or 0] = Score(first or "", second)
    return tuple(
        ForfeitLine(*where, number if score.second is not None else None, white, black, result)
        for where, score in scores.items()
        for number, (white, black), result in zip(
            (1, 2), _both_ways(boards[where]), score.games, strict=False
        )
        if result in FORFEITS
    )


def _both_ways(players: Mapping[str, Named]) -> tuple[tuple[Named, Named], tuple[Named, Named]]:
    """Return (White, Black) of the first game of a board, and of a second one."""
    return (players["w"], players["b"]), (players["b"], players["w"])
