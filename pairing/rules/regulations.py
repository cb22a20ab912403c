"""Check which declared settings may still change [C.04.1/2026 1, C.04.3/2026 5.1]."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pairing.engine.acceleration import allows_baku
from pairing.engine.model import PointSystem
from pairing.engine.systems import SYSTEMS

from .rounds import RoundFacts, RoundState, is_over
from .settings import Fixed, articles
from .verdict import ALLOWED, Refused, Verdict

FIXED_AT_THE_START: Final = {**articles(Fixed.AT_THE_START), "prohibited_pairs": "C.04.2 1.5"}
"""The settings declared before the first round is paired, and the article that requires it."""


ACCELERATED_SYSTEMS: Final = frozenset(
    code for code, system in SYSTEMS.items() if system.is_accelerated
)
"""The codes of the systems that can use Baku acceleration;
the one before July 2017 is older than it.
"""


FIXED_BEFORE_THE_LAST_ROUND: Final = articles(Fixed.BEFORE_THE_LAST_ROUND)
"""Settings that the chief arbiter declares before the last round is paired;
the draft would show what to choose.
"""


CORRECTED_BY_THE_CHIEF: Final = articles(Fixed.FOR_DEPUTIES)
"""Settings that only the chief arbiter changes once pairings are published,
and the article, if there is one.

