"""Check whether standings may be made final, or be reopened [C.04.2/2026 4.3]."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from .actions import Action
from .rounds import RoundFacts, is_over, minutes_after
from .verdict import ALLOWED, Refused, Verdict

AFTER_THE_END: Final = frozenset(action.value for action in Action if action.row.while_final)
"""The actions that are possible while the standings are final:
they change nothing of the event itself.

They are those of the Chief Arbiter, and the password that a site administrator sets: with it
somebody else could reopen the standings.
"""


@dataclass(frozen=True, slots=True)
class EndFacts:
    """The end of an event.

    ``adjourned`` are the open games as ``round/board``. ``reports_until`` is the end of the time to
    report mistakes; None: no time is set. ``tied`` are the TPNs of the players who are equal in
    everything, by the rank they share.
    """

    rounds: Sequence[RoundFacts]
    is_final: bool
    adjourned: tuple[str, ...] = ()
    reports_until: datetime | None = None
    tied: tuple[tuple[int, ...], ...] = ()


def may_make_final(facts: EndFacts, now: datetime, *, ties_stay: bool) -> Verdict:
    """Check whether the standings may be made final at *now*.

    The results of the last round are published [C.04.2/2026 4.2] and no game is adjourned
    [C.04.2/2026 3.1]. The time to report mistakes is over [C.04.2/2026 4.3]. Players who are equal
    in everything have a lot [C.07/2026 4.2], unless the Chief Arbiter says that they share the rank
    (*ties_stay*).
    """
    if facts.is_final:
        return Refused("standings.final", "C.04.2 4.3")
    if not is_over(facts.rounds):
        return Refused("final.not_over", "C.04.2 4.2")
    if facts.adjourned:
        return Refused("results.adjourned", "C.04.2 3.1", {"games": facts.adjourned})
    if facts.reports_until is not None and facts.reports_until > now:
        return Refused(
            "final.reports_open", "C.04.2 4.3", {"minutes": minutes_after(now, facts.reports_until)}
        )
    if facts.tied and not ties_stay:
        return Refused("final.tied", "C.07 4.2", {"count": sum(map(len, facts.tied))})
    return ALLOWED


def may_reopen(*, is_final: bool) -> Verdict:
    """Check whether the standings may be reopened: they are final."""
    return ALLOWED if is_final else Refused("final.not_final")
