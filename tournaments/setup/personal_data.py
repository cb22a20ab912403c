"""Delete personal data after the event, or of one player, and say what is kept.

Names, results and everything else that a list on the wall shows stay. So does the record: of its
private values the hashes stay, and every fingerprint can still be computed
(:mod:`pairing.record.private`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.db.models import Q
from django.forms import model_to_dict

from pairing.record.player_fields import AFTER_DELETION
from pairing.record.private import has_personal_data
from pairing.rules.kept_records import private_records, public_records
from pairing.rules.names import fold
from pairing.rules.personal_data import due_at, may_delete_data
from pairing.rules.verdict import Verdict
from tournaments.core import page_store
from tournaments.core.actions import OpenAction, open_action, require, require_seen
from tournaments.core.errors import BadInput
from tournaments.core.permissions import Power
from tournaments.core.record import (
    delete_private_values,
    fingerprints_without_open_records,
    line_of,
)
from tournaments.models import (
    Action,
    Appointment,
    Correction,
    Decision,
    DeskData,
    Entry,
    PairingMail,
    RecheckRun,
    Registration,
    Role,
    Seat,
    StoredAnswer,
    Tournament,
    WaitingEntry,
)
from tournaments.models.payloads import DataDeleted

FORMAT: Final = "swiss-arbiter-personal-data/1"


@dataclass(frozen=True, slots=True)
class Found:
    """How many rows have personal data: dates of birth, names behind initials, and so on.

    ``kept_records`` are the records of an imported file in which not everything is known. ``lines``
    are the lines of the record with private values about players, and with private reasons.
    """

    birth_dates: int
    full_names: int
    national_ids: int
    check_ins: int
    desk: int
    mails: int
    registrations: int
    waiting: int
    kept_records: int
    reasons: int
    lines: int

    def __bool__(self) -> bool:
        return any(asdict(self).values())


def retention_days(tournament: Tournament) -> int | None:
    """Return after how many days data are deleted, by tournament or site; None: never."""
    days: int | None = tournament.keeps_data_days
    return days if days is not None else settings.KEEP_PERSONAL_DATA_DAYS


def deletion_due_at(tournament: Tournament) -> datetime | None:
    """Return when the data of *tournament* are due to be deleted; None: not by themselves.

    One query.
    """
    if tournament.final_at is None:
        return None
    sent = Decision.objects.filter(tournament=tournament, action=Action.REPORT_SENT).order_by(
        "-sequence"
    )
    last = sent.values_list("at", flat=True).first()
    return due_at(retention_days(tournament), max(tournament.final_at, last or tournament.final_at))


def may_delete_now(tournament: Tournament, now: datetime) -> Verdict:
    """Check whether personal data of *tournament* may be deleted at *now*. One query."""
    lines = (
        Decision.objects.filter(tournament=tournament)
        .exclude(action=Action.DATA_DELETED)
        .order_by("-sequence")
    )
    last = lines.values_list("at", flat=True).first() or tournament.created_at
    return may_delete_data(is_final=tournament.final_at is not None, last_action=last, now=now)


def found(tournament: Tournament, entry: Entry | None = None) -> Found:
    """Count the personal data of *tournament*, or of one *entry*.

    Ten queries, over the whole record.
    """
    entries = _entries(tournament, entry)
    lines = [row.action for row in _lines(tournament, entry)]
    # Nobody can tell about whom a record is that the program does not know: it may be about any
    # player of the file.
    may_name = entry is None or Action.TOURNAMENT_IMPORTED in lines
    return Found(
        birth_dates=entries.exclude(birth_date="").count(),
        full_names=entries.exclude(full_name="").count(),
        national_ids=entries.exclude(national_id="").count(),
        check_ins=entries.filter(Q(checked_in=True) | ~Q(answer="")).count(),
        desk=DeskData.objects.filter(entry__in=entries).count(),
        mails=PairingMail.objects.filter(entry__in=entries).count(),
        registrations=len(_registrations(tournament, entry)),
        waiting=len(_waiting(tournament, entry)),
        kept_records=len(private_records(tournament.trf_extras)) if may_name else 0,
        reasons=_corrections(tournament, entry).exclude(reason="").count(),
        lines=len(lines),
    )


def data_delete(
    *,
    tournament_id: int,
    actor: User,
    now: datetime,
    confirmed: bool,
    entry_id: int | None = None,
    seen_version: int | None = None,
) -> Found:
    """Delete the personal data of all players, or of one. Only the Chief Arbiter can do it,
    and nobody can undo it.

    Return what was there; without personal data nothing is written. ``BadInput`` unless
    *confirmed*; refused by :func:`may_delete_now`; ``Conflict`` if the tournament no longer has
    *seen_version*.
    """
    with open_action(
        actor=actor, now=now, pk=tournament_id, powers=(Power.DECIDE,), after_the_end=True
    ) as action:
        tournament = action.tournament
        entry = None if entry_id is None else Entry.objects.get(pk=entry_id, tournament=tournament)
        require(may_delete_now(tournament, now))
        require_seen(seen_version, tournament.version, "tournament.moved_meanwhile")
        if not confirmed:
            raise BadInput("data.not_confirmed", field="confirmed")
        return _delete(action, entry, days=None)


def due_tournaments(now: datetime) -> list[Tournament]:
    """Return the tournaments whose personal data are to be deleted at *now*, the oldest first."""
    final = Tournament.objects.filter(final_at__isnull=False, handed_over_at=None).order_by(
        "final_at", "pk"
    )
    return [
        each
        for each in final
        if (due := deletion_due_at(each)) is not None and due <= now and found(each)
    ]


def data_delete_due(*, tournament_id: int, now: datetime) -> Found | None:
    """Delete the personal data of a tournament by its setting;
    None if under the lock they are not due, or not here.

    The record names the server.
    """
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update(of=("self",)).get(pk=tournament_id)
        due, days = deletion_due_at(tournament), retention_days(tournament)
        if due is None or due > now or tournament.handed_over_at is not None:
            return None
        chief = Appointment.objects.select_related("person").get(
            tournament=tournament, role=Role.CHIEF, until=None
        )
        return _delete(
            OpenAction(tournament, chief.person, now, by_the_site=True, by_the_console=True),
            None,
            days=days,
        )


def _delete(action: OpenAction, entry: Entry | None, *, days: int | None) -> Found:
    tournament = action.tournament
    there = found(tournament, entry)
    if not there:
        return there
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(
                "PRAGMA secure_delete = ON"
            )  # overwrites what is deleted, in the file of the database
    lines = list(_lines(tournament, entry))
    # First the line: the database lets private values go only then.
    with_initials = _entries(tournament, entry).exclude(full_name="").exclude(fide_id=None)
    fide_ids = list(with_initials.order_by("pk").values_list("pk", flat=True))
    with_initials.update(
        fide_id=None
    )  # without the whole name nobody could tell that it has to stay hidden
    about = entry.pk if entry else None
    payload = DataDeleted(before={}, after={"entry": about, "fide_ids": fide_ids, "days": days})
    if there.kept_records:
        payload.after["records"] = there.kept_records
        tournament.trf_extras = list(public_records(tournament.trf_extras))
        Tournament.objects.filter(pk=tournament.pk).update(trf_extras=tournament.trf_extras)
    if fingerprints := fingerprints_without_open_records(lines):
        payload.after["fingerprints"] = fingerprints
    action.record(
        payload
    )  # public: the file for visitors has the years of birth, and stored pages are made again
    delete_private_values(lines)
    page_store.forget_tournament(tournament.pk)
    RecheckRun.objects.filter(tournament=tournament).delete()  # it has whole names
    # So have the answers of an import over REST.
    StoredAnswer.objects.filter(
        address__startswith=f"/api/v1/tournaments/{tournament.slug}/"
    ).delete()
    entries = _entries(tournament, entry)
    Registration.objects.filter(
        pk__in=[row.pk for row in _registrations(tournament, entry)]
    ).delete()
    WaitingEntry.objects.filter(pk__in=[row.pk for row in _waiting(tournament, entry)]).delete()
    _corrections(tournament, entry).update(reason="")
    DeskData.objects.filter(entry__in=entries).delete()
    PairingMail.objects.filter(entry__in=entries).delete()
    entries.update(**AFTER_DELETION)
    if entry is None:
        _end_sessions(tournament, action.now)
    return there


def _entries(tournament: Tournament, entry: Entry | None) -> Any:
    rows = Entry.objects.filter(tournament=tournament)
    return rows if entry is None else rows.filter(pk=entry.pk)


def _registrations(tournament: Tournament, entry: Entry | None) -> list[Registration]:
    rows = Registration.objects.filter(tournament=tournament)
    return [
        row
        for row in rows
        if entry is None
        or row.entry_id == entry.pk
        or (row.entry_id is None and _is_named(row.fields, entry))
    ]


def _waiting(tournament: Tournament, entry: Entry | None) -> list[WaitingEntry]:
    rows = WaitingEntry.objects.filter(tournament=tournament)
    return [row for row in rows if entry is None or _is_named(row.fields, entry)]


def _is_named(fields: Mapping[str, Any], entry: Entry) -> bool:
    """Return whether *fields* may be of *entry*: the name, no other birth date or ID."""
    if fold(str(fields.get("name", ""))) != fold(entry.real_name):
        return False
    pairs = [(fields.get("birth_date"), entry.birth_date), (fields.get("fide_id"), entry.fide_id)]
    return all(str(typed).strip() == str(known) for typed, known in pairs if typed and known)


def _corrections(tournament: Tournament, entry: Entry | None) -> Any:
    rows = Correction.objects.filter(tournament=tournament)
    if entry is None:
        return rows
    return rows.filter(
        Q(entry=entry) | Q(reason__contains=entry.name) | Q(reason__contains=entry.real_name)
    )


def _lines(tournament: Tournament, entry: Entry | None) -> Iterator[Decision]:
    """Yield the lines with personal data; of one *entry* those that name the player."""
    for row in Decision.objects.filter(tournament=tournament).order_by("sequence").iterator():
        if row.salt and has_personal_data(line_of(row)) and (entry is None or _names(row, entry)):
            yield row


def _names(row: Decision, entry: Entry) -> bool:
    return (
        any(_parts_about(side, entry) for side in (row.before, row.after))
        or entry.name in row.reason
        or entry.real_name in row.reason
    )


def _parts_about(value: object, entry: Entry) -> list[object]:
    """Return the parts of a side of a line about *entry*: by number, or name in a text."""
    if isinstance(value, Mapping):
        if value.get("entry") == entry.pk:
            return [value]
        value = list(value.values())
    if isinstance(value, list | tuple):
        return [part for inner in value for part in _parts_about(inner, entry)]
    return [value] if value == entry.name else []


def _end_sessions(tournament: Tournament, now: datetime) -> None:
    """End the sessions of links whose role here has ended, and remove all expired ones."""
    Session.objects.filter(expire_date__lt=now).delete()
    rows = Appointment.objects.filter(tournament=tournament).exclude(until=None).exclude(link="")
    still = Appointment.objects.filter(until=None).values("person")
    gone = {
        str(person) for person in rows.exclude(person__in=still).values_list("person", flat=True)
    }
    for session in Session.objects.all() if gone else ():
        if session.get_decoded().get("_auth_user_id") in gone:
            session.delete()


def data_of(entry: Entry) -> dict[str, object]:
    """Return everything that the tournament keeps about a player, for a file. Ten queries,
    over the whole record.

    It has no line about the player's boards and nothing about other players, except that ``games``
    has the opponents.
    """
    tournament = entry.tournament
    return {
        "format": FORMAT,
        "tournament": tournament.name,
        "player": model_to_dict(entry, exclude=["id", "tournament"]),
        "requested_byes": [
            model_to_dict(bye, ["round_number", "kind"]) for bye in entry.requested_byes.all()
        ],
        "games": _games(entry),
        "check_in_desk": [
            model_to_dict(row, exclude=["id", "entry"])
            for row in DeskData.objects.filter(entry=entry)
        ],
        "pairings_by_e_mail": [
            model_to_dict(row, exclude=["id", "entry"])
            for row in PairingMail.objects.filter(entry=entry)
        ],
        "registrations": [
            model_to_dict(row, exclude=["id", "tournament", "link", "entry"])
            for row in _registrations(tournament, entry)
        ],
        "waiting": [row.fields for row in _waiting(tournament, entry)],
        "corrections": [
            model_to_dict(row, ["round_number", "before", "after", "reason"])
            for row in _corrections(tournament, entry)
        ],
        "record": [
            {
                "line": row.sequence,
                "at": row.at,
                "action": row.action,
                "before": _parts_about(row.before, entry),
                "after": _parts_about(row.after, entry),
                "reason": row.reason,
            }
            for row in Decision.objects.filter(tournament=tournament)
            .order_by("sequence")
            .iterator()
            if _names(row, entry)
        ],
    }


def _games(entry: Entry) -> list[dict[str, object]]:
    """Return the rounds of a player, with colour, board, result and opponent. Two queries."""
    seats = (
        Seat.objects.filter(entry=entry).select_related("round", "game").order_by("round__number")
    )
    opponents: dict[tuple[int | None, str], str] = {
        (game, colour): name
        for game, colour, name in Seat.objects.filter(game__seats__entry=entry)
        .exclude(entry=entry)
        .values_list("game", "colour", "entry__name")
    }
    return [
        {
            "round": seat.round.number,
            "colour": seat.colour,
            "bye": seat.bye,
            "board": seat.game.board if seat.game else None,
            "result": seat.game.result if seat.game else "",
            "opponent": opponents.get((seat.game_id, "b" if seat.colour == "w" else "w"), ""),
        }
        for seat in seats
    ]
