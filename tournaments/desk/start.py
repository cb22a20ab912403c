"""Confirm at once what is left before round 1: numbers, initial colour, end of the list."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.auth.models import User

from tournaments.core.actions import open_action
from tournaments.core.errors import BadInput
from tournaments.core.newer_lines import require_nothing_newer
from tournaments.entries.entries import numbers_assign
from tournaments.models import Action, ListState, Tournament
from tournaments.setup.initial_colour import initial_colour_draw, initial_colour_set
from tournaments.setup.tournaments import list_close


def start_confirm(
    *,
    tournament_id: int,
    actor: User,
    now: datetime,
    colour: str,
    named: str = "",
    witness: str = "",
    closes: bool = False,
    seen_version: int | None = None,
) -> Tournament:
    """Assign the numbers, set the initial colour and, with *closes*, close the list.

    All or nothing. Each is an action of its own in the record [C.04.2/2026 2.2, 2.5; C.04.3/2026
    5.1]. *colour* is ``"draw"`` (by the program, with what the *witness* has *named*), ``"w"`` or
    ``"b"`` (drawn at the venue), else ``BadInput``; a colour that is drawn already stays.
    :class:`~tournaments.core.errors.Conflict` if the list or the colour has changed since
    *seen_version*.
    """
    given: dict[str, Any] = {"tournament_id": tournament_id, "actor": actor, "now": now}
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        tournament = action.tournament
        numbers_assign(**given, seen_version=seen_version)
        require_nothing_newer(
            tournament, seen_version, (Action.COLOUR_DRAWN,), "numbers.moved_meanwhile"
        )
        if not tournament.initial_colour:
            match colour:
                case "draw":
                    initial_colour_draw(**given, named=named, witness=witness)
                case "w" | "b":
                    initial_colour_set(**given, colour=colour, witness=witness)
                case _:
                    raise BadInput("colour.unknown", field="colour", value=colour)
        if closes and tournament.list_state != ListState.DEFINITIVE:
            list_close(**given)
    return Tournament.objects.get(pk=tournament_id)
