"""The Chief Arbiter's estimates of players without a rating [C.04.2/2026 2.1]."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet

from tournaments.core.actions import open_action, require_compared
from tournaments.core.errors import BadInput, DataMoved, ServiceError
from tournaments.core.rating import chosen_rating
from tournaments.entries.entries import entry_update
from tournaments.models import Entry, RatingSource, Tournament


def to_estimate(tournament: Tournament, also: Collection[int] = ()) -> QuerySet[Entry]:
    """Return the players without a rating and those with an estimate, and the entries *also*."""
    wanted = Q(rating=0) | Q(rating_source=RatingSource.ESTIMATE) | Q(pk__in=also)
    return tournament.entries.filter(wanted, withdrawn_from=None).order_by("name", "pk")


def estimates_save(
    *,
    tournament_id: int,
    actor: User,
    now: datetime,
    estimates: Mapping[int, int],
    reason: str = "",
    compared: int | None = None,
) -> int:
    """Save the *estimates* by entry and return the number of players; all or none.

    0 ends an estimate. Each player is one line of the record, under the rules of
    :func:`~tournaments.entries.entries.entry_update`, and can be undone alone. ``DataMoved`` as
    there; the refusal of an entry names the player.
    """
    with transaction.atomic():
        with open_action(actor=actor, now=now, pk=tournament_id) as action:
            tournament = action.tournament
            require_compared(compared, tournament)
        for entry in tournament.entries.filter(pk__in=estimates).order_by("name", "pk"):
            rating, source = estimates[entry.pk], RatingSource.ESTIMATE
            if not rating:
                source, rating = chosen_rating(
                    tournament, entry.fide_rating, entry.national_rating, entry.second_rating
                )
            try:
                entry_update(
                    entry_id=entry.pk,
                    actor=actor,
                    now=now,
                    reason=reason,
                    rating=rating,
                    rating_source=source,
                )
            except DataMoved:
                raise
            except ServiceError as error:
                raise BadInput(
                    "rating_list.entry_refused", name=entry.real_name, problem=str(error)
                ) from error
    return len(estimates)
