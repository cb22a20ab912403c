"""FIDE mode: whether an event keeps to the rules in force.

Actions leave it, once and for good; there is no switch.
"""

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
"""The last day on which a pairing system or an edition of the handling rules was in force;
others still are.
"""
BASIC_RULES: Final = frozenset({"met_before", "prohibited", "second_bye"})
"""The codes of the rules that no pairing may break [C.04.1/2026 2, 4; C.04.2/2026 1.5]."""


IMPORTED_RULES: Final = BASIC_RULES | {"third_colour", "colour_difference"}
"""The codes of the rules that leave FIDE mode if a round of an imported
file breaks them [C.04.1/2026 2, 4, 6, 7].

No reason of an arbiter comes with such a round, as it does with a pairing by hand. A comment of the
file on boards paired by hand is such a reason for the rules about colours [C.04.3/2026 1.9.3].
"""


def are_out_of_date(first_day: date, *codes: str) -> bool:
    """Return whether a rule of these *codes* was no longer in force on the *first_day*."""
    return any(code in LAST_DAYS and first_day > LAST_DAYS[code] for code in codes)


def break_basic_rules(broken: Collection[str]) -> bool:
    """Return whether one of the rules with the codes *broken* is a basic rule."""
    return not BASIC_RULES.isdisjoint(broken)


def may_leave(broken: Collection[str], *, is_left: bool, decides: bool, confirmed: bool) -> Verdict:
    """Check whether pairings that break *broken* may be published: FIDE mode is left for good.

    Only the Chief Arbiter can do it (*decides*), and confirms it at the publication (*confirmed*),
    after the reason for the arrangement by hand. Once FIDE mode *is_left*, no confirmation is
    needed.
    """
    if is_left or not break_basic_rules(broken):
        return ALLOWED
    if not decides:
        return Refused("fide_mode.chief_arbiter_decides", "C.04.1 2, 4")
    if not confirmed:
        return Refused("fide_mode.confirm", "C.04.1 2, 4")
    return ALLOWED


def may_use_rules(*, leaves: bool, decides: bool, confirmed: bool) -> Verdict:
    """Check whether an event may use rules that were no longer in force on its first day,
    if that *leaves* FIDE mode.

    Only the Chief Arbiter can do it (*decides*), after two questions (*confirmed*)
    [C.04.2/2026 1.1].
    """
    if not leaves:
        return ALLOWED
    if not decides:
        return Refused("fide_mode.chief_arbiter_chooses", "C.04.2 1.1")
    if not confirmed:
        return Refused("fide_mode.confirm_rules", "C.04.2 1.1")
    return ALLOWED


def may_import(
    *, leaves: bool, confirmed: bool, older_rules: bool = False, broken: Collection[str] = ()
) -> Verdict:
    """Check whether a file may be imported whose rounds or rules leave FIDE mode (*leaves*),
    after two questions.

    A file that says itself that its event left FIDE mode needs none: its event was outside before.
    The refusal names the articles of the reasons: *broken* are those that its rounds break
    [C.04.1/2026 2, 4, 6, 7]; with *older_rules* its rules were no longer in force on its first day
    [C.04.2/2026 1.1].
    """
    if leaves and not confirmed:
        return Refused(
            "fide_mode.confirm_import",
            _together({*broken, *(["C.04.2 1.1"] if older_rules else [])}),
        )
    return ALLOWED


def _together(articles: Collection[str]) -> str:
    """Return *articles* with each regulation named once: ``C.04.1 2, 7, C.04.2 1.1``."""
    numbers: dict[str, list[str]] = {}
    for article in sorted(articles):
        regulation, _, number = article.partition(" ")
        numbers.setdefault(regulation, []).append(number)
    return ", ".join(f"{regulation} {', '.join(own)}" for regulation, own in numbers.items())
