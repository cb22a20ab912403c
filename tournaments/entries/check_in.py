"""The check-in before a round: open, close, decide about the missing [C.04.2/2026 4.1]."""

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
from tournaments.core.newer_lines import OF_THE_CHECK_IN, require_nothing_newer
from tournaments.entries.entry_list import granted_byes
from tournaments.models import ByeKind, Entry, RequestedBye, Tournament
from tournaments.models.payload_data import Player
from tournaments.models.payloads import (
    CheckInClosed,
    CheckInOpened,
    CheckInSettled,
    EntriesCheckedIn,
)


def check_in_open(
    *, tournament_id: int, actor: User, now: datetime, seen_version: int | None = None
) -> Tournament:
    """Open the check-in for the next round to be published.

    If the last check-in was for another round, all players must be checked in again. If it is
    reopened for the same round, players stay checked in; so do those checked in before the first
    check-in. ``Conflict`` if it was opened or closed, or the missing players were decided on, after
    *seen_version*.
    """
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        tournament = action.tournament
        rounds = round_facts(tournament)
        require_nothing_newer(
            tournament, seen_version, OF_THE_CHECK_IN, "check_in.turned_meanwhile"
        )
        require(policy.may_open(check_in_of(tournament), rounds))
        number = next_unpublished(rounds)
        if tournament.check_in_round not in (None, number):
            Entry.objects.filter(tournament=tournament, checked_in=True).update(checked_in=False)
        tournament.check_in_round, tournament.check_in_open = number, True
        tournament.save(update_fields=["check_in_round", "check_in_open"])
        action.record(
            CheckInOpened(before={}, after={"for_round": number}),
            article=policy.ARTICLE,
            is_public=False,
        )
    return tournament


def entries_check_in(
    *, tournament_id: int, actor: User, now: datetime, round_number: int, seen: Collection[int]
) -> list[Entry]:
    """Check in all missing players of *seen*, those whom the user's page showed as missing.

    Others who are missing now stay so, and those who have arrived since change nothing: with
    nobody left the record gets no line. ``Conflict`` if the page was about another round; refused
    while the check-in is closed [C.04.2/2026 4.1]. One line of the record; the queries do not grow
    with the players.
    """
    with open_action(
        actor=actor, now=now, pk=tournament_id, powers=(permissions.Power.CHECK_IN,)
    ) as action:
        tournament = action.tournament
        now_missing = attendance(tournament)
        if now_missing.round_number != round_number:
            raise Conflict("check_in.moved_on")
        require(policy.may_tick(check_in_of(tournament)))
        on_page = set(seen)
        arriving = [entry for entry in now_missing.missing if entry.pk in on_page]
        if not arriving:
            return []
        Entry.objects.filter(pk__in=[entry.pk for entry in arriving]).update(checked_in=True)
        action.record(
            EntriesCheckedIn(
                before={}, after={"for_round": round_number, "players": _described(arriving)}
            ),
            article=policy.ARTICLE,
            is_public=False,
        )
    return arriving


def check_in_close(
    *, tournament_id: int, actor: User, now: datetime, seen_version: int | None = None
) -> Tournament:
    """Close the check-in. Players stay checked in, and the record lists the missing players.

    ``Conflict`` as in :func:`check_in_open`.
    """
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        tournament = action.tournament
        require_nothing_newer(
            tournament, seen_version, OF_THE_CHECK_IN, "check_in.turned_meanwhile"
        )
        require(policy.may_close(check_in_of(tournament), round_facts(tournament)))
        tournament.check_in_open = False
        tournament.save(update_fields=["check_in_open"])
        now_missing = attendance(tournament)
        action.record(
            CheckInClosed(
                before={},
                after={
                    "for_round": tournament.check_in_round,
                    "due": now_missing.due,
                    "missing": _described(now_missing.missing),
                },
            ),
            article=policy.ARTICLE,
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
    """Exclude all missing players, give each the bye ``"Z"`` or ``"H"``, or pair them.

    All or none. If the Chief Arbiter pairs them, they count as checked in from now on; the record
    says that they were missing. *seen* are the entries shown as missing on the user's page:
    ``Conflict`` if others are missing now. Refused with ``check_in.ask_again`` if more than a fifth
    would be affected and the action is not *confirmed*, and if the regulations do not give one of
    them a bye with points [C.04.2/2026 3.3]. One line of the record. The cost does not grow with
    the number of rounds.
    """
    chosen = _consequence(consequence)
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
        assert number is not None  # a round remains to be published, or the action was refused
        _settle(tournament, missing, number, chosen)
        action.record(
            _settled(missing, now_missing.due, number, chosen),
            article=policy.article_of(chosen, number),
            reason=reason.strip(),
            changes_pairing=chosen is not Consequence.PAIRED,
            is_public=chosen is Consequence.EXCLUDED,
        )
    return missing


def _consequence(word: str) -> Consequence:
    """Return the consequence that *word* names; ``BadInput`` for other words."""
    try:
        return Consequence(word)
    except ValueError as error:
        expected = [each.value for each in Consequence]
        raise BadInput(
            "check_in.consequence", field="consequence", value=word, expected=expected
        ) from error


def _settled(
    missing: Sequence[Entry], due: int, number: int, chosen: Consequence
) -> CheckInSettled:
    """Return what the record keeps of the decision *chosen* about the *missing* of *due* players.

    An undo restores the withdrawals from later rounds.
    """
    withdrawn = {str(e.pk): e.withdrawn_from for e in missing if e.withdrawn_from is not None}
    return CheckInSettled(
        before={"due": due, "withdrawn_from": withdrawn},
        after={"for_round": number, "consequence": chosen.value, "missing": _described(missing)},
    )


def _settle(
    tournament: Tournament, missing: Sequence[Entry], number: int, chosen: Consequence
) -> None:
    """Apply the decision *chosen* to all *missing* players.

    One query, or those of :func:`_give_byes`.
    """
    entries = Entry.objects.filter(pk__in=[entry.pk for entry in missing])
    if chosen is Consequence.EXCLUDED:
        entries.update(withdrawn_from=number)
    elif chosen is Consequence.PAIRED:
        entries.update(checked_in=True)
    else:
        _give_byes(tournament, missing, number, ByeKind(chosen.value))


def _give_byes(
    tournament: Tournament, missing: Sequence[Entry], number: int, kind: ByeKind
) -> None:
    """Grant the bye to all, or refuse it for all. One query, two for a bye with points."""
    if kind is not ByeKind.ZERO_POINT:
        limits, rounds = bye_rules(tournament), round_facts(tournament)
        with_points = granted_byes(entry__in=missing).exclude(kind=ByeKind.ZERO_POINT)
        had = list(with_points.values_list("entry_id", flat=True))
        most = max(had.count(entry.pk) for entry in missing)
        entitled = not any(entry.no_byes_with_points for entry in missing)
        require(may_ask_for_points(limits, number, others=most, rounds=rounds, entitled=entitled))
    RequestedBye.objects.bulk_create(
        RequestedBye(entry=entry, round_number=number, kind=kind) for entry in missing
    )


def _described(entries: Sequence[Entry]) -> list[Player]:
    return [{"entry": entry.pk, "tpn": entry.tpn, "name": entry.name} for entry in entries]
