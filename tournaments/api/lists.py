"""The lists of :data:`tournaments.reports.lists.LISTS`, the check-in list and the registrations as
files, an address each, and the players and prizes over all sections of an event.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_view
from rest_framework.request import Request

from pairing.rules.powers import Power
from tournaments.core.frame import Frame
from tournaments.core.permissions import may, may_read, may_run
from tournaments.entries.check_in_list import check_in_list
from tournaments.events.event_page import own_tournaments, players_of, sections_of
from tournaments.events.registration.queue import queue
from tournaments.events.registration.visitor import UNDECIDED
from tournaments.models import Event, Registration, Tournament
from tournaments.reports.lists import LISTS, PLAYER, Listing, Row, hundredths, player_cells
from tournaments.standings.event_prizes import event_prize_list

from .csv import CSV, PRIZE, prize_rows
from .errors import unknown_event
from .events import EVENT
from .list_files import AS, FILES, HEADS, KNOWN, list_file
from .serializers import ErrorSerializer
from .views import MISSING, REFUSED, SLUG, Reading, TournamentReading

NOT_ALLOWED = OpenApiResponse(
    ErrorSerializer, description="The list is for arbiters, or for some of them only."
)


class ListCsv(TournamentReading):
    """Base of the files of a list."""

    known = KNOWN
    listing: Listing

    def unrecorded(self, tournament: Tournament) -> str:
        return self.listing.unrecorded(tournament) if self.listing.unrecorded else ""

    def read(self, frame: Frame, **where: Any) -> HttpResponse:
        of, tournament = self.listing, frame.tournament
        if of.power and not (frame.runs and may(self.request.user, tournament, of.power)):
            raise PermissionDenied
        return list_file(self.request, tournament, of.name, list(of.rows(frame)), of.columns)


def _view_of(listing: Listing) -> type[ListCsv]:
    about = {"listing": listing, "__doc__": f"{listing.name.capitalize()} for a spreadsheet."}
    made = type(f"{listing.name}-csv", (ListCsv,), about)
    schema = extend_schema(
        operation_id=f"{listing.name.replace('-', '_')}_csv",
        parameters=[SLUG, AS, HEADS],
        responses=CSV | ({(403, "application/json"): NOT_ALLOWED} if listing.power else {}),
    )
    return extend_schema_view(get=schema)(made)


def _check_in(frame: Frame) -> Iterator[Row]:
    for line in check_in_list(frame.tournament).lines:
        yield {
            **player_cells(line.entry),
            "title": line.entry.title,
            "federation": line.entry.federation,
            "presence": line.presence.value,
            "to_pay": hundredths(line.to_pay),
            "paid": hundredths(line.fee_paid),
            "phone": line.phone,
            "note": line.note,
        }


CHECK_IN = Listing(
    "check-in",
    gettext_lazy("Check-in list"),
    (*PLAYER, "title", "federation", "presence", "to_pay", "paid", "phone", "note"),
    _check_in,
    power=Power.CHECK_IN,
)
REGISTRATION = (
    "name", "title", "federation", "fide_id", "national_id", "fide_rating", "national_rating",
    "second_rating", "sex", "birth_date", "club", "email", "phone", "reason",
)  # fmt: skip


def _registrations(frame: Frame) -> Iterator[Row]:
    """Yield those that nobody has decided in the order of the queue, then the others. A withdrawn
    one has no personal data.
    """
    tournament = frame.tournament
    waiting = queue(tournament, now=timezone.now())
    for each in waiting:
        yield _registration(each.registration, each.waits)
    decided = Registration.objects.filter(tournament=tournament).exclude(state__in=UNDECIDED)
    for row in decided.order_by("pk"):
        yield _registration(row, 0)


def _registration(row: Registration, waits: int) -> Row:
    held = {**row.fields, "email": row.email, "phone": row.phone, "reason": row.reason}
    return {
        "number": row.pk,
        "state": row.state,
        "received_at": row.created_at,
        "confirmed_at": row.confirmed_at,
        "waiting_number": waits or None,
        **{name: held.get(name, "") for name in REGISTRATION},
        "byes": " ".join(map(str, row.byes)),
    }


def _registrations_now(tournament: Tournament) -> str:
    rows = Registration.objects.filter(tournament=tournament).order_by("pk")
    return str(list(rows.values_list("pk", "version")))


REGISTRATIONS = Listing(
    "registrations",
    gettext_lazy("Registrations"),
    ("number", "state", "received_at", "confirmed_at", "waiting_number", *REGISTRATION, "byes"),
    _registrations,
    power=Power.RUN,
    unrecorded=_registrations_now,
)
ALL = {**LISTS, CHECK_IN.name: CHECK_IN, REGISTRATIONS.name: REGISTRATIONS}
VIEWS = {f"{name}-csv": _view_of(listing) for name, listing in ALL.items()}
"""By the names of their addresses."""


@extend_schema_view(
    get=extend_schema(
        operation_id="event_entries_csv",
        parameters=[EVENT, AS, HEADS],
        responses=FILES
        | {
            (400, "application/json"): REFUSED,
            (403, "application/json"): NOT_ALLOWED,
            (404, "application/json"): MISSING,
        },
    )
)
class EventEntriesCsv(Reading):
    """The players of all sections by name, for arbiters of one of them; of players shown with
    initials, the whole names and FIDE IDs only in sections of their own.
    """

    known = KNOWN

    def get(self, request: Request, slug: str) -> HttpResponse:
        event = Event.objects.filter(slug=slug).first()
        if event is None:
            raise unknown_event(slug)
        sections = sections_of(event)
        if not any(may_read(request.user, each.tournament) for each in sections):
            raise PermissionDenied
        own = own_tournaments(sections, request.user)
        rows = [
            {
                "section": of.section.label,
                **player_cells(of.entry, is_public=of.entry.tournament_id not in own),
                **{name: getattr(of.entry, name) for name in OF_EVENT},
            }
            for of in players_of(sections)
        ]
        return list_file(request, event, "players", rows, ("section", *PLAYER, *OF_EVENT))


OF_EVENT = (
    "title", "women_title", "federation", "club", "rating", "fide_rating", "national_rating",
    "first_round", "withdrawn_from",
)  # fmt: skip


@extend_schema_view(
    get=extend_schema(
        operation_id="event_prizes_csv",
        parameters=[EVENT, AS, HEADS],
        responses=FILES | {(400, "application/json"): REFUSED, (404, "application/json"): MISSING},
    )
)
class EventPrizesCsv(Reading):
    """The prizes over all sections, with their winners once every section is over; arbiters of all
    sections get the provisional ones before.
    """

    known = KNOWN

    def get(self, request: Request, slug: str) -> HttpResponse:
        event = Event.objects.filter(slug=slug).first()
        if event is None:
            raise unknown_event(slug)
        sections = sections_of(event)
        runs = all(may_run(request.user, each.tournament) for each in sections)
        found = event_prize_list(event, sections, runs=runs)
        entries = found.entries

        def result(points: int, players: int) -> float:
            return round(float(found.result(points, players)), 4)

        rows = [
            {
                "section": found.sections[entries[row["id"]].tournament_id] if row["id"] else "",
                **row,
            }
            for row in prize_rows(found.prizes, result)
        ]
        return list_file(request, event, "prizes", rows, ("section", *PRIZE))
