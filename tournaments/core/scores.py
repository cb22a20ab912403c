"""The results at a board: a game, or the two games of a match [C.04.5/2026 0].

Every result in the tables is White's letter and Black's *of that game*. Code that needs a player's
points of a round uses this module; it works for a game and for a match.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from pairing.engine.model import TPN, Colour, Result, RoundRecord
from tournaments.models import Game, GameResult

AT_BOARD: Final = ("game__result", "game__second__result")
"""The columns of a seat that make up the :class:`Score` of its board."""

_RESULTS: Final = {result.value: result for result in Result}
_UNPLAYED: Final = frozenset(
    {
        GameResult.NOT_YET,
        GameResult.BLACK_FORFEITS,
        GameResult.WHITE_FORFEITS,
        GameResult.BOTH_FORFEIT,
    }
)


def result_of(letter: str) -> Result:
    """Return the result with this TRF letter."""
    return _RESULTS[letter]


@cache
def made(colour: str, first: str, second: str | None) -> tuple[Result, Result | None]:
    """Return the round of the player who began with *colour* (a letter);
    a game without a result is unknown.

    There are about four hundred different answers, and a crosstable needs thousands of them: hence
    the cache.
    """
    games = Score(first, second).of(Colour(colour))
    one, *other = (_RESULTS[letter or GameResult.ADJOURNED.value[0]] for letter in games)
    return one, other[0] if other else None


@dataclass(frozen=True, slots=True)
class Score:
    """The results at a board, as ``GameResult`` values; ``second`` is None if a round is one game.

    *colour* is always the colour of the first game: the second is played with the colours reversed.
    """

    first: str
    second: str | None = None

    @classmethod
    def at(cls, game: Game) -> Score:
        """Return the results at the board of *game*, the first one; load its ``second`` with it."""
        second: Game | None = getattr(game, "second", None)
        return cls(game.result, None if second is None else second.result)

    @property
    def games(self) -> tuple[str, ...]:
        """The result of each game."""
        return (self.first,) if self.second is None else (self.first, self.second)

    @property
    def is_missing(self) -> bool:
        """Whether a game of the board has no result yet."""
        return GameResult.NOT_YET in self.games

    def of(self, colour: Colour) -> tuple[str, ...]:
        """Return the results of the player who began with *colour*, by TRF letter.

        Empty for a game without a result.
        """
        own = 0 if colour is Colour.WHITE else 1
        if self.second is None:
            return (self.first[own : own + 1],)
        return (self.first[own : own + 1], self.second[1 - own : 2 - own])

    def record(self, colour: Colour, opponent: TPN) -> RoundRecord:
        """Return the round of the player who began with *colour*; unknown without a result."""
        return RoundRecord(opponent, colour, *made(colour.value, self.first, self.second))

    def hidden(self) -> Score:
        """Return the board for readers who may not know the results yet."""
        return Score("", None if self.second is None else "")

    def turned(self) -> Score:
        """Return the score with the players swapped: results go with them, colours reverse."""
        return Score(self.first[::-1], None if self.second is None else self.second[::-1])

    def replaced(self, number: int, result: str) -> Score:
        """Return the score with *result* for game *number*."""
        return Score(result, self.second) if number == 1 else Score(self.first, result)

    @property
    def as_one(self) -> str:
        """The board as one result, to see whether it was played; empty if no game has a result.

        A match is forfeited only if one player forfeited both games. If each player forfeited one
        game, the match counts as played; so does a match with one game played [C.04.5/2026 0].
        """
        if self.second is None:
            return self.first
        played = [result for result in self.games if result not in _UNPLAYED]
        if played:
            return played[0]
        if self.is_missing:
            return GameResult.NOT_YET
        missed = [self.of(colour) == ("-", "-") for colour in (Colour.WHITE, Colour.BLACK)]
        letters = "".join("-" if gone else "+" for gone in missed)
        return letters if any(missed) else GameResult.ADJOURNED
