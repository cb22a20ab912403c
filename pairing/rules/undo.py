"""The last act taken back, where no rule forbids it: as an act of its own, for the record only grows.

Whatever has been published stays: publishing is an act too, so that what came before it is not the last any more.
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
    """The acts that can be taken back, valued as the record names them."""

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

    @property
    def touches_pairing(self) -> bool:
        """Whether a draft made before it was taken back may not be right any more."""
        return self in _ABOUT_WHO_PLAYS


_ABOUT_WHO_PLAYS = frozenset(
    {Undoable.WITHDRAWAL, Undoable.RETURN, Undoable.BYE, Undoable.BYE_CANCELLED, Undoable.SETTLED}
)


def undoable(act: str) -> Undoable | None:
    """The kind of *act*; None where it is not taken back but mended by an act the rules know."""
    return next((kind for kind in Undoable if kind.value == act), None)


def may_undo(
    act: str, rounds: Sequence[RoundFacts], round_number: int, check_in: CheckIn, *, own: bool, decides: bool
) -> Verdict:
    """Whether the last *act* may be taken back by whoever did it (*own*), or by the Chief Arbiter (*decides*).

    *round_number* is the round the act was about, for a withdrawal the first it counts for; it is not looked at where
    an act is about none. What would be refused now stays: a draft that is published [C.04.2/2026 4.4], a result
    whose round is over [C.04.2/2026 4.3], a bye or a withdrawal for a published round [C.04.2/2026 3.3, 4.4].
    """
    kind = undoable(act)
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
        case Undoable.BYE | Undoable.BYE_CANCELLED | Undoable.SETTLED:
            return may_change_bye(rounds, round_number)
        case Undoable.CHECKED_IN | Undoable.CHECKED_OUT:
            return may_tick(check_in)
        case Undoable.RETURN:
            return ALLOWED
        case _:
            assert_never(kind)
