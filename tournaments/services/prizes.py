"""Defining the prizes, before the event or after it."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User

from tournaments.models import Tournament
from tournaments.prizes import MOST_AMOUNTS, MOST_CENTS, PrizePlan, as_stored, is_value

from .acts import act_on, conclude
from .errors import BadInput


def prizes_set(*, tournament_id: int, actor: User, now: datetime, plan: PrizePlan) -> Tournament:
    """Store the prizes of a tournament. Nothing is written where nothing changes.

    ``BadInput`` (``prizes.value``, ``prizes.amounts``) names the category that cannot be used.
    """
    for category in plan.categories:
        if not is_value(category.eligible, category.value):
            raise BadInput("prizes.value", field="value", value=category.value, name=category.name)
        whole = all(0 < amount <= MOST_CENTS for amount in category.amounts)
        if not category.name or not whole or not 0 < len(category.amounts) <= MOST_AMOUNTS:
            raise BadInput("prizes.amounts", field="amounts", name=category.name)
    stored = as_stored(plan)
    with act_on(actor=actor, pk=tournament_id) as tournament:
        before = tournament.prizes
        if before != stored:
            tournament.prizes = stored
            tournament.save(update_fields=["prizes"])
            conclude(tournament, "prizes.set", actor=actor, now=now, before=before, after=stored)
    return tournament
