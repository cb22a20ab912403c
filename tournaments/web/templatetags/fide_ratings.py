"""Sentences about FIDE rating changes and first ratings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django import template
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from pairing.ratings.change import RatingChange, UnratedGame
from pairing.ratings.initial import InitialRating, NotPublished
from pairing.ratings.k_factor import most_games
from pairing.ratings.performance import Performance
from pairing.ratings.rated_games import ARTICLES, NotRated
from tournaments.standings.rating_change import RatingOfPlayer

from .numbers import hundredths

register = template.Library()

REASONS: Final[dict[NotRated, str | Promise]] = {
    NotRated.BYE: gettext_lazy("no opponent"),
    NotRated.FORFEIT: gettext_lazy("decided by forfeit"),
    NotRated.OPEN: gettext_lazy("no result yet"),
    NotRated.LESS_THAN_A_MOVE: gettext_lazy("less than one move by each player"),
    NotRated.UNRATED_OPPONENT: gettext_lazy("opponent without a FIDE rating"),
    NotRated.EXCLUDED: gettext_lazy("excluded by a decision"),
    NotRated.TOO_SHORT: gettext_lazy("the time control is too short for these two ratings"),
    NotRated.WRONG_TIME: gettext_lazy("the time control does not belong to this rate of play"),
    NotRated.GAP: gettext_lazy("the ratings differ by 600 points or more"),
}


@register.filter
def signed(number: int) -> str:
    """Return a whole number with its sign: ``+12``, ``−3``, ``0``."""
    return f"−{-number}" if number < 0 else f"+{number}" if number else "0"


@register.filter
def signed_hundredths(value: int) -> SafeString:
    """Return hundredths with sign and two decimals: ``+23.70``, in French ``+23,70``."""
    return hundredths(value) if value < 0 else SafeString(f"+{hundredths(value)}")


@register.filter
def why_not_published(initial: InitialRating) -> str:
    """Return why the games of this event alone give no published rating."""
    match initial.reason:
        case NotPublished.FEW_GAMES:
            count = len(initial.games)
            return ngettext(
                "%(count)s of 5 games against rated opponents; FIDE keeps it for 26 months.",
                "%(count)s of 5 games against rated opponents; FIDE keeps them for 26 months.",
                count,
            ) % {"count": count}
        case NotPublished.NO_POINTS:
            return _("If this is the player’s first event, these games are disregarded.")
        case _reason:
            return _("%(rating)s, below 1400: no rating from these games.") % {
                "rating": initial.rating
            }


@register.filter
def sum_of_change(change: RatingChange) -> str:
    """Return the line below the games: their number, score, expected score, and the change."""
    return ngettext(
        "%(games)s rated game, score %(score)s, expected %(expected)s: %(delta)s × K %(k)s = "
        "%(change)s",
        "%(games)s rated games, score %(score)s, expected %(expected)s: %(delta)s × K %(k)s = "
        "%(change)s",
        len(change.games),
    ) % {
        "games": len(change.games),
        "score": hundredths(change.made),
        "expected": hundredths(change.expected),
        "delta": signed_hundredths(change.delta),
        "k": change.k.value,
        "change": signed_hundredths(change.change),
    }


@register.filter
def sum_of_performance(made: Performance) -> str:
    """Return how the FIDE performance is made up."""
    return _(
        "FIDE performance: average of the opponents %(average)s, score %(percent)s %%, difference "
        "%(difference)s, together %(rating)s"
    ) % {
        "average": made.average,
        "percent": made.percent,
        "difference": signed(made.difference),
        "rating": made.rating,
    }


@register.filter
def sum_of_initial(initial: InitialRating) -> str:
    """Return the line below the games of an unrated player."""
    return _(
        "With two draws against 1800: average %(average)s, score %(percent)s %%, difference "
        "%(difference)s, rating %(rating)s"
    ) % {
        "average": hundredths(initial.average),
        "percent": initial.percent,
        "difference": signed(initial.difference),
        "rating": initial.rating,
    }


@register.filter
def rating_notes(rating: RatingOfPlayer) -> Iterator[str]:
    """Yield the notes: games that are not rated, the limit of 400, K, rounding, the edition."""
    for game in rating.left_out:
        yield _not_rated(game)
    found = rating.change or rating.initial
    if found is None:
        return
    if rating.change:
        yield from _notes_of_change(rating.change)
    else:
        yield _("The highest first rating is 2200; FIDE counts the games of 26 months together.")
    yield _(found.edition.name)
    if found.edition.is_older:
        yield _("The event is older than this edition.")


@register.filter
def reason_words(reason: NotRated) -> str:
    """Return why a game is not rated."""
    return str(REASONS[reason])


def _not_rated(game: UnratedGame) -> str:
    article = ARTICLES.get(game.reason)
    words = _("Round %(round)s is not rated: %(reason)s") % {
        "round": game.round,
        "reason": REASONS[game.reason],
    }
    return f"{words} [B.02 {article}]." if article else f"{words}."


def _notes_of_change(change: RatingChange) -> Iterator[str]:
    if any(game.is_capped for game in change.games):
        yield _("* A difference of more than 400 points counts as 400 [B.02 8.3.1].")
    k = change.k
    if not k.is_listed:
        yield _("K is not in the list: K %(k)s is assumed.") % {"k": k.before}
    if k.is_lowered:
        yield _("K falls from %(before)s to %(k)s with %(games)s games [B.02 8.3.3].") % {
            "before": k.before,
            "k": k.value,
            "games": k.games,
        }
    else:
        yield _("K falls when a player has more than %(games)s rated games this month.") % {
            "games": most_games(k.before)
        }
    yield _("FIDE rounds the sum of all events of the month, so this is not a new rating.")
