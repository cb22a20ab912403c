"""The calendar file of the rounds: when play begins."""

from __future__ import annotations

from django.utils.translation import gettext

from tournaments.core.frame import Frame
from tournaments.models import Round
from tournaments.reports.icalendar import Appointment, calendar
from tournaments.reports.record_page import decision_rows


def round_calendar(frame: Frame) -> str:
    """Return the starts of the rounds of the tournament that are known. Two queries.

    The number of the public version is the sequence of every appointment, because it grows with
    each change.
    """
    tournament = frame.tournament
    newest = decision_rows(frame).last()
    rounds = Round.objects.filter(tournament=tournament, starts_at__isnull=False).order_by("number")
    words = gettext("%(tournament)s, round %(round)d")
    return calendar(
        tournament.name,
        (
            Appointment(
                uid=f"{tournament.identity}-round-{row.number}@swiss-arbiter",
                sequence=tournament.public_version,
                changed_at=newest.at,
                starts_at=row.starts_at,
                summary=words % {"tournament": tournament.name, "round": row.number},
                location=tournament.city,
            )
            for row in rounds
            if newest is not None and row.starts_at is not None
        ),
    )
