"""Close the list of participants as a part of another action."""

from __future__ import annotations

from tournaments.core.actions import OpenAction
from tournaments.models import ListState
from tournaments.models.payload_data import Settings
from tournaments.models.payloads import TournamentUpdated


def close_open_list(action: OpenAction) -> None:
    """Close an open list with a line of its own: numbers are definitive [C.04.2/2026 2.5]."""
    tournament = action.tournament
    if tournament.list_state == ListState.DEFINITIVE:
        return
    before: Settings = {"list_state": tournament.list_state}
    tournament.list_state = ListState.DEFINITIVE
    tournament.save(update_fields=["list_state"])
    closed = TournamentUpdated(before=before, after={"list_state": ListState.DEFINITIVE.value})
    action.record(closed, article="C.04.2 2.5")
