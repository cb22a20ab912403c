"""Matchings in general graphs. Nothing here knows of chess."""

from .cardinality import maximum_matching
from .weighted import minimum_cost_perfect_matching, optimal_face

__all__ = ["maximum_matching", "minimum_cost_perfect_matching", "optimal_face"]
