"""The rating that ranks a player."""

from __future__ import annotations

from pairing.rules.initial_order import tournament_rating
from tournaments.core.many_rows import save_fields
from tournaments.models import Entry, RatingSource, Tournament


def take_rating(entry: Entry, tournament: Tournament) -> None:
    """Set the rating that orders *entry* by the announced methods [C.04.2/2026 2.1]."""
    chosen = chosen_rating(
        tournament, entry.fide_rating, entry.national_rating, entry.second_rating
    )
    entry.rating_source, entry.rating = chosen


def chosen_rating(
    tournament: Tournament, fide: int | None, national: int | None, second: int | None
) -> tuple[RatingSource, int]:
    """Return the source and the rating by the methods of *tournament*;
    *second* counts only if there is a second.
    """
    second = second if tournament.second_rating_method else None
    source, rating = tournament_rating(tournament.rating_method, fide, national, second)
    return RatingSource(source), rating


def take_ratings_again(tournament: Tournament) -> None:
    """Choose all ratings by the methods of *tournament*; estimates stay. Two queries."""
    entries = list(
        Entry.objects.filter(tournament=tournament).exclude(rating_source=RatingSource.ESTIMATE)
    )
    for entry in entries:
        take_rating(entry, tournament)
    save_fields(entries, ["rating", "rating_source"])
