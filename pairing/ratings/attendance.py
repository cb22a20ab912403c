"""Conditions on the players of each round: the Swiss exemption and the large Swiss
[B.01/2024 1.4.3d, 1.5.6a].

Both count only players who miss at most one round of the whole event.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, Generic, NamedTuple, TypeVar

from .conditions import State
from .editions import HIGHER_TITLED
from .model import WITHOUT_FEDERATION, Kind, Person

PLAYERS, FEDERATIONS, TITLED_PLAYERS = 20, 3, 10
LARGE, LARGE_AVERAGE = 40, 2000
_MOST_MISSED: Final = 1


class Attendance(Enum):
    """What a player did in a round."""

    PRESENT = "P"
    BYE = "U"
    """The pairing-allocated bye, which is not a missed round."""
    FORFEIT_WIN = "W"
    """Sources disagree whether this is a missed round."""
    MISSED = "Z"


class Attendant(NamedTuple):
    """A player and the rounds of the event."""

    person: Person
    rounds: tuple[Attendance, ...]


class ExemptionCounts(NamedTuple):
    """Rated players of a round not of the host federation, their federations,
    and how many have a title [B.01/2024 1.4.3d].
    """

    players: int
    federations: int
    titled: int

    @property
    def is_met(self) -> bool:
        return (
            self.players >= PLAYERS
            and self.federations >= FEDERATIONS
            and self.titled >= TITLED_PLAYERS
        )


class LargeCounts(NamedTuple):
    """Players of a round, and the sum and number of the best 40 ratings [B.01/2024 1.5.6a]."""

    players: int
    total: int
    rated: int

    @property
    def is_met(self) -> bool:
        return self.players >= LARGE and self.rated > 0 and self.total >= LARGE_AVERAGE * self.rated


C = TypeVar("C", ExemptionCounts, LargeCounts)


@dataclass(frozen=True, slots=True)
class ByRound(Generic[C]):
    """The counts of each round, and whether all rounds meet the condition.

    ``state`` is CONFIRM if it depends on whether a win by forfeit is a missed round; ``rounds``
    count it as one.
    """

    state: State
    rounds: tuple[C, ...]


def attendance_of(kind: Kind | None) -> Attendance:
    """Return the attendance for what happened in a round; None: nothing."""
    match kind:
        case Kind.PLAYED | Kind.LESS_THAN_A_MOVE | Kind.OPEN:
            return Attendance.PRESENT
        case Kind.PAIRING_ALLOCATED_BYE:
            return Attendance.BYE
        case Kind.FORFEIT_WIN:
            return Attendance.FORFEIT_WIN
        case _:
            return Attendance.MISSED


def swiss_exemption(players: Sequence[Attendant], host: str) -> ByRound[ExemptionCounts]:
    """Return whether a Swiss exempts its players from the normal mix of
    federations [B.01/2024 1.4.3d].

    Without a *host* every player counts, so a condition that is met is to be confirmed.
    """
    not_foreign = WITHOUT_FEDERATION | {host.upper()}
    foreign = [
        player
        for player in players
        if player.person.rating and player.person.flag not in not_foreign
    ]

    def counts(present: Sequence[Person]) -> ExemptionCounts:
        titled = sum(bool(person.titles & HIGHER_TITLED) for person in present)
        return ExemptionCounts(len(present), len({person.flag for person in present}), titled)

    found = _by_round(foreign, _rounds(players), counts)
    if not host and found.state is State.MET:
        return replace(found, state=State.CONFIRM)
    return found


def large_swiss(players: Sequence[Attendant]) -> ByRound[LargeCounts]:
    """Return whether a Swiss is one of the events of which an application
    needs one [B.01/2024 1.5.6a].

    The text does not say which players make the average: the best 40 rated ones are taken.
    """

    def counts(present: Sequence[Person]) -> LargeCounts:
        best = sorted((person.rating or 0 for person in present), reverse=True)[:LARGE]
        rated = [rating for rating in best if rating]
        return LargeCounts(len(present), sum(rated), len(rated))

    return _by_round(players, _rounds(players), counts)


def _rounds(players: Sequence[Attendant]) -> int:
    return max((len(player.rounds) for player in players), default=0)


def _by_round(
    players: Sequence[Attendant], rounds: int, counts: Callable[[Sequence[Person]], C]
) -> ByRound[C]:
    """Return the counts by both readings of a win by forfeit."""
    strict = _counted(players, rounds, counts, {Attendance.MISSED, Attendance.FORFEIT_WIN})
    mild = _counted(players, rounds, counts, {Attendance.MISSED})
    answers = {bool(found) and all(one.is_met for one in found) for found in (strict, mild)}
    state = State.CONFIRM if len(answers) == 2 else State.MET if True in answers else State.FAILED
    return ByRound(state, strict)


def _counted(
    players: Sequence[Attendant],
    rounds: int,
    counts: Callable[[Sequence[Person]], C],
    missed: Collection[Attendance],
) -> tuple[C, ...]:
    """Return the counts of each round: of those who count in the event, the players present."""
    counting = []
    for player in players:
        absences = sum(one in missed for one in player.rounds) + rounds - len(player.rounds)
        if absences <= _MOST_MISSED:
            counting.append(player)
    return tuple(
        counts([player.person for player in counting if _is_there(player, number)])
        for number in range(rounds)
    )


def _is_there(player: Attendant, number: int) -> bool:
    there = (Attendance.PRESENT, Attendance.BYE)
    return number < len(player.rounds) and player.rounds[number] in there
