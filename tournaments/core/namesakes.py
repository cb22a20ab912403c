"""Mark the players whose name alone does not say who they are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from pairing.rules.names import namesakes
from tournaments.models import Entry


def mark_namesakes(entries: Iterable[Entry]) -> None:
    """Set ``is_namesake`` of *entries*, which are all players of one tournament or of several. No query."""
    by_tournament: defaultdict[int, dict[Entry, str]] = defaultdict(dict)
    for entry in entries:
        by_tournament[entry.tournament_id][entry] = entry.name
    for names in by_tournament.values():
        shared = namesakes(names)
        for entry in names:
            entry.is_namesake = entry in shared
