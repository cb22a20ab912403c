"""Load a rating list: beside the old one, which stays in use until the new one is complete."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from tournaments.core import jobs
from tournaments.core.errors import BadInput, Conflict
from tournaments.core.jobs import Cancelled, Work
from tournaments.core.permissions import may_load_lists
from tournaments.core.validation import require_federation
from tournaments.lists.rating_lists.adapters import Adapter
from tournaments.lists.rating_lists.fetching import fetch, require_list_address
from tournaments.lists.rating_lists.list_file import write_list
from tournaments.lists.rating_lists.opening import month_in, open_list
from tournaments.lists.rating_lists.rows import Faults
from tournaments.lists.rating_lists.search import of_day
from tournaments.lists.rating_lists.watching import compare_all
from tournaments.models import RatingList, RatingListState, Tournament

JOB: Final = "rating_list"
BETWEEN: Final = 1.0
"""Seconds between two marks of progress."""
SMALLER: Final = 80
"""A list with fewer players than so many per cent of the one
in use waits until somebody decides.
"""
KEPT_LINES: Final = 20
"""Rows of earlier loadings that are kept for the page."""

Clock = Callable[[], datetime]
Report = Callable[["Loading"], None]
"""Gets the progress about once a second, and once in the transaction that uses the list:
it raises ``Cancelled``.
"""


@dataclass(slots=True)
class Loading:
    """How far a loading is."""

    bytes_read: int = 0
    bytes_total: int = 0
    players: int = 0


def list_begin(
    *,
    actor: User | None,
    now: datetime,
    origin: str,
    federation: str = "",
    month: date | None = None,
    is_renewed: bool = False,
) -> RatingList:
    """Ask for a list from *origin*, a file or an address; *actor* None: the console.

    Without *month* the list is of the month in the file, else in its name, else of today.
    *is_renewed*: it is loaded again each month (:mod:`.renewing`).
    ``PermissionDenied`` unless :func:`~tournaments.core.permissions.may_load_lists`; ``Conflict``
    while another list is being loaded; ``BadInput`` for an invalid federation.
    """
    if actor is not None and not may_load_lists(actor):
        raise PermissionDenied
    require_federation(federation)
    if not jobs.is_active(JOB):
        RatingList.objects.filter(state=RatingListState.LOADING).update(
            state=RatingListState.FAILED, problem=_described(BadInput("rating_list.interrupted"))
        )
    try:
        with transaction.atomic():
            row = RatingList.objects.create(
                origin=origin[-300:], federation=federation, month=month and month.replace(day=1),
                loaded_by=actor, begun_at=now, progress_at=now, is_renewed=is_renewed,
            )  # fmt: skip
            jobs.enqueue(JOB, arguments={"list": row.pk}, owner=actor)
    except IntegrityError as error:
        raise Conflict("rating_list.loading") from error
    return row


def list_cancel(*, list_id: int, actor: User) -> None:
    """Ask the loading to stop; it does within seconds.

    ``Conflict`` if it is over; ``PermissionDenied``.
    """
    if not may_load_lists(actor):
        raise PermissionDenied
    with transaction.atomic():
        rows = RatingList.objects.select_for_update().filter(
            pk=list_id, state=RatingListState.LOADING
        )
        if (row := rows.first()) is None:
            raise Conflict("rating_list.not_loading")
        jobs.cancel(JOB)
        # One that waits ends here; one that runs notices it, and removes its files.
        _ended(row, row.progress_at, RatingListState.CANCELLED)


def list_job(work: Work) -> None:
    """Load the list of a row, as a job: the file that was uploaded, or else its address."""
    row = RatingList.objects.filter(
        pk=work.arguments["list"], state=RatingListState.LOADING
    ).first()
    if row is not None:
        source = row.upload if row.upload.exists() else row.origin
        list_load(
            list_id=row.pk,
            source=source,
            clock=timezone.now,
            report=lambda made: work.progress(**asdict(made)),
        )


def list_load(
    *,
    list_id: int,
    source: Path | str,
    clock: Clock,
    report: Report = lambda loading: None,
    accepts_smaller: bool = False,
) -> RatingList:
    """Read the list from *source*, a file or an address, and use it from then on; return its row.

    Nothing becomes current unless the whole file was read. The row says what went wrong: no error
    is raised for a file that cannot be used. Unless *accepts_smaller*, a list much smaller than the
    one in use (:data:`SMALLER`) is read, and waits for :func:`~.replacing.list_use`. *report*: see
    :data:`Report`.
    """
    row = RatingList.objects.get(pk=list_id)
    path, upload = row.path, row.upload
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _remove_leftovers(row)
    progress = _Progress(clock, report)
    try:
        if isinstance(source, str):
            _fetch(row, source, progress)
            source = upload
        _read(row, source, progress)
        _make_current(
            row, clock(), lambda: report(progress.loading), accepts_smaller=accepts_smaller
        )
    except Cancelled:
        path.unlink(missing_ok=True)
        return _ended(row, clock(), RatingListState.CANCELLED)
    except BadInput as error:
        return _ended(row, clock(), RatingListState.FAILED, error)
    except (OSError, sqlite3.Error) as error:
        return _ended(
            row, clock(), RatingListState.FAILED, BadInput("rating_list.disk", problem=str(error))
        )
    finally:
        upload.unlink(missing_ok=True)
        path.with_suffix(".words").unlink(missing_ok=True)
    _remove_leftovers(row)
    return row


def _fetch(row: RatingList, url: str, progress: _Progress) -> None:
    require_list_address(url)

    def tick(read: int, total: int) -> None:
        progress.loading.bytes_read, progress.loading.bytes_total = read, total
        progress.mark()

    fetch(
        url,
        row.upload,
        allow_private=settings.RATING_LISTS_FROM_PRIVATE,
        tick=tick,
        seconds=time.monotonic,
    )


def _read(row: RatingList, source: Path, progress: _Progress) -> None:
    faults = Faults()
    with open_list(source, row.origin) as opened:
        row.federation = _federation(opened.adapter, row.federation)
        row.rate, progress.loading.bytes_total = opened.rate, opened.size
        row.month = (
            row.month or opened.month or month_in(row.origin) or row.begun_at.date().replace(day=1)
        )

        def tick(players: int) -> None:
            progress.loading.players, progress.loading.bytes_read = (
                players,
                opened.stream.read_so_far,
            )
            progress.mark()

        row.players = write_list(row.path, opened.rows(faults), tick=tick)
    # FIDE's lists have fixed columns: one without ratings was read correctly all the same.
    if not row.players or not (faults.has_ratings or opened.is_fide):
        row.path.unlink(missing_ok=True)
        if row.players:
            raise BadInput("rating_list.nobody_rated")
        raise BadInput("rating_list.no_players")
    row.left_out = len(faults.found)
    described = [
        _described(each)
        for each in (*faults.found[:1], faults.remark, faults.assumed)
        if each is not None
    ]
    row.problem = described[0] | {"also": described[1:]} if described else {}


def _federation(adapter: Adapter | None, entered: str) -> str:
    """Return whose list it is, empty for FIDE; ``BadInput`` if *entered* otherwise, or unknown."""
    if adapter is not None and adapter.is_fide:
        return ""
    known = adapter.federation if adapter is not None else ""
    if adapter is not None and known and entered and entered != known:
        raise BadInput(
            "rating_list.other_federation", list=adapter.name, federation=known, entered=entered
        )
    if not (known or entered):
        raise BadInput("rating_list.federation_missing", field="federation")
    return known or entered


class _Progress:
    """Report how far it is, once a second at most."""

    def __init__(self, clock: Clock, report: Report) -> None:
        self.loading = Loading()
        self._clock, self._report = clock, report
        self._last = clock()

    def mark(self) -> None:
        now = self._clock()
        if (now - self._last).total_seconds() >= BETWEEN:
            self._last = now
            self._report(self.loading)


def _make_current(
    row: RatingList, now: datetime, require: Callable[[], None], *, accepts_smaller: bool
) -> None:
    """Use *row* instead of the list before it, which can be used again, in one transaction."""
    with transaction.atomic():
        before = lock_current(row)
        if RatingList.objects.select_for_update().get(pk=row.pk).state != RatingListState.LOADING:
            raise Cancelled
        require()
        same = RatingList.objects.filter(
            federation=row.federation, rate=row.rate, state=RatingListState.WAITING
        )
        same.update(state=RatingListState.CANCELLED)
        row.progress_at = now
        if before is not None and not accepts_smaller and is_much_smaller(row, before):
            row.state = RatingListState.WAITING
            row.save()
        else:
            row.state = RatingListState.LOADED
            make_current(row, before, now)


def lock_current(row: RatingList) -> RatingList | None:
    """Lock and return the current list of the federation and rate of *row*, if there is one."""
    current = RatingList.objects.filter(federation=row.federation, rate=row.rate, is_current=True)
    return current.select_for_update().first()


def is_much_smaller(row: RatingList, before: RatingList) -> bool:
    """Return whether *row* has so few players that it may be the wrong file."""
    return 100 * row.players < SMALLER * before.players


def make_current(row: RatingList, before: RatingList | None, now: datetime) -> None:
    """Save *row* as the current list instead of *before*,
    which :func:`lock_current` has returned, and ask for the comparison of all tournaments.

    One from the same address is loaded again each month if that one was, whoever loaded it.
    """
    if before is not None:
        if before.origin == row.origin:
            row.is_renewed = before.is_renewed
        # When it was replaced: the one replaced last can be used again.
        RatingList.objects.filter(pk=before.pk).update(is_current=False, progress_at=now)
    row.is_current = True
    row.save()
    compare_all(timezone.localdate(now))


def _ended(
    row: RatingList, now: datetime, state: RatingListState, error: BadInput | None = None
) -> RatingList:
    row.state, row.progress_at = state, now
    row.problem = _described(error) if error else {}
    row.save(update_fields=["state", "progress_at", "problem"])
    return row


def _described(error: BadInput) -> dict[str, object]:
    params = {
        name: value if isinstance(value, int) else str(value)
        for name, value in error.params.items()
    }
    return {"code": error.code, "line": error.line, "column": error.column, "params": params}


def problem_of(row: RatingList) -> str:
    """Return the sentences on the problem of *row* in the reader's language; empty without one."""
    if not row.problem:
        return ""
    return " ".join(map(_sentence, (row.problem, *row.problem.get("also", ()))))


