"""Points outside the point system: given to a player by a decision, or taken."""

from __future__ import annotations

from typing import NamedTuple


class PointChanges(NamedTuple):
    """The points that decisions add for one player, in tenths: record 299 of a report.

    ``results``, by round from 1: what the result gave more than the point system says. ``bonuses``,
    by round: a bonus, or a penalty below zero. ``places_only``: counts for the places and in no
    tie-break.
    """

    results: tuple[int, ...]
    bonuses: tuple[int, ...]
    places_only: int = 0

    @property
    def total(self) -> int:
        """All of it."""
        return sum(self.results) + sum(self.bonuses) + self.places_only

    @property
    def by_round(self) -> tuple[int, ...]:
        """Return the points of each round beyond its result by the point system."""
        return tuple(map(sum, zip(self.results, self.bonuses, strict=True)))
