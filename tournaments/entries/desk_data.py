"""What only the check-in desk knows about a player: phone number, note, fee due and paid."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from django.contrib.auth.models import User

from tournaments.core.actions import OpenAction, open_action
from tournaments.core.errors import BadInput, Conflict
from tournaments.core.permissions import Power
from tournaments.entries.cells import LENGTHS, MOST_CENTS, ImportRow
from tournaments.models import CheckInDesk, DeskData, Entry, Tournament
from tournaments.models.payload_data import DeskDataOf
from tournaments.models.payloads import DeskDataChanged, FeeSet

MOST_PHONE: Final = LENGTHS["phone"]
MOST_NOTE: Final = 500


def desk_data_set(
    *,
    entry_id: int,
    actor: User,
    now: datetime,
    phone: str,
    note: str,
    fee_due: int | None,
    fee_paid: int,
    seen: str | None = None,
) -> DeskData:
    """Save phone number, note and fee (cents) of a player.

    *fee_due* None: the fee of the tournament. Nobody but the people of the check-in desk and the
    arbiters sees them: the record keeps them as salted hashes (:mod:`pairing.record.private`), and
    no data of visitors change. ``BadInput`` for a text that is too long or has control characters,
    or an amount outside the limits; :class:`Conflict` if the data are not those *seen*, as
    :func:`shown` writes them; None: nobody saw them.
    """
    phone, note = " ".join(phone.split()), " ".join(note.split())
    for field, text, most in (("phone", phone, MOST_PHONE), ("note", note, MOST_NOTE)):
        if len(text) > most or not text.isprintable():
            raise BadInput("desk_data.text", field=field, most=most)
    require_amount("fee_due", fee_due or 0)
    require_amount("fee_paid", fee_paid)
    with open_action(actor=actor, now=now, entries=entry_id, powers=(Power.CHECK_IN,)) as action:
        entry = Entry.objects.get(pk=entry_id)
        data = DeskData.objects.filter(entry=entry).first() or DeskData(entry=entry)
        if seen is not None and seen != shown(data):
            raise Conflict("desk_data.moved_on")
        before = _recorded(data)
        data.phone, data.note, data.fee_due, data.fee_paid = phone, note, fee_due, fee_paid
        after = _recorded(data)
        if after != before:
            data.save()
            action.record(DeskDataChanged(before=before, after=after), is_public=False)
    return data


def desk_data_enter(action: OpenAction, players: Iterable[tuple[Entry, ImportRow]]) -> None:
    """Save phone numbers, paid fees and notes of new players: a line of the record for each.

    A fee paid in full is the one of the tournament; ``BadInput`` if it has none.
    """
    with_data = [
        (entry, row)
        for entry, row in players
        if row.phone or row.fee_paid or row.paid_in_full or row.note
    ]
    if not with_data:
        return
    fee = (
        CheckInDesk.objects.filter(tournament=action.tournament)
        .values_list("fee", flat=True)
        .first()
        or 0
    )
    if not fee and any(row.paid_in_full for _, row in with_data):
        raise BadInput("csv.no_fee", field="fee_paid")
    stored = []
    for entry, row in with_data:
        before = _recorded(DeskData(entry=entry))
        paid = fee if row.paid_in_full else row.fee_paid or 0
        stored.append(DeskData(entry=entry, phone=row.phone, note=row.note, fee_paid=paid))
        action.record(DeskDataChanged(before=before, after=_recorded(stored[-1])), is_public=False)
    DeskData.objects.bulk_create(stored)


def shown(data: DeskData) -> str:
    """Return *data* as one text, with which a form says what it saw."""
    return repr((data.phone, data.note, data.fee_due, data.fee_paid))


def fee_set(*, tournament_id: int, actor: User, now: datetime, fee: int) -> Tournament:
    """Set the entry fee in cents of every player without a fee of their own."""
    require_amount("fee", fee)
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        tournament = action.tournament
        desk, _ = CheckInDesk.objects.get_or_create(tournament=tournament)
        before, desk.fee = desk.fee, fee
        if before != fee:
            desk.save(update_fields=["fee"])
            action.record(FeeSet(before={"fee": before}, after={"fee": fee}), is_public=False)
    return tournament


def require_amount(field: str, cents: int) -> None:
    """Raise ``BadInput`` unless *cents* is between 0 and :data:`MOST_CENTS`."""
    if not 0 <= cents <= MOST_CENTS:
        raise BadInput("desk_data.amount", field=field)


def _recorded(data: DeskData) -> DeskDataOf:
    return {
        "entry": data.entry.pk,
        "name": data.entry.name,
        "phone": data.phone,
        "note": data.note,
        "fee_due": data.fee_due,
        "fee_paid": data.fee_paid,
    }