def _sentence(described: Mapping[str, Any]) -> str:
    line, column = described.get("line"), described.get("column")
    return str(BadInput(described["code"], line=line, column=column, **described.get("params", {})))


def replaced_by(current: RatingList) -> RatingList | None:
    """Return the list that *current* has replaced, if its file is still there. One query."""
    return replaced_lists([current]).get(current.pk)


def replaced_lists(current: Iterable[RatingList]) -> dict[int, RatingList]:
    """Return the list that each of *current* has replaced, if its file is still there.

    By the number of the current list. One query.
    """
    rows = RatingList.objects.filter(state=RatingListState.LOADED, is_current=False)
    last = {
        (row.federation, row.rate): row
        for row in rows.select_related("loaded_by").order_by("progress_at", "pk")
    }
    return {
        each.pk: before
        for each in current
        if (before := last.get((each.federation, each.rate))) is not None and before.path.exists()
    }


def _of_first_days() -> list[RatingList]:
    """Return the lists of the first days of the tournaments that are not over."""
    today = timezone.localdate()
    running = Tournament.objects.filter(
        Q(end_date=None) | Q(end_date__gte=today), start_date__lte=today, final_at=None
    )
    days = set(running.values_list("start_date", flat=True))
    lists = list(RatingList.objects.filter(state=RatingListState.LOADED))
    return [each for day in days for each in of_day(lists, day)]


def _remove_leftovers(row: RatingList) -> None:
    """Remove the files of lists that are no longer used, and rows of old
    loadings. An open file stays for next time.

    The list that was replaced last stays with its file, one for each federation and rate, and so do
    those of the first day of each tournament that is not over.
    """
    needed = (RatingListState.WAITING, RatingListState.LOADING)
    staying = [row, *RatingList.objects.filter(state__in=needed), *_of_first_days()]
    in_use = list(RatingList.objects.filter(is_current=True))
    staying += [*in_use, *replaced_lists(in_use).values()]
    kept = {each.key for each in staying}
    for file in row.path.parent.glob("*.*"):
        if file.stem not in kept:
            try:
                file.unlink()
            except OSError:  # Windows does not remove an open file.
                continue
    old = RatingList.objects.filter(is_current=False).exclude(state=RatingListState.LOADING)
    old = old.exclude(pk__in=[each.pk for each in staying if each.pk])
    RatingList.objects.filter(pk__in=list(old.values_list("pk", flat=True)[KEPT_LINES:])).delete()
