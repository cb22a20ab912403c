"""The rating that ranks a player."""

from __future__ import annotations

from tournaments.models import Entry, RatingSource


def take_rating(entry: Entry) -> None:
    """Set the rating that orders *entry*: the FIDE rating, else the national one, else none [C.04.2/2026 2.1]."""
    if entry.fide_rating:
        entry.rating, entry.rating_source = entry.fide_rating, RatingSource.FIDE
    elif entry.national_rating:
        entry.rating, entry.rating_source = entry.national_rating, RatingSource.NATIONAL
    else:
        entry.rating, entry.rating_source = 0, RatingSource.NONE
