"""What a tie-break gives, and of what it is made: every value can be opened."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, TypeAlias

from pairing.engine.model import TPN


class Reason(Enum):
    """Why a part of a value is what it is, valued for programs.

    ``article`` is the one that says so; empty where it is that of the tie-break itself.
    """

    OPPONENT = ("opponent", "")
    """The score of the opponent."""
    OPPONENT_ADJUSTED = ("opponent_adjusted", "16.3")
    """The opponent left early: the rounds missed at the end count as draws."""
    FORFEIT_COUNTED = ("forfeit_counted", "6.1.1")
    """A forfeited game that counts as played, because the regulations say so (/P)."""
    DUMMY = ("dummy", "16.4")
    """An unplayed round: a dummy with the player's own score."""
    DUMMY_CAPPED_BY_OPPONENT = ("dummy_capped_by_opponent", "16.4.1")
    """A forfeited game: the dummy is worth no more than the scheduled opponent."""
    DUMMY_CAPPED_BY_DRAWS = ("dummy_capped_by_draws", "16.4.2")
    """A bye: the dummy is worth no more than a draw in every round."""
    COUNTED = ("counted", "")
    """A round or a game that counts."""
    BELOW_LIMIT = ("below_limit", "9.2")
    """A game that does not count: the opponent's score is below the limit of the Koya system."""
    RATING_DIFFERENCE = ("rating_difference", "10.2")
    """What the table of rating differences gives for the fraction of points."""
    OWN = ("own", "")
    """The player's own number or rating."""

    article: str

    def __new__(cls, code: str, article: str) -> Reason:
        member = object.__new__(cls)
        member._value_ = code
        member.article = article
        return member


class Cut(Enum):
    """Why a part is cut, valued by the article."""

    LEAST = "14.1"
    MOST = "14.3"
    VOLUNTARY = "16.5"
    """The lowest contribution of a voluntarily unplayed round goes first."""


class Part(NamedTuple):
    """One part of a value, in the unit of the value.

    ``round`` counts from 1, 0 where the part belongs to no round. ``worth`` is the score, in tenths, of the opponent
    or the dummy, and ``points`` what the player got, in tenths, where the part is a product of both or comes from
    them. A part that is ``cut`` does not count.
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
    """How the value comes from its parts."""

    SUM = "sum"
    AVERAGE = "average"
    """The average of the parts, as the tie-break rounds it."""
    AVERAGE_AND_DIFFERENCE = "average_and_difference"
    """The average of the opponents' ratings plus the rating difference, which is the last part."""
    LOWEST_RATING = "lowest_rating"
    """The lowest rating from which the parts (expected scores, in hundredths) reach the points made."""
    PLACE = "place"
    """The place among the tied; the parts are the games between them, in tenths."""
    OWN = "own"


class Value(NamedTuple):
    """What a tie-break gives one player: ``amount`` in the unit of its column, None where it gives nothing.

    ``parts`` make it up, by ``formula``.
    """

    amount: int | None
    parts: tuple[Part, ...] = ()
    formula: Formula = Formula.SUM


Values: TypeAlias = Mapping[TPN, Value]


@dataclass(frozen=True, slots=True)
class Column:
    """The values of one tie-break by TPN, in units of one ``scale``-th (1, 10, 100, or more for an average)."""

    scale: int
    values: Values


def counted(parts: Iterable[Part]) -> int:
    """The sum of the parts that are not cut."""
    return sum(part.amount for part in parts if part.cut is None)


def rounded_average(total: int, count: int) -> int:
    """*total* by *count* to the nearest whole number, a half up; exact for negative totals too."""
    return (2 * total + count) // (2 * count)
