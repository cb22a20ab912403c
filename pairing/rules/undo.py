"""Check whether an action may be undone. An undo is an action: the record only grows.

Publications remain [C.04.2/2026 4.4]. An older action can be undone for ten minutes, as long as no
later one has touched the same thing (:mod:`pairing.rules.undo_between`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from .actions import Action, find
from .check_in import CheckIn, may_tick
from .entries import after_the_last, may_change_bye, may_remove, may_withdraw
from .rounds import RoundFacts, may_discard, may_record_result
from .verdict import ALLOWED, Refused, Verdict

OFFERED_FOR: Final = timedelta(minutes=10)
"""How long an undo is offered, and how long an action can be
undone that is no longer the newest.
"""


OPPOSITE: Final[Mapping[str, str]] = {
    action.value: action.row.opposite for action in Action if action.row.opposite
}
"""The actions that an ordinary action undoes, with this action, which restores the values before.

It makes all its checks.
"""


def can_be_undone(action: str) -> bool:
    """Return whether *action* has an undo; others are corrected by another action, or remain."""
    kind = find(action)
    return kind is not None and (kind.row.reversed or bool(kind.row.opposite))


def is_in_time(done: datetime, now: datetime, *, is_newest: bool) -> bool:
    """Return whether an action *done* can be undone: the newest, or within ten minutes."""
    return is_newest or now - done <= OFFERED_FOR


def may_undo(
    action: str,
    rounds: Sequence[RoundFacts],
    round_number: int,
    check_in: CheckIn,
    *,
    own: bool,
    decides: bool,
) -> Verdict:
    """Check whether *action* may be undone by the arbiter who did it
    (*own*) or by the Chief Arbiter (*decides*).

    *round_number* is the round of the action, for a withdrawal the first round that it concerns; 0
    for actions that belong to no round. An undo is refused where the opposite action would be
    refused now: a published draft [C.04.2/2026 4.4], a result of a round that is over
    [C.04.2/2026 4.3], a bye or withdrawal for a published round [C.04.2/2026 3.3, 4.4]. The actions
    of :data:`OPPOSITE` check the rest themselves.
    """
    if not can_be_undone(action):
        return Refused("undo.not_this")
    if not (own or decides):
        return Refused("undo.of_another")
    kind = find(action)
    leaves_the_last = kind is Action.ENTRY_WITHDRAWN and round_number == after_the_last(rounds)
    if round_number > len(rounds) and not leaves_the_last:  # the number of rounds has changed since
        return Refused("round.unknown", "C.04.1 1", {"round": round_number, "total": len(rounds)})
    match kind:
        case Action.ROUND_PAIRED | Action.ROUND_PAIRED_BY_HAND:
            return may_discard(rounds[round_number - 1])
        case Action.RESULT_RECORDED:
            return may_record_result(rounds[round_number - 1], adjourned=False, clears=True)
        case Action.ENTRY_WITHDRAWN:
            return may_withdraw(rounds, round_number)
        case (
            Action.BYE_REQUESTED
            | Action.BYE_CANCELLED
            | Action.CHECK_IN_SETTLED
            | Action.CHECK_IN_ANSWERED
        ):
            return may_change_bye(rounds, round_number)
        case Action.ENTRY_CHECKED_IN | Action.ENTRY_CHECKED_OUT | Action.ENTRIES_CHECKED_IN:
            return may_tick(check_in)
        case Action.ENTRY_ADDED | Action.ENTRY_REMOVED:
            return may_remove(rounds)
        case _:
            return ALLOWED
