"""Delete a tournament while nothing of it is public; the site keeps one line about it."""

from __future__ import annotations

import logging
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from pairing.rules.verdict import ALLOWED, Refused, Verdict
from tournaments.core import page_store
from tournaments.core.actions import require, require_live, require_seen
from tournaments.core.errors import BadInput
from tournaments.core.permissions import Power, require_power
from tournaments.models import (
    Action,
    Correction,
    Decision,
    DeletedTournament,
    PublishedList,
    Seat,
    Tournament,
)

logger = logging.getLogger(__name__)


def may_delete(tournament: Tournament) -> Verdict:
    """Check whether *tournament* may be deleted: it was never in the public list,
    and no pairings were published here.

    Rounds that came with a report file were published elsewhere, so an import by mistake can be
    deleted. One query.
    """
    was_public = (Action.TOURNAMENT_LISTED, Action.PAIRINGS_PUBLISHED)
    if Decision.objects.filter(tournament=tournament, action__in=was_public).exists():
        return Refused("tournament.was_public")
    return ALLOWED


def tournament_delete(
    *, tournament_id: int, actor: User, now: datetime, name: str, seen_version: int | None = None
) -> DeletedTournament:
    """Delete the tournament with its record, and write a line in the log of
    the site. Only the Chief Arbiter can do it.

    *name* is the name of the tournament, typed as a confirmation: ``BadInput`` if it is another
    one. Refused by :func:`may_delete`; ``Conflict`` if the tournament no longer has *seen_version*.
    """
    with transaction.atomic():
        tournament = Tournament.objects.select_for_update(of=("self",)).get(pk=tournament_id)
        require_power(actor, tournament, Power.DECIDE)
        require_live(tournament)
        require(may_delete(tournament))
        require_seen(seen_version, tournament.version, "tournament.moved_meanwhile")
        if " ".join(name.split()) != " ".join(tournament.name.split()):
            raise BadInput("tournament.other_name", field="name", name=tournament.name)
        # First the line of the log: the database lets the record go only then.
        gone = DeletedTournament.objects.create(
            tournament=tournament.pk,
            identity=tournament.identity,
            slug=tournament.slug,
            name=tournament.name,
            lines=tournament.version,
            fingerprint=tournament.fingerprint,
            by=actor,
            by_name=actor.get_full_name() or actor.get_username(),
            at=now,
        )
        page_store.forget_tournament(tournament.pk)
        PublishedList.objects.filter(tournament=tournament).delete()
        Decision.objects.filter(tournament=tournament).delete()
        Correction.objects.filter(tournament=tournament).delete()
        Seat.objects.filter(round__tournament=tournament).delete()
        tournament.delete()
    logger.info(
        "Deleted: tournament %r with %s lines of its record, by %r",
        gone.slug,
        gone.lines,
        actor.username,
    )
    return gone
