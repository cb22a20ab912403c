"""Compare an action with what its user saw: lines since then on the same thing.

A page shows ``Tournament.version``, which is the number of the newest line. A newer line about
something else, such as a result at another board, does not make the page out of date.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from tournaments.core.errors import Conflict
from tournaments.models import Action, Decision, Entry, Tournament
from tournaments.models.payloads import ActionUndone, AnyPayload, CheckInSettled, undone_by

OF_A_PLAYER: Final = (
    Action.ENTRY_UPDATED,
    Action.ENTRY_RATING_CHANGED,
    Action.ENTRY_WITHDRAWN,
    Action.ENTRY_RETURNED,
    Action.BYE_REQUESTED,
    Action.BYE_CANCELLED,
    Action.ABSENCE_EXPLAINED,
    Action.ABSENCE_WITHDRAWN,
    Action.ABSENCE_LIFTED,
    Action.CHECK_IN_SETTLED,
    Action.RATING_CORRECTED,
)
"""Actions on one player.

The marks of the check-in are not among them: two people may set them at once.
"""
OF_THE_LIST: Final = (
    Action.ENTRY_ADDED,
    Action.ENTRY_UPDATED,
    Action.ENTRY_RATING_CHANGED,
    Action.ENTRY_REMOVED,
    Action.ENTRIES_IMPORTED,
    Action.NUMBERS_ASSIGNED,
    Action.RATING_CORRECTED,
)
"""Actions that change the list of participants or its numbers."""
OF_THE_CHECK_IN: Final = (Action.CHECK_IN_OPENED, Action.CHECK_IN_CLOSED, Action.CHECK_IN_SETTLED)
OF_A_PERSON: Final = (
    Action.PERSON_APPOINTED,
    Action.PERSON_REMOVED,
    Action.ACCESS_RENEWED,
    Action.CHIEF_HANDED_OVER,
)


def newer_lines(
    tournament: Tournament,
    seen_version: int,
    actions: Collection[Action],
    *,
    entry: Entry | None = None,
    person: int | None = None,
) -> tuple[Decision, ...]:
    """Return the lines of *actions*, and of their undoing, after line *seen_version*,
    the newest first. One query.

    With *entry* only those about that player, with *person* only those about that account.
    """
    rows = Decision.objects.filter(
        tournament=tournament,
        sequence__gt=seen_version,
        action__in=(*actions, Action.ACTION_UNDONE),
    )
    return tuple(
        row for row in rows.order_by("-sequence") if _is_about(row.payload, actions, entry, person)
    )


def require_nothing_newer(
    tournament: Tournament,
    seen_version: int | None,
    actions: Collection[Action],
    code: str,
    *,
    entry: Entry | None = None,
    person: int | None = None,
    **params: object,
) -> None:
    """Raise :class:`Conflict` *code* with the lines of :func:`newer_lines`,
    if there are any. At most one query.

    None: the caller is a program that shows no page. Below 0: the form does not contain a version.
    """
    if seen_version is None:
        return
    if seen_version < 0:
        raise Conflict("form.no_version")
    if lines := newer_lines(tournament, seen_version, actions, entry=entry, person=person):
        raise Conflict(code, params=params, lines=lines)


def require_player_as_seen(tournament: Tournament, entry: Entry, seen_version: int | None) -> None:
    """Raise :class:`Conflict` ``entry.moved_meanwhile`` if there is a newer line about *entry*.

    At most one query.
    """
    require_nothing_newer(
        tournament, seen_version, OF_A_PLAYER, "entry.moved_meanwhile", entry=entry, name=entry.name
    )


def _is_about(
    payload: AnyPayload, actions: Collection[Action], entry: Entry | None, person: int | None
) -> bool:
    if isinstance(payload, ActionUndone):
        payload = undone_by(payload)
        if payload.action not in actions:
            return False
    if entry is not None:
        return entry.pk in _entries(payload)
    return person is None or person in _people(payload)


def _entries(payload: AnyPayload) -> list[object]:
    """Return the keys of the players that *payload* names."""
    if isinstance(payload, CheckInSettled):
        return [each["entry"] for each in payload.after["missing"]]
    sides: tuple[Mapping[str, object], ...] = (payload.before, payload.after)
    return [side["entry"] for side in sides if "entry" in side]


def _people(payload: AnyPayload) -> list[object]:
    sides: tuple[Mapping[str, object], ...] = (payload.before, payload.after)
    return [side["person"] for side in sides if "person" in side]
