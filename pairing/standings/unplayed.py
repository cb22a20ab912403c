"""Classify unplayed rounds in a Swiss and adjust scores for the opponents [C.07/2026 16.1-16.3]."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from pairing.engine.model import Result, RoundRecord


class Unplayed(Enum):
    """The five kinds of unplayed rounds [C.07/2026 16.2.1]; the value is the number in that list.

    ``is_voluntary``: a requested bye or a forfeit loss, which the text calls a VUR
    [C.07/2026 16.1.2].
    """

    FULL_BYE = (1, False)
    """A pairing-allocated or a full-point bye."""
    FORFEIT_WIN = (2, False)
    REQUESTED_BYE = (3, True)
    """A half-point or zero-point bye before a later round that was played,
    or missed against the player's will.
    """
    FORFEIT_LOSS = (4, True)
    REQUESTED_BYE_TO_THE_END = (5, True)
    """A half-point or zero-point bye with only voluntarily unplayed rounds after it:
    the player has left.
    """

    is_voluntary: bool

    def __new__(cls, number: int, is_voluntary: bool) -> Unplayed:
        member = object.__new__(cls)
        member._value_ = number
        member.is_voluntary = is_voluntary
        return member


def kinds_of_unplayed(rounds: Sequence[RoundRecord]) -> tuple[Unplayed | None, ...]:
    """Return for each round of a player why it was not played, or None [C.07/2026 16.2.1]."""
    if all(record.result.is_played for record in rounds):
        return (None,) * len(rounds)
    kinds: list[Unplayed | None] = []
    returns = False
    for record in reversed(rounds):
        kind = None if record.result.is_played else _kind(record.result, returns=returns)
        kinds.append(kind)
        returns = returns or kind is None or not kind.is_voluntary
    return tuple(reversed(kinds))


def _kind(result: Result, *, returns: bool) -> Unplayed:
    """Return the kind of a round that was not played."""
    match result:
        case Result.PAIRING_ALLOCATED_BYE | Result.FULL_POINT_BYE:
            return Unplayed.FULL_BYE
        case Result.FORFEIT_WIN:
            return Unplayed.FORFEIT_WIN
        case Result.FORFEIT_LOSS:
            return Unplayed.FORFEIT_LOSS
        case _:  # a half-point or a zero-point bye
            return Unplayed.REQUESTED_BYE if returns else Unplayed.REQUESTED_BYE_TO_THE_END
