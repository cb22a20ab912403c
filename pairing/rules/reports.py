"""Check whether the report for the rating officer can be handed in."""

from __future__ import annotations

from collections.abc import Sequence

from .verdict import ALLOWED, Refused, Verdict

OpenGame = tuple[int, int, int]
"""The round of a game without a result, and the pairing numbers of its players."""


def may_report_for_rating(open_games: Sequence[OpenGame]) -> Verdict:
    """Check whether a tournament can be reported for rating: not while it has *open_games*.

    An adjourned game is open too: it counts as a draw for pairing purposes only [C.04.2/2026 3.1].
    """
    if not open_games:
        return ALLOWED
    first = min(number for number, *_ in open_games)
    games = [f"{one} – {other}" for number, one, other in open_games if number == first]
    return Refused("report.games_open", "C.04.2 3.1", {"round": first, "games": games})
