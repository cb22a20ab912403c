"""Confirm presence before the drawing, and decide about the missing [C.04.2/2026 4.1].

The arbiter opens a check-in for the next unpublished round, and closes it. While it is closed no
presence can be changed, and one action settles what happens to all missing players. It can be
opened again until the round is published.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from .rounds import RoundFacts, next_unpublished
from .verdict import ALLOWED, Refused, Verdict

ARTICLE: Final = "C.04.2 4.1"
CONFIRM_ABOVE_ONE_IN: Final = 5
"""Ask for confirmation when more than one in this many players would be left out."""


@dataclass(frozen=True, slots=True)
class CheckIn:
    """The round of the last opened check-in (None: never), and whether it is open now."""

    round_number: int | None = None
    is_open: bool = False

    @property
    def is_closed(self) -> bool:
        """Return whether the check-in was opened and then closed.

        If it was never opened, presence can be changed freely.
        """
        return self.round_number is not None and not self.is_open


class Consequence(Enum):
    """What happens to the missing players."""

    EXCLUDED = "excluded"
    """Withdrawn from this round on.

    A player who arrives later needs an action of their own to return.
    """
    ZERO_POINT = "Z"
    """Not paired in the round, without points."""
    HALF_POINT = "H"
    """Not paired in the round, for half a point, if the regulations allow it."""
    PAIRED = "paired"
    """Paired as if they had confirmed.

    The Chief Arbiter decides this; the risk is a game lost by forfeit.
    """


class Answer(Enum):
    """What the arbiter answers at *Pair* about one missing player."""

    SKIP = "skip"
    """Not paired, without points, in this round and every later
    one until the player is checked in.
    """
    WITHDRAW = "withdraw"
    """Withdrawn from this round on."""
    COMING = "coming"
    """Paired although not checked in.

    The Chief Arbiter decides this; the risk is a game lost by forfeit.
    """


def may_open(check_in: CheckIn, rounds: Sequence[RoundFacts]) -> Verdict:
    """Check whether the check-in for the next unpublished round may be opened (again).

    A check-in that was still open when its round was published does not prevent this.
    """
    following = next_unpublished(rounds)
    if following is None:
        return Refused("check_in.no_round", ARTICLE)
    if check_in.is_open and check_in.round_number == following:
        return Refused("check_in.open_already", "", {"round": check_in.round_number})
    return ALLOWED


def may_close(check_in: CheckIn, rounds: Sequence[RoundFacts]) -> Verdict:
    """Check whether the check-in may be closed: it must be open for the next unpublished round."""
    open_for_it = check_in.is_open and check_in.round_number == next_unpublished(rounds)
    return ALLOWED if open_for_it else Refused("check_in.not_open", "")


def may_tick(check_in: CheckIn, *, arrives: bool = False) -> Verdict:
    """Check whether a player may be marked present or absent: not while the check-in is closed.

    A late entry [C.04.2/2026 2.4], and a player about whom the arbiter has answered, may arrive at
    any time (*arrives*).
    """
    return Refused("check_in.closed", ARTICLE) if check_in.is_closed and not arrives else ALLOWED


def needs_confirmation(*, missing: int, due: int) -> bool:
    """Return whether to ask because more than a fifth of the *due* players are missing."""
    return missing * CONFIRM_ABOVE_ONE_IN > due


def reserved_consequences(number: int | None) -> frozenset[Consequence]:
    """Return the consequences for the missing of *number* that only the Chief Arbiter decides.

    Before round 1 the text itself excludes them [C.04.2/2026 4.1].
    """
    if number == 1:
        return frozenset(Consequence) - {Consequence.EXCLUDED}
    return frozenset({Consequence.PAIRED})


def reserved_answers(number: int) -> frozenset[Answer]:
    """Return the answers about a missing player that only the Chief Arbiter gives."""
    return frozenset({Answer.COMING, Answer.SKIP} if number == 1 else {Answer.COMING})


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
    """Check whether *consequence* may apply to all *missing* players of
    the *due* ones in the round of the check-in.

    In round 1 the text itself excludes the missing players. Only the Chief Arbiter (*decides*) may
    decide otherwise in round 1, or have missing players paired in any round. *confirmed* says that
    the arbiter confirmed the question about a large number of missing players; this is not needed
    when they are paired.
    """
    if not check_in.is_closed:
        return Refused("check_in.not_closed", ARTICLE)
    number = check_in.round_number
    if number != next_unpublished(rounds):
        return Refused("check_in.round_published", "C.04.2 4.4", {"round": number})
    if not missing:
        return Refused("check_in.nobody_missing", "")
    if consequence in reserved_consequences(number) and not decides:
        return Refused("check_in.chief_arbiter_decides", ARTICLE)
    if (
        consequence is not Consequence.PAIRED
        and needs_confirmation(missing=missing, due=due)
        and not confirmed
    ):
        return Refused("check_in.ask_again", "", {"missing": missing, "due": due})
    return ALLOWED


def may_answer(
    rounds: Sequence[RoundFacts],
    number: int,
    answers: Collection[Answer],
    *,
    due: int,
    decides: bool,
    confirmed: bool,
    others: int = 0,
) -> Verdict:
    """Check whether *answers* about missing players may be given before *number* is paired.

    As in :func:`may_settle`, the text itself excludes missing players from round 1, and only the
    Chief Arbiter (*decides*) answers otherwise there, or has missing players paired in any round.
    The arbiter confirms an answer that leaves somebody out if more than a fifth of the *due*
    players would not be paired. The question in a large event comes in parts: *others* are missing
    too, and are not paired unless another answer says that they are coming.
    """
    if number != next_unpublished(rounds):
        return Refused("check_in.round_published", "C.04.2 4.4", {"round": number})
    if not decides and not reserved_answers(number).isdisjoint(answers):
        return Refused("check_in.chief_arbiter_decides", ARTICLE)
    left_out = sum(answer is not Answer.COMING for answer in answers)
    missing = left_out + others
    if left_out and needs_confirmation(missing=missing, due=due) and not confirmed:
        return Refused("check_in.ask_again", "", {"missing": missing, "due": due})
    return ALLOWED


def article_of(consequence: Consequence, round_number: int) -> str:
    """Return the article for the record: 4.1 for the start, later 3.2 or 3.3.

    These are withdrawal and known absence.
    """
    if round_number == 1 or consequence is Consequence.PAIRED:
        return ARTICLE
    return "C.04.2 3.2" if consequence is Consequence.EXCLUDED else "C.04.2 3.3"


def may_give_bye(not_seen: str, *, confirmed: bool) -> Verdict:
    """Check whether pairings may be published whose allocated bye goes
    to the player *not_seen* (empty: nobody).

    The arbiter said that the player is coming. If the player does not come, a point was given for
    nothing, and another player could have had the bye: so this is *confirmed*
    [C.04.1/2026 3, C.04.2/2026 4.1].
    """
    return (
        Refused("bye.not_seen", ARTICLE, {"name": not_seen})
        if not_seen and not confirmed
        else ALLOWED
    )
