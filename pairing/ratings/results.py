"""Games for ratings and norms from the rounds of players as the engine knows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from pairing.engine.model import TPN, Result, RoundRecord

from .model import Game, Kind, Person

KINDS: Final[Mapping[Result, Kind]] = {
    Result.WIN: Kind.PLAYED,
    Result.DRAW: Kind.PLAYED,
    Result.LOSS: Kind.PLAYED,
    Result.UNRATED_WIN: Kind.LESS_THAN_A_MOVE,
    Result.UNRATED_DRAW: Kind.LESS_THAN_A_MOVE,
    Result.UNRATED_LOSS: Kind.LESS_THAN_A_MOVE,
    Result.FORFEIT_WIN: Kind.FORFEIT_WIN,
    Result.FORFEIT_LOSS: Kind.FORFEIT_LOSS,
    Result.PAIRING_ALLOCATED_BYE: Kind.PAIRING_ALLOCATED_BYE,
    Result.FULL_POINT_BYE: Kind.FULL_POINT_BYE,
    Result.HALF_POINT_BYE: Kind.HALF_POINT_BYE,
    Result.ZERO_POINT_BYE: Kind.ZERO_POINT_BYE,
    Result.UNKNOWN: Kind.OPEN,
}
_HALVES: Final[Mapping[Result, int]] = {
    Result.WIN: 2,
    Result.DRAW: 1,
    Result.UNRATED_WIN: 2,
    Result.UNRATED_DRAW: 1,
}
"""Half points over the board, with any point system."""


def games_of(rounds: Sequence[RoundRecord], people: Mapping[TPN, Person]) -> list[Game]:
    """Return the games of a player; of a match both have the number of its round."""
    return [
        Game(
            number,
            KINDS[result],
            _HALVES.get(result, 0),
            people[record.opponent] if record.opponent is not None else None,
        )
        for number, record in enumerate(rounds, 1)
        for result in (record.result, record.second)
        if result is not None
    ]
