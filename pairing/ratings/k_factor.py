"""The development coefficient K of a player [B.02/2024 8.3.3]."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from .editions import MOST_K_TIMES_GAMES
from .model import Person, Rate

STRONG, OF_STRONG = 2400, 10
YOUNG, YOUNG_BELOW, OF_YOUNG = 18, 2300, 40
USUAL: Final = 20


@dataclass(frozen=True, slots=True)
class KFactor:
    """K as used: ``value``. ``before`` is K before it was lowered for ``games`` in the period.

    ``is_listed``: the rating list has it. Otherwise it is assumed, because one list does not say
    whether a player has ever been rated higher or has played 30 games.
    """

    value: int
    before: int
    games: int
    is_listed: bool

    @property
    def is_lowered(self) -> bool:
        return self.value != self.before


def k_factor(player: Person, rate: Rate, *, year: int | None, games: int) -> KFactor:
    """Return the K of *player* at *rate* in *year*, for *games* rated games in the period."""
    before = player.k or _assumed(player, rate, year)
    value = MOST_K_TIMES_GAMES // games if before * games > MOST_K_TIMES_GAMES else before
    return KFactor(value, before, games, bool(player.k))


def most_games(k: int) -> int:
    """Return with how many games in the period *k* is not lowered."""
    return MOST_K_TIMES_GAMES // k


def _assumed(player: Person, rate: Rate, year: int | None) -> int:
    """Return K by what one list says: the rating now, and the year of birth."""
    rating = player.used_rating(rate) or 0
    if rating >= STRONG:
        return OF_STRONG
    is_young = bool(player.birth_year and year and year - player.birth_year <= YOUNG)
    return OF_YOUNG if is_young and rating < YOUNG_BELOW else USUAL
