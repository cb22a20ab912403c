"""Take over an event from the file of another computer: this copy becomes the live one.

:func:`take_over` is for the console of the server, :func:`event_take_over` for pages and programs,
which get a sentence in their language. All or nothing: the file is imported and checked in one
transaction, and two requests run one after the other, so that the second finds the event that the
first has saved.
"""

from __future__ import annotations

import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from django.contrib.auth.models import User
from django.db import DataError, IntegrityError, connection, transaction

from tournaments.core.actions import AT_THE_END, OpenAction
from tournaments.core.errors import ServiceError
from tournaments.core.permissions import require_may_take_over
from tournaments.models import Action, Appointment, Decision, Role, Tournament
from tournaments.models.payloads import TournamentTakenOver
from tournaments.people.sign_in import signs_in_with_a_link
from tournaments.site.backups.automatic import want_soon
from tournaments.site.backups.copy_file import CopyError, read_manifest
from tournaments.site.backups.forks import require_continued, require_handed_over
from tournaments.site.backups.hand_over import hand_over_values, make_live
from tournaments.site.backups.log_ins import links_give
from tournaments.site.backups.one_event import UNREADABLE, Imported, import_event

MOST_BYTES: Final = 64_000_000
"""Bytes of a file that a page or a program may send;
one with 250 players and 6 rounds has 300,000.
"""
STATUS: Final = {
    "take_over.no_file": 400,
    "take_over.damaged": 400,
    "take_over.whole_site": 400,
    "take_over.unreadable": 400,
    "take_over.faults": 400,
    "take_over.too_large": 413,
}
"""The status of refusals because of the file itself;
all others, because of what is here, are 409.
"""
_ALONE: Final = 6_310_472_215
"""The number of the lock of PostgreSQL under which events are taken over."""


class NotTakenOver(ServiceError):  # noqa: N818  a refusal is an answer
    """An event was not taken over, nothing was saved: a ``CopyError`` as a sentence."""

    def __init__(self, code: str, params: Mapping[str, object]) -> None:
        super().__init__(code, params=params)
        self.status = STATUS.get(code, 409)


def event_take_over(pieces: Iterable[bytes], *, actor: User, now: datetime) -> Imported:
    """Take over the event in *pieces* of bytes; only a file of a hand-over is accepted.

    *actor* must be a site administrator, because the file brings accounts: ``PermissionDenied``.
    Its Chief Arbiter gets a new link, unless there is an account here. Raise :class:`NotTakenOver`,
    also for more than :data:`MOST_BYTES`.
    """
    require_may_take_over(actor)
    with tempfile.TemporaryDirectory() as folder:
        path, size = Path(folder) / "event", 0
        with path.open("xb") as file:
            for piece in pieces:
                size += len(piece)
                if size > MOST_BYTES:
                    raise NotTakenOver("take_over.too_large", {"limit": MOST_BYTES // 1_000_000})
                file.write(piece)
        try:
            with transaction.atomic():
                done = take_over(path, now=now, actor=actor, only_handed_over=True)
                links_give(done, actor=actor, now=now)
            return done
        except CopyError as error:
            if error.code:
                raise NotTakenOver(error.code, error.params) from error
            message = (
                str(error)
                .replace(str(path), "it")
                .removesuffix(" Nothing was changed.")
                .removesuffix(".")
            )
            raise NotTakenOver("take_over.unreadable", {"problem": message}) from error


def take_over(
    path: Path,
    *,
    now: datetime,
    actor: User | None = None,
    despite_faults: bool = False,
    only_handed_over: bool = False,
) -> Imported:
    """Import the event in *path*; if it was handed over, this copy becomes the live one.

    If the event is here already, handed over before, the file continues and replaces it, at the
    same address. *actor* None: the console of the server. *only_handed_over*: refuse a file of an
    event whose live copy is elsewhere. Raise :class:`CopyError`, with the first difference if the
    records are a fork.
    """
    try:
        with transaction.atomic():
            _wait_for_others()
            manifest = read_manifest(path, "event")
            wanted = [event.identity for event in manifest.events]
            here = (
                Tournament.objects.select_for_update(of=("self",))
                .filter(identity__in=wanted)
                .order_by("pk")
            )
            older = list(here)
            if older:
                require_continued(older, path, handed_over_here=only_handed_over)
            done = import_event(path, despite_faults=despite_faults, older=older)
            if only_handed_over:
                require_handed_over(done.tournaments)
            for tournament in done.tournaments:
                if tournament.handed_over_at is not None:
                    by = _chief_of(tournament) if actor is None else actor
                    record_taken_over(
                        OpenAction(
                            tournament, by, now, by_the_site=True, by_the_console=actor is None
                        )
                    )
            want_soon()
    except (
        *UNREADABLE,
        IntegrityError,
        DataError,
        zipfile.BadZipFile,
        zlib.error,
        RuntimeError,
        EOFError,
    ) as error:
        message = f"{path} cannot be read: {error}. Nothing was changed."
        raise CopyError(message, "take_over.unreadable", problem=str(error)) from error
    return done


def _wait_for_others() -> None:
    """Let only one transaction at a time take over, as on SQLite anyway."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_ALONE])


def _chief_of(tournament: Tournament) -> User:
    rows = Appointment.objects.select_related("person")
    return rows.get(tournament=tournament, role=Role.CHIEF, until=None).person


def record_taken_over(action: OpenAction) -> None:
    """Make the copy of *action*, which came from another computer, the live one, and record it."""
    tournament = action.tournament
    action.record(
        TournamentTakenOver(before=hand_over_values(tournament), after={}),
        is_public=bool(tournament.handed_over_address),
    )
    make_live(tournament)
    for follow in AT_THE_END:
        follow(action)


@dataclass(frozen=True, slots=True)
class TakenOver:
    """A tournament taken over here: when, by whom, and the Chief Arbiter's account.

    ``chief`` is empty for a Chief Arbiter with a link and a PIN.
    """

    tournament: Tournament
    at: datetime
    by: str
    chief: str


def taken_over(most: int = 10) -> list[TakenOver]:
    """Return the last *most* tournaments that were taken over here and are live, the newest first.

    Three queries.
    """
    lines = Decision.objects.filter(
        action=Action.TOURNAMENT_TAKEN_OVER, tournament__handed_over_at=None
    )
    newest: dict[int, Decision] = {}
    for line in lines.select_related("tournament").order_by("-at", "-pk")[: 5 * most]:
        newest.setdefault(line.tournament_id, line)
    rows = Appointment.objects.filter(
        tournament__in=newest, role=Role.CHIEF, until=None
    ).select_related("person")
    chiefs = {
        row.tournament_id: "" if signs_in_with_a_link(row.person) else row.person.username
        for row in rows
    }
    return [
        TakenOver(line.tournament, line.at, line.actor_name, chiefs.get(pk, ""))
        for pk, line in newest.items()
    ][:most]
