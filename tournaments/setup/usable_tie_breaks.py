"""Refuse a list of tie-breaks that a tournament cannot use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.db.models import Exists, OuterRef, Q

from pairing.engine.errors import InputError
from pairing.engine.systems import games_a_round
from pairing.rules.names import fold
from pairing.standings.codes import format_list, require_usable
from pairing.standings.ranking import Rules
from tournaments.core.errors import BadInput
from tournaments.models import Entry, GameResult, Seat, Tournament

NOT_PLAYED: Final = (
    GameResult.NOT_YET, GameResult.WHITE_FORFEITS, GameResult.BLACK_FORFEITS, GameResult.BOTH_FORFEIT,
)  # fmt: skip
"""The results of a game that was not played over the board, or not yet."""


def bad_list(error: InputError) -> BadInput:
    """Return the error of a list of tie-breaks, at its field."""
    problem = BadInput(error.code, field="tie_breaks")
    problem.params = error.params
    return problem


def settle_tie_breaks(tournament: Tournament) -> None:
    """Refuse an invalid list, and write a valid one as in record 202."""
    try:
        rules = Rules.from_codes(tournament.tie_breaks, tournament.tie_break_edition)
        require_usable(rules.codes, games_a_round(tournament.system))
    except InputError as error:
        raise bad_list(error) from error
    tournament.tie_breaks = format_list(rules.codes)


def require_ratings(tournament: Tournament) -> None:
    """Refuse a list that needs ratings if a player has none [C.07/2026 10].

    One query if ratings are needed.
    """
    found = ratings_needed(tournament)
    if found.players:
        code, names = found.tie_breaks[0], list(found.players[:10])
        raise BadInput(
            "tie_break.ratings_missing", field="tie_breaks", tie_break=code, players=names
        )


@dataclass(frozen=True, slots=True)
class RatingsNeeded:
    """``tie_breaks`` that are removed as ``players`` (by name) have no rating [C.07/2026 10]."""

    tie_breaks: tuple[str, ...] = ()
    players: tuple[str, ...] = ()


NONE_NEEDED: Final = RatingsNeeded()


def ratings_needed(tournament: Tournament) -> RatingsNeeded:
    """Return the tie-breaks by rating that the players without one remove from the list;
    nothing if all is well.

    A player counts who has played over the board or may still play: whoever withdrew before the
    first game is in none of these tie-breaks. One query if the list needs ratings, else none.
    """
    rules = Rules.from_codes(tournament.tie_breaks, tournament.tie_break_edition)
    needing = tuple(str(code) for code in rules.codes if code.tie_break.needs_ratings)
    if not needing or rules.unrated is not None:
        return RatingsNeeded()
    none = {
        name: Q(**{f"{name}__isnull": True}) | Q(**{name: 0})
        for name in ("fide_rating", "national_rating")
    }
    unrated = Entry.objects.filter(
        none["fide_rating"], none["national_rating"], tournament=tournament, rating=0
    )
    played = Seat.objects.filter(entry=OuterRef("pk"), game__isnull=False).exclude(
        game__result__in=NOT_PLAYED
    )
    unrated = unrated.filter(Q(withdrawn_from__isnull=True) | Exists(played))
    names = tuple(sorted(unrated.values_list("name", flat=True), key=fold))
    return RatingsNeeded(needing, names) if names else RatingsNeeded()
