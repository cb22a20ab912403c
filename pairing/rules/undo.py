"""Check whether the last action may be undone. An undo is an action of its own, because the record only grows.

Publications remain: publishing is an action too, so the actions before it are no longer the last one.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import assert_never

from .check_in import CheckIn, may_tick
from .entries import may_change_bye, may_withdraw
from .rounds import RoundFacts, may_discard, may_record_result
from .verdict import ALLOWED, Refused, Verdict


class Undoable(Enum):
    """The actions that can be undone; the values are the codes in the record."""

    DRAFT = "round.paired"
    DRAFT_BY_HAND = "round.paired_by_hand"
    RESULT = "result.recorded"
    WITHDRAWAL = "entry.withdrawn"
    RETURN = "entry.returned"
    BYE = "bye.requested"
    BYE_CANCELLED = "bye.cancelled"
    CHECKED_IN = "entry.checked_in"
    CHECKED_OUT = "entry.checked_out"
    SETTLED = "check_in.settled"
    ANSWERED = "check_in.answered"

    @property
    def changes_pairing(self) -> bool:
        """Return whether undoing the action may put a draft made before out of date."""
        return self in _ABOUT_WHO_PLAYS


_ABOUT_WHO_PLAYS = frozenset(
    {Undoable.WITHDRAWAL, Undoable.RETURN, Undoable.BYE, Undoable.BYE_CANCELLED, Undoable.SETTLED, Undoable.ANSWERED}
)


def undoable(action: str) -> Undoable | None:
    """Return the kind of *action*; None if it cannot be undone but is corrected by another action of the rules."""
    return next((kind for kind in Undoable if kind.value == action), None)


def may_undo(
    action: str, rounds: Sequence[RoundFacts], round_number: int, check_in: CheckIn, *, own: bool, decides: bool
) -> Verdict:
    """Check whether *action* may be undone by the arbiter who did it (*own*) or by the Chief Arbiter (*decides*).

    *round_number* is the round of the action, for a withdrawal the first round without the player. It is ignored for
    actions that belong to no round. An undo is refused where the opposite action would be refused now: a published
    draft [C.04.2/2026 4.4], a result of a round that is over [C.04.2/2026 4.3], a bye or withdrawal for a published
    round [C.04.2/2026 3.3, 4.4].
    """
    kind = undoable(action)
    if kind is None:
        return Refused("undo.not_this")
    if not (own or decides):
        return Refused("undo.of_another")
    match kind:
        case Undoable.DRAFT | Undoable.DRAFT_BY_HAND:
            return may_discard(rounds[round_number - 1])
        case Undoable.RESULT:
            return may_record_result(rounds[round_number - 1], adjourned=False, clears=True)
        case Undoable.WITHDRAWAL:
            return may_withdraw(rounds, round_number)
        case Undoable.BYE | Undoable.BYE_CANCELLED | Undoable.SETTLED | Undoable.ANSWERED:
            return may_change_bye(rounds, round_number)
        case Undoable.CHECKED_IN | Undoable.CHECKED_OUT:
            return may_tick(check_in)
        case Undoable.RETURN:
            return ALLOWED
        case _:
            assert_never(kind)
