"""Check whether a game may have a date of its own: postponed, adjourned, or played in advance."""

from __future__ import annotations

from typing import Final

from .rounds import RoundFacts, RoundState
from .verdict import ALLOWED, Refused, Verdict

OPEN_RESULTS: Final = frozenset({"", "??"})
"""The results of a game that is not over: none yet, and adjourned [C.04.2/2026 3.1]."""


def may_set_date(facts: RoundFacts, result: str) -> Verdict:
    """Check whether the date of a game with *result* may be set, changed or removed.

    The pairings of its round are published, so that the players know of the game, and the game is
    open. C.04.2 has no article on postponed games; until its result is known the game counts as
    C.04.2 3.1 says of adjourned games.
    """
    match facts.state:
        case RoundState.PLANNED | RoundState.DRAFT:
            return Refused("game_date.round_not_published", "", {"round": facts.number})
        case RoundState.PAIRINGS_PUBLISHED | RoundState.RESULTS_PUBLISHED:
            pass
    if result not in OPEN_RESULTS:
        return Refused("game_date.has_result", "", {"round": facts.number})
    return ALLOWED