These are the name printed with the pairings, and the second reading of results, which the
regulations of the event announce: otherwise a deputy could end it alone for results of their own.
"""


def fixed_fields(
    rounds: Sequence[RoundFacts],
    *,
    last_was_paired: bool = False,
    decides: bool = True,
    ever_paired: bool = False,
) -> frozenset[str]:
    """Return the fields of a tournament that can no longer change:
    those declared in advance, once play is paired.

    *last_was_paired*: the last round had a draft, which has since been discarded. *ever_paired*:
    round 1 had a draft; from then on the fields declared in advance are fixed for everybody except
    the chief arbiter (*decides*). Those of :data:`CORRECTED_BY_THE_CHIEF` are fixed for the others
    once pairings are published.
    """
    late = (
        FIXED_BEFORE_THE_LAST_ROUND
        if rounds[-1].state is not RoundState.PLANNED or last_was_paired
        else {}
    )
    is_fixed = rounds[0].state is not RoundState.PLANNED or (ever_paired and not decides)
    early = FIXED_AT_THE_START if is_fixed else {}
    by_chief = (
        CORRECTED_BY_THE_CHIEF
        if not decides and any(facts.state.is_public for facts in rounds)
        else {}
    )
    return frozenset({*late, *early, *by_chief})


def may_change_fields(
    rounds: Sequence[RoundFacts],
    fields: Sequence[str],
    *,
    decides: bool = True,
    last_was_paired: bool = False,
    ever_paired: bool = False,
) -> Verdict:
    """Check whether *fields* of a tournament may change now: none is in :func:`fixed_fields`.

    *decides*: the chief arbiter asks. *last_was_paired*: there was a draft of the last round, which
    is discarded since. *ever_paired*: there was one of round 1. It showed what the declared fields
    lead to: then only the chief arbiter changes them.
    """
    fixed = fixed_fields(rounds, last_was_paired=last_was_paired)
    is_public = any(facts.state.is_public for facts in rounds)
    for name in fields:
        if name in CORRECTED_BY_THE_CHIEF and is_public and not decides:
            return Refused(
                "tournament.chief_arbiter_declares", CORRECTED_BY_THE_CHIEF[name], {"field": name}
            )
        if name in FIXED_BEFORE_THE_LAST_ROUND:
            article = FIXED_BEFORE_THE_LAST_ROUND[name]
            if name in fixed:
                return Refused("tournament.last_round", article, {"field": name})
            if not decides:
                return Refused("tournament.chief_arbiter_declares", article, {"field": name})
    for name in fields:
        if name in fixed:
            return Refused("tournament.begun", FIXED_AT_THE_START[name], {"field": name})
        if name in FIXED_AT_THE_START and ever_paired and not decides:
            return Refused(
                "tournament.chief_arbiter_changes", FIXED_AT_THE_START[name], {"field": name}
            )
    return ALLOWED


def may_accelerate(*, system: str, points: PointSystem) -> Verdict:
    """Check whether *system* with *points* can have Baku acceleration [C.04.7/2026]."""
    if system not in ACCELERATED_SYSTEMS:
        return Refused("acceleration.system", "C.04.2 1.1", {"system": system})
    if not allows_baku(points):
        return Refused("acceleration.points", "C.04.7")
    return ALLOWED


def may_change_tie_breaks(rounds: Sequence[RoundFacts]) -> Verdict:
    """Check whether the list of tie-breaks may be changed by a separate action:
    once it is announced [C.07/2026 4.1.1].

    Before that it is an ordinary setting. The final standings keep the list with which they were
    published, and the lots drawn among the players whom it left equal [C.07/2026 4.2].
    """
    if rounds[0].state is RoundState.PLANNED:
        return Refused("tie_break.not_begun", "C.07 4.1.1")
    if is_over(rounds):
        return Refused("tie_break.final", "C.07 4.1.1")
    return ALLOWED


def may_set_initial_colour(
    rounds: Sequence[RoundFacts], *, article: str = "C.04.3 5.1", by_program: bool = False
) -> Verdict:
    """Check whether the initial colour may be drawn: before round 1 is paired [C.04.3/2026 5.1].

    *article* is the article of the pairing system. *by_program*: the program draws, and it has
    drawn before.
    """
    if rounds[0].state is not RoundState.PLANNED:
        return Refused("colour.event_begun", article)
    if by_program:
        return Refused("colour.drawn_once", article)
    return ALLOWED


def may_reschedule(round_: RoundFacts, *, decides: bool) -> Verdict:
    """Check whether the announced times of a round may change [C.04.2/2026 4.2].

    Once its pairings are published the round is measured by them: only the Chief Arbiter changes
    them (*decides*).
    """
    if round_.state.is_public and not decides:
        return Refused("schedule.chief_arbiter_changes", "C.04.2 4.2", {"round": round_.number})
    return ALLOWED


def _not_to_be_decided(
    rounds: Sequence[RoundFacts], *, drawn: bool, minutes_left: int
) -> Refused | None:
    """Return why ties cannot be decided now, or not any more."""
    if rounds[-1].state is not RoundState.RESULTS_PUBLISHED:
        return Refused("lots.not_over", "C.07 4.2")
    if minutes_left > 0:
        return Refused("lots.reports_open", "C.04.2 4.3", {"minutes": minutes_left})
    if drawn:
        return Refused("lots.drawn", "C.07 4.2")
    return None


def may_rank_equals(
    rounds: Sequence[RoundFacts],
    *,
    drawn: bool,
    groups: Sequence[Sequence[int]],
    order: Sequence[int],
    minutes_left: int = 0,
) -> Verdict:
    """Check whether the Chief Arbiter may rank tied players in *order* at the end [C.07/2026 4.2].

    *groups* are the players equal in everything; *order* has each player of one or more of them
    once. Lots that were *drawn* have decided already. *minutes_left* as in :func:`may_draw_lots`.
    """
    refused = _not_to_be_decided(rounds, drawn=drawn, minutes_left=minutes_left)
    if refused is not None:
        return refused
    chosen = [group for group in groups if not set(group).isdisjoint(order)]
    if not order or sorted(order) != sorted(number for group in chosen for number in group):
        return Refused("equals.not_tied", "C.07 4.2")
    return ALLOWED


def may_draw_lots(
    rounds: Sequence[RoundFacts], *, drawn: bool, tied: int, minutes_left: int = 0
) -> Verdict:
    """Check whether lots may be drawn [C.07/2026 4.2]:
    the event is over, and *tied* players are equal in everything.

    Not while mistakes can be reported (*minutes_left*): a correction would change who profits from
    the lots [C.04.2/2026 4.3]. Lots are drawn once, because a second draw would allow a choice
    between two. A later correction keeps the seed, and players who are equal then are ordered by
    the same seed.
    """
    refused = _not_to_be_decided(rounds, drawn=drawn, minutes_left=minutes_left)
    if refused is not None:
        return refused
    if not tied:
        return Refused("lots.nobody_tied", "C.07 4.2")
    return ALLOWED
