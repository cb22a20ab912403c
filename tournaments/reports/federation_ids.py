"""The keys and numbers of a tournament at federations and servers, saved for the next file."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction

from tournaments.core.actions import lock_if_live
from tournaments.core.permissions import may_run


@transaction.atomic
def federation_ids_save(*, tournament_id: int, actor: User, values: Mapping[str, str]) -> None:
    """Save *values* by name; other names keep theirs. Nothing is saved in a copy that was handed
    over.

    No action of the record: nothing in the tournament depends on them, and they are needed after
    its end too. ``PermissionDenied`` unless *actor* is an arbiter of the tournament. Two queries.
    """
    tournament = lock_if_live(pk=tournament_id)
    if tournament is None:
        return
    if not may_run(actor, tournament):
        raise PermissionDenied
    tournament.federation_ids |= values
    tournament.save(update_fields=["federation_ids"])
