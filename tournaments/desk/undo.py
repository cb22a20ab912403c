"""Undo the last action."""

from __future__ import annotations

from datetime import datetime
from typing import Final, assert_never

from django.contrib.auth.models import User

from pairing.rounds.attendance import check_in_of
from pairing.rounds.draft_views import viewed_draft
from pairing.rounds.facts import round_facts
from pairing.rounds.seats import clear_pairing
from pairing.rules.check_in import Consequence
from pairing.rules.rounds import RoundFacts, RoundState
from pairing.rules.undo import Undoable, may_undo
from pairing.rules.verdict import Allowed, Verdict
from tournaments.core import permissions
from tournaments.core.actions import open_action, require
from tournaments.core.errors import Conflict
from tournaments.core.frame import Frame
from tournaments.core.permissions import Power
from tournaments.models import Decision, Entry, Game, MissingAnswer, RequestedBye, Round, Tournament
from tournaments.models.payload_data import Bye
from tournaments.models.payload_round_data import ViewedDraft
from tournaments.models.payloads import (
    ByeCancelled,
    ByeRequested,
    CheckInAnswered,
    CheckInSettled,
    EntryCheckedIn,
    EntryCheckedOut,
    EntryReturned,
    EntryWithdrawn,
    ResultRecorded,
    RoundPaired,
    RoundPairedByHand,
    undoing,
)

ABLE_TO_UNDO: Final = (Power.RUN, Power.RESULTS, Power.CHECK_IN)
"""The powers of people whose own actions can be undone."""

UndoablePayload = (
    RoundPaired
    | RoundPairedByHand
    | ResultRecorded
    | EntryWithdrawn
    | EntryReturned
    | ByeRequested
    | ByeCancelled
    | EntryCheckedIn
    | EntryCheckedOut
    | CheckInSettled
    | CheckInAnswered
)
"""The data of the actions of :class:`~pairing.rules.undo.Undoable`."""


def last_action(tournament: Tournament) -> Decision | None:
    """Return the newest line of the record. One query."""
    return Decision.objects.filter(tournament=tournament).order_by("-sequence").first()


def round_of(decision: Decision) -> int:
    """Return the round of an action that can be undone; 0 if it has none."""
    match decision.payload:
        case EntryWithdrawn(after=withdrawn):
            return withdrawn["value"]
        case CheckInSettled(after=settled):
            return settled["for_round"]
        case CheckInAnswered(after=answered):
            return answered["for_round"]
        case _:
            return decision.round_number or 0


def verdict_on(decision: Decision, rounds: list[RoundFacts], user: permissions.Visitor) -> Verdict:
    """Return whether *user* may undo *decision*, the newest of a tournament with these *rounds*."""
    return may_undo(
        decision.action,
        rounds,
        round_of(decision),
        check_in_of(decision.tournament),
        own=decision.actor_id == user.pk,
        decides=permissions.may_decide(user, decision.tournament),
    )


def undoable_action(frame: Frame, user: permissions.Visitor) -> Decision | None:
    """Return the last action if *user* may undo it, for the page with the button. One query."""
    decision = last_action(frame.tournament)
    if decision is None:
        return None
    decision.tournament = frame.tournament
    rounds = [RoundFacts(tab.number, tab.state) for tab in frame.rounds]
    return decision if isinstance(verdict_on(decision, rounds, user), Allowed) else None


def last_action_undo(*, tournament_id: int, actor: User, now: datetime, sequence: int) -> Decision:
    """Undo the last action; *sequence* is its number in the record, as shown on the page.

    ``Conflict`` if there is a newer action. Refused by :func:`~pairing.rules.undo.may_undo`. The new line names the
    undone action, with before and after exchanged. An undo cannot itself be undone. It needs the power of the undone
    action.
    """
    with open_action(actor=actor, now=now, pk=tournament_id, powers=ABLE_TO_UNDO) as action:
        tournament = action.tournament
        last = last_action(tournament)
        if last is None or last.sequence != sequence:
            raise Conflict("undo.moved_on")
        last.tournament = tournament
        require(verdict_on(last, round_facts(tournament), actor))
        payload = last.payload
        assert isinstance(payload, UndoablePayload)
        viewers = _viewers(tournament, last, payload)
        _turn_back(tournament, last, payload)
        return action.record(
            undoing(payload, last.sequence, viewers),
            article=last.article,
            round_number=last.round_number,
            changes_pairing=Undoable(last.action).changes_pairing or _held_back(payload),
            is_public=_is_public(payload),
        )


