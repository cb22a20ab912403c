"""Decide about players absent without notice: paired or withdrawn [C.04.2/2026 3.2, 3.3]."""

from __future__ import annotations

from collections.abc import Sequence

from .rounds import RoundFacts, next_unpublished
from .verdict import ALLOWED, Refused, Verdict


def round_of_no_shows(rounds: Sequence[RoundFacts]) -> int | None:
    """Return the round whose forfeit losers the arbiter may withdraw now:
    the newest one with published pairings.

    None before the first round is published, and None when no round is left from which to withdraw
    anybody.
    """
    following = next_unpublished(rounds)
    return following - 1 if following is not None and following > 1 else None


def withdrawn_from(
    rounds: Sequence[RoundFacts], round_number: int, *, withdraws: bool
) -> int | None:
    """Return from which round one absent without notice in *round_number* is withdrawn.

    *withdraws* is True when the edition withdraws such players by itself [C.04.2/2017 D.2]. Return
    None when it does not, when the next pairings are already published, and when no round is left.
    """
    return round_number + 1 if withdraws and round_number == round_of_no_shows(rounds) else None


def may_explain(
    rounds: Sequence[RoundFacts], round_number: int, *, forfeited: bool, article: str
) -> Verdict:
    """Check whether an absence in *round_number* may be recorded as explained:
    until the next pairings are published.

    *forfeited* says whether the player lost the game of that round by forfeit. *article* is the
    article of the edition.
    """
    params: dict[str, object] = {"round": round_number}
    if not forfeited:
        return Refused("absence.not_absent", "", params)
    if round_number != round_of_no_shows(rounds):
        return Refused("absence.too_late", article, params)
    return ALLOWED
