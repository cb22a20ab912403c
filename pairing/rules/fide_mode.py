"""FIDE mode: whether an event keeps to the rules in force. It is computed from the actions; there is no switch."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from typing import Final

from .verdict import ALLOWED, Refused, Verdict

LAST_DAYS: Final = {
    "dutch_pre2017": date(2017, 6, 30),
    "pre2017": date(2017, 6, 30),
    "dutch_2017": date(2026, 1, 31),
    "c04_2_2017": date(2026, 1, 31),
}
"""The last day on which a pairing system or an edition of the handling rules was in force; others still are."""
BASIC_RULES: Final = frozenset({"met_before", "prohibited", "second_bye"})
"""The codes of the rules that no pairing may break [C.04.1/2026 2, 4; C.04.2/2026 1.5]."""


def are_out_of_date(first_day: date, *codes: str) -> bool:
    """Return whether one of the rules with these *codes* was no longer in force on the *first_day* of an event."""
    return any(code in LAST_DAYS and first_day > LAST_DAYS[code] for code in codes)


def break_basic_rules(broken: Collection[str]) -> bool:
    """Return whether one of the rules with the codes *broken* is a basic rule."""
    return not BASIC_RULES.isdisjoint(broken)


def may_leave(broken: Collection[str], *, is_left: bool, decides: bool, confirmed: bool) -> Verdict:
    """Check whether pairings that break the rules *broken* may be published, which leaves FIDE mode for good.

    Only the Chief Arbiter can do it (*decides*), and confirms it at the publication (*confirmed*), after the reason for
    the arrangement by hand. Once FIDE mode *is_left*, no confirmation is needed.
    """
    if is_left or not break_basic_rules(broken):
        return ALLOWED
    if not decides:
        return Refused("fide_mode.chief_arbiter_decides", "C.04.1 2, 4")
    if not confirmed:
        return Refused("fide_mode.confirm", "C.04.1 2, 4")
    return ALLOWED
