"""The codes of the tables: the links behind the QR codes on the tables, and that of the kiosk.

All follow from one secret of the tournament, so that a sheet can be printed again. New codes end
the old ones. A code shows that somebody has been at the table; it gives no power, and only lets
players report a result of this table.
"""

from __future__ import annotations

import base64
import hmac
from datetime import datetime
from hashlib import sha256
from typing import Final

from django.contrib.auth.models import User
from django.db.models import Max
from django.db.models.functions import Coalesce, Greatest

from tournaments.core.actions import OpenAction, open_action
from tournaments.core.errors import Conflict
from tournaments.models import Entry, Game, TableCodes, Tournament
from tournaments.models.payloads import PlayersReportsClosed, PlayersReportsOpened, TableCodesMade

KIOSK: Final = "kiosk"
LETTERS: Final = 16
"""The length of a code: 80 bits, which nobody guesses."""


def codes_of(tournament: Tournament) -> TableCodes:
    """Return the codes of *tournament*; not saved and without a secret before the first.

    One query.
    """
    return TableCodes.objects.filter(tournament=tournament).first() or TableCodes(
        tournament=tournament
    )


def name_of(codes: TableCodes) -> str:
    """Return a name for the present codes, for a form that replaces them; empty without codes."""
    return code_of(codes, "name") if codes.secret else ""


def table_codes_make(
    *, tournament_id: int, actor: User, now: datetime, secret: str, seen: str | None = None
) -> TableCodes:
    """Make new codes from a random *secret*. The sheets printed before end.

    :class:`Conflict` unless *seen* names the present codes (:func:`name_of`): a form sent twice, or
    by two arbiters, does not end the codes that were just printed.
    """
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        if seen not in (None, name_of(codes_of(action.tournament))):
            raise Conflict("table_codes.made_meanwhile")
        return _make(action, secret)


def players_reports_open(
    *, tournament_id: int, actor: User, now: datetime, secret: str
) -> TableCodes:
    """Let players report results from now on.

    Codes are made from *secret* if there are none; else they stay.
    """
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        codes = codes_of(action.tournament)
        if codes.takes_reports:
            return codes
        if not codes.secret:
            codes = _make(action, secret)
        codes.takes_reports = True
        codes.save(update_fields=["takes_reports"])
        action.record(PlayersReportsOpened(before={}, after={}), is_public=False)
        return codes


def players_reports_close(*, tournament_id: int, actor: User, now: datetime) -> None:
    """Let no player report a result any more. Earlier reports stay. Done once."""
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        if TableCodes.objects.filter(tournament=action.tournament, takes_reports=True).update(
            takes_reports=False
        ):
            action.record(PlayersReportsClosed(before={}, after={}), is_public=False)


def code_of(codes: TableCodes, place: int | str) -> str:
    """Return the code of a table by its number, or of the :data:`KIOSK`."""
    digest = hmac.new(codes.secret.encode(), str(place).encode(), sha256).digest()
    return base64.b32encode(digest[:10]).decode().lower()


def is_code(codes: TableCodes, place: int | str, code: str) -> bool:
    """Return whether *code* is the present code of *place*; never without a secret."""
    return bool(codes.secret) and hmac.compare_digest(code_of(codes, place).encode(), code.encode())


def number_of_tables(tournament: Tournament) -> int:
    """Return how many tables the event needs: half its players, or the highest table so far.

    Three queries.
    """
    found = Game.objects.filter(round__tournament=tournament).aggregate(
        most=Max(Greatest("board", Coalesce("table", "board")))
    )
    players = Entry.objects.filter(tournament=tournament, withdrawn_from=None)
    fixed = players.aggregate(most=Max("fixed_table"))["most"] or 0
    return max(1, players.count() // 2, found["most"] or 0, fixed)


def _make(action: OpenAction, secret: str) -> TableCodes:
    codes = codes_of(action.tournament)
    codes.secret = secret
    codes.save()
    action.record(TableCodesMade(before={}, after={}), is_public=False)
    return codes
