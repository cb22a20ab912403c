"""The check-in before a round: opened, closed, and what becomes of those who are missing [C.04.2/2026 4.1]."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from django.contrib.auth.models import User

from pairing.rounds.attendance import attendance, check_in_of
from pairing.rounds.facts import bye_rules, round_facts
from pairing.rules import check_in as policy
from pairing.rules.check_in import Consequence
from pairing.rules.entries import may_ask_for_points
from pairing.rules.rounds import next_unpublished
from tournaments.core import permissions
from tournaments.core.actions import open_action, require
from tournaments.core.errors import BadInput, Conflict
from tournaments.models import Action, ByeKind, Entry, RequestedBye, Tournament


def check_in_open(*, tournament_id: int, actor: User, now: datetime) -> Tournament:
    """Open the check-in for the next round to be published.

    Where the last one was for another round everybody confirms anew; opened again for the same round the ticks stay,
    and so do those from before the first one.
    """
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        tournament = action.tournament
        rounds = round_facts(tournament)
        require(policy.may_open(check_in_of(tournament), rounds))
        number = next_unpublished(rounds)
        if tournament.check_in_round not in (None, number):
            Entry.objects.filter(tournament=tournament, checked_in=True).update(checked_in=False)
        tournament.check_in_round, tournament.check_in_open = number, True
        tournament.save(update_fields=["check_in_round", "check_in_open"])
        action.record(
            Action.CHECK_IN_OPENED,
            article=policy.ARTICLE,
            after={"for_round": number},
            is_public=False,
        )
    return tournament


def check_in_close(*, tournament_id: int, actor: User, now: datetime) -> Tournament:
    """Close the check-in: the ticks stay as they are, and the record says who is missing."""
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        tournament = action.tournament
        require(policy.may_close(check_in_of(tournament), round_facts(tournament)))
        tournament.check_in_open = False
        tournament.save(update_fields=["check_in_open"])
        seen = attendance(tournament)
        action.record(
            Action.CHECK_IN_CLOSED,
            article=policy.ARTICLE,
            after={"for_round": tournament.check_in_round, "due": seen.due, "missing": _described(seen.missing)},
            is_public=False,
        )
    return tournament


def check_in_settle(
    *,
    tournament_id: int,
    actor: User,
    now: datetime,
    consequence: str,
    seen: Collection[int],
    confirmed: bool = False,
    reason: str = "",
) -> list[Entry]:
    """Exclude all who are missing, give each of them the bye ``"Z"`` or ``"H"``, or pair them: all of them, or nobody.

    Those whom the Chief Arbiter has paired count as checked in from now on; the record says that they did not come.
    *seen* are the entries whoever acts was shown as missing: ``Conflict`` when they are others by now.
    Refused with ``check_in.ask_again`` when more than a fifth would go and it is not *confirmed*, and where a bye with
    points is beyond the regulations of one of them [C.04.2/2026 3.3]. One row of the record. The cost does not grow
    with the number of rounds.
    """
    try:
        chosen = Consequence(consequence)
    except ValueError as error:
        expected = [each.value for each in Consequence]
        raise BadInput("check_in.consequence", field="consequence", value=consequence, expected=expected) from error
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        tournament = action.tournament
        now_missing = attendance(tournament)
        missing = list(now_missing.missing)
        require(
            policy.may_settle(
                check_in_of(tournament),
                round_facts(tournament),
                chosen,
                missing=len(missing),
                due=now_missing.due,
                decides=permissions.may_decide(actor, tournament),
                confirmed=confirmed,
            )
        )
        if {entry.pk for entry in missing} != set(seen):
            raise Conflict("check_in.moved_on")
        number = now_missing.round_number
        assert number is not None  # there is one to be published, or the action was refused
        _settle(tournament, missing, number, chosen)
        action.record(
            Action.CHECK_IN_SETTLED,
            article=policy.article_of(chosen, number),
            before={
                "due": now_missing.due,
                # Who had withdrawn from a later round has done so again when this is taken back.
                "withdrawn_from": {str(e.pk): e.withdrawn_from for e in missing if e.withdrawn_from is not None},
            },
            after={"for_round": number, "consequence": chosen.value, "missing": _described(missing)},
            reason=reason.strip(),
            touches_pairing=chosen is not Consequence.PAIRED,
            is_public=chosen is Consequence.EXCLUDED,
        )
    return missing


def _settle(tournament: Tournament, missing: Sequence[Entry], number: int, chosen: Consequence) -> None:
    """Let what was *chosen* happen to all who are *missing*. One query, or those of :func:`_give_byes`."""
    entries = Entry.objects.filter(pk__in=[entry.pk for entry in missing])
    if chosen is Consequence.EXCLUDED:
        entries.update(withdrawn_from=number)
    elif chosen is Consequence.PAIRED:
        entries.update(checked_in=True)
    else:
        _give_byes(tournament, missing, number, ByeKind(chosen.value))


def _give_byes(tournament: Tournament, missing: Sequence[Entry], number: int, kind: ByeKind) -> None:
    """Note the bye for everybody, or refuse it for all. One query, two where it has points."""
    if kind is not ByeKind.ZERO_POINT:
        limits, rounds = bye_rules(tournament), round_facts(tournament)
        with_points = RequestedBye.objects.filter(entry__in=missing).exclude(kind=ByeKind.ZERO_POINT)
        had = list(with_points.values_list("entry_id", flat=True))
        most = max(had.count(entry.pk) for entry in missing)
        require(may_ask_for_points(limits, number, others=most, rounds=rounds))
    RequestedBye.objects.bulk_create(RequestedBye(entry=entry, round_number=number, kind=kind) for entry in missing)


def _described(entries: Sequence[Entry]) -> list[dict[str, object]]:
    return [{"entry": entry.pk, "tpn": entry.tpn, "name": entry.name} for entry in entries]
