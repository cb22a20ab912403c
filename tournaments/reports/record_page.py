"""The record in pages."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet, Subquery

from pairing.rules.rounds import RoundState
from tournaments.core.frame import Frame
from tournaments.models import Action, Decision
from tournaments.reports.protests import ACTIONS as PROTESTS

PER_PAGE = 100
ONLY_FOR_ARBITERS: Final = (
    Action.CHECK_IN_ANSWERED,
    Action.DESK_DATA_CHANGED,
    Action.FEE_SET,
    Action.SELF_CHECK_IN_OPENED,
    Action.SELF_CHECK_IN_CLOSED,
    Action.REGISTRATION_REFUSED,
    Action.DATA_DELETED,
)
"""Actions about missing players, data of the check-in desk,
refused registrations and deleted personal data.

No visitor ever sees them.
"""

WITH_RESULTS: Final = (
    Action.RESULT_RECORDED,
    Action.RESULT_UNDONE,
    Action.RESULT_READ,
    Action.READING_DECIDED,
    Action.RESULT_CONFIRMED,
)
"""Actions that a visitor sees when the results of their round are published."""

ANNOUNCEMENTS: Final = (
    Action.ROUND_SCHEDULED,
    Action.BOARDS_ANNOUNCED,
    Action.ANNOUNCEMENT_WITHDRAWN,
)
"""Actions on a round to come that a visitor sees at once."""


@dataclass(frozen=True, slots=True)
class RecordPage:
    """A page of the record, newest first; ``newest`` is the last action the reader may see."""

    page: Page[Decision]
    newest: Decision | None


def decision_rows(frame: Frame) -> QuerySet[Decision]:
    """Return the record in order, with the lines that the reader of *frame* may see.

    A visitor sees the actions of a round once its pairings are published, the actions on its
    results once these are, and announcements at once, but no protests and nothing of
    :data:`ONLY_FOR_ARBITERS`. Hidden lines leave a gap in the numbers. An action without effect for
    visitors (a check-in) appears together with the next action that has one; until then the
    visitor's record does not change.
    """
    rows = Decision.objects.filter(tournament=frame.tournament).order_by("sequence")
    if frame.runs:
        return rows
    public = [tab.number for tab in frame.rounds if tab.is_public]
    over = [tab.number for tab in frame.rounds if tab.state == RoundState.RESULTS_PUBLISHED]
    newest = Decision.objects.filter(
        tournament=frame.tournament, hash=frame.tournament.public_fingerprint
    )
    rows = rows.filter(sequence__lte=Subquery(newest.values("sequence")[:1]))
    rows = rows.exclude(action__in=(*PROTESTS, *ONLY_FOR_ARBITERS)).exclude(
        _undoes(ONLY_FOR_ARBITERS)
    )
    announced = Q(action__in=ANNOUNCEMENTS) | _undoes(ANNOUNCEMENTS)
    rows = rows.filter(Q(round_number__isnull=True) | Q(round_number__in=public) | announced)
    return rows.exclude(Q(action__in=WITH_RESULTS) & ~Q(round_number__in=over))


def _undoes(actions: Collection[Action]) -> Q:
    """Return the condition for the undo of one of *actions*."""
    return Q(action=Action.ACTION_UNDONE, after__action__in=[action.value for action in actions])


def fingerprint_rows(frame: Frame) -> QuerySet[Decision]:
    """Return the lines whose fingerprints the reader of *frame* was ever shown, in order.

    For a visitor these are the lines of the record and the fingerprints of all public actions,
    whatever the state of their round: the list has no content.
    """
    if frame.runs:
        return decision_rows(frame)
    rows = Decision.objects.filter(tournament=frame.tournament)
    return (decision_rows(frame) | rows.filter(is_public=True)).order_by("sequence")


def newest_row(frame: Frame) -> Decision | None:
    """Return the last action that the reader may see, for the foot of printed lists.

    One query.
    """
    return decision_rows(frame).last()


def record_page(frame: Frame, number: str | int, *, line: str = "") -> RecordPage:
    """Return page *number* of the record, or the one with the line number *line*.

    Three queries, four with *line*.
    """
    decisions = decision_rows(frame).reverse()
    if line:
        number = max(decisions.filter(sequence__gte=int(line)).count() - 1, 0) // PER_PAGE + 1
    return RecordPage(
        page=Paginator(decisions, PER_PAGE).get_page(number), newest=decisions.first()
    )
