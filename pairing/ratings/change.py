"""Rating change of a rated player, game by game [B.02/2024 8.3]."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from .editions import RatingEdition, rating_edition
from .k_factor import KFactor, k_factor
from .model import Event, Game, Person
from .rated_games import NotRated, why_not_rated
from .rounding import half_away
from .tables import expected_score


@dataclass(frozen=True, slots=True)
class RatedGame:
    """One rated game. ``difference`` is own rating less the opponent's; ``counted`` after the cap.

    ``made``, ``expected`` and ``delta`` are hundredths of a game.
    """

    round: int
    opponent: Person
    opponent_rating: int
    difference: int
    counted: int
    made: int
    expected: int

    @property
    def is_capped(self) -> bool:
        return self.difference != self.counted

    @property
    def delta(self) -> int:
        return self.made - self.expected


@dataclass(frozen=True, slots=True)
class UnratedGame:
    """A round that is not rated, and the reason."""

    round: int
    opponent: Person | None
    reason: NotRated


@dataclass(frozen=True)
class RatingChange:
    """The rating change of one player in one event.

    ``change`` is in hundredths of a rating point and not rounded, because FIDE rounds the sum of
    the whole rating period [B.02/2024 8.3.4].
    """

    rating: int
    k: KFactor
    games: tuple[RatedGame, ...]
    not_rated: tuple[UnratedGame, ...]
    edition: RatingEdition

    @cached_property
    def made(self) -> int:
        """Return the score in the rated games, in hundredths."""
        return sum(game.made for game in self.games)

    @cached_property
    def expected(self) -> int:
        """Return the expected score in the rated games, in hundredths."""
        return sum(game.expected for game in self.games)

    @property
    def delta(self) -> int:
        return self.made - self.expected

    @property
    def change(self) -> int:
        return self.k.value * self.delta

    @property
    def highest(self) -> tuple[int, int]:
        """Return the highest rating during the event, in hundredths, with the round of the game
        after which it was reached; 0: that of the list [B.01/2024 1.5.3].
        """
        found, rating = (100 * self.rating, 0), 100 * self.rating
        for game in sorted(self.games, key=lambda game: game.round):
            rating += self.k.value * game.delta
            found = max(found, (rating, -game.round))
        return found[0], -found[1]

    @property
    def rounded(self) -> int:
        """Return the change in whole points if this were the only event of the period."""
        return half_away(self.change, 100)


def rating_change(
    player: Person, event: Event, games: Iterable[Game], *, games_in_period: int | None = None
) -> RatingChange | None:
    """Return the rating change of *player*; None for an unrated player.

    *games_in_period* are all rated games of the player in the month; without it, those of the event
    decide whether K is lowered [B.02/2024 8.3.3].
    """
    own = player.used_rating(event.rate)
    if own is None:
        return None
    edition = rating_edition(event.rate, event.start)
    rated, not_rated = rated_and_not(player, event, games, edition)
    year = event.start.year if event.start else None
    k = k_factor(player, event.rate, year=year, games=games_in_period or len(rated))
    return RatingChange(own, k, tuple(rated), tuple(not_rated), edition)


def rated_and_not(
    player: Person, event: Event, games: Iterable[Game], edition: RatingEdition
) -> tuple[Sequence[RatedGame], Sequence[UnratedGame]]:
    """Return the rated games of *player*, and the others with the reason.

    An unrated player's own rating counts as that of the opponent, so only the score matters.
    """
    rated, others = [], []
    own = player.used_rating(event.rate)
    for game in games:
        reason = why_not_rated(player, event, game, edition)
        if reason is not None or game.opponent is None:
            others.append(UnratedGame(game.round, game.opponent, reason or NotRated.BYE))
            continue
        theirs = game.opponent.used_rating(event.rate) or 0
        difference = 0 if own is None else own - theirs
        counted = _capped(difference, own, edition)
        rated.append(
            RatedGame(
                game.round,
                game.opponent,
                theirs,
                difference,
                counted,
                50 * game.halves,
                expected_score(counted),
            )
        )
    return rated, others


def _capped(difference: int, own: int | None, edition: RatingEdition) -> int:
    """Return the difference that counts [B.02/2024 8.3.1].

    A player's own rating decides, so one game may count with the cap for one player only.
    """
    if own is not None and edition.uncapped_from is not None and own >= edition.uncapped_from:
        return difference
    return max(-edition.cap, min(edition.cap, difference))
