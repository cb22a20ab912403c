"""Versions of the boards and results of a round, to detect stale pages."""

from __future__ import annotations

from typing import Final

from django.db.models import Q, QuerySet, Subquery, Sum

from tournaments.core.undone import not_undone
from tournaments.models import Action, Decision, Game, Tournament

SEATED: Final = (
    Action.ROUND_PAIRED,
    Action.ROUND_PAIRED_BY_HAND,
    Action.ROUND_ARRANGED,
    Action.ROUND_CHANGED,
)


def pairings_version(tournament: Tournament, number: int) -> int:
    """Return the part of :func:`round_version` that grows when a player gets another place.

    One query.
    """
    return 2 * (_seated(tournament, number).values_list("sequence", flat=True).first() or 0)


def round_version(tournament: Tournament, number: int) -> int:
    """Return the version of the places and results that a page shows of round *number*. One query.

    Nothing else changes it: a new entry, or a result of another round, does not make a page out of
    date. It only grows. Each change of a result adds to the version of its game, and no action adds
    more than two. A game with new players starts again at 0, but the action that changed the
    players has a higher number than all of those versions, and counts twice. A page that knows the
    versions of its games can therefore add them up itself.
    """
    games = Game.objects.filter(round__tournament=tournament, round__number=number).order_by()
    results = games.values("round").annotate(results=Sum("version")).values("results")
    # Asked of the tournament and not of the games: a round may have byes only.
    found = Tournament.objects.filter(pk=tournament.pk).values_list(
        Subquery(_seated(tournament, number).values("sequence")[:1]), Subquery(results)
    )
    seated, entered = found.get()
    return 2 * (seated or 0) + (entered or 0)


def _seated(tournament: Tournament, number: int) -> QuerySet[Decision]:
    """Return the actions that gave places in round *number*, newest first.

    Undos of an arrangement are among them.
    """
    undone = Q(action=Action.ACTION_UNDONE, after__action=Action.ROUND_ARRANGED.value)
    rows = Decision.objects.filter(
        Q(action__in=SEATED) | undone, tournament=tournament, round_number=number
    )
    return rows.order_by("-sequence")


def pairing_action(tournament: Tournament, number: int) -> Action | None:
    """Return the newest action that gave places in *number* and stands, or None. One query."""
    rows = not_undone(_seated(tournament, number))
    return Action(rows[0].action) if rows else None
