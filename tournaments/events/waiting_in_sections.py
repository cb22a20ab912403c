"""The rows that wait in all sections of an event: enter a player in the right section."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import QuerySet

from tournaments.core.actions import locked
from tournaments.core.errors import BadInput, Conflict
from tournaments.entries.cells import read_row
from tournaments.entries.waiting_rows import require_shown, tidy, waiting_enter
from tournaments.events.event_page import sections_of
from tournaments.events.placing import section_of_row
from tournaments.models import Entry, Event, WaitingEntry


def rows_of_event(event: Event) -> QuerySet[WaitingEntry]:
    """Return the rows that wait in all sections, the oldest first, with their tournaments.

    One query.
    """
    rows = WaitingEntry.objects.filter(tournament__section__event=event)
    return rows.select_related("tournament").order_by("pk")


def event_row_enter(
    *,
    waiting_id: int,
    event: Event,
    to_id: int | None,
    actor: User,
    now: datetime,
    values: Mapping[str, str],
    seen: Mapping[str, str],
    confirmed: bool = False,
) -> Entry:
    """Enter the player of a row in the section *to_id*; None:
    in the first one that fits rating and year of birth.

    The row goes to that section first and waits there if the texts *values* still have problems.
    *seen*, *confirmed* and the errors are as in
    :func:`~tournaments.entries.waiting_rows.waiting_enter`; also ``BadInput`` if no section fits,
    and for a tournament of another event.
    """
    waiting = rows_of_event(event).filter(pk=waiting_id).first()
    if waiting is None:
        raise Conflict("waiting.gone", params={"name": values.get("name", "")})
    sections = sections_of(event)
    if to_id is None:
        row, problems = read_row(values, accepted=confirmed)
        if row is None:
            first, *more = problems
            first.more = tuple(more)
            raise first
        to_id = section_of_row(row, sections).tournament_id
    elif to_id not in {section.tournament_id for section in sections}:
        raise BadInput("section.unknown", field="to")
    if to_id != waiting.tournament_id:
        with locked(waiting.tournament_id, to_id, actor=actor, now=now):
            there = WaitingEntry.objects.filter(
                pk=waiting_id, tournament=waiting.tournament_id
            ).first()
            if there is not None:
                require_shown(there, seen, tidy(values))
                there.tournament_id = to_id
                there.save(update_fields=["tournament"])
    return waiting_enter(
        waiting_id=waiting_id,
        tournament_id=to_id,
        actor=actor,
        now=now,
        values=values,
        seen=seen,
        confirmed=confirmed,
    )
