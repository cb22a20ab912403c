"""Use a rating list that waits because it is much smaller, or go back to the list before."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction

from tournaments.core.errors import Conflict
from tournaments.core.permissions import may_load_lists
from tournaments.lists.rating_lists.loading import lock_current, make_current, replaced_by
from tournaments.models import RatingList, RatingListState


def list_use(
    *, list_id: int, actor: User | None, now: datetime, seen_current: int | None = None
) -> RatingList:
    """Use a list that waits, or the list before the current one; return its row.

    *actor* None: the server's console. ``PermissionDenied`` as for a loading; ``Conflict`` if the
    list cannot be used any more, or if another one than *seen_current* is in use by now.
    """
    _require_may_load(actor)
    with transaction.atomic():
        row = RatingList.objects.filter(pk=list_id).first()
        current = lock_current(row) if row is not None else None
        if row is not None and row == current:
            return row
        row = RatingList.objects.select_for_update(of=("self",)).filter(pk=list_id).first()
        if row is None or current is None or not _can_be_used(row, current):
            raise Conflict("rating_list.not_there")
        if seen_current is not None and seen_current != current.pk:
            raise Conflict("rating_list.replaced_meanwhile")
        row.state = RatingListState.LOADED
        make_current(row, current, now)
    return row


def list_discard(*, list_id: int, actor: User | None) -> None:
    """Discard a list that waits: the one in use stays.

    ``PermissionDenied``; ``Conflict`` if it does not wait.
    """
    _require_may_load(actor)
    waiting = RatingList.objects.filter(pk=list_id, state=RatingListState.WAITING)
    if not waiting.update(state=RatingListState.CANCELLED):
        raise Conflict("rating_list.not_there")
    RatingList.objects.get(pk=list_id).path.unlink(missing_ok=True)


def waiting_lists() -> list[tuple[RatingList, RatingList | None]]:
    """Return the lists that wait, each with the current one that it would replace."""
    rows = RatingList.objects.filter(state=RatingListState.WAITING).select_related("loaded_by")
    current = {
        (each.federation, each.rate): each for each in RatingList.objects.filter(is_current=True)
    }
    return [(row, current.get((row.federation, row.rate))) for row in rows]


def _can_be_used(row: RatingList, current: RatingList) -> bool:
    is_waiting = row.state == RatingListState.WAITING and row.path.exists()
    return is_waiting or row == replaced_by(current)


def _require_may_load(actor: User | None) -> None:
    if actor is not None and not may_load_lists(actor):
        raise PermissionDenied
