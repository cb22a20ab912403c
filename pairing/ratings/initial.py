"""The rating that an unrated player would get from the games of one event [B.02/2024 8.2]."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from .change import RatedGame, UnratedGame, rated_and_not
from .editions import (
    FEWEST_INITIAL_GAMES,
    FLOOR,
    HYPOTHETICAL,
    MOST_INITIAL,
    RatingEdition,
    rating_edition,
)
from .model import Event, Game, Person
from .rounding import half_up
from .tables import rating_difference


class NotPublished(Enum):
    """Why these games alone give no published rating."""

    NO_POINTS = "no points in the first event"
    FEW_GAMES = "fewer than 5 games"
    BELOW_FLOOR = "below 1400"


@dataclass(frozen=True, slots=True)
class InitialRating:
    """The initial rating if these games were the only ones of the player.

    ``halves`` is the score in half points. The average of the opponents and of two drawn games
    against 1800 is ``total`` / ``count``; it is not rounded. ``uncapped`` is the rating before the
    limit of 2200. The last five are without meaning when there are no ``games``.
    """

    games: tuple[RatedGame, ...]
    not_rated: tuple[UnratedGame, ...]
    halves: int
    total: int
    count: int
    percent: int
    difference: int
    uncapped: int
    edition: RatingEdition

    @property
    def rating(self) -> int:
        return min(MOST_INITIAL, self.uncapped)

    @property
    def average(self) -> int:
        """Return the average in hundredths, a half upwards: for display only."""
        return half_up(100 * self.total, self.count)

    @property
    def reason(self) -> NotPublished | None:
        """Return why it would not be published; None: it would.

        An event without a point is disregarded if it is the player's first, which the program
        cannot know.
        """
        if self.games and not self.halves:
            return NotPublished.NO_POINTS
        if len(self.games) < FEWEST_INITIAL_GAMES:
            return NotPublished.FEW_GAMES
        return NotPublished.BELOW_FLOOR if self.rating < FLOOR else None


def initial_rating(player: Person, event: Event, games: Iterable[Game]) -> InitialRating | None:
    """Return the initial rating of *player* from *games*; None for a rated player.

    In rapid and blitz a player with a standard rating is treated as rated [B.02R/2024 7.2.1].
    """
    if player.used_rating(event.rate) is not None:
        return None
    edition = rating_edition(event.rate, event.start)
    rated, others = rated_and_not(player, event, games, edition)
    halves = sum(game.made for game in rated) // 50
    total = sum(game.opponent_rating for game in rated) + 2 * HYPOTHETICAL
    count = len(rated) + 2
    percent = half_up(50 * (halves + 2), count)
    difference = rating_difference(percent)
    uncapped = half_up(total + difference * count, count)
    return InitialRating(
        tuple(rated), tuple(others), halves, total, count, percent, difference, uncapped, edition
    )
