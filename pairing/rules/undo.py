"""Check whether an action may be undone. An undo is an action of its own, because the record only grows.

Publications remain [C.04.2/2026 4.4]. An older action can be undone for ten minutes, as long as no later one has
touched the same thing (:mod:`pairing.rules.undo_between`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from enum import Enum
from typing import Final, assert_never

from .check_in import CheckIn, may_tick
from .entries import after_the_last, may_change_bye, may_remove, may_withdraw
from .rounds import RoundFacts, may_discard, may_record_result
from .verdict import ALLOWED, Refused, Verdict

OFFERED_FOR: Final = timedelta(minutes=10)
"""How long an undo is offered, and how long an action can be undone that is no longer the newest."""


class Undoable(Enum):
    """The actions that an undo reverses itself; the values are the codes in the record."""

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

OPPOSITE: Final[Mapping[str, str]] = {
    "entry.added": "entry.removed",
    "entry.removed": "entry.added",
    "entry.updated": "entry.updated",
    "entry.rating_changed": "entry.rating_changed",
    "desk_data.changed": "desk_data.changed",
    "fee.set": "fee.set",
    "tournament.updated": "tournament.updated",
    "tournament.listed": "tournament.unlisted",
    "tournament.unlisted": "tournament.listed",
    "tournament.archived": "tournament.restored",
    "tournament.restored": "tournament.archived",
    "prohibited_pairs.set": "prohibited_pairs.set",
    "prizes.set": "prizes.set",
    "round.scheduled": "round.scheduled",
    "person.appointed": "person.removed",
    "round.arranged": "round.arranged",
}
"""The actions that an ordinary action undoes, with this action: it restores the values before, with all its checks."""


def undoable(action: str) -> Undoable | None:
    """Return the kind of *action*; None if an undo does not reverse it itself."""
    return next((kind for kind in Undoable if kind.value == action), None)


def can_be_undone(action: str) -> bool:
    """Return whether there is an undo of *action*; others are corrected by another action of the rules, or remain."""
    return action in OPPOSITE or undoable(action) is not None


def is_in_time(done: datetime, now: datetime, *, is_newest: bool) -> bool:
    """Return whether an action *done* then can still be undone: the newest at any time, others for ten minutes."""
    return is_newest or now - done <= OFFERED_FOR


def may_undo(
    action: str, rounds: Sequence[RoundFacts], round_number: int, check_in: CheckIn, *, own: bool, decides: bool
) -> Verdict:
    """Check whether *action* may be undone by the arbiter who did it (*own*) or by the Chief Arbiter (*decides*).

    *round_number* is the round of the action, for a withdrawal the first round that it concerns; 0 for actions that
    belong to no round. An undo is refused where the opposite action would be refused now: a published
    draft [C.04.2/2026 4.4], a result of a round that is over [C.04.2/2026 4.3], a bye or withdrawal for a published
    round [C.04.2/2026 3.3, 4.4]. The actions of :data:`OPPOSITE` check the rest themselves.
    """
    if not can_be_undone(action):
        return Refused("undo.not_this")
    if not (own or decides):
        return Refused("undo.of_another")
    kind = undoable(action)
    leaves_the_last = kind is Undoable.WITHDRAWAL and round_number == after_the_last(rounds)
    if round_number > len(rounds) and not leaves_the_last:  # the number of rounds has changed since
        return Refused("round.unknown", "C.04.1 1", {"round": round_number, "total": len(rounds)})
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
        case None:
            return may_remove(rounds) if action in ("entry.added", "entry.removed") else ALLOWED
        case _:
            assert_never(kind)
