"""Decide which games are rated, and why others are not [B.02/2024 1, 5.1, 8.3.1]."""

from __future__ import annotations

from enum import Enum
from typing import Final

from .editions import MOST_HOURS_A_DAY, MOST_ROUNDS_A_DAY, SHORTEST, RatingEdition
from .model import Event, Game, Kind, Person, Rate

_RAPID: Final = (10, 60)
_BLITZ: Final = (3, 10)


class NotRated(Enum):
    """Why a round is not rated."""

    BYE = "bye"
    FORFEIT = "forfeit"
    OPEN = "open"
    LESS_THAN_A_MOVE = "less_than_a_move"
    UNRATED_OPPONENT = "unrated_opponent"
    EXCLUDED = "excluded"
    TOO_SHORT = "too_short"
    WRONG_TIME = "wrong_time"
    GAP = "gap"


ARTICLES: Final = {
    NotRated.BYE: "5.1",
    NotRated.FORFEIT: "5.1",
    NotRated.LESS_THAN_A_MOVE: "5.1",
    NotRated.UNRATED_OPPONENT: "8.3.1",
    NotRated.TOO_SHORT: "1.1",
    NotRated.WRONG_TIME: "1.1",
    NotRated.GAP: "7.3.1",
}
"""The article of B.02 for a reason, of the chapter of the rate of play."""

_UNPLAYED: Final = {
    Kind.OPEN: NotRated.OPEN,
    Kind.LESS_THAN_A_MOVE: NotRated.LESS_THAN_A_MOVE,
    Kind.FORFEIT_WIN: NotRated.FORFEIT,
    Kind.FORFEIT_LOSS: NotRated.FORFEIT,
}


def why_not_rated(
    player: Person, event: Event, game: Game, edition: RatingEdition
) -> NotRated | None:
    """Return why *game* of *player* is not rated; None: it is.

    The game of an unrated player against a rated one counts for the initial rating, so it has no
    reason here.
    """
    if game.opponent is None or game.kind is not Kind.PLAYED:
        return NotRated.BYE if game.opponent is None else _UNPLAYED.get(game.kind, NotRated.BYE)
    theirs = game.opponent.used_rating(event.rate)
    if theirs is None:
        return NotRated.UNRATED_OPPONENT
    if game.exclusion:
        return NotRated.EXCLUDED
    own = player.used_rating(event.rate)
    if reason := _by_time(event, max(own or 0, theirs)):
        return reason
    if edition.gap is not None and own is not None:
        higher = max(own, theirs)
        if abs(own - theirs) >= edition.gap and higher > edition.gap_above:
            return NotRated.GAP
    return None


def least_minutes(higher_rating: int) -> int:
    """Return the minutes for 60 moves of a standard game, by the higher rating [B.02/2024 1.1]."""
    return next(minutes for rating, minutes in SHORTEST if higher_rating >= rating)


def rate_of(seconds: int) -> Rate | None:
    """Return the rate of play of *seconds* for 60 moves; None: too short for blitz."""
    if seconds >= 60 * _RAPID[1]:
        return Rate.STANDARD
    if seconds > 60 * _RAPID[0]:
        return Rate.RAPID
    return Rate.BLITZ if seconds > 60 * _BLITZ[0] else None


def is_always_too_short(event: Event, person: Person) -> bool:
    """Return whether no game of *person* would be rated for its time, whoever the opponent is.

    The higher rating of the two decides, so the games of such people are all that are too short
    [B.02/2024 1.1]. In rapid and blitz, or below an hour, that is everybody or nobody.
    """
    return _by_time(event, person.used_rating(event.rate) or 0) is not None


def too_many_a_day(event: Event) -> bool | None:
    """Return whether a day has more rounds, or more hours of play in standard chess, than are rated
    [B.02/2024 3] [B.02R/2024 3.1]; None if the days or the time are not known.
    """
    rounds = max(event.schedule, default=event.most_rounds_a_day)
    if rounds is None:
        return None
    if event.rate is not Rate.STANDARD:
        return rounds > MOST_ROUNDS_A_DAY[event.rate]
    return None if event.seconds is None else 2 * rounds * event.seconds > 3600 * MOST_HOURS_A_DAY


def _by_time(event: Event, higher_rating: int) -> NotRated | None:
    if event.seconds is None or event.is_approved:
        return None
    if event.rate is not Rate.STANDARD:
        unequal = event.same_time is False
        wrong = unequal or rate_of(event.seconds) is not event.rate
        return NotRated.WRONG_TIME if wrong else None
    short = event.seconds < 60 * least_minutes(higher_rating)
    return NotRated.TOO_SHORT if short else None
