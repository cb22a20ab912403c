"""Who has confirmed their presence before the drawing of lots, and what becomes of the others [C.04.2/2026 4.1].

A check-in is opened for the next round to be published, and closed; while it is closed the ticks stay as they are, and
one act settles what becomes of all who are missing. It may be opened again as long as that round is not published.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from .rounds import RoundFacts, next_unpublished
from .verdict import ALLOWED, Refused, Verdict

ARTICLE: Final = "C.04.2 4.1"
ASK_AGAIN_ABOVE: Final = 5
"""The question is asked twice when more than one in so many would go."""


@dataclass(frozen=True, slots=True)
class CheckIn:
    """The round the check-in was last opened for (None: never), and whether it is open."""

    round_number: int | None = None
    is_open: bool = False

    @property
    def is_closed(self) -> bool:
        """Whether it was closed: an event that never opened one is not closed, and ticks as it likes."""
        return self.round_number is not None and not self.is_open


class Consequence(Enum):
    """What becomes of those who are missing."""

    EXCLUDED = "excluded"
    """Withdrawn from the round on; who comes after all is taken back by an act of its own."""
    ZERO_POINT = "Z"
    """Not paired in the round, without points."""
    HALF_POINT = "H"
    """Not paired in the round, for half a point, as far as the regulations give it."""
    PAIRED = "paired"
    """Paired as if they had confirmed: what the Chief Arbiter decides, at their risk of a game lost by forfeit."""


def may_open(check_in: CheckIn, rounds: Sequence[RoundFacts]) -> Verdict:
    """Whether the check-in for the next unpublished round may be opened, for the first time or again.

    One forgotten open when its round was published is in nobody's way.
    """
    following = next_unpublished(rounds)
    if following is None:
        return Refused("check_in.no_round", ARTICLE)
    if check_in.is_open and check_in.round_number == following:
        return Refused("check_in.open_already", "", {"round": check_in.round_number})
    return ALLOWED


def may_close(check_in: CheckIn, rounds: Sequence[RoundFacts]) -> Verdict:
    """Whether the check-in may be closed: one that is open for the next unpublished round."""
    open_for_it = check_in.is_open and check_in.round_number == next_unpublished(rounds)
    return ALLOWED if open_for_it else Refused("check_in.not_open", "")


def may_tick(check_in: CheckIn, *, arrives: bool = False) -> Verdict:
    """Whether somebody's presence may be noted or taken back: not while the check-in is closed.

    A late entry *arrives* whenever it does [C.04.2/2026 2.4].
    """
    return Refused("check_in.closed", ARTICLE) if check_in.is_closed and not arrives else ALLOWED


def asks_again(*, missing: int, due: int) -> bool:
    """Whether so many of those *due* to play are missing that the question is asked twice: more than a fifth."""
    return missing * ASK_AGAIN_ABOVE > due


def may_settle(
    check_in: CheckIn,
    rounds: Sequence[RoundFacts],
    consequence: Consequence,
    *,
    missing: int,
    due: int,
    decides: bool,
    confirmed: bool,
) -> Verdict:
    """Whether *consequence* may befall all who are *missing* of those *due* to play in the round of the check-in.

    Before the first round the text itself excludes; anything else is what the Chief Arbiter decides (*decides*: it is
    the Chief Arbiter who acts), and so is pairing those who are missing in any round. *confirmed*: the second question
    was answered; it is not asked where nobody goes.
    """
    if not check_in.is_closed:
        return Refused("check_in.not_closed", ARTICLE)
    number = check_in.round_number
    if number != next_unpublished(rounds):
        return Refused("check_in.round_published", "C.04.2 4.4", {"round": number})
    if not missing:
        return Refused("check_in.nobody_missing", "")
    otherwise = consequence is Consequence.PAIRED or (number == 1 and consequence is not Consequence.EXCLUDED)
    if otherwise and not decides:
        return Refused("check_in.chief_arbiter_decides", ARTICLE)
    if consequence is not Consequence.PAIRED and asks_again(missing=missing, due=due) and not confirmed:
        return Refused("check_in.ask_again", "", {"missing": missing, "due": due})
    return ALLOWED


def article_of(consequence: Consequence, round_number: int) -> str:
    """The article for the record: 4.1 is about the start; later one withdraws (3.2) or is known to be absent (3.3)."""
    if round_number == 1 or consequence is Consequence.PAIRED:
        return ARTICLE
    return "C.04.2 3.2" if consequence is Consequence.EXCLUDED else "C.04.2 3.3"
