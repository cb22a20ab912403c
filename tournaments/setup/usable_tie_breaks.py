"""Refuse a list of tie-breaks that a tournament cannot use."""

from __future__ import annotations

from django.db.models import Q

from pairing.engine.errors import InputError
from pairing.engine.systems import games_a_round
from pairing.rules.names import fold
from pairing.standings.codes import format_list
from pairing.standings.matches import require_usable
from pairing.standings.ranking import Rules
from tournaments.core.errors import BadInput
from tournaments.models import Entry, Tournament


def bad_list(error: InputError) -> BadInput:
    """Return the error of a list of tie-breaks, at its field."""
    problem = BadInput(error.code, field="tie_breaks")
    problem.params = error.params
    return problem


def settle_tie_breaks(tournament: Tournament) -> None:
    """Refuse an invalid list, and write a valid one as in record 202."""
    try:
        rules = Rules.of(tournament.tie_breaks, tournament.tie_break_edition)
        require_usable(rules.codes, games_a_round(tournament.system))
    except InputError as error:
        raise bad_list(error) from error
    tournament.tie_breaks = format_list(rules.codes)


def require_ratings(tournament: Tournament) -> None:
    """Refuse a list that needs ratings if a player has none [C.07/2026 10]. One query if ratings are needed."""
    codes = Rules.of(tournament.tie_breaks, tournament.tie_break_edition).codes
    needing = next((code for code in codes if code.tie_break.needs_ratings), None)
    if needing is None:
        return
    without = Q(fide_rating__isnull=True) | Q(fide_rating=0)
    unrated = Entry.objects.filter(without, tournament=tournament, rating=0)
    if names := sorted(unrated.values_list("name", flat=True), key=fold)[:10]:
        raise BadInput("tie_break.ratings_missing", field="tie_breaks", tie_break=str(needing), players=names)
