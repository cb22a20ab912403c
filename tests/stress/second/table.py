"""The rounds of all players as C.07 counts them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Round(NamedTuple):
    """One round of a player, points in tenths."""

    opponent: int | None
    colour: str
    result: str
    points: int

    @property
    def is_played(self) -> bool:
        return self.opponent is not None and self.result not in ("+", "-")

    @property
    def is_voluntary(self) -> bool:
        """Return whether it is a requested bye or a forfeit loss [16.1.2]."""
        return self.result in ("H", "Z", "-")


@dataclass(frozen=True)
class Table:
    """The rounds and point adjustments of all players, and the points of a won,
    drawn and lost round, in tenths.
    """

    rows: dict[int, list[Round]]
    bonuses: dict[int, list[int]]
    win: int
    draw: int
    loss: int
    rounds: int
    ratings: dict[int, int]
    caps_dummies: bool

    def score(self, tpn: int) -> int:
        return sum(one.points for one in self.rows[tpn]) + sum(self.bonuses[tpn])

    def adjusted(self, tpn: int) -> int:
        """Return the score in the tie-breaks of the opponents:
        byes of a player who has left are draws [16.3].
        """
        total, left = self.score(tpn), True
        for one in reversed(self.rows[tpn]):
            left = left and one.is_voluntary
            if left and one.result in ("H", "Z"):
                total += self.draw - one.points
        return total
