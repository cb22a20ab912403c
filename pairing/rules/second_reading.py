"""The second reading of results: another person enters them again without seeing them,
and differences are decided.

A reading counts only if its reader is not the person who entered the result. If the result changes
later, it is compared again, and a decision holds only for the result that it chose.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from .rounds import RoundFacts, RoundState
from .verdict import ALLOWED, Refused, Verdict

ADJOURNED: Final = "??"
"""The result of an adjourned game."""


class ReadingState(StrEnum):
    """The state of one game between its result and its second reading."""

    NO_RESULT = "no_result"
    """There is no result yet, or the game is adjourned and nobody has read otherwise:
    there is nothing to compare.
    """
    UNREAD = "unread"
    AGREED = "agreed"
    DIFFERENT = "different"
    DECIDED = "decided"
    """The two differed, and an arbiter has decided for the result that the game has now."""


def reading_state(
    result: str, entered_by: int | None, reading: str, read_by: int | None, decided: str | None
) -> ReadingState:
    """Return the state of a game with *result*, entered by the account *entered_by*,
    and its *reading* by *read_by*.

    Empty results are none; *decided* is the result of the last decision, None without one.
    """
    if not result:
        return ReadingState.NO_RESULT
    if decided == result:
        return ReadingState.DECIDED
    if not reading or read_by is None or read_by == entered_by:
        return ReadingState.NO_RESULT if result == ADJOURNED else ReadingState.UNREAD
    return ReadingState.AGREED if reading == result else ReadingState.DIFFERENT


def may_read(facts: RoundFacts, board: int, *, own: bool, by_another: bool) -> Verdict:
    """Check whether a person may enter the second reading of *board*.

    Not the person who entered its result (*own*), and not if another person's reading of it counts
    already. Only between the publication of the pairings and of the results.
    """
    match facts.state:
        case RoundState.PLANNED | RoundState.DRAFT:
            return Refused("result.round_not_published", "", {"round": facts.number})
        case RoundState.RESULTS_PUBLISHED:
            return Refused("reading.closed", "", {"round": facts.number})
        case RoundState.PAIRINGS_PUBLISHED if own:
            return Refused("reading.own", "", {"board": board})
        case RoundState.PAIRINGS_PUBLISHED if by_another:
            return Refused("reading.by_another", "", {"board": board})
        case RoundState.PAIRINGS_PUBLISHED:
            return ALLOWED


def may_decide_reading(facts: RoundFacts, board: int, state: ReadingState) -> Verdict:
    """Check whether an arbiter may decide about *board*: only if the two results differ."""
    if facts.state is not RoundState.PAIRINGS_PUBLISHED:
        return Refused("reading.closed", "", {"round": facts.number})
    if state is not ReadingState.DIFFERENT:
        return Refused("reading.no_difference", "", {"board": board})
    return ALLOWED


def may_publish_read(
    number: int, *, unread: tuple[int, ...], different: tuple[int, ...]
) -> Verdict:
    """Check whether the results of round *number* may be published.

    *unread* are the boards without a second reading that the tournament requires, *different* those
    whose difference is not decided: with or without that setting, one of the two results on them is
    wrong.
    """
    if different:
        return Refused("reading.different", "", {"round": number, "boards": different})
    if unread:
        return Refused("reading.unread", "", {"round": number, "boards": unread})
    return ALLOWED
