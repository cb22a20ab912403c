"""One live copy of an event: another computer goes on after a hand-over, this copy only reads."""

from __future__ import annotations

from typing import Final

from .verdict import ALLOWED, Refused, Verdict

WHILE_AWAY: Final = frozenset({"tournament.taken_over", "tournament.brought_back"})
"""The only actions after a hand-over: the other computer takes the event over,
or this one brings it back.
"""
HANDED_OVER: Final = "tournament.handed_over"


def may_act(action: str, *, is_away: bool) -> Verdict:
    """Check whether *action* is possible in this copy; *is_away*: another is the live one."""
    if action in WHILE_AWAY:
        return ALLOWED if is_away else Refused("hand_over.is_here")
    return Refused("hand_over.is_away") if is_away else ALLOWED
