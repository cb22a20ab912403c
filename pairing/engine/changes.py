"""Points that are not those of the point system: what a decision gave somebody, or took."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PointChanges:
    """What decisions add to the points of one player, in tenths: record 299 of a report.

    ``results``, by round from 1: what the result gave more than the point system says. ``bonuses``, by round: a bonus,
    or a penalty below zero. ``places_only``: counts for the places and in no tie-break.
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
        """What each round gave more than its result by the point system."""
        return tuple(map(sum, zip(self.results, self.bonuses, strict=True)))
