"""Make a forecast in a process of its own after each publication, so that no request waits for it."""

from __future__ import annotations

from functools import partial

from django.db import transaction

from pairing.rules.rounds import PUBLIC_STATES
from tournaments.core import own_process
from tournaments.core.actions import OpenAction
from tournaments.models import Round


def follow(action: OpenAction) -> None:
    """Begin a forecast once *action* is committed, if the tournament shows forecasts and visitors see a change.

    A copy that was handed over keeps its last one.

    Every change that they see makes the forecast out of date. One query, if the tournament shows forecasts: there is
    nothing to forecast before the first pairings are published.
    """
    tournament = action.tournament
    if tournament.handed_over_at is not None or not tournament.forecast_public:
        return
    if not any(line.is_public for line in action.lines):
        return
    if Round.objects.filter(tournament=tournament, state__in=PUBLIC_STATES).exists():
        transaction.on_commit(partial(start, tournament.pk))


def start(tournament_id: int) -> None:
    """Start ``manage.py forecast`` and return at once."""
    own_process.start("forecast", tournament_id)
