"""Who did not come to a game without a word: paired again, or withdrawn [C.04.2/2026 3.2, 3.3]."""

from __future__ import annotations

from collections.abc import Sequence

from .rounds import RoundFacts, next_unpublished
from .verdict import ALLOWED, Refused, Verdict


def round_of_no_shows(rounds: Sequence[RoundFacts]) -> int | None:
    """The round whose games lost by forfeit raise the question of withdrawal now: the newest that is published.

    None before the first, and when no pairing is left that a withdrawal could keep somebody out of.
    """
    following = next_unpublished(rounds)
    return following - 1 if following is not None and following > 1 else None


def withdrawn_from(rounds: Sequence[RoundFacts], round_number: int, *, withdraws: bool) -> int | None:
    """The round from which who was absent without notice in *round_number* is withdrawn by the rules themselves.

    *withdraws*: the edition says so by itself [C.04.2/2017 D.2]. None where it does not, and where the next
    pairings are published or no round is left.
    """
    return round_number + 1 if withdraws and round_number == round_of_no_shows(rounds) else None


def may_explain(rounds: Sequence[RoundFacts], round_number: int, *, forfeited: bool, article: str) -> Verdict:
    """Whether an absence in round *round_number* may be noted as explained: before the next pairing is published.

    *article* is the one of the edition; *forfeited*: the player lost the game there by forfeit.
    """
    params: dict[str, object] = {"round": round_number}
    if not forfeited:
        return Refused("absence.not_absent", "", params)
    if round_number != round_of_no_shows(rounds):
        return Refused("absence.too_late", article, params)
    return ALLOWED
