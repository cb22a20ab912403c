"""Open a large TRF file by two jobs, with progress, so that no request waits for it.

    begin ── READING ── READ ── SAVING ── SAVED
                ↑         │        │
                └─ again ─┴────────┘  with other rules, or after an interruption

Each arrow is one conditional update of the row, so a form from an older page, or one sent twice,
changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count
from typing import Any, Final, NotRequired, TypedDict, Unpack

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext

from pairing.trf.encoding import as_utf8
from tournaments.core import jobs
from tournaments.core.errors import Conflict, ServiceError
from tournaments.core.jobs import Cancelled, Work
from tournaments.core.permissions import require_may_create
from tournaments.lists.imports.trf_content import content_of, preview_of
from tournaments.lists.imports.trf_tournament import TrfPreview, tournament_import_trf, trf_preview
from tournaments.models import Job, OpeningState, TrfOpening

LARGE: Final = 300_000
"""Bytes of a file that is opened by jobs: 1,650 players and nine rounds, or 240 and 99."""
JOB: Final = "trf"
KEPT: Final = timedelta(days=1)
"""A file that nobody went on with is deleted after this time:
with the next large one, or with due personal data.
"""
AT_WORK: Final = (OpeningState.READING, OpeningState.SAVING)


@dataclass(frozen=True, slots=True)
class OpeningPage:
    """A file as its page shows it: at work, interrupted, previewed, with a problem, or saved."""

    opening: TrfOpening
    job: Job | None
    is_running: bool
    preview: TrfPreview | None
    problem: str
    """Why the file cannot be opened; beside a preview, why its tournament was not saved."""


def opening_page(opening_id: int, person: User) -> OpeningPage | None:
    """Return the file *opening_id* of *person* for its page; None if it is not open.

    Two queries; one more for a file that was read.
    """
    rows = TrfOpening.objects.select_related("tournament").defer("data", "content")
    opening = rows.filter(pk=opening_id, person=person).first()
    if opening is None:
        return None
    job = jobs.newest(JOB, str(opening_id))
    content: Mapping[str, Any] = (
        opening.content if opening.state == OpeningState.READ else None
    ) or {}
    return OpeningPage(
        opening=opening,
        job=job,
        is_running=opening.state in AT_WORK and job is not None and job.is_active,
        preview=preview_of(content) if content and "problem" not in content else None,
        problem=content.get("problem") or content.get("refused", ""),
    )


def open_file_of(person: User) -> TrfOpening | None:
    """Return the newest large file of *person* that can still become a tournament. One query."""
    rows = TrfOpening.objects.defer("data", "content").filter(
        person=person, content__problem__isnull=True
    )
    return rows.exclude(state=OpeningState.SAVED).order_by("-pk").first()


def opening_begin(*, data: bytes, actor: User, now: datetime, language: str = "") -> TrfOpening:
    """Replace the earlier file of *actor* by *data*, and request its reading.

    The sentences of the preview, or a problem, are in *language*. One that is being saved stays.
    ``PermissionDenied`` unless *actor* may create tournaments.
    """
    require_may_create(actor)
    with transaction.atomic():
        openings_forget(now)
        for before in TrfOpening.objects.filter(person=actor).values_list("pk", "state"):
            if before[1] != OpeningState.SAVING or not jobs.is_active(JOB, str(before[0])):
                _forget(before[0])
        opening = TrfOpening.objects.create(person=actor, data=data, progress_at=now)
        _ask(opening.pk, opening.run, actor, language)
        return opening


def _ask(opening_id: int, run: int, actor: User, language: str, **more: bool) -> None:
    jobs.enqueue(JOB, str(opening_id), {"run": run, **more}, owner=actor, language=language)


def _forget(opening_id: int) -> None:
    jobs.cancel(JOB, str(opening_id))
    TrfOpening.objects.filter(pk=opening_id).delete()


def openings_forget(now: datetime) -> int:
    """Delete the files that nobody went on with for a day,
    and return how many there were that had no tournament.
    """
    old = TrfOpening.objects.filter(progress_at__lt=now - KEPT)
    left = old.exclude(state=OpeningState.SAVED).count()
    old.delete()
    return left


class Decided(TypedDict):
    """What a person decides about a file read in *run*: by which rules to go on."""

    opening_id: int
    run: int
    actor: User
    now: datetime
    system: NotRequired[str]
    tie_break_edition: NotRequired[str]
    language: NotRequired[str]


def opening_again(**decided: Unpack[Decided]) -> int:
    """Read the file again, by other rules or after a break; return the number of the new run.

    ``Conflict`` unless it was read, or interrupted, in the run of :class:`Decided`.
    """
    at_work = () if jobs.is_active(JOB, str(decided["opening_id"])) else AT_WORK
    ready = Q(state__in=(OpeningState.READ, *at_work))
    return _start(ready, decided, {"state": OpeningState.READING, "content": None})


def opening_save(*, leave_fide_mode: bool = False, **decided: Unpack[Decided]) -> int:
    """Ask for saving the tournament of a previewed file; return the number of the new run.

    ``Conflict`` unless it was read in the run of :class:`Decided`: a second click finds it begun.
    *leave_fide_mode* as in :func:`~tournaments.lists.imports.trf_tournament.tournament_import_trf`.
    """
    ready = Q(state=OpeningState.READ, content__problem__isnull=True)
    return _start(ready, decided, {"state": OpeningState.SAVING}, leave_fide_mode=leave_fide_mode)


def _start(ready: Q, decided: Decided, values: Mapping[str, object], **more: bool) -> int:
    opening_id, run, actor = decided["opening_id"], decided["run"], decided["actor"]
    require_may_create(actor)
    rows = TrfOpening.objects.filter(ready, pk=opening_id, run=run, person=actor)
    with transaction.atomic():
        updated = rows.update(
            run=F("run") + 1,
            progress_at=decided["now"],
            system=decided.get("system", ""),
            tie_break_edition=decided.get("tie_break_edition", ""),
            **values,
        )
        if not updated:
            raise Conflict("trf_opening.moved")
        _ask(opening_id, run + 1, actor, decided.get("language", ""), **more)
    return run + 1


def opening_cancel(*, opening_id: int, actor: User) -> None:
    """Cancel the opening: the file is deleted, and nothing is saved.

    ``Conflict`` if its tournament was saved.
    """
    with transaction.atomic():
        # Locked first: while its tournament is being saved this waits for the end, and then finds
        # what came of it.
        rows = TrfOpening.objects.select_for_update().defer("data", "content")
        opening = rows.filter(pk=opening_id, person=actor).exclude(state=OpeningState.SAVED).first()
        if opening is None:
            raise Conflict("trf_opening.over")
        _forget(opening.pk)


def opening_job(work: Work) -> None:
    """Read the file that the key names, or save its tournament, as a job.

    Nothing is saved if it is cancelled. The sentences of the preview, or a problem, are in the
    language that is active.
    """
    run = work.arguments["run"]
    rows = TrfOpening.objects.select_related("person")
    opening = rows.filter(pk=int(work.key), run=run, state__in=AT_WORK).first()
    if opening is None:
        return
    mine = TrfOpening.objects.filter(pk=opening.pk, run=run, state=opening.state)
    steps = count(1)

    def end(**values: object) -> None:
        """Save how it ended, together with what was made."""
        with transaction.atomic():
            # In the order of opening_cancel, or each could wait for the other.
            if not mine.update(progress_at=timezone.now(), **values):
                raise Cancelled
            work.done()

    data = as_utf8(bytes(opening.data))
    system, edition = opening.system, opening.tie_break_edition
    try:
        if opening.state == OpeningState.READING:
            preview = trf_preview(
                data,
                system=system,
                tie_break_edition=edition,
                progress=lambda: work.progress(done=next(steps)),
            )
            end(state=OpeningState.READ, content=content_of(preview))
        else:
            tournament_import_trf(
                actor=opening.person,
                now=timezone.now(),
                data=data,
                system=system,
                tie_break_edition=edition,
                leave_fide_mode=work.arguments["leave_fide_mode"],
                progress=lambda: work.progress(done=next(steps)),
                at_the_end=lambda made: end(
                    state=OpeningState.SAVED, tournament=made, data=b"", content=None
                ),
            )
    except (ServiceError, PermissionDenied) as error:
        problem = str(error) or gettext("This account may not create tournaments any more.")
        # A preview stays: somebody else may just have taken the name, and the next attempt gets
        # another address.
        content = (
            {**opening.content, "refused": problem} if opening.content else {"problem": problem}
        )
        end(state=OpeningState.READ, content=content)
