"""The titles that the Chief Arbiter claims for players, for the sheet IT4 [B.01/2024 1.2, 1.10]."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Final

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction

from pairing.ratings.direct_titles import CLAIMS, TitleClaim
from tournaments.core.actions import lock_if_live
from tournaments.core.permissions import may_run
from tournaments.models import Tournament

LONGEST: Final = 60
"""Letters of a group, a result or remarks."""


def claims_of(tournament: Tournament) -> dict[int, TitleClaim]:
    """Return the claims by the number of the entry; one that cannot be read, in an event from a
    file made by hand, is left out.
    """
    found = {}
    for number, values in tournament.title_claims.items():
        texts = {name: values.get(name, "") for name in ("title", "group", "result", "remarks")}
        if number.isdigit() and texts["title"] in CLAIMS:
            found[int(number)] = TitleClaim(**{name: str(text) for name, text in texts.items()})
    return found


@transaction.atomic
def claims_save(
    *, tournament_id: int, actor: User, claims: Mapping[int, TitleClaim | None]
) -> None:
    """Save *claims* by entry; None removes one, other players keep theirs. Nothing is saved in a
    copy that was handed over.

    No action of the record: nothing in the tournament depends on them, and they are needed after
    its end. ``PermissionDenied`` unless *actor* is an arbiter of the tournament. Two queries.
    """
    tournament = lock_if_live(pk=tournament_id)
    if tournament is None:
        return
    if not may_run(actor, tournament):
        raise PermissionDenied
    saved = dict(tournament.title_claims)
    for number, claimed in claims.items():
        if claimed is None:
            saved.pop(str(number), None)
        else:
            saved[str(number)] = asdict(claimed)
    tournament.title_claims = saved
    tournament.save(update_fields=["title_claims"])
