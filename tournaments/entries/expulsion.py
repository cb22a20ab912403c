"""Expel a player: no longer paired, and left out of the standings."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User

from pairing.rounds.facts import round_facts
from pairing.rules.entries import may_expel
from pairing.rules.reasons import is_reason
from pairing.rules.rounds import RoundState, next_unpublished
from tournaments.core.actions import open_action, require
from tournaments.core.errors import BadInput
from tournaments.core.permissions import Power
from tournaments.models import Entry
from tournaments.models.payloads import EntryExpelled


def entry_expel(*, entry_id: int, actor: User, now: datetime, reason: str) -> Entry:
    """Expel a participant: withdrawn from the next round on,
    and left out of the standings at once [C.04.2/2026 3.2].

    The games played stay and count for the opponents. Only the Chief Arbiter can do this, with a
    *reason* (``BadInput`` without one); bringing the player back ends it. Refused by
    :func:`~pairing.rules.entries.may_expel`.
    """
    with open_action(actor=actor, now=now, entries=entry_id, powers=(Power.DECIDE,)) as action:
        tournament = action.tournament
        entry = Entry.objects.get(pk=entry_id)
        rounds = round_facts(tournament)
        removable = rounds[0].state is RoundState.PLANNED
        require(may_expel(expelled=entry.pk in tournament.expelled, removable=removable))
        if not is_reason(reason):
            raise BadInput("expulsion.reason_missing", field="reason")
        before = entry.withdrawn_from
        following = next_unpublished(rounds) or len(rounds) + 1
        entry.withdrawn_from = following if before is None else min(before, following)
        entry.save(update_fields=["withdrawn_from"])
        tournament.expelled = [*tournament.expelled, entry.pk]
        tournament.save(update_fields=["expelled"])
        action.record(
            EntryExpelled(
                before={"entry": entry.pk, "name": entry.name, "tpn": entry.tpn, "value": before},
                after={
                    "entry": entry.pk,
                    "name": entry.name,
                    "tpn": entry.tpn,
                    "value": entry.withdrawn_from,
                },
            ),
            article="C.04.2 3.2",
            reason=reason.strip(),
            changes_pairing=True,
        )
    return entry
