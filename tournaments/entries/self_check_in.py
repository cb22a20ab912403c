"""The self check-in: players check themselves in on a tablet or on their
phone. Switched off until an arbiter opens it.

The link of an event has a secret, of which only a hash is kept. Each player may need a code too,
which the desk tells.
"""

from __future__ import annotations

import hmac
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction

from pairing.rounds.attendance import attendance
from pairing.rules.verdict import Refused
from tournaments.core import request_counts
from tournaments.core.actions import lock_if_live, open_action
from tournaments.core.errors import RuleRefused
from tournaments.core.link_secrets import link_hash
from tournaments.entries.entries import entry_check_in
from tournaments.models import CheckInDesk, DeskData, Entry, Tournament
from tournaments.models.payloads import SelfCheckInClosed, SelfCheckInOpened

TRIES: Final = "self-check-in"
WRONG_CODES: Final = "self-check-in-code"
MOST_TRIES: Final = 10
"""So many attempts of one address for one player are answered in a minute,
those that succeed not counted.
"""
A_MINUTE: Final = timedelta(minutes=1)
MOST_WRONG_CODES: Final = 5
"""After so many wrong codes from one address for one player, the player has to come to the desk."""
MOST_WRONG_CODES_OF_ALL: Final = 50
"""The same for the wrong codes of all addresses together:
nobody guesses one of a million codes with them.
"""
A_DAY: Final = timedelta(days=1)
CODE_DIGITS: Final = 6


def self_check_in_open(
    *,
    tournament_id: int,
    actor: User,
    now: datetime,
    secret: str,
    code_secret: str,
    asks_code: bool,
) -> CheckInDesk:
    """Switch the self check-in on with a new link; *asks_code*:
    each player needs a code. An older link ends.

    *secret* is in the link, and *code_secret* makes the codes; the caller draws both at random.
    """
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        desk, _ = CheckInDesk.objects.get_or_create(tournament=action.tournament)
        desk.link, desk.code_secret, desk.asks_code = link_hash(secret), code_secret, asks_code
        desk.opened_by = actor
        desk.save()
        DeskData.objects.filter(entry__tournament=action.tournament).update(wrong_codes=0)
        action.record(SelfCheckInOpened(before={}, after={"asks_code": asks_code}), is_public=False)
    return desk


def self_check_in_close(*, tournament_id: int, actor: User, now: datetime) -> None:
    """Switch the self check-in off: its link ends. Without one nothing is done."""
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        desk = CheckInDesk.objects.filter(tournament=action.tournament).first()
        if desk is None or not desk.link:
            return
        desk.link = desk.code_secret = ""
        desk.save(update_fields=["link", "code_secret"])
        action.record(
            SelfCheckInClosed(before={"asks_code": desk.asks_code}, after={}), is_public=False
        )


def desk_of(secret: str) -> CheckInDesk | None:
    """Return the desk with the link *secret*; None if there is none any more. One query."""
    return (
        CheckInDesk.objects.filter(link=link_hash(secret))
        .select_related("tournament", "opened_by")
        .first()
    )


def is_possible(tournament: Tournament) -> bool:
    """Return whether players can check in now: the check-in of the coming round is open."""
    is_live = tournament.handed_over_at is None
    return (
        is_live
        and tournament.check_in_open
        and tournament.check_in_round == attendance(tournament).round_number
    )


def code_of(desk: CheckInDesk, entry_id: int) -> str:
    """Return the code of a player: six digits that follow from the secret of the desk."""
    digest = hmac.new(desk.code_secret.encode(), str(entry_id).encode(), sha256).digest()
    return f"{int.from_bytes(digest[:8], 'big') % 10**CODE_DIGITS:0{CODE_DIGITS}}"


def self_check_in(
    *, secret: str, entry_id: int, code: str, now: datetime, address: str | None = None
) -> Entry:
    """Check a player in through the link with *secret*. The record names
    the arbiter who opened the self check-in.

    Refused with ``self_check_in.off`` for a link that has ended, a closed check-in, or a player who
    is not expected; with ``self_check_in.busy`` after :data:`MOST_TRIES` attempts of *address* for
    this player in a minute; with ``self_check_in.code`` for a wrong code, and with
    ``self_check_in.locked`` after :data:`MOST_WRONG_CODES` of them from *address*, or
    :data:`MOST_WRONG_CODES_OF_ALL`. A player who is checked in stays so. One phone cannot stop the
    others: attempts are counted by address and player.
    """
    desk = desk_of(secret)
    if desk is None or desk.opened_by is None or not is_possible(desk.tournament):
        raise RuleRefused(Refused("self_check_in.off"))
    entry = Entry.objects.filter(tournament=desk.tournament, pk=entry_id).first()
    if entry is None:
        raise RuleRefused(Refused("self_check_in.off"))
    # The link is new whenever the self check-in is switched on: then everybody may try again.
    whose = f"{desk.link} {entry.pk} {address or ''}"
    if not request_counts.count(TRIES, whose, most=MOST_TRIES, span=A_MINUTE, now=now):
        raise RuleRefused(Refused("self_check_in.busy"))
    if desk.asks_code:
        _require_code(desk, entry, code, whose, now)
    if not entry.checked_in:
        if entry.pk not in {each.pk for each in attendance(desk.tournament).not_there}:
            raise RuleRefused(Refused("self_check_in.off"))
        by: dict[str, Any] = {"actor": desk.opened_by, "now": now, "by_player": True}
        try:
            entry = entry_check_in(entry_id=entry.pk, checked_in=True, **by)
        except PermissionDenied as error:  # the role of the arbiter has ended
            raise RuleRefused(Refused("self_check_in.off")) from error
    request_counts.forget(TRIES, whose)
    return entry


def _lock(desk: CheckInDesk) -> None:
    """Lock the tournament; refused in a copy handed over, which counts no wrong code either."""
    if lock_if_live(pk=desk.tournament_id) is None:
        raise RuleRefused(Refused("self_check_in.off"))


def _require_code(desk: CheckInDesk, entry: Entry, code: str, whose: str, now: datetime) -> None:
    """Refuse a wrong *code*, and count it.

    Of many attempts at once only :data:`MOST_WRONG_CODES` are compared.
    """
    digits = "".join(filter(str.isdecimal, code))
    with transaction.atomic():
        _lock(desk)
        CheckInDesk.objects.select_for_update().get(pk=desk.pk)
        data, _ = DeskData.objects.get_or_create(entry=entry)
        is_locked = data.wrong_codes >= MOST_WRONG_CODES_OF_ALL or not request_counts.count(
            WRONG_CODES, whose, most=MOST_WRONG_CODES, span=A_DAY, now=now
        )
        is_right = not is_locked and hmac.compare_digest(
            digits.encode(), code_of(desk, entry.pk).encode()
        )
        if is_right:
            for kind in (TRIES, WRONG_CODES):
                request_counts.forget(kind, whose)
        if not is_locked:
            data.wrong_codes = 0 if is_right else data.wrong_codes + 1
            data.save(update_fields=["wrong_codes"])
    if is_locked:
        raise RuleRefused(Refused("self_check_in.locked"))
    if not is_right:
        raise RuleRefused(Refused("self_check_in.code"))
