"""Baku acceleration [C.04.7/2026]: points that the upper half of the list has for pairing only,
in the first rounds.

Group A (GA) is the first half of the list of those to be paired in round 1, rounded up to an even
number. A player with a bye in round 1 is taken into account only for the rounds after it, as a late
entry is [C.04.2/2026 2.4]. The last player of GA stays its last: who joins later and is placed
above that player belongs to it, so that it may grow and become odd; nobody else changes group.
Numbers may move when somebody enters, so it is the player that is remembered, and asked for as a
TPN.

The virtual points make the pairing score together with the points of play [C.04.7/2026]
[C.04.2/2026 3.6]: scoregroups, order, floats of the round, boards. Standings, tie-breaks,
topscorers and the value of a bye do not use them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from .model import TPN, Points, PointSystem, TournamentState


class Acceleration(NamedTuple):
    """Everybody up to ``last_tpn`` has ``points`` virtual points from ``first_round`` to
    ``last_round``: what one record 250 of a report says."""

    points: Points
    first_round: int
    last_round: int
    last_tpn: TPN


def allows_baku(points: PointSystem) -> bool:
    """Whether a win is worth two draws and a loss nothing, which Baku asks for [C.04.7/2026]."""
    return points.win == 2 * points.draw and not points.loss


def last_of_group_a(to_be_paired: Sequence[TPN]) -> TPN | None:
    """Return the last of GA, of *to_be_paired* in round 1 in the list's order; None if empty."""
    return to_be_paired[size_of_group_a(len(to_be_paired)) - 1] if to_be_paired else None


def size_of_group_a(to_be_paired: int) -> int:
    """Return the size of GA: half of *to_be_paired* in round 1, rounded up to an even number."""
    return min(2 * ((to_be_paired + 3) // 4), to_be_paired)


def baku(last_tpn: TPN, *, total_rounds: int, win: Points) -> tuple[Acceleration, ...]:
    """The virtual points of GA, whose last player has *last_tpn*, where a round won is worth *win*.

    The first half of the rounds, rounded up, is accelerated: with a win in the first half of these,
    rounded up, and half of that in the others. Nine rounds: three, then two.
    """
    accelerated = (total_rounds + 1) // 2
    full = (accelerated + 1) // 2
    records = [Acceleration(win, 1, full, last_tpn)]
    if full < accelerated:
        records.append(Acceleration(Points(win // 2), full + 1, accelerated, last_tpn))
    return tuple(records)


def accelerate(state: TournamentState, accelerations: Sequence[Acceleration]) -> TournamentState:
    """*state* with the virtual points that *accelerations* give in its round and those before;
    where there are none, as it is. Those of earlier rounds are needed too: a float is judged by the
    scores the round was paired with.
    """
    if not accelerations:
        return state
    players = []
    for player in state.players:
        own = [record for record in accelerations if player.tpn <= record.last_tpn]
        virtual = by_round(own, state.round_number) if own else ()
        players.append(replace(player, virtual_points=virtual))
    return replace(state, players=tuple(players))


def by_round(accelerations: Sequence[Acceleration], rounds: int) -> tuple[Points, ...]:
    """The virtual points of a player with *accelerations*, in each of the first *rounds* rounds."""
    return tuple(_in_round(accelerations, number) for number in range(1, rounds + 1))


def _in_round(accelerations: Iterable[Acceleration], number: int) -> Points:
    for record in accelerations:
        if record.first_round <= number <= record.last_round:
            return record.points
    return Points(0)
