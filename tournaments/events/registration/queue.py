"""The queue of registrations with their doubts, accepted alone or together, or refused."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction

from pairing.rules.reasons import is_reason
from pairing.rules.verdict import Refused
from tournaments.core.actions import OpenAction, lock_if_live, open_action
from tournaments.core.errors import BadInput, Conflict
from tournaments.entries.byes import bye_request
from tournaments.entries.cells import FIELDS as CELLS, FIGURES, ImportRow, fields_of, read_row
from tournaments.entries.desk_data import desk_data_set
from tournaments.entries.entries import Newcomer, admit, described
from tournaments.entries.namesakes import Names, Players, may_be_one, named_with_facts
from tournaments.events.registration.opening import (
    may_still_enter,
    outside_limits,
    players,
    settings_of,
)
from tournaments.events.registration.visitor import (
    UNDECIDED,
    bye_problem,
    delete_expired,
    has_expired,
    rating_of,
    second_rating,
)
from tournaments.models import (
    ByeKind,
    Entry,
    PairingMail,
    Registration,
    RegistrationState,
    Section,
    Tournament,
)
from tournaments.models.payloads import EntriesImported, EntryAdded, RegistrationRefused

FIELDS: Final = (
    "name", "fide_rating", "national_rating", "second_rating", "title", "federation", "fide_id", "national_id",
    "sex", "birth_date", "club", "initials", *FIGURES, "rating_list",
)  # fmt: skip
"""What an arbiter can correct while accepting."""
MOST_REASON: Final = 500


@dataclass(frozen=True, slots=True)
class QueueRow:
    """A registration with its doubts (sentences by ``str()``).

    ``waits`` is its number on the waiting list, or 0.
    """

    registration: Registration
    doubts: tuple[BadInput, ...]
    waits: int

    @property
    def codes(self) -> frozenset[str]:
        """The codes of the doubts, with which a form says what its user saw."""
        return frozenset(doubt.code for doubt in self.doubts)


def new_registrations(tournament: Tournament) -> int:
    """Return how many confirmed registrations wait for an arbiter. One query."""
    return Registration.objects.filter(
        tournament=tournament, state=RegistrationState.CONFIRMED
    ).count()


def queue(tournament: Tournament, *, now: datetime) -> list[QueueRow]:
    """Return the registrations about which nobody has decided, the confirmed ones first,
    by time. Seven queries.

    A registration that is not confirmed in time is deleted; in a copy that was handed over it is
    only left out.
    """
    found = settings_of(tournament)
    rows = list(Registration.objects.filter(tournament=tournament, state__in=UNDECIDED))
    if any(has_expired(row, found, now=now) for row in rows):
        with transaction.atomic():
            if lock_if_live(pk=tournament.pk) is not None:
                delete_expired(tournament, found, now=now)
        rows = [row for row in rows if not has_expired(row, found, now=now)]
    late = isinstance(may_still_enter(tournament), Refused)
    ordered = sorted(
        rows,
        key=lambda row: (row.state != RegistrationState.CONFIRMED, row.confirmed_at or now, row.pk),
    )
    there, section = (
        Players.from_tournament(tournament),
        Section.objects.filter(tournament=tournament).first(),
    )
    free = None if found.most is None else max(found.most - players(tournament), 0)
    read = {row.pk: _read(row.fields) for row in ordered}
    by_name, by_id = _together(read.items())
    answer = []
    for place, row in enumerate(ordered, start=1):
        waits = place - free if free is not None and row.state == RegistrationState.CONFIRMED else 0
        waits = max(waits, 0)
        doubts = list(_doubts(row, read[row.pk], there, tournament, section))
        doubts += _doubles(row.pk, read[row.pk], by_name, by_id)
        if waits:
            doubts.append(BadInput("registration.waits", number=waits))
        if late:
            doubts.append(BadInput("registration.late"))
        answer.append(QueueRow(row, tuple(doubts), waits))
    return answer


def waiting_number(registration: Registration) -> int:
    """Return the number of a confirmed *registration* on the waiting list; 0 if it has a place.

    Three queries.
    """
    found = settings_of(registration.tournament)
    if found.most is None or registration.state != RegistrationState.CONFIRMED:
        return 0
    confirmed = Registration.objects.filter(
        tournament=registration.tournament, state=RegistrationState.CONFIRMED
    )
    order = list(confirmed.order_by("confirmed_at", "pk").values_list("pk", flat=True))
    return max(
        order.index(registration.pk) + 1 - max(found.most - players(registration.tournament), 0), 0
    )


def registration_accept(
    *,
    registration_id: int,
    tournament_id: int,
    actor: User,
    now: datetime,
    values: Mapping[str, str],
    with_byes: bool,
    seen_version: int,
    seen_doubts: Collection[str],
) -> Entry:
    """Enter the player of a registration with *values*, as corrected by the arbiter.

    The phone number and the e-mail become data of the check-in desk; *with_byes* grants the
    requested half-point byes. :class:`Conflict` if the registration was changed since
    *seen_version* or decided, or has doubts that are not among *seen_doubts*. ``BadInput`` for a
    text that cannot be entered. All or nothing.
    """
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        row = _locked_row(action, registration_id, seen_version)
        fresh = next(
            each for each in queue(action.tournament, now=now) if each.registration.pk == row.pk
        )
        if unseen := [str(doubt) for doubt in fresh.doubts if doubt.code not in seen_doubts]:
            raise Conflict("registration.new_doubts", params={"doubts": " ".join(unseen)})
        tidy = {
            name: text for name in FIELDS if (text := " ".join(values.get(name, "").split())[:200])
        }
        read, problems = read_row(tidy, accepted=True)
        if read is None:
            first, *more = problems
            first.more = tuple(more)
            raise first
        (entry,) = admit(action.tournament, [_newcomer(read, tidy, now=now)])
        action.record(
            EntryAdded(before={}, after=described(entry)),
            article="C.04.2 2.4" if entry.first_round > 1 else "",
            changes_pairing=True,
        )
        row.fields = tidy
        contact = _accepted(row, entry)
        _follow(row, entry, contact, actor=actor, now=now, with_byes=with_byes)
    return entry


def registrations_accept(
    *, tournament_id: int, actor: User, now: datetime, seen: Mapping[int, int]
) -> list[Entry]:
    """Enter the players of all confirmed registrations without a doubt,
    with one line of the record for the entries.

    *seen* has the version of each registration that the page showed; others are left alone, and so
    are those that have got a doubt or another version. Requested half-point byes are granted.
    """
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        rows = [
            each.registration
            for each in queue(action.tournament, now=now)
            if not each.doubts
            and each.registration.state == RegistrationState.CONFIRMED
            and seen.get(each.registration.pk) == each.registration.version
        ]
        if not rows:
            return []
        newcomers = [
            _newcomer(read, row.fields, now=now)
            for row in rows
            if (read := _read(row.fields)) is not None
        ]
        entries = admit(action.tournament, newcomers)
        action.record(
            EntriesImported(
                before={},
                after={"source": "registration", "entries": [described(each) for each in entries]},
            ),
            article="C.04.2 2.4" if any(each.first_round > 1 for each in entries) else "",
            changes_pairing=True,
        )
        contacts = [_accepted(row, entry) for row, entry in zip(rows, entries, strict=True)]
        for row, entry, contact in zip(rows, entries, contacts, strict=True):
            _follow(row, entry, contact, actor=actor, now=now, with_byes=True)
    return entries


def registration_refuse(
    *,
    registration_id: int,
    tournament_id: int,
    actor: User,
    now: datetime,
    reason: str,
    seen_version: int,
) -> Registration:
    """Refuse a registration with a *reason* for the visitor. The contact is deleted.

    ``BadInput`` without a reason; :class:`Conflict` as in :func:`registration_accept`. The line of
    the record is for arbiters only, and its values are private.
    """
    reason = " ".join(reason.split())
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        row = _locked_row(action, registration_id, seen_version)
        if not is_reason(reason) or len(reason) > MOST_REASON:
            raise BadInput("registration.no_reason", field="reason", most=MOST_REASON)
        row.state, row.reason = RegistrationState.REFUSED, reason
        row.email = row.phone = row.language = ""
        row.mails = False
        row.version += 1
        row.save()
        payload = RegistrationRefused(before={"registration": row.pk, "name": str(row)}, after={})
        action.record(payload, reason=reason, is_public=False)
    return row


def _locked_row(action: OpenAction, registration_id: int, seen_version: int) -> Registration:
    rows = Registration.objects.filter(tournament=action.tournament, state__in=UNDECIDED)
    row = rows.filter(pk=registration_id).first()
    if row is None or has_expired(row, settings_of(action.tournament), now=action.now):
        raise Conflict("registration.decided_meanwhile")
    if row.version != seen_version:
        raise Conflict("registration.corrected_meanwhile", params={"name": str(row)})
    return row


def _accepted(row: Registration, entry: Entry) -> tuple[str, str]:
    """Save that *row* is accepted as *entry*; return the phone and e-mail it no longer has."""
    contact = row.phone, row.email
    row.state, row.entry, row.phone, row.email = RegistrationState.ACCEPTED, entry, "", ""
    row.version += 1
    row.save()
    return contact


def _follow(
    row: Registration,
    entry: Entry,
    contact: tuple[str, str],
    *,
    actor: User,
    now: datetime,
    with_byes: bool,
) -> None:
    """Save the *contact* and the byes of an accepted registration for the new *entry*.

    The own board is sent only to an address whose owner has confirmed.
    """
    phone, email = contact
    if row.mails and email and row.confirmed_at is not None:
        PairingMail.objects.create(entry=entry, email=email, language=row.language)
    if with_byes:
        for number in row.byes:
            bye_request(
                entry_id=entry.pk,
                actor=actor,
                now=now,
                round_number=number,
                kind=ByeKind.HALF_POINT,
            )
    if phone or email:
        desk_data_set(
            entry_id=entry.pk,
            actor=actor,
            now=now,
            phone=phone,
            note=email,
            fee_due=None,
            fee_paid=0,
        )


def _newcomer(read: ImportRow, fields: Mapping[str, str], *, now: datetime) -> Newcomer:
    """Return the participant of a row with the texts *fields*."""
    return Newcomer.from_fields(fields_of(read) | {"second_rating": second_rating(fields)}, now=now)


def _read(fields: Mapping[str, str]) -> ImportRow | None:
    return read_row({name: text for name, text in fields.items() if name in CELLS}, accepted=True)[
        0
    ]


def _together(
    rows: Iterable[tuple[int, ImportRow | None]],
) -> tuple[Names[tuple[int, ImportRow]], dict[int, list[tuple[int, ImportRow]]]]:
    """Return the rows of the queue by name and by FIDE ID."""
    by_name: Names[tuple[int, ImportRow]] = Names()
    by_id: dict[int, list[tuple[int, ImportRow]]] = {}
    for pk, row in rows:
        if row is not None:
            by_name.add(row.name, (pk, row))
            if row.fide_id:
                by_id.setdefault(row.fide_id, []).append((pk, row))
    return by_name, by_id


def _doubts(
    row: Registration,
    read: ImportRow | None,
    there: Players,
    tournament: Tournament,
    section: Section | None,
) -> Iterable[BadInput]:
    if row.state == RegistrationState.RECEIVED:
        yield BadInput("registration.unconfirmed")
    if row.listed is False:
        yield BadInput("registration.not_listed")
    if problem := bye_problem(tournament, row.byes):  # The regulations may have changed since.
        yield problem
    if read is None:
        yield BadInput("registration.unreadable")
        return
    if taken := there.with_fide_id(read.fide_id):
        yield BadInput("entry.fide_id_taken", field="fide_id", fide_id=read.fide_id, name=taken)
    elif same := there.who_may_be(read):
        yield BadInput("registration.namesake", name=named_with_facts(same[0]))
    rating, born = rating_of(tournament, read, second_rating(row.fields), is_known=bool(row.listed))
    if outside := outside_limits(section, rating=rating, born=born):
        yield outside


def _doubles(
    pk: int,
    read: ImportRow | None,
    by_name: Names[tuple[int, ImportRow]],
    by_id: Mapping[int, Sequence[tuple[int, ImportRow]]],
) -> list[BadInput]:
    """Return the doubt that another registration is by the same person, if there is one."""
    if read is None:
        return []
    others = [other for other, _row in by_id.get(read.fide_id or 0, []) if other != pk]
    named = by_name.same(read.name) + by_name.turned(read.name)
    others += [other for other, row in named if other != pk and may_be_one(read, row)]
    return [BadInput("registration.double")] if others else []
