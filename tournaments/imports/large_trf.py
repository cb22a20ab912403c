"""Open a large TRF file in processes of their own, with progress, so that no request waits for it.

    begin ── READING ── READ ── SAVING ── SAVED
                ↑         │        │
                └─ again ─┴────────┘  with other rules, or after an interruption

Each arrow is one conditional update of the row, so a form from an older page, or one sent twice, changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count
from typing import Any, Final

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import F, Q
from django.utils.translation import gettext

from pairing.trf.encoding import as_utf8
from tournaments.core.errors import Conflict, ServiceError
from tournaments.core.permissions import require_may_create
from tournaments.imports.trf_content import content_of, preview_of
from tournaments.imports.trf_tournament import TrfPreview, tournament_import_trf, trf_preview
from tournaments.models import OpeningState, Tournament, TrfOpening

LARGE: Final = 300_000
"""Bytes of a file that is opened in processes of their own: 1,650 players and nine rounds, or 240 and 99."""
SILENT: Final = timedelta(minutes=1)
"""Work that has said nothing for this long has been interrupted; on SQLite it waits at most 20 s for the lock."""
KEPT: Final = timedelta(days=1)
"""A file that nobody went on with is deleted after this time: with the next large one, or with due personal data."""
CONFIRMED: Final = "leave_fide_mode"
"""What the content of a row has beside its preview if leaving FIDE mode was confirmed."""
AT_WORK: Final = (OpeningState.READING, OpeningState.SAVING)


class Cancelled(Exception):  # noqa: N818  somebody asked for it
    """The person cancelled the opening, or began it again after it had been silent."""


@dataclass(frozen=True, slots=True)
class OpeningPage:
    """A file as its page shows it: at work, interrupted, read with a preview or a problem, or saved."""

    opening: TrfOpening
    is_running: bool
    is_interrupted: bool
    preview: TrfPreview | None
    problem: str
    """Why the file cannot be opened; beside a preview, why its tournament was not saved."""


def opening_page(opening_id: int, person: User, now: datetime) -> OpeningPage | None:
    """Return the file *opening_id* of *person* as its page shows it at *now*; None if it is not open (any more).

    One query; one more for a file that was read.
    """
    rows = TrfOpening.objects.select_related("tournament").defer("data", "content")
    opening = rows.filter(pk=opening_id, person=person).first()
    if opening is None:
        return None
    is_at_work = opening.state in AT_WORK
    is_silent = opening.progress_at < now - SILENT
    content: Mapping[str, Any] = (opening.content if opening.state == OpeningState.READ else None) or {}
    return OpeningPage(
        opening=opening,
        is_running=is_at_work and not is_silent,
        is_interrupted=is_at_work and is_silent,
        preview=preview_of(content) if content and "problem" not in content else None,
        problem=content.get("problem") or content.get("refused", ""),
    )


def open_file_of(person: User) -> TrfOpening | None:
    """Return the newest large file of *person* that can still become a tournament. One query."""
    rows = TrfOpening.objects.defer("data", "content").filter(person=person, content__problem__isnull=True)
    return rows.exclude(state=OpeningState.SAVED).order_by("-pk").first()


def opening_begin(*, data: bytes, actor: User, now: datetime) -> TrfOpening:
    """Keep the file *data*, in place of the one before of *actor*; :func:`opening_work` then reads it.

    One that is being saved stays. ``PermissionDenied`` unless *actor* may create tournaments.
    """
    require_may_create(actor)
    with transaction.atomic():
        openings_forget(now)
        is_over = ~Q(state=OpeningState.SAVING) | Q(progress_at__lt=now - SILENT)
        TrfOpening.objects.filter(is_over, person=actor).delete()
        return TrfOpening.objects.create(person=actor, data=data, progress_at=now)


def openings_forget(now: datetime) -> int:
    """Delete the files that nobody went on with for a day, and return how many there were that had no tournament."""
    old = TrfOpening.objects.filter(progress_at__lt=now - KEPT)
    left = old.exclude(state=OpeningState.SAVED).count()
    old.delete()
    return left


def opening_again(
    *, opening_id: int, run: int, actor: User, now: datetime, system: str = "", tie_break_edition: str = ""
) -> int:
    """Read the file again, by other rules or after an interruption, and return the number of the new run.

    ``Conflict`` unless it was read, or interrupted, in *run*.
    """
    ready = Q(state=OpeningState.READ) | Q(state__in=AT_WORK, progress_at__lt=now - SILENT)
    rules = {"system": system, "tie_break_edition": tie_break_edition}
    return _start(ready, opening_id, run, actor, now, state=OpeningState.READING, content=None, **rules)


def opening_save(
    *,
    opening_id: int,
    run: int,
    actor: User,
    now: datetime,
    system: str = "",
    tie_break_edition: str = "",
    leave_fide_mode: bool = False,
) -> int:
    """Begin to save the tournament of a file whose preview was shown, and return the number of the new run.

    ``Conflict`` unless it was read in *run*: a second click finds it begun. *leave_fide_mode* as in
    :func:`~tournaments.imports.trf_tournament.tournament_import_trf`, which the process calls.
    """
    ready = Q(state=OpeningState.READ, content__problem__isnull=True)
    values: dict[str, object] = {"system": system, "tie_break_edition": tie_break_edition}
    read = TrfOpening.objects.filter(ready, pk=opening_id, run=run, person=actor).values_list("content", flat=True)
    if leave_fide_mode and (content := read.first()):
        values["content"] = {**content, CONFIRMED: True}
    return _start(ready, opening_id, run, actor, now, state=OpeningState.SAVING, **values)


def _start(ready: Q, opening_id: int, run: int, actor: User, now: datetime, **values: object) -> int:
    require_may_create(actor)
    rows = TrfOpening.objects.filter(ready, pk=opening_id, run=run, person=actor)
    if not rows.update(run=F("run") + 1, done=0, progress_at=now, **values):
        raise Conflict("trf_opening.moved")
    return run + 1


def opening_cancel(*, opening_id: int, actor: User) -> None:
    """Cancel the opening: the file is deleted, and nothing is saved. ``Conflict`` if its tournament was saved."""
    with transaction.atomic():
        # Locked first: while its tournament is being saved this waits for the end, and then finds what came of it.
        rows = TrfOpening.objects.select_for_update().defer("data", "content")
        opening = rows.filter(pk=opening_id, person=actor).exclude(state=OpeningState.SAVED).first()
        if opening is None:
            raise Conflict("trf_opening.over")
        TrfOpening.objects.filter(pk=opening.pk).delete()


def opening_work(opening_id: int, run: int, clock: Callable[[], datetime]) -> None:
    """Read the file of the row *opening_id*, or save its tournament; nothing is saved if it is cancelled meanwhile.

    The sentences of the preview, or a problem, are in the language that is active.
    """
    rows = TrfOpening.objects.select_related("person")
    opening = rows.filter(pk=opening_id, run=run, state__in=AT_WORK).first()
    if opening is None:
        return
    mine = TrfOpening.objects.filter(pk=opening_id, run=run, state=opening.state)
    steps = count(1)

    def mark(**values: object) -> None:
        if not mine.update(progress_at=clock(), **values):
            raise Cancelled

    def progress() -> None:
        mark(done=next(steps))

    def at_the_end(tournament: Tournament) -> None:
        mark(state=OpeningState.SAVED, tournament=tournament, data=b"", content=None)

    data = as_utf8(bytes(opening.data))
    system, edition = opening.system, opening.tie_break_edition
    try:
        if opening.state == OpeningState.READING:
            preview = trf_preview(data, system=system, tie_break_edition=edition, progress=progress)
            mark(state=OpeningState.READ, content=content_of(preview))
        else:
            tournament_import_trf(
                actor=opening.person,
                now=clock(),
                data=data,
                system=system,
                tie_break_edition=edition,
                leave_fide_mode=CONFIRMED in (opening.content or {}),
                progress=progress,
                at_the_end=at_the_end,
            )
    except (ServiceError, PermissionDenied) as error:
        problem = str(error) or gettext("This account may not create tournaments any more.")
        # A preview stays: somebody else may just have taken the name, and the next attempt gets another address.
        kept = {name: value for name, value in (opening.content or {}).items() if name != CONFIRMED}
        content = {**kept, "refused": problem} if opening.content else {"problem": problem}
        mine.update(state=OpeningState.READ, content=content, progress_at=clock())
    except Cancelled:
        return
