"""Absent without notice: withdrawn by the rules of 2017, unless it is explained after all."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User

from pairing.rules import absence as policy
from pairing.rules.reasons import is_reason
from tournaments import bridge
from tournaments.models import Decision, Entry, Tournament
from tournaments.selectors.absences import EXPLAINED, WITHDRAWN, forfeited_seats, no_shows_of

from .acts import act_on, conclude, require
from .errors import BadInput

LIFTED = "absence.lifted"


def absence_explain(*, entry_id: int, actor: User, now: datetime, round_number: int, explanation: str = "") -> Entry:
    """Note that who forfeited in round *round_number* has explained it: nobody proposes the withdrawal any more.

    Before the next pairing is published [C.04.2/2017 D.2]. Whom the rules have withdrawn is back; by the edition that
    withdraws an *explanation* is needed (``BadInput`` without one). It is for the arbiters alone: it stands in the row
    of the record, and on no page for visitors.
    """
    with act_on(actor=actor, entries=entry_id) as tournament:
        entry = Entry.objects.get(pk=entry_id)
        rules = bridge.handling(tournament)
        forfeited = forfeited_seats(tournament, round_number).filter(entry=entry).exists()
        rounds = bridge.round_facts(tournament)
        require(policy.may_explain(rounds, round_number, forfeited=forfeited, article=rules.no_show))
        if rules.no_show_automatic and not is_reason(explanation):
            raise BadInput("absence.explanation_missing", field="explanation")
        back = _take_back(tournament, entry, round_number)
        conclude(
            tournament,
            EXPLAINED,
            actor=actor,
            now=now,
            article=rules.no_show,
            round_number=round_number,
            after={"entry": entry.pk, "name": entry.name, "tpn": entry.tpn, "explanation": explanation.strip()},
            touches_pairing=back,
        )
    return entry


def absences_settle(tournament: Tournament, round_number: int, *, actor: User, now: datetime) -> None:
    """Let the rules of the edition withdraw who was absent without notice in round *round_number*, a row for each.

    Called inside the transaction of an act after which it is known who forfeited there: results published, a result
    corrected. Whom they had withdrawn, and who turns out to have been there, is back. [C.04.2/2017 D.2]
    """
    rules = bridge.handling(tournament)
    first = policy.withdrawn_from(bridge.round_facts(tournament), round_number, withdraws=rules.no_show_automatic)
    if first is None:
        return
    there = Entry.objects.filter(tournament=tournament, withdrawn_from=first)
    forfeited = set(forfeited_seats(tournament, round_number).values_list("entry_id", flat=True))
    for entry in there.exclude(pk__in=forfeited).order_by("pk"):
        if _take_back(tournament, entry, round_number):
            _record(tournament, LIFTED, entry, first, entry.withdrawn_from, round_number, actor=actor, now=now)
    acts = Decision.objects.filter(tournament=tournament, act__in=(WITHDRAWN, LIFTED), round_number=round_number)
    last = {after["entry"]: act for act, after in acts.order_by("sequence").values_list("act", "after")}
    for absent in no_shows_of(tournament, round_number):
        # Once: whom an arbiter has brought back since stays.
        if last.get(absent.entry_id) != WITHDRAWN:
            entry = Entry.objects.get(pk=absent.entry_id)
            before, entry.withdrawn_from = entry.withdrawn_from, first
            entry.save(update_fields=["withdrawn_from"])
            _record(tournament, WITHDRAWN, entry, before, first, round_number, actor=actor, now=now)


def _take_back(tournament: Tournament, entry: Entry, round_number: int) -> bool:
    """Undo what the rules did to *entry* for round *round_number*; False where the player is not withdrawn by them."""
    rows = Decision.objects.filter(tournament=tournament, act__in=(WITHDRAWN, LIFTED), round_number=round_number)
    last = rows.filter(after__entry=entry.pk).order_by("-sequence").first()
    if last is None or last.act != WITHDRAWN or entry.withdrawn_from != last.after["value"]:
        return False
    entry.withdrawn_from = last.before["value"]
    entry.save(update_fields=["withdrawn_from"])
    return True


def _record(
    tournament: Tournament,
    act: str,
    entry: Entry,
    before: int | None,
    after: int | None,
    round_number: int,
    *,
    actor: User,
    now: datetime,
) -> None:
    about = {"entry": entry.pk, "name": entry.name, "tpn": entry.tpn}
    conclude(
        tournament,
        act,
        actor=actor,
        now=now,
        article=bridge.handling(tournament).no_show,
        round_number=round_number,
        before={**about, "value": before},
        after={**about, "value": after},
        touches_pairing=True,
    )
