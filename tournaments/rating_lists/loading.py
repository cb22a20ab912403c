"""Load a rating list: beside the old one, which stays in use until the new one is complete."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction

from tournaments.core.errors import BadInput, Conflict
from tournaments.core.permissions import may_load_lists
from tournaments.core.validation import require_federation
from tournaments.models import RatingList, RatingListState
from tournaments.rating_lists.fetching import fetch, require_list_address
from tournaments.rating_lists.list_file import write_list
from tournaments.rating_lists.opening import month_in, open_list
from tournaments.rating_lists.rows import Faults

SILENT: Final = timedelta(minutes=5)
"""A loading that has said nothing for this long has been interrupted."""
BETWEEN: Final = 1.0
"""Seconds between two marks of progress."""
SMALLER: Final = 80
"""A list with fewer players than so many per cent of the one in use waits until somebody decides."""
KEPT_LINES: Final = 20
"""Rows of earlier loadings that are kept for the page."""

Clock = Callable[[], datetime]
Report = Callable[[RatingList], None]


class Cancelled(Exception):  # noqa: N818  somebody asked for it
    """Somebody asked to cancel the loading."""


def list_begin(
    *, actor: User | None, now: datetime, origin: str, federation: str = "", month: date | None = None
) -> RatingList:
    """Save the row of a new loading from *origin*, a file name or an address; *actor* None: the server's console.

    Without *month* the list is of the month in the file, else in its name, else of today. ``PermissionDenied`` unless
    :func:`~tournaments.core.permissions.may_load_lists`; ``Conflict`` while another list is being loaded; ``BadInput``
    for an invalid federation.
    """
    if actor is not None and not may_load_lists(actor):
        raise PermissionDenied
    require_federation(federation)
    RatingList.objects.filter(state=RatingListState.LOADING, progress_at__lt=now - SILENT).update(
        state=RatingListState.FAILED, problem=_described(BadInput("rating_list.interrupted"))
    )
    try:
        with transaction.atomic():
            return RatingList.objects.create(
                origin=origin[-300:], federation=federation, month=month and month.replace(day=1),
                loaded_by=actor, begun_at=now, progress_at=now,
            )  # fmt: skip
    except IntegrityError as error:
        raise Conflict("rating_list.loading") from error


def list_cancel(*, list_id: int, actor: User) -> None:
    """Ask the loading to stop; it does within seconds. ``Conflict`` if it is over; ``PermissionDenied``."""
    if not may_load_lists(actor):
        raise PermissionDenied
    if not RatingList.objects.filter(pk=list_id, state=RatingListState.LOADING).update(cancel_asked=True):
        raise Conflict("rating_list.not_loading")


def list_load(
    *,
    list_id: int,
    source: Path | str,
    clock: Clock,
    report: Report = lambda row: None,
    accepts_smaller: bool = False,
) -> RatingList:
    """Read the list from *source*, a file or an address, and use it from then on; return its row.

    Nothing becomes current unless the whole file was read. The row says what went wrong: no error is raised for a file
    that cannot be used. Unless *accepts_smaller*, a list much smaller than the one in use (:data:`SMALLER`) is read,
    and waits for :func:`~.replacing.list_use`. *report* gets the row about once a second.
    """
    row = RatingList.objects.get(pk=list_id)
    path, upload = row.path, row.upload
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _remove_leftovers(row)
    try:
        if isinstance(source, str):
            _fetch(row, source, _Progress(row, clock, report))
            source = upload
        _read(row, source, _Progress(row, clock, report))
    except Cancelled:
        return _ended(row, clock(), RatingListState.CANCELLED)
    except BadInput as error:
        return _ended(row, clock(), RatingListState.FAILED, error)
    except (OSError, sqlite3.Error) as error:
        return _ended(row, clock(), RatingListState.FAILED, BadInput("rating_list.disk", problem=str(error)))
    finally:
        upload.unlink(missing_ok=True)
        path.with_suffix(".words").unlink(missing_ok=True)
    _make_current(row, clock(), accepts_smaller=accepts_smaller)
    return row


def _fetch(row: RatingList, url: str, progress: _Progress) -> None:
    require_list_address(url)

    def tick(read: int, total: int) -> None:
        row.bytes_read, row.bytes_total = read, total
        progress.mark()

    fetch(url, row.upload, allow_private=settings.RATING_LISTS_FROM_PRIVATE, tick=tick, seconds=time.monotonic)


def _read(row: RatingList, source: Path, progress: _Progress) -> None:
    faults = Faults()
    with open_list(source, row.origin) as opened:
        if opened.is_fide:
            row.federation = ""
        elif not row.federation:
            raise BadInput("rating_list.federation_missing", field="federation")
        row.rate, row.bytes_total = opened.rate, opened.size
        row.month = row.month or opened.month or month_in(row.origin) or row.begun_at.date().replace(day=1)

        def tick(players: int) -> None:
            row.players, row.bytes_read = players, opened.stream.read_so_far
            progress.mark()

        row.players = write_list(row.path, opened.rows(faults), tick=tick)
        row.bytes_read = opened.stream.read_so_far
    if not row.players:
        row.path.unlink(missing_ok=True)
        raise BadInput("rating_list.no_players")
    row.left_out = len(faults.found)
    said = [_described(each) for each in (*faults.found[:1], faults.remark, faults.assumed) if each is not None]
    row.problem = said[0] | {"also": said[1:]} if said else {}


class _Progress:
    """Save the progress of *row* once a second at most, and raise :class:`Cancelled` if somebody asked for it."""

    def __init__(self, row: RatingList, clock: Clock, report: Report) -> None:
        self.row, self.clock, self.report = row, clock, report

    def mark(self) -> None:
        now = self.clock()
        if (now - self.row.progress_at).total_seconds() < BETWEEN:
            return
        self.row.progress_at = now
        self.row.save(update_fields=["bytes_read", "bytes_total", "players", "progress_at"])
        self.report(self.row)
        if RatingList.objects.filter(pk=self.row.pk).filter(cancel_asked=True).exists():
            raise Cancelled


def _make_current(row: RatingList, now: datetime, *, accepts_smaller: bool) -> None:
    """Use *row* instead of the list before it, in one short transaction; that one can be used again."""
    with transaction.atomic():
        before = lock_current(row)
        held = RatingList.objects.select_for_update().get(pk=row.pk)
        if held.cancel_asked or held.state != RatingListState.LOADING:
            row.path.unlink(missing_ok=True)
            _ended(row, now, RatingListState.CANCELLED)
            return
        same = RatingList.objects.filter(federation=row.federation, rate=row.rate, state=RatingListState.WAITING)
        same.update(state=RatingListState.CANCELLED)
        row.progress_at = now
        if before is not None and not accepts_smaller and is_much_smaller(row, before):
            row.state = RatingListState.WAITING
            row.save()
        else:
            row.state = RatingListState.LOADED
            make_current(row, before, now)
    _remove_leftovers(row)


def lock_current(row: RatingList) -> RatingList | None:
    """Lock the current list of the federation and rate of *row* and return it; None if there is none."""
    current = RatingList.objects.filter(federation=row.federation, rate=row.rate, is_current=True)
    return current.select_for_update().first()


def is_much_smaller(row: RatingList, before: RatingList) -> bool:
    """Return whether *row* has so few players that it may be the wrong file."""
    return 100 * row.players < SMALLER * before.players


def make_current(row: RatingList, before: RatingList | None, now: datetime) -> None:
    """Save *row* as the current list instead of *before*, which :func:`lock_current` has returned."""
    if before is not None:
        # When it was replaced: the one replaced last can be used again.
        RatingList.objects.filter(pk=before.pk).update(is_current=False, progress_at=now)
    row.is_current = True
    row.save()


def _ended(row: RatingList, now: datetime, state: RatingListState, error: BadInput | None = None) -> RatingList:
    row.state, row.progress_at = state, now
    row.problem = _described(error) if error else {}
    row.save(update_fields=["state", "progress_at", "problem"])
    return row


def _described(error: BadInput) -> dict[str, object]:
    params = {name: value if isinstance(value, int) else str(value) for name, value in error.params.items()}
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
    rows = RatingList.objects.filter(
        federation=current.federation, rate=current.rate, state=RatingListState.LOADED, is_current=False
    )
    row = rows.select_related("loaded_by").order_by("-progress_at", "-pk").first()
    return row if row is not None and row.path.exists() else None


def _remove_leftovers(row: RatingList) -> None:
    """Remove the files of lists that are no longer used, and rows of old loadings. An open file stays for next time.

    The list that was replaced last stays with its file, one for each federation and rate.
    """
    staying = [row, *RatingList.objects.filter(state=RatingListState.WAITING)]
    for current in RatingList.objects.filter(is_current=True):
        before = replaced_by(current)
        staying += [current] if before is None else [current, before]
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
