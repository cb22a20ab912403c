"""The powers of each role; :mod:`.actions` has the power that each action of the record needs.

Services ask before an action (:mod:`tournaments.core.permissions`), and the replay of a record asks
again, without the database (:mod:`pairing.record.people`). Roles and actions are named by their
codes.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final


class Power(Enum):
    """What a person may do in a tournament."""

    READ = "read"
    """See drafts and all pages of the arbiters."""
    RESULTS = "results"
    """Enter results."""
    CHECK_IN = "check_in"
    """Mark players as present; see and change phone numbers, notes and fees."""
    RUN = "run"
    """Pair, publish, correct, and change entries and settings."""
    DECIDE = "decide"
    """Take the decisions that the rules leave to the Chief Arbiter [C.04.2/2026 4.3, 4.4]."""


CHIEF: Final = "chief"
DEPUTY: Final = "deputy"

POWERS: Final[Mapping[str, frozenset[Power]]] = {
    CHIEF: frozenset(Power),
    DEPUTY: frozenset({Power.READ, Power.RESULTS, Power.CHECK_IN, Power.RUN}),
    "result_desk": frozenset({Power.RESULTS}),
    "check_in_desk": frozenset({Power.CHECK_IN}),
    "reader": frozenset({Power.READ}),
}
"""By the code of the role."""


def may_end(role: str) -> bool:
    """Return whether *role* may end, or be declined, with nobody else in it.

    A tournament always has a Chief Arbiter, because nobody else could decide
    [C.04.2/2026 4.3, 4.4].
    """
    return role != CHIEF


BY_THE_CONSOLE: Final = "by the console of the server"
"""The reason in a line about another Chief Arbiter whom the people who run the server appointed."""
WITH_A_LINK: Final = "a new password, set with a link for a forgotten one"
NEW_ADDRESS: Final = "another e-mail address, to which links for a new password are sent"
TAKEN_OVER: Final = "a link and a PIN, made when the event was taken over"
"""The reasons in lines about log-in data; a site administrator who sets a password gives none."""
BY_A_SITE_ADMINISTRATOR: Final = frozenset({"password.set", "tournament.taken_over"})
"""Actions of people who need no role in the tournament:
site administrators, and the owner of an account.
"""
