"""The value of a tie-break and its parts, so that each value can be explained."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, TypeAlias

from pairing.engine.model import TPN


class Reason(Enum):
    """The reason for the size of a part; the values are for programs.

    ``article`` is the article of the reason; empty if it is that of the tie-break itself.
    """

    OPPONENT = ("opponent", "")
    """The score of the opponent."""
    OPPONENT_ADJUSTED = ("opponent_adjusted", "16.3")
    """The opponent left early: the missed rounds at the end count as draws."""
    FORFEIT_COUNTED = ("forfeit_counted", "6.1.1")
    """A forfeited game that counts as played, because the regulations say so (/P)."""
    DUMMY = ("dummy", "16.4")
    """An unplayed round: a dummy with the player's own score."""
    DUMMY_CAPPED_BY_OPPONENT = ("dummy_capped_by_opponent", "16.4.1")
    """A forfeited game: the dummy is worth at most as much as the scheduled opponent."""
    DUMMY_CAPPED_BY_DRAWS = ("dummy_capped_by_draws", "16.4.2")
    """A bye: the dummy is worth at most a draw in every round."""
    COUNTED = ("counted", "")
    """A round or a game that counts."""
    BELOW_LIMIT = ("below_limit", "9.2")
    """A game that does not count: the opponent's score is below the limit of the Koya system."""
    RATING_DIFFERENCE = ("rating_difference", "10.2")
    """The rating difference that the table gives for the fraction of points."""
    OWN = ("own", "")
    """The player's own number or rating."""

    article: str

    def __new__(cls, code: str, article: str) -> Reason:
        member = object.__new__(cls)
        member._value_ = code
        member.article = article
        return member


class Cut(Enum):
    """The reason why a part is cut; the value is the article."""

    LEAST = "14.1"
    MOST = "14.3"
    VOLUNTARY = "16.5"
    """The lowest contribution of a voluntarily unplayed round is cut first."""


class Part(NamedTuple):
    """One part of a value, in the unit of the value.

    ``round`` counts from 1; 0 if the part belongs to no round. ``worth`` is the score of the
    opponent or the dummy, in tenths. ``points`` are the player's points, in tenths, if the part is
    a product of both or comes from them. A part that is ``cut`` does not count.
    """

    round: int
    opponent: TPN | None
    amount: int
    reason: Reason
    worth: int = 0
    points: int = 0
    cut: Cut | None = None
    is_voluntary: bool = False


class Formula(Enum):
    """The way the value is computed from its parts."""

    SUM = "sum"
    AVERAGE = "average"
    """The average of the parts, rounded as the tie-break requires."""
    AVERAGE_AND_DIFFERENCE = "average_and_difference"
    """The average of the opponents' ratings plus the rating difference, which is the last part."""
    LOWEST_RATING = "lowest_rating"
    """The lowest rating from which the parts (expected scores,
    in hundredths) reach the points made.
    """
    PLACE = "place"
    """The place among the tied; the parts are the games between them, in tenths."""
    OWN = "own"


class Value(NamedTuple):
    """The value of a tie-break for one player: ``amount`` in its column's unit, or None.

    ``parts`` give the amount by ``formula``.
    """

    amount: int | None
    parts: tuple[Part, ...] = ()
    formula: Formula = Formula.SUM


Values: TypeAlias = Mapping[TPN, Value]


@dataclass(frozen=True, slots=True)
class Column:
    """The values of one tie-break by TPN, in ``scale``-ths (1, 10, 100, more for an average)."""

    scale: int
    values: Values


def counted(parts: Iterable[Part]) -> int:
    """Return the sum of the parts that are not cut."""
    return sum([part.amount for part in parts if part.cut is None])


def rounded_average(total: int, count: int) -> int:
    """Return *total* by *count*, rounded, ½ up; exact for negative totals too."""
    return (2 * total + count) // (2 * count)
