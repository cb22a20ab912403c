"""The rating that ranks a player."""

from __future__ import annotations

from tournaments.models import Entry, StrengthSource


def take_strength_from_ratings(entry: Entry) -> None:
    """Set the rating that orders *entry*: the FIDE rating, else the national one, else none [C.04.2/2026 2.1]."""
    if entry.fide_rating:
        entry.strength, entry.strength_source = entry.fide_rating, StrengthSource.FIDE
    elif entry.national_rating:
        entry.strength, entry.strength_source = entry.national_rating, StrengthSource.NATIONAL
    else:
        entry.strength, entry.strength_source = 0, StrengthSource.NONE
