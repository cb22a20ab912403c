"""The answer to one condition of the title regulations: a row with article, needed and found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum


class State(Enum):
    """Whether a condition is met.

    ``CONFIRM``: our data cannot decide it, or sources disagree; it never counts as failed.
    ``WAIVED``: an exemption replaces it.
    """

    MET = "met"
    FAILED = "failed"
    CONFIRM = "confirm"
    WAIVED = "waived"


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition. ``code`` is our name of it, ``article`` its place in B.01.

    ``article`` has “own” or “one” after 1.4.4, which has two limits. ``needed`` and ``found`` are
    numbers and signs, the same in every language; empty where the state is the answer.
    """

    code: str
    article: str
    needed: str
    found: str
    state: State


def met(code: str, article: str, needed: str, found: str, is_met: bool) -> Condition:
    """Return the row of a condition that is met or failed."""
    return Condition(code, article, needed, found, State.MET if is_met else State.FAILED)


def verdict(rows: Iterable[Condition]) -> State:
    """Return FAILED if a row failed, else CONFIRM if one is to be confirmed, else MET."""
    states = {row.state for row in rows}
    return next((state for state in (State.FAILED, State.CONFIRM) if state in states), State.MET)
