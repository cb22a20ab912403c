"""The standings after a round, as far as its results are published."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.bridge import players_after, ranked

from .frame import Frame
from .rounds import answers


@dataclass(frozen=True, slots=True)
class StandingLine:
    """One player's place: ``points`` and ``buchholz`` in tenths, ``sonneborn_berger`` in hundredths.

    ``shares_place`` where the player above has the same rank.
    """

    rank: int
    shares_place: bool
    tpn: int
    name: str
    title: str
    federation: str
    strength: int
    points: int
    buchholz: int
    sonneborn_berger: int
    is_withdrawn: bool


def standings(frame: Frame, *, after_round: int, search: str = "") -> tuple[StandingLine, ...]:
    """The ranking after round *after_round*, best first; *search* leaves only those who answer to it. Two queries.

    The caller asks only for rounds whose results are published (:attr:`Frame.latest_results`).
    """
    players, entries = players_after(frame.tournament, after_round)
    lines: list[StandingLine] = []
    for standing in ranked(frame.tournament, players).lines:
        entry = entries[standing.tpn]
        lines.append(
            StandingLine(
                rank=standing.rank,
                shares_place=bool(lines) and lines[-1].rank == standing.rank,
                tpn=standing.tpn,
                name=entry.name,
                title=entry.title,
                federation=entry.federation,
                strength=entry.strength,
                points=standing.points,
                buchholz=standing.values[0].amount or 0,
                sonneborn_berger=standing.values[1].amount or 0,
                is_withdrawn=entry.withdrawn_from is not None and entry.withdrawn_from <= after_round + 1,
            )
        )
    return tuple(line for line in lines if answers(line.name, line.tpn, search))
