"""The record of decisions, as far as the reader may see it."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet, Subquery

from tournaments.models import Decision, RoundState, Tournament

from .frame import Frame

PER_PAGE = 100


RESULT_RECORDED = "result.recorded"
"""The act whose row tells a result before its round's results are published, if only by its fingerprint."""
RESULT_UNDONE = "result.undone"
"""The act that takes it back, and tells as much."""


@dataclass(frozen=True, slots=True)
class RecordPage:
    """A page of the record, the newest act first; ``newest`` is the last act the reader may see."""

    page: Page[Decision]
    newest: Decision | None


def decision_rows(frame: Frame) -> QuerySet[Decision]:
    """The record in its own order, as far as the reader of *frame* may see it.

    A visitor sees the acts of a round once its pairings are published, and those on its results once these
    are; the numbers of rows left out are missing, so that the gap shows. What happened since the newest act that
    changed anything for visitors (a check-in) comes with the next such act: until then the record stays as it is.
    """
    rows = Decision.objects.filter(tournament=frame.tournament).order_by("sequence")
    if frame.runs:
        return rows
    public = [tab.number for tab in frame.rounds if tab.is_public]
    over = [tab.number for tab in frame.rounds if tab.state == RoundState.RESULTS_PUBLISHED]
    newest = Decision.objects.filter(tournament=frame.tournament, hash=frame.tournament.public_fingerprint)
    rows = rows.filter(sequence__lte=Subquery(newest.values("sequence")[:1]))
    rows = rows.filter(Q(round_number__isnull=True) | Q(round_number__in=public))
    return rows.exclude(Q(act__in=(RESULT_RECORDED, RESULT_UNDONE)) & ~Q(round_number__in=over))


def record_page(frame: Frame, number: str | int) -> RecordPage:
    """Page *number* of the record. Three queries."""
    decisions = decision_rows(frame).reverse()
    return RecordPage(page=Paginator(decisions, PER_PAGE).get_page(number), newest=decisions.first())


def publications_of(tournament: Tournament, number: int) -> list[Decision]:
    """The decisions that made the pairings of round *number* public and changed them since, in order. One query.

    The place of each in the list, from 1, is its version; time and fingerprint of the last stand on the printed list.
    """
    rows = Decision.objects.filter(tournament=tournament, round_number=number)
    return list(rows.filter(act__in=("round.published", "round.changed")).order_by("sequence"))


def publication_of(tournament: Tournament, number: int, *, act: str) -> Decision | None:
    """The newest decision *act* about round *number*: its time and fingerprint stand on the printed list. One query."""
    return Decision.objects.filter(tournament=tournament, act=act, round_number=number).order_by("-sequence").first()
