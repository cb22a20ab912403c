"""The rating that ranks a player."""

from __future__ import annotations

from pairing.rules.initial_order import tournament_rating
from tournaments.models import Entry, RatingSource, Tournament


def take_rating(entry: Entry, method: str) -> None:
    """Set the rating that orders *entry*: the one chosen by the *method* of the tournament [C.04.2/2026 2.1]."""
    source, entry.rating = tournament_rating(method, entry.fide_rating, entry.national_rating)
    entry.rating_source = RatingSource(source)


def take_ratings_again(tournament: Tournament) -> None:
    """Choose the ratings of all players by the method of *tournament*; estimates of the arbiter stay. Two queries."""
    entries = list(Entry.objects.filter(tournament=tournament).exclude(rating_source=RatingSource.ESTIMATE))
    for entry in entries:
        take_rating(entry, tournament.rating_method)
    Entry.objects.bulk_update(entries, ["rating", "rating_source"], batch_size=200)
