"""Queries for the API only: whole lists in a stable order,
limited to the data that the reader may see.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, F, IntegerField, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from pairing.rules.rounds import PUBLIC_STATES, RoundState
from tournaments.core.frame import Frame, RoundTab
from tournaments.core.permissions import Visitor
from tournaments.models import Appointment, Entry, Round, Tournament


@dataclass(frozen=True, slots=True)
class RoundLine:
    """A declared round with its schedule and its times;
    ``tab`` is its state as the reader may know it.

    The times of publication are unknown for a round from a file.
    """

    tab: RoundTab
    starts_at: datetime | None
    results_due_at: datetime | None
    published_at: datetime | None
    results_published_at: datetime | None


def tournament_rows() -> QuerySet[Tournament]:
    """Return every tournament, the newest first, with ``players``,
    ``pairings_published`` and ``results_published``.

    The last two are the newest round with public pairings and with public results; 0 before the
    first.
    """
    players = (
        Entry.objects.filter(tournament=OuterRef("pk"))
        .order_by()
        .values("tournament")
        .annotate(n=Count("pk"))
    )
    published = Q(rounds__state__in=PUBLIC_STATES)
    return Tournament.objects.annotate(
        players=Coalesce(Subquery(players.values("n"), output_field=IntegerField()), 0),
        pairings_published=Coalesce(Max("rounds__number", filter=published), 0),
        results_published=Coalesce(
            Max("rounds__number", filter=Q(rounds__state=RoundState.RESULTS_PUBLISHED)), 0
        ),
    ).order_by(F("start_date").desc(nulls_last=True), "-pk")


def listed_rows(reader: Visitor) -> QuerySet[Tournament]:
    """Return of :func:`tournament_rows` those in the public list,
    and those in which *reader* has a role.
    """
    shown = Q(listed=True)
    if reader.is_authenticated:
        own = Appointment.objects.filter(person=reader.pk, until=None, accepted=True)
        shown |= Q(pk__in=own.values("tournament"))
    return tournament_rows().filter(shown)


def entry_rows(tournament: Tournament) -> QuerySet[Entry]:
    """Return the participants by TPN; those without a number last, by rating and name."""
    return Entry.objects.filter(tournament=tournament).order_by(
        F("tpn").asc(nulls_last=True), "-rating", "name", "pk"
    )


def round_lines(frame: Frame) -> tuple[RoundLine, ...]:
    """Return the declared rounds in order. One query."""
    rows = {row.number: row for row in Round.objects.filter(tournament=frame.tournament)}
    return tuple(
        RoundLine(
            tab=tab,
            starts_at=rows[tab.number].starts_at,
            results_due_at=rows[tab.number].results_due_at,
            published_at=None if rows[tab.number].is_imported else rows[tab.number].published_at,
            results_published_at=(
                None
                if rows[tab.number].has_imported_results
                else rows[tab.number].results_published_at
            ),
        )
        for tab in frame.rounds
    )
