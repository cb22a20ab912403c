"""Announce when the rounds start and when their results are published [C.04.2/2026 4.2]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from pairing.rules import regulations
from pairing.rules.reasons import is_reason
from pairing.rules.rounds import RoundFacts, RoundState
from tournaments.core import permissions
from tournaments.core.actions import open_action, require, require_compared
from tournaments.core.errors import BadInput
from tournaments.models import Round, Tournament
from tournaments.models.payload_round_data import Schedule
from tournaments.models.payloads import RoundScheduled


def schedule_announce(
    *, tournament: Tournament, actor: User, now: datetime, starts: Sequence[datetime]
) -> None:
    """Announce the round starts of a new *tournament*; nothing without *starts*."""
    rounds = (
        Round.objects.filter(tournament=tournament).order_by("number").values_list("pk", flat=True)
    )
    with transaction.atomic():
        for round_id, at in zip(rounds, starts, strict=False):
            round_schedule(
                round_id=round_id, actor=actor, now=now, starts_at=at, results_due_at=None
            )


def round_schedule(
    *,
    round_id: int,
    actor: User,
    now: datetime,
    starts_at: datetime | None,
    results_due_at: datetime | None,
    reason: str = "",
) -> Round:
    """Announce the start of a round and the publication of its results [C.04.2/2026 4.2].

    Once the pairings of the round are published, only the Chief Arbiter changes them, with a
    *reason*; the report still shows what was announced. Refused by
    :func:`~pairing.rules.regulations.may_reschedule`. Without a change no line is written.
    """
    with open_action(actor=actor, now=now, rounds=round_id) as action:
        round_ = Round.objects.get(pk=round_id)
        before = _schedule(round_)
        round_.starts_at = starts_at
        round_.results_due_at = results_due_at
        if (after := _schedule(round_)) == before:
            return round_
        facts = RoundFacts(round_.number, RoundState(round_.state))
        require(
            regulations.may_reschedule(
                facts, decides=permissions.may_decide(actor, action.tournament)
            )
        )
        if facts.state.is_public and not is_reason(reason):
            raise BadInput("schedule.reason_missing", field="reason", round=round_.number)
        round_.save(update_fields=["starts_at", "results_due_at"])
        action.record(
            RoundScheduled(before=before, after=after),
            article="C.04.2 4.2",
            round_number=round_.number,
            reason=reason.strip() if facts.state.is_public else "",
        )
    return round_


def schedule_change(
    *,
    tournament_id: int,
    actor: User,
    now: datetime,
    times: Mapping[int, Mapping[str, datetime | None]],
    compared: int,
    reason: str = "",
) -> None:
    """Announce the *times* of several rounds, by the id of the round; each is a line of the record.

    *reason* as in :func:`round_schedule`. ``DataMoved`` if the tournament no longer has *compared*.
    """
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        require_compared(compared, action.tournament)
        for round_id, announced in times.items():
            round_schedule(
                round_id=round_id,
                actor=actor,
                now=now,
                starts_at=announced["starts_at"],
                results_due_at=announced["results_due_at"],
                reason=reason,
            )


def _schedule(round_: Round) -> Schedule:
    """Return the announced times of *round_* for the record."""
    starts_at, due = round_.starts_at, round_.results_due_at
    return {
        "starts_at": starts_at.isoformat() if starts_at else None,
        "results_due_at": due.isoformat() if due else None,
    }
