"""The record of decisions, as far as the reader may see it."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import Q

from tournaments.models import Decision, RoundState, Tournament

from .frame import Frame

PER_PAGE = 100


@dataclass(frozen=True, slots=True)
class RecordPage:
    """A page of the record, the newest act first; ``newest`` is the end of the chain."""

    page: Page[Decision]
    newest: Decision | None


def record_page(frame: Frame, number: str | int) -> RecordPage:
    """Page *number* of the record. Three queries.

    A visitor does not see the acts of a round before its pairings are published; their numbers are left
    out of the list, so that the gap shows.
    """
    decisions = Decision.objects.filter(tournament=frame.tournament)
    newest = decisions.order_by("-sequence").first()
    if not frame.runs:
        hidden = [tab.number for tab in frame.rounds if tab.state == RoundState.PLANNED]
        decisions = decisions.filter(Q(round_number__isnull=True) | ~Q(round_number__in=hidden))
    return RecordPage(
        page=Paginator(decisions.order_by("-sequence"), PER_PAGE).get_page(number),
        newest=newest,
    )


def publication_of(tournament: Tournament, number: int, *, act: str = "round.published") -> Decision | None:
    """The decision that made round *number* public: its time and fingerprint stand on the printed list. One query."""
    return Decision.objects.filter(tournament=tournament, act=act, round_number=number).order_by("-sequence").first()
