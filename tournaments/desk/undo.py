"""Undo the last action."""

from __future__ import annotations

from datetime import datetime
from typing import assert_never

from django.contrib.auth.models import User

from pairing.rounds.attendance import check_in_of
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
from tournaments.models import Action, Decision, Entry, Game, RequestedBye, Round, Tournament


def last_action(tournament: Tournament) -> Decision | None:
    """Return the newest line of the record. One query."""
    return Decision.objects.filter(tournament=tournament).order_by("-sequence").first()


def round_of(decision: Decision) -> int:
    """Return the round of an action that can be undone; 0 if it has none."""
    if decision.action == Action.ENTRY_WITHDRAWN:
        return int(decision.after["value"])
    return decision.round_number or int(decision.after.get("for_round", 0))


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
    undone action, with before and after exchanged. An undo cannot itself be undone.
    """
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        tournament = action.tournament
        last = last_action(tournament)
        if last is None or last.sequence != sequence:
            raise Conflict("undo.moved_on")
        last.tournament = tournament
        require(verdict_on(last, round_facts(tournament), actor))
        kind = Undoable(last.action)
        _turn_back(tournament, kind, last)
        return action.record(
            Action.RESULT_UNDONE if kind is Undoable.RESULT else Action.ACTION_UNDONE,
            article=last.article,
            round_number=last.round_number,
            before=last.after,
            after={**last.before, "undone": last.sequence, "action": last.action},
            touches_pairing=kind.touches_pairing,
            is_public=_is_public(kind, last),
        )


def _is_public(kind: Undoable, last: Decision) -> bool:
    """Return whether visitors saw the effect of *last*: only then do they see the undo."""
    if kind is Undoable.SETTLED:
        return bool(last.after["consequence"] == Consequence.EXCLUDED.value)
    return kind in (Undoable.WITHDRAWAL, Undoable.RETURN)


def _turn_back(tournament: Tournament, kind: Undoable, last: Decision) -> None:
    """Restore the tables to their state before *last*. It is the newest action, so nothing depends on it."""
    match kind:
        case Undoable.DRAFT | Undoable.DRAFT_BY_HAND:
            _discard(tournament, last)
        case Undoable.RESULT:
            game = Game.objects.get(
                round__tournament=tournament,
                round__number=round_of(last),
                board=last.after["board"],
                first__isnull=last.after.get("game", 1) == 1,
            )
            game.result = last.before["result"]
            game.version += 1
            game.save(update_fields=["result", "version"])
        case Undoable.WITHDRAWAL | Undoable.RETURN:
            Entry.objects.filter(pk=last.after["entry"]).update(withdrawn_from=last.before["value"])
        case Undoable.BYE | Undoable.BYE_CANCELLED:
            _restore_bye(last)
        case Undoable.CHECKED_IN | Undoable.CHECKED_OUT:
            Entry.objects.filter(pk=last.after["entry"]).update(checked_in=kind is Undoable.CHECKED_OUT)
        case Undoable.SETTLED:
            _bring_back(last)
        case _:
            assert_never(kind)


def _discard(tournament: Tournament, last: Decision) -> None:
    """Discard the draft. If it had replaced a draft that was out of date, that one is not restored."""
    round_ = Round.objects.get(tournament=tournament, number=round_of(last))
    clear_pairing(round_)
    round_.state = RoundState.PLANNED
    round_.paired_at = None
    round_.paired_from_version = None
    round_.save(update_fields=["state", "paired_at", "paired_from_version"])


def _restore_bye(last: Decision) -> None:
    where = {"entry_id": last.after["entry"], "round_number": last.round_number}
    if last.before["value"] is None:
        RequestedBye.objects.filter(**where).delete()
    else:
        RequestedBye.objects.update_or_create(**where, defaults={"kind": last.before["value"]})


def _bring_back(last: Decision) -> None:
    """Restore the missing players of the check-in, with their later withdrawals; nobody had a bye before."""
    missing = [each["entry"] for each in last.after["missing"]]
    if last.after["consequence"] == Consequence.EXCLUDED.value:
        withdrawn_from = last.before["withdrawn_from"]
        entries = Entry.objects.filter(pk__in=missing)
        for entry in entries:
            entry.withdrawn_from = withdrawn_from.get(str(entry.pk))
        Entry.objects.bulk_update(entries, ["withdrawn_from"])
    elif last.after["consequence"] == Consequence.PAIRED.value:
        Entry.objects.filter(pk__in=missing).update(checked_in=False)
    else:
        RequestedBye.objects.filter(entry__in=missing, round_number=round_of(last)).delete()