def _viewers(tournament: Tournament, last: Decision, payload: UndoablePayload) -> ViewedDraft:
    """Return who has viewed the draft that the undo of *last* discards; empty for another action."""
    if not isinstance(payload, RoundPaired | RoundPairedByHand):
        return {}
    round_ = Round.objects.get(tournament=tournament, number=round_of(last))
    return viewed_draft(round_)


def _held_back(payload: UndoablePayload) -> bool:
    """Return whether the undone check-in ended the answer that the player is not paired: it holds again."""
    return isinstance(payload, EntryCheckedIn) and payload.before.get("answer") == MissingAnswer.SKIP


def _is_public(payload: UndoablePayload) -> bool:
    """Return whether visitors saw the effect of the action: only then do they see the undo."""
    if isinstance(payload, CheckInSettled):
        return payload.after["consequence"] == Consequence.EXCLUDED.value
    return isinstance(payload, EntryWithdrawn | EntryReturned)


def _turn_back(tournament: Tournament, last: Decision, payload: UndoablePayload) -> None:
    """Restore the tables to their state before *last*. It is the newest action, so nothing depends on it."""
    match payload:
        case RoundPaired() | RoundPairedByHand():
            _discard(tournament, last)
        case ResultRecorded(before=before, after=after):
            game = Game.objects.get(
                round__tournament=tournament,
                round__number=round_of(last),
                board=after["board"],
                first__isnull=after.get("game", 1) == 1,
            )
            game.result = before["result"]
            game.version += 1
            game.save(update_fields=["result", "version"])
        case EntryWithdrawn() | EntryReturned():
            Entry.objects.filter(pk=payload.after["entry"]).update(withdrawn_from=payload.before["value"])
            if isinstance(payload, EntryReturned) and payload.before.get("expelled"):
                tournament.expelled = [*tournament.expelled, payload.after["entry"]]
                tournament.save(update_fields=["expelled"])
        case ByeRequested() | ByeCancelled():
            _restore_bye(round_of(last), payload.before)
        case EntryCheckedIn():
            Entry.objects.filter(pk=payload.after["entry"]).update(
                checked_in=False, answer=payload.before.get("answer", "")
            )
        case EntryCheckedOut():
            Entry.objects.filter(pk=payload.after["entry"]).update(checked_in=True)
        case CheckInSettled():
            _bring_back(payload)
        case CheckInAnswered():
            for each in payload.before["players"]:
                Entry.objects.filter(pk=each["entry"]).update(answer=each["answer"])
        case _:
            assert_never(payload)


def _discard(tournament: Tournament, last: Decision) -> None:
    """Discard the draft. If it had replaced a draft that was out of date, that one is not restored."""
    round_ = Round.objects.get(tournament=tournament, number=round_of(last))
    clear_pairing(round_)
    round_.state = RoundState.PLANNED
    round_.paired_at = None
    round_.paired_from_version = None
    round_.save(update_fields=["state", "paired_at", "paired_from_version"])


def _restore_bye(round_number: int, before: Bye) -> None:
    entry, kind = before["entry"], before["value"]
    if kind is None:
        RequestedBye.objects.filter(entry_id=entry, round_number=round_number).delete()
    else:
        RequestedBye.objects.update_or_create(entry_id=entry, round_number=round_number, defaults={"kind": kind})


def _bring_back(payload: CheckInSettled) -> None:
    """Restore the missing players of the check-in, with their later withdrawals; nobody had a bye before."""
    after = payload.after
    missing = [each["entry"] for each in after["missing"]]
    if after["consequence"] == Consequence.EXCLUDED.value:
        withdrawn_from = payload.before["withdrawn_from"]
        entries = Entry.objects.filter(pk__in=missing)
        for entry in entries:
            entry.withdrawn_from = withdrawn_from.get(str(entry.pk))
        Entry.objects.bulk_update(entries, ["withdrawn_from"])
    elif after["consequence"] == Consequence.PAIRED.value:
        Entry.objects.filter(pk__in=missing).update(checked_in=False)
    else:
        RequestedBye.objects.filter(entry__in=missing, round_number=after["for_round"]).delete()
