"""Publish pairings and results at their announced time, if an arbiter
has set that and nothing is open [C.04.2 4.2].

A look compares the tables with the clock and keeps nothing: any number of processes may look as
often as they like. The first to take the lock publishes, and the others then find nothing to do.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max, Q

from pairing.rounds.announce import require_as_announced
from pairing.rounds.checklist import Checklist, checklist
from pairing.rounds.pair import is_stale
from pairing.rounds.plausible import questions
from pairing.rounds.publish import (
    announced_pairings,
    may_publish_results_now,
    results_publish,
    round_publish,
)
from pairing.rounds.second_reading import require_read
from pairing.rounds.steps import facts_of
from pairing.rules import rounds as policy
from pairing.rules.check_in import may_give_bye
from pairing.rules.rounds import RoundState
from pairing.rules.verdict import Refused, Verdict
from tournaments.core.errors import RuleRefused
from tournaments.core.permissions import may_run
from tournaments.models import Action, Decision, Round, Tournament

logger = logging.getLogger(__name__)

AGAIN_FOR: Final = timedelta(hours=1)
"""The program tries again for this long after the announced time;
from then on an arbiter publishes by hand.
"""
AT_REST: Final = timedelta(minutes=1)
"""It waits until nothing has changed in the round for this long:
an arbiter may be correcting a slip.
"""
EARLIEST: Final = timedelta(days=1)
"""The longest time before the start of play at which pairings can be published automatically."""


class Step(StrEnum):
    """Name what the server publishes: the next step of a round."""

    PAIRINGS = "pairings"
    RESULTS = "results"


@dataclass(frozen=True, slots=True)
class Automatic:
    """An automatic publication to come: its step, announced time, and who set it."""

    round_id: int
    number: int
    step: Step
    at: datetime
    by: User | None

    @property
    def until(self) -> datetime:
        """The end of the attempts."""
        return self.at + AGAIN_FOR

    def is_due(self, now: datetime) -> bool:
        """Return whether it is tried at *now*."""
        return self.at <= now < self.until


@dataclass(frozen=True, slots=True)
class Outlook:
    """An automatic publication as the page of the round shows it.

    ``stops`` are the reasons why it was not possible, once the time has come; that it waits after a
    restore is one at once. If it ``is_due`` without one, it waits until the round rests.
    ``is_over``: it is not tried any more.
    """

    step: Step
    at: datetime
    until: datetime
    by: str
    is_due: bool
    is_over: bool
    stops: tuple[Refused, ...]


def to_come(tournament: Tournament, round_: Round) -> Automatic | None:
    """Return the automatic publication that is next for *round_*; None without one."""
    if tournament.final_at is not None or tournament.handed_over_at is not None:
        return None
    at, step = None, Step.PAIRINGS
    match RoundState(round_.state):
        case RoundState.PLANNED | RoundState.DRAFT if tournament.automatic_pairings is not None:
            at = announced_pairings(tournament, round_)
        case RoundState.PAIRINGS_PUBLISHED if tournament.automatic_results:
            at, step = round_.results_due_at, Step.RESULTS
        case _:
            pass
    return (
        Automatic(round_.pk, round_.number, step, at, tournament.automatic_by)
        if at is not None
        else None
    )


def outlook(tournament: Tournament, round_: Round, now: datetime) -> Outlook | None:
    """Return what the page of *round_* says about its automatic publication.

    No query unless one was announced.
    """
    found = to_come(tournament, round_)
    if found is None:
        return None
    stops = tuple(_stops(tournament, round_, found, now) if found.at <= now else _waits(found))
    return Outlook(
        step=found.step,
        at=found.at,
        until=found.until,
        by=_name(found.by),
        is_due=found.is_due(now),
        is_over=found.until <= now,
        stops=stops,
    )


def is_overdue(tournament: Tournament, number: int, now: datetime) -> bool:
    """Return whether the time of an automatic publication of round *number* has come.

    At most one query.
    """
    if tournament.automatic_pairings is None and not tournament.automatic_results:
        return False
    row = Round.objects.filter(tournament=tournament, number=number).first()
    found = to_come(tournament, row) if row is not None else None
    return found is not None and found.at <= now


def publish_due(now: datetime) -> list[Automatic]:
    """Publish everything whose announced time has come, and return it.

    It leaves alone rounds open by their checklist, published by hand, or changed within
    :data:`AT_REST`. One query if nothing is due.
    """
    done = []
    for row in _due(now):
        found = to_come(row.tournament, row)
        if found is None or not found.is_due(now):
            continue
        try:
            if _is_possible(row.tournament, row, found, now) and _publish(found, now):
                done.append(found)
        except Exception:  # a fault in one tournament must not stop the others
            logger.exception(
                "round %s of tournament %s is not published", found.number, row.tournament_id
            )
    return done


def _due(now: datetime) -> list[Round]:
    """Return the rounds that may have to be published. One query."""
    pairings = Q(
        state=RoundState.DRAFT,
        tournament__automatic_pairings__isnull=False,
        starts_at__range=(now - AGAIN_FOR, now + EARLIEST),
    )
    results = Q(
        state=RoundState.PAIRINGS_PUBLISHED,
        tournament__automatic_results=True,
        results_due_at__range=(now - AGAIN_FOR, now),
    )
    found = Round.objects.filter(
        pairings | results, tournament__final_at=None, tournament__handed_over_at=None
    )
    return list(
        found.select_related("tournament__automatic_by").order_by("tournament_id", "number")
    )


def _publish(found: Automatic, now: datetime) -> bool:
    """Publish *found*; return False if the tournament has changed so that it must not be."""
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update(of=("self",)).get(rounds=found.round_id)
        round_ = Round.objects.get(pk=found.round_id)
        if to_come(tournament, round_) != found or not _is_possible(tournament, round_, found, now):
            return False
        assert found.by is not None  # otherwise it is not possible
        match found.step:
            case Step.PAIRINGS:
                round_publish(round_id=round_.pk, actor=found.by, now=now, automatically=True)
            case Step.RESULTS:
                results_publish(round_id=round_.pk, actor=found.by, now=now, automatically=True)
    return True


def _is_possible(tournament: Tournament, round_: Round, found: Automatic, now: datetime) -> bool:
    return (
        _rests_at(tournament, round_) <= now
        and next(_stops(tournament, round_, found, now), None) is None
    )


def _rests_at(tournament: Tournament, round_: Round) -> datetime:
    """Return when nothing has changed in *round_*, nor in the settings, for :data:`AT_REST`.

    One query.
    """
    about = Q(round_number=round_.number) | Q(action=Action.TOURNAMENT_UPDATED)
    newest: datetime | None = Decision.objects.filter(about, tournament=tournament).aggregate(
        at=Max("at")
    )["at"]
    return (newest or tournament.created_at) + AT_REST


def _stops(
    tournament: Tournament, round_: Round, found: Automatic, now: datetime
) -> Iterator[Refused]:
    """Yield what keeps *found* from being published at *now*, the quickest to find first."""
    yield from _waits(found)
    if found.by is not None and not may_run(found.by, tournament):
        yield Refused("automatic.nobody", "", {"name": _name(found.by)})
    match found.step:
        case Step.PAIRINGS:
            yield from _stops_of_pairings(tournament, round_, now)
        case Step.RESULTS:
            yield from _stops_of_results(tournament, round_)


def _waits(found: Automatic) -> Iterator[Refused]:
    """Yield that *found* was restored, and no arbiter has looked (``backups.restoring``)."""
    if found.by is None:
        yield Refused("automatic.restored", "")


def _stops_of_pairings(tournament: Tournament, round_: Round, now: datetime) -> Iterator[Refused]:
    facts = facts_of(round_)
    if facts.state is RoundState.PLANNED:
        yield from _refusal(policy.may_publish(facts, draft_is_stale=False))
        return
    seen = checklist(tournament, round_, now)
    stale = is_stale(round_, tournament)
    yield from _refusal(policy.may_publish(facts, draft_is_stale=stale, unconfirmed=seen.missing))
    try:
        require_as_announced(tournament, round_)
    except RuleRefused as error:
        yield error.refusal
    yield from _open_points(seen)


def _open_points(seen: Checklist) -> Iterator[Refused]:
    """Yield the points of the checklist on which an arbiter must decide first."""
    if seen.minutes_left:
        yield Refused("automatic.reports_open", "C.04.2 4.3", {"minutes": seen.minutes_left})
    if seen.not_arrived:
        yield Refused("entry.not_arrived", "C.04.2 2.4", {"names": seen.not_arrived})
    if seen.otherwise is None or seen.otherwise or seen.broken:
        yield Refused("automatic.by_hand", "C.04.2 1.5")
    yield from _refusal(may_give_bye(seen.bye_not_seen, confirmed=False))
    if seen.adjourned:
        yield Refused("automatic.adjourned", "C.04.2 3.1", {"games": seen.adjourned})


def _stops_of_results(tournament: Tournament, round_: Round) -> Iterator[Refused]:
    verdict, _, _ = may_publish_results_now(tournament, round_)
    yield from _refusal(verdict)
    try:
        require_read(tournament, round_)
    except RuleRefused as error:
        yield error.refusal
    if unanswered := questions(tournament, round_):
        boards = sorted({board for question in unanswered for board in question.boards})
        yield Refused("automatic.questions", "", {"boards": boards})


def _refusal(verdict: Verdict) -> Iterator[Refused]:
    if isinstance(verdict, Refused):
        yield verdict


def _name(person: User | None) -> str:
    return (person.get_full_name() or person.get_username()) if person is not None else "–"
