"""An absence without notice that was explained after all."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User

from pairing.rules import absence as policy
from tournaments import bridge
from tournaments.models import Entry
from tournaments.selectors.absences import EXPLAINED, forfeited_seats

from .acts import act_on, conclude, require


def absence_explain(*, entry_id: int, actor: User, now: datetime, round_number: int, explanation: str = "") -> Entry:
    """Note that who forfeited in round *round_number* has explained it: nobody proposes the withdrawal any more.

    Before the next pairing is published [C.04.2/2017 D.2]. The *explanation* is for the arbiters alone: it stands in
    the row of the record, and on no page.
    """
    with act_on(actor=actor, entries=entry_id) as tournament:
        entry = Entry.objects.get(pk=entry_id)
        article = bridge.handling(tournament).no_show
        forfeited = forfeited_seats(tournament, round_number).filter(entry=entry).exists()
        require(policy.may_explain(bridge.round_facts(tournament), round_number, forfeited=forfeited, article=article))
        conclude(
            tournament,
            EXPLAINED,
            actor=actor,
            now=now,
            article=article,
            round_number=round_number,
            after={"entry": entry.pk, "name": entry.name, "tpn": entry.tpn, "explanation": explanation.strip()},
        )
    return entry
