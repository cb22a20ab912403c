"""Versions of the boards and results of a round, to detect stale pages."""

from __future__ import annotations

from typing import Final

from django.db.models import Max, QuerySet, Subquery, Sum

from tournaments.models import Action, Decision, Game, Tournament

SEATED: Final = (Action.ROUND_PAIRED, Action.ROUND_PAIRED_BY_HAND, Action.ROUND_ARRANGED, Action.ROUND_CHANGED)


def seating_version(tournament: Tournament, number: int) -> int:
    """The part of :func:`round_version` that grows when somebody is given another place. One query."""
    return 2 * (_seated(tournament, number).values_list("sequence", flat=True).first() or 0)


def round_version(tournament: Tournament, number: int) -> int:
    """The version of what a page shows of round *number*: who sits where, and the results. One query.

    It moves with nothing else: who enters an entry, or a result of another round, does not make a page stale. It only
    grows. Each change of a result adds to the version of its game, and no action adds more than two. A game that gets
    other players begins again at 0, but the action that did it has a higher number than all of those, and counts twice.
    A page that knows the versions of its games can therefore add them up itself.
    """
    games = Game.objects.filter(round__tournament=tournament, round__number=number)
    seated = Subquery(_seated(tournament, number).values("sequence")[:1])
    found = games.aggregate(results=Sum("version"), seated=Max(seated))
    return 2 * (found["seated"] or 0) + (found["results"] or 0)


def _seated(tournament: Tournament, number: int) -> QuerySet[Decision]:
    """The actions that said who sits where in round *number*, the newest first."""
    rows = Decision.objects.filter(tournament=tournament, round_number=number, action__in=SEATED)
    return rows.order_by("-sequence")
