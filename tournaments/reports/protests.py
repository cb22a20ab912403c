"""Protests, the rulings on them, and appeals. They are kept in the record alone,
so nobody can change them later.

A protest is numbered from 1 in each tournament. The Chief Arbiter rules on it; the Appeals
Committee may decide on an appeal after that.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from django.contrib.auth.models import User

from pairing.rules.reasons import is_reason
from pairing.rules.rounds import PUBLIC_STATES
from tournaments.core.actions import OpenAction, open_action
from tournaments.core.errors import BadInput, Conflict
from tournaments.core.permissions import Power
from tournaments.models import Action, Decision, Tournament
from tournaments.models.payloads import (
    AnyPayload,
    AppealDecided,
    ProtestAppealed,
    ProtestDecided,
    ProtestLodged,
)

ACTIONS: Final = (
    Action.PROTEST_LODGED,
    Action.PROTEST_DECIDED,
    Action.PROTEST_APPEALED,
    Action.APPEAL_DECIDED,
)
STEPS: Final = ("ruling", "appeal", "decision")
"""The steps after a protest is lodged, in their order."""
MAX_NAME: Final = 200
MAX_TEXT: Final = 2_000
MAX_ARTICLE: Final = 40


@dataclass(frozen=True, slots=True)
class Protest:
    """A protest with the lines of the record about it; None: not yet.

    ``by`` is who protested, ``at`` when, as reported.
    """

    number: int
    by: str
    at: datetime
    subject: str
    lodged: Decision
    ruling: Decision | None = None
    appeal: Decision | None = None
    decision: Decision | None = None

    @property
    def appeal_at(self) -> datetime | None:
        """When the appeal was made, as reported."""
        payload = self.appeal.payload if self.appeal else None
        return (
            datetime.fromisoformat(payload.after["at"])
            if isinstance(payload, ProtestAppealed)
            else None
        )

    @property
    def next_step(self) -> str:
        """The next step that can be recorded: one of :data:`STEPS`;
        empty after the decision on the appeal.
        """
        done = (self.ruling, self.appeal, self.decision)
        return next((step for step, line in zip(STEPS, done, strict=True) if line is None), "")

    @property
    def newest(self) -> Decision:
        """The newest line about the protest."""
        return self.decision or self.appeal or self.ruling or self.lodged

    @property
    def is_open(self) -> bool:
        """Whether a ruling, or the decision on an appeal, is missing."""
        return self.next_step in ("ruling", "decision")


def protests_of(tournament: Tournament) -> list[Protest]:
    """Return the protests of *tournament*, in order. One query."""
    found: dict[int, Protest] = {}
    for row in Decision.objects.filter(tournament=tournament, action__in=ACTIONS).order_by(
        "sequence"
    ):
        match row.payload:
            case ProtestLodged(after=made):
                at = datetime.fromisoformat(made["at"])
                found[made["protest"]] = Protest(
                    made["protest"], made["by"], at, made["subject"], row
                )
            case ProtestDecided(after=about):
                found[about["protest"]] = replace(found[about["protest"]], ruling=row)
            case ProtestAppealed(after=about):
                found[about["protest"]] = replace(found[about["protest"]], appeal=row)
            case AppealDecided(after=about):
                found[about["protest"]] = replace(found[about["protest"]], decision=row)
    return list(found.values())


def protest_lodge(
    *,
    tournament_id: int,
    by: str,
    at: datetime,
    subject: str,
    seen: int,
    actor: User,
    now: datetime,
    round_number: int | None = None,
) -> Decision:
    """Record a protest made *by* somebody *at* a time that is not in the future.

    ``BadInput`` for an empty name or subject, a round whose pairings are not published, and a time
    in the future or before there was something to protest against: the pairings of that round, the
    first ones, or the tournament. The time may have no seconds. :class:`Conflict` unless there are
    *seen* protests so far, so that a form sent twice records one.
    """
    by, subject = _text(by, "by", MAX_NAME), _text(subject, "subject", MAX_TEXT)
    if at > now:
        raise BadInput("protest.in_the_future", field="at")
    with _open(tournament_id, actor, now) as action:
        there = protests_of(action.tournament)
        if len(there) != seen:
            raise Conflict("protest.moved_meanwhile")
        if (
            round_number is not None
            and not action.tournament.rounds.filter(
                number=round_number, state__in=PUBLIC_STATES
            ).exists()
        ):
            raise BadInput("protest.round", field="round_number", value=round_number)
        _require_after_publication(action.tournament, at, round_number)
        made = ProtestLodged(
            before={},
            after={"protest": len(there) + 1, "by": by, "at": at.isoformat(), "subject": subject},
        )
        return _record(action, made, round_number=round_number)


def _require_after_publication(
    tournament: Tournament, at: datetime, round_number: int | None
) -> None:
    """Refuse a time before the pairings of the round, or the first publication. One query.

    Rounds of an imported file were published elsewhere, at a time that nobody knows here.
    """
    published = list(tournament.rounds.filter(published_at__isnull=False).order_by("number"))
    if round_number is not None:
        published = [row for row in published if row.number == round_number]
    if not published:
        if at < tournament.created_at.replace(second=0, microsecond=0):
            raise BadInput("protest.before_tournament", field="at", at=tournament.created_at)
        return
    first = published[0]
    if first.is_imported:
        return
    assert first.published_at is not None  # by the query
    if at < first.published_at.replace(second=0, microsecond=0):
        if round_number is None:
            raise BadInput("protest.before_publication", field="at", at=first.published_at)
        raise BadInput(
            "protest.before_round", field="at", value=first.number, at=first.published_at
        )


def protest_decide(
    *, tournament_id: int, number: int, ruling: str, article: str, actor: User, now: datetime
) -> Decision:
    """Record the *ruling* on protest *number* under *article*. Only the Chief Arbiter can do this.

    :class:`Conflict` unless it is the next step of the protest; so for the steps below.
    """
    with _open(tournament_id, actor, now, Power.DECIDE) as action:
        protest = _at_step(action.tournament, number, "ruling")
        made = ProtestDecided(
            before={}, after={"protest": number, "ruling": _text(ruling, "ruling", MAX_TEXT)}
        )
        return _record(
            action, made, article=_article(article), round_number=protest.lodged.round_number
        )


def protest_appeal(
    *,
    tournament_id: int,
    number: int,
    by: str,
    at: datetime,
    reasons: str,
    actor: User,
    now: datetime,
) -> Decision:
    """Record the appeal against the ruling on protest *number*,
    made *at* a time after the ruling; one at most.

    *reasons* are those of the appeal.

    The time may have no seconds, so an appeal in the minute of the ruling is accepted. ``BadInput``
    for a time before it, or in the future.
    """
    if at > now:
        raise BadInput("protest.in_the_future", field="at")
    with _open(tournament_id, actor, now) as action:
        protest = _at_step(action.tournament, number, "appeal")
        assert protest.ruling is not None  # it is the step before
        if at < protest.ruling.at.replace(second=0, microsecond=0):
            raise BadInput("protest.appeal_before_ruling", field="at")
        made = ProtestAppealed(
            before={},
            after={
                "protest": number,
                "by": _text(by, "by", MAX_NAME),
                "at": at.isoformat(),
                "reasons": _text(reasons, "reasons", MAX_TEXT),
            },
        )
        return _record(action, made, round_number=protest.lodged.round_number)


def appeal_decide(
    *,
    tournament_id: int,
    number: int,
    decision: str,
    by: str,
    article: str,
    actor: User,
    now: datetime,
) -> Decision:
    """Record the *decision* on the appeal of protest *number*,
    taken *by* the Appeals Committee; once.

    Only the Chief Arbiter can do this.
    """
    with _open(tournament_id, actor, now, Power.DECIDE) as action:
        protest = _at_step(action.tournament, number, "decision")
        ruling, by = _text(decision, "decision", MAX_TEXT), _text(by, "by", MAX_NAME)
        made = AppealDecided(before={}, after={"protest": number, "ruling": ruling, "by": by})
        return _record(
            action, made, article=_article(article), round_number=protest.lodged.round_number
        )


def _open(
    tournament_id: int, actor: User, now: datetime, power: Power = Power.RUN
) -> AbstractContextManager[OpenAction]:
    return open_action(actor=actor, now=now, pk=tournament_id, powers=(power,), after_the_end=True)


def _record(
    action: OpenAction, payload: AnyPayload, *, article: str = "", round_number: int | None = None
) -> Decision:
    return action.record(payload, article=article, round_number=round_number, is_public=False)


def _at_step(tournament: Tournament, number: int, step: str) -> Protest:
    """Return protest *number*; ``Decision.DoesNotExist``, or :class:`Conflict` unless at *step*."""
    for protest in protests_of(tournament):
        if protest.number == number:
            require_step(protest, step)
            return protest
    raise Decision.DoesNotExist


def require_step(protest: Protest, step: str) -> None:
    """Raise :class:`Conflict` ``protest.moved`` unless *step* is the next one of *protest*."""
    if protest.next_step != step:
        raise Conflict("protest.moved", params={"number": protest.number}, lines=[protest.newest])


def _text(text: str, field: str, most: int) -> str:
    text = text.strip()
    if not is_reason(text) or len(text) > most or "\0" in text:
        raise BadInput("protest.text", field=field, most=most)
    return text


def _article(text: str) -> str:
    text = text.strip()
    if not text or len(text) > MAX_ARTICLE or not text.isprintable():
        raise BadInput("protest.article", field="article", most=MAX_ARTICLE)
    return text
