"""The record, page by page."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet, Subquery

from tournaments.core.frame import Frame
from tournaments.models import Action, Decision, RoundState

PER_PAGE = 100


@dataclass(frozen=True, slots=True)
class RecordPage:
    """A page of the record, the newest action first; ``newest`` is the last action the reader may see."""

    page: Page[Decision]
    newest: Decision | None


def decision_rows(frame: Frame) -> QuerySet[Decision]:
    """The record in its own order, as far as the reader of *frame* may see it.

    A visitor sees the actions of a round once its pairings are published, and those on its results once these
    are; the numbers of rows left out are missing, so that the gap shows. What happened since the newest action that
    changed anything for visitors (a check-in) comes with the next such action: until then the record stays as it is.
    """
    rows = Decision.objects.filter(tournament=frame.tournament).order_by("sequence")
    if frame.runs:
        return rows
    public = [tab.number for tab in frame.rounds if tab.is_public]
    over = [tab.number for tab in frame.rounds if tab.state == RoundState.RESULTS_PUBLISHED]
    newest = Decision.objects.filter(tournament=frame.tournament, hash=frame.tournament.public_fingerprint)
    rows = rows.filter(sequence__lte=Subquery(newest.values("sequence")[:1]))
    rows = rows.filter(Q(round_number__isnull=True) | Q(round_number__in=public))
    return rows.exclude(Q(action__in=(Action.RESULT_RECORDED, Action.RESULT_UNDONE)) & ~Q(round_number__in=over))


def newest_row(frame: Frame) -> Decision | None:
    """The last act the reader of *frame* may see: its time and fingerprint stand on a printed list. One query."""
    return decision_rows(frame).last()


def record_page(frame: Frame, number: str | int) -> RecordPage:
    """Page *number* of the record. Three queries."""
    decisions = decision_rows(frame).reverse()
    return RecordPage(page=Paginator(decisions, PER_PAGE).get_page(number), newest=decisions.first())
