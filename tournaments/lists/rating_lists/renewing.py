"""Load a list again each month by itself, from the address from which it came.

Only lists for which somebody chose it on the page *Rating lists*: no address is opened otherwise.
A list is loaded from the second day of a month on, because a federation publishes it during the
first. Without a network the loading fails, the list in use stays, and it is tried again later.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Final

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from tournaments.core.errors import BadInput, Conflict
from tournaments.core.jobs import Work
from tournaments.core.permissions import may_load_lists
from tournaments.lists.rating_lists.loading import list_begin
from tournaments.lists.rating_lists.opening import month_in
from tournaments.models import RatingList, RatingListState

JOB: Final = "rating_list_monthly"
EVERY: Final = 6 * 3600.0
"""Seconds between two attempts; one list at a time."""
FIRST_DAY: Final = 2


def may_be_renewed(row: RatingList) -> bool:
    """Return whether *row* came from an address that is the same each month."""
    return "://" in row.origin and month_in(row.origin) is None


def list_renew(*, list_id: int, actor: User, wanted: bool) -> RatingList:
    """Load the current list again each month, or no longer; return its row.

    ``PermissionDenied`` as for a loading; ``Conflict`` if the list is not in use any more;
    ``BadInput`` if it came from a file, or if its address names the month.
    """
    if not may_load_lists(actor):
        raise PermissionDenied
    with transaction.atomic():
        rows = RatingList.objects.select_for_update(of=("self",))
        row = rows.filter(pk=list_id, is_current=True).first()
        if row is None:
            raise Conflict("rating_list.not_there")
        if wanted and not may_be_renewed(row):
            raise BadInput("rating_list.not_renewable")
        row.is_renewed = wanted
        row.save(update_fields=["is_renewed"])
    return row


def renew_job(work: Work) -> int | None:
    """Begin to load the first list that is due, as a job; return its row, None without one."""
    now = timezone.now()
    row = next(iter(due_lists(now)), None)
    if row is None:
        return None
    try:
        return list_begin(
            actor=None, now=now, origin=row.origin, federation=row.federation, is_renewed=True
        ).pk
    except Conflict:
        return None  # another list is being loaded


def due_lists(now: datetime) -> list[RatingList]:
    """Return the lists to load again, the one first that was tried least recently. Two queries.

    A list is due if it is older than this month, but not if a newer one was loaded this month from
    its address: somebody has gone back from that one, has cancelled it, or has still to decide. One
    that failed is tried again.
    """
    today = timezone.localdate(now)
    if today.day < FIRST_DAY:
        return []
    rows = RatingList.objects.filter(is_current=True, is_renewed=True)
    older = [row for row in rows if row.is_older_than(today)]
    newest = newest_loadings(older)
    this_month = timezone.localtime(now).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    due = [
        row
        for row in older
        if (last := newest[row.pk]) == row
        or last.state == RatingListState.FAILED
        or last.begun_at < this_month
    ]
    return sorted(due, key=lambda row: (newest[row.pk].begun_at, row.pk))


def newest_loadings(rows: Collection[RatingList]) -> dict[int, RatingList]:
    """Return by the number of each row of *rows* the newest loading from its address, which can be
    the row itself. One query.
    """
    loaded = RatingList.objects.filter(origin__in={row.origin for row in rows})
    by_origin = {each.origin: each for each in loaded.order_by("begun_at", "pk")}
    return {row.pk: by_origin[row.origin] for row in rows}


def failed_renewals(rows: Collection[RatingList]) -> dict[int, RatingList]:
    """Return by the number of each of *rows* its last loading by itself, if that failed.

    One query.
    """
    renewed = {row.pk: row for row in rows if row.is_renewed}
    return {
        pk: last
        for pk, last in newest_loadings(renewed.values()).items()
        if last != renewed[pk] and last.is_renewed and last.state == RatingListState.FAILED
    }
