"""Read from a player's rounds: points, games played, opponents met, the bye."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from pairing.engine.model import TPN, Player, Points, PointSystem, Result, TournamentState


class History(NamedTuple):
    """Summarise the rounds of one player.

    ``score`` is without virtual points, in tenths; ``score_before_last`` and ``score_before_two``
    are the scores before the last round and before the one before that (0 if there is no such
    round). ``colours`` has the letters of the games played, oldest first: unplayed rounds leave no
    gap [C.04.2/2026 3.4]. ``met`` are the opponents of games played: a forfeited game does not
    count as a meeting [C.04.1/2026 2] [C.04.2/2026 3.5]. ``unplayed`` counts byes, forfeits either
    way and absences alike. ``may_receive_pab``: no round so far bars from the PAB in the edition in
    force (:func:`bars_from_pab`, :func:`bars_from_pab_2017`). ``has_taken_part``: was in a pairing,
    against an opponent, played or not, or with the PAB.
    """

    score: int
    score_before_last: int
    score_before_two: int
    colours: str
    met: Sequence[TPN]
    unplayed: int
    may_receive_pab: bool
    has_taken_part: bool


@lru_cache
def bars_from_pab(points: PointSystem) -> tuple[bool, ...]:
    """Whether each result, by ``Result.place``, bars from the PAB: a PAB, whatever it was worth,
    and a round without play worth a win [C.04.1/2026 4] [C.04.3/2026 2.1.2]."""
    return tuple(
        not result.is_played
        and (result is Result.PAIRING_ALLOCATED_BYE or points.value(result) >= points.win)
        for result in Result
    )


@lru_cache
def bars_from_pab_2017(_points: PointSystem) -> tuple[bool, ...]:
    """The same by the rules of 2017: a PAB and a win because the opponent did not come, whatever
    they were worth; a full-point bye asked for does not bar [C.04.1/2017 d] (docs/rules, R8)."""
    return tuple(result in (Result.PAIRING_ALLOCATED_BYE, Result.FORFEIT_WIN) for result in Result)


def read_history(player: Player, table: Sequence[int], bars: Sequence[bool]) -> History:
    """The history of *player*; *table* is :meth:`PointSystem.table`, *bars* what bars from the PAB.

    One look at each record: this is most of the time a large field takes.
    """
    score = before_last = before_two = unplayed = 0
    colours = ""
    met: list[TPN] = []
    may_receive_pab = True
    has_taken_part = False
    for record in player.rounds:
        before_two = before_last
        before_last = score
        result = record.result
        points = table[result.place]
        score += points
        opponent = record.opponent
        if result.is_played:
            if opponent is not None and record.colour is not None:
                met.append(opponent)
                colours += record.colour.letter
            continue
        unplayed += 1
        if bars[result.place]:
            may_receive_pab = False
        if opponent is not None or result is Result.PAIRING_ALLOCATED_BYE:
            has_taken_part = True
    return History(
        score,
        before_last,
        before_two,
        colours,
        met,
        unplayed,
        may_receive_pab,
        has_taken_part or bool(met),
    )


def histories(
    state: TournamentState, bars: Callable[[PointSystem], Sequence[bool]] = bars_from_pab
) -> dict[TPN, History]:
    """The history of everybody on the list, by TPN; *bars*: which results bar from the PAB."""
    table, barring = state.points.table(), bars(state.points)
    return {player.tpn: read_history(player, table, barring) for player in state.players}


def score_after(player: Player, rounds: int, points: PointSystem) -> Points:
    """The points of *player* after the first *rounds* rounds, in tenths, without virtual points."""
    return Points(sum(points.value(record.result) for record in player.rounds[:rounds]))


def participation_numbers(read: dict[TPN, History], paired_now: frozenset[TPN]) -> dict[TPN, int]:
    """Return the numbers whose parity decides under Article 5.2.5:
    1, 2, … over the players who have taken part up to now.

    A player takes part by being in a pairing, including that of this round (*paired_now*); a
    requested bye or an absence does not count. A player who has never taken part has no number yet:
    C.04.2 1.4 wants all programs to agree, and all of them number like this (docs/rules, R1).
    [C.04.3/2026 5.2.5]
    """
    taking_part = sorted(
        tpn for tpn, history in read.items() if history.has_taken_part or tpn in paired_now
    )
    return {tpn: number for number, tpn in enumerate(taking_part, start=1)}
