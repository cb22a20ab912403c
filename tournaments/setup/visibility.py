"""Show a tournament in the public list, hide it, archive it and bring it back.

Everybody who has the address can still read a tournament that is not in the list: the address is
not a secret.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.contrib.auth.models import User

from tournaments.core.actions import open_action
from tournaments.core.newer_lines import require_nothing_newer
from tournaments.core.permissions import Power
from tournaments.models import Action, Tournament
from tournaments.models.payloads import (
    TournamentArchived,
    TournamentListed,
    TournamentRestored,
    TournamentUnlisted,
)

OF_THE_LISTS: Final = (
    Action.TOURNAMENT_LISTED,
    Action.TOURNAMENT_UNLISTED,
    Action.TOURNAMENT_ARCHIVED,
    Action.TOURNAMENT_RESTORED,
)


def tournament_list_set(
    *, tournament_id: int, actor: User, now: datetime, listed: bool, seen_version: int | None = None
) -> Tournament:
    """Show the tournament on the home page and in the list of the API,
    or remove it there. Every arbiter can do this.

    Without a change no line is written. ``Conflict`` if it was listed or archived after
    *seen_version*.
    """
    with open_action(actor=actor, now=now, pk=tournament_id, after_the_end=True) as action:
        tournament = action.tournament
        if tournament.listed == listed:
            return tournament
        require_nothing_newer(tournament, seen_version, OF_THE_LISTS, "tournament.moved_meanwhile")
        tournament.listed = listed
        tournament.save(update_fields=["listed"])
        kind = TournamentListed if listed else TournamentUnlisted
        action.record(kind(before={"listed": not listed}, after={"listed": listed}))
    return tournament


def tournament_archive(
    *,
    tournament_id: int,
    actor: User,
    now: datetime,
    archived: bool,
    seen_version: int | None = None,
) -> Tournament:
    """Hide the tournament from its arbiters' lists, or show it. Chief Arbiter only.

    Nothing else changes: its pages stay, and so does its place in the public list. Without a change
    no line is written. ``Conflict`` if it was listed or archived after *seen_version*.
    """
    with open_action(
        actor=actor, now=now, pk=tournament_id, powers=(Power.DECIDE,), after_the_end=True
    ) as action:
        tournament = action.tournament
        if tournament.archived == archived:
            return tournament
        require_nothing_newer(tournament, seen_version, OF_THE_LISTS, "tournament.moved_meanwhile")
        tournament.archived = archived
        tournament.save(update_fields=["archived"])
        kind = TournamentArchived if archived else TournamentRestored
        action.record(
            kind(before={"archived": not archived}, after={"archived": archived}), is_public=False
        )
    return tournament
