"""The ranking: points, then Buchholz, then Sonneborn-Berger; who is still tied shares the place.

C.07 recommends no list of tie-breaks: this one is a choice of ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pairing.engine.model import TPN, Player, Points, PointSystem

from .tie_breaks import TieBreaks, tie_breaks


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the standings: ``points`` and ``buchholz`` in tenths, ``sonneborn_berger`` in hundredths.

    ``rank`` is shared by players who are equal in all three (1, 2, 2, 4).
    """

    rank: int
    tpn: TPN
    points: Points
    buchholz: int
    sonneborn_berger: int


def standings(players: Sequence[Player], system: PointSystem) -> tuple[Standing, ...]:
    """The *players*, each with the same number of rounds, best first; the tied in order of TPN."""
    values = tie_breaks(players, system)
    ordered = sorted(values, key=lambda tpn: (_merit(values[tpn]), tpn))
    lines: list[Standing] = []
    for place, tpn in enumerate(ordered, start=1):
        own = values[tpn]
        tied = bool(lines) and _merit(values[lines[-1].tpn]) == _merit(own)
        lines.append(
            Standing(
                rank=lines[-1].rank if tied else place,
                tpn=tpn,
                points=own.points,
                buchholz=own.buchholz,
                sonneborn_berger=own.sonneborn_berger,
            )
        )
    return tuple(lines)


def _merit(values: TieBreaks) -> tuple[int, int, int]:
    """What the order is by; the best is the smallest."""
    return -values.points, -values.buchholz, -values.sonneborn_berger
