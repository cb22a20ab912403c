"""Undo an action: the newest, or one of the last ten minutes on which nothing later depends."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final, assert_never

from django.contrib.auth.models import User
from django.core.exceptions import ObjectDoesNotExist
from django.db.models import Q

from pairing.rounds.attendance import check_in_of
from pairing.rounds.draft_views import viewed_draft
from pairing.rounds.facts import round_facts
from pairing.rounds.seats import discard_pairing
from pairing.rules.check_in import Consequence
from pairing.rules.rounds import RoundFacts
from pairing.rules.undo import OFFERED_FOR, OPPOSITE, is_in_time, may_undo
from pairing.rules.undo_between import LaterLines
from pairing.rules.verdict import Allowed, Refused, Verdict
from tournaments.core import permissions
from tournaments.core.actions import OpenAction, as_undo_of, open_action, require
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.core.frame import Frame
from tournaments.core.many_rows import save_fields
from tournaments.core.permissions import Power
from tournaments.core.undone import done, lines_between, undo_of
from tournaments.desk.undo_opposites import do_opposite
from tournaments.models import Decision, Entry, Game, MissingAnswer, RequestedBye, Round, Tournament
from tournaments.models.payload_data import Bye
from tournaments.models.payload_round_data import ViewedDraft
from tournaments.models.payloads import (
    ByeCancelled,
    ByeRequested,
    CheckInAnswered,
    CheckInSettled,
    EntriesCheckedIn,
    EntryCheckedIn,
    EntryCheckedOut,
    EntryReturned,
    EntryWithdrawn,
    ResultRecorded,
    RoundPaired,
    RoundPairedByHand,
    undoing,
)
from tournaments.setup.tournaments import LEFT

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
    | EntriesCheckedIn
    | CheckInSettled
    | CheckInAnswered
)
"""The data of the actions that an undo reverses itself."""


def round_of(decision: Decision) -> int:
    """Return the round of an action, for a withdrawal the first that it concerns; 0 without one."""
    match decision.payload:
        case EntryWithdrawn(before=before, after=withdrawn):
            return min(before["value"] or withdrawn["value"], withdrawn["value"])
        case CheckInSettled(after=settled):
            return settled["for_round"]
        case CheckInAnswered(after=answered):
            return answered["for_round"]
        case _:
            return decision.round_number or 0


def verdict_on(decision: Decision, rounds: list[RoundFacts], user: permissions.Visitor) -> Verdict:
    """Return whether *user* may undo *decision* with these *rounds*, if nothing depends on it.

    New settings that have left FIDE mode stay: nothing leads back [C.04.2/2026 1.1].
    """
    if LEFT in decision.after:
        return Refused("undo.fide_mode_left", "C.04.2 1.1")
    return may_undo(
        decision.action,
        rounds,
        round_of(decision),
        check_in_of(decision.tournament),
        own=decision.actor_id == user.pk,
        decides=permissions.may_decide(user, decision.tournament),
    )


def undoable_actions(frame: Frame, user: permissions.Visitor, *, now: datetime) -> list[Decision]:
    """Return the actions *user* can undo, newest first, for a page of buttons. One query.

    These are the user's own of the last ten minutes, and the newest action of the tournament,
    whoever did it.
    """
    if frame.tournament.final_at is not None:
        return []
    lines = _recent(frame.tournament, now)
    rounds = [RoundFacts(tab.number, tab.state) for tab in frame.rounds]
    offered, later = [], LaterLines()
    for line in lines:
        row = done(line)
        if (
            (line is lines[0] or line.actor_id == user.pk)
            and _is_allowed(line, rounds, user)
            and not later.prevent_undo(row)
        ):
            offered.append(line)
        later.add(row)
    return offered


def offered_undo(
    frame: Frame, user: permissions.Visitor, *, now: datetime, fingerprint: str
) -> Decision | None:
    """Return the undoable action of *user* whose line begins with *fingerprint*. Two queries.

    None after ten minutes, and if something later depends on it.
    """
    if frame.tournament.final_at is not None or permissions.role_of(user, frame.tournament) is None:
        return None
    lines = _recent(frame.tournament, now)
    rounds = [RoundFacts(tab.number, tab.state) for tab in frame.rounds]
    for place, line in enumerate(lines):
        if line.hash.startswith(fingerprint) and line.actor_id == user.pk:
            in_time = is_in_time(line.at, now, is_newest=False)
            later = lines[:place]
            is_free = undo_of(line, later) is None and not lines_between(line, later)
            return line if in_time and is_free and _is_allowed(line, rounds, user) else None
    return None


def _recent(tournament: Tournament, now: datetime) -> list[Decision]:
    """Return the lines of the last ten minutes and the newest line, the newest first. One query."""
    recent = Q(at__gte=now - OFFERED_FOR) | Q(sequence=tournament.version)
    lines = list(Decision.objects.filter(recent, tournament=tournament).order_by("-sequence"))
    for line in lines:
        line.tournament = tournament
    return lines


def _is_allowed(line: Decision, rounds: list[RoundFacts], user: permissions.Visitor) -> bool:
    return isinstance(verdict_on(line, rounds, user), Allowed) and _has_power(line, user)


def _has_power(line: Decision, user: permissions.Visitor) -> bool:
    """Return whether the role of *user* allows the action of *line*: the undo needs the same."""
    return permissions.may(user, line.tournament, permissions.power_for(line.payload))


def action_undo(*, tournament_id: int, actor: User, now: datetime, sequence: int) -> Decision:
    """Undo line *sequence* of the record, as shown on the page.

    The new line names the undone action, with before and after exchanged; an undo cannot itself be
    undone. It needs the power of the undone action. Refused by
    :func:`~pairing.rules.undo.may_undo`, and where the ordinary action that restores the values is
    refused. :class:`Conflict`, with the lines that came in between, if the action was undone
    already (``undo.already``), if a later one has touched the same thing (``undo.moved_on``), after
    ten minutes except for the newest action (``undo.too_late``), or if the values before would not
    come back exactly (``undo.not_the_same``).
    """
    with open_action(actor=actor, now=now, pk=tournament_id, powers=ABLE_TO_UNDO) as action:
        tournament = action.tournament
        lines = Decision.objects.filter(tournament=tournament)
        line = lines.filter(sequence=sequence).first()
        if line is None:
            raise Conflict("undo.no_line")
        later = list(lines.filter(sequence__gt=sequence).order_by("sequence"))
        _require_undoable(tournament, line, later, actor, now)
        payload = line.payload
        if line.action in OPPOSITE:
            return _by_opposite(action, line)
        assert isinstance(payload, UndoablePayload)
        viewers = _viewers(tournament, line, payload)
        _revert(tournament, line, payload)
        return action.record(
            undoing(payload, line.sequence, viewers),
            article=line.article,
            round_number=line.round_number,
            changes_pairing=payload.action.row.who_plays or _held_back(payload),
            is_public=_is_public(payload),
        )


def _require_undoable(
    tournament: Tournament, line: Decision, later: Sequence[Decision], actor: User, now: datetime
) -> None:
    """Raise the refusal of an undo of *line*, after which *later* were written, oldest first."""
    line.tournament = tournament
    if undone := undo_of(line, later):
        raise Conflict("undo.already", params={"name": undone.actor_name}, lines=[undone])
    require(verdict_on(line, round_facts(tournament), actor))
    if between := lines_between(line, later):
        raise Conflict("undo.moved_on", lines=between[::-1])
    if not is_in_time(line.at, now, is_newest=not later):
        raise Conflict("undo.too_late", lines=later[::-1])


def _by_opposite(action: OpenAction, line: Decision) -> Decision:
    """Restore the values before *line* by the ordinary action, whose line is the undo."""
    try:
        with as_undo_of(line):
            do_opposite(action, line)
    except BadInput as error:
        raise RuleRefused(
            Refused("undo.not_now", error.article, {"problem": str(error)})
        ) from error
    except ObjectDoesNotExist as error:
        raise Conflict("undo.not_the_same") from error
    newest = Decision.objects.filter(tournament=action.tournament).latest("sequence")
    if newest.after.get("undone") != line.sequence:
        raise Conflict("undo.not_the_same")
    return newest


def _viewers(tournament: Tournament, line: Decision, payload: UndoablePayload) -> ViewedDraft:
    """Return who has viewed the draft that the undo of *line* discards; empty for other actions."""
    if not isinstance(payload, RoundPaired | RoundPairedByHand):
        return {}
    round_ = Round.objects.get(tournament=tournament, number=round_of(line))
    return viewed_draft(round_)


def _held_back(payload: UndoablePayload) -> bool:
    """Return whether the undone check-in ended the answer "not paired": it holds again."""
    return (
        isinstance(payload, EntryCheckedIn) and payload.before.get("answer") == MissingAnswer.SKIP
    )


def _is_public(payload: UndoablePayload) -> bool:
    """Return whether visitors saw the effect of the action: only then do they see the undo."""
    if isinstance(payload, CheckInSettled):
        return payload.after["consequence"] == Consequence.EXCLUDED.value
    return isinstance(payload, EntryWithdrawn | EntryReturned)


def _revert(tournament: Tournament, line: Decision, payload: UndoablePayload) -> None:
    """Restore the tables to their state before *line*, on which nothing depends."""
    match payload:
        case RoundPaired() | RoundPairedByHand():
            _discard(tournament, line)
        case ResultRecorded(before=before, after=after):
            game = Game.objects.get(
                round__tournament=tournament,
                round__number=round_of(line),
                board=after["board"],
                first__isnull=after.get("game", 1) == 1,
            )
            game.result = before["result"]
            game.version += 1
            game.save(update_fields=["result", "version"])
        case EntryWithdrawn() | EntryReturned():
            Entry.objects.filter(pk=payload.after["entry"]).update(
                withdrawn_from=payload.before["value"]
            )
            if isinstance(payload, EntryReturned) and payload.before.get("expelled"):
                tournament.expelled = [*tournament.expelled, payload.after["entry"]]
                tournament.save(update_fields=["expelled"])
        case ByeRequested() | ByeCancelled():
            _restore_bye(round_of(line), payload.before)
        case EntryCheckedIn():
            Entry.objects.filter(pk=payload.after["entry"]).update(
                checked_in=False, answer=payload.before.get("answer", "")
            )
        case EntryCheckedOut():
            Entry.objects.filter(pk=payload.after["entry"]).update(checked_in=True)
        case EntriesCheckedIn():
            entries = [each["entry"] for each in payload.after["players"]]
            Entry.objects.filter(pk__in=entries).update(checked_in=False)
        case CheckInSettled():
            _bring_back(payload)
        case CheckInAnswered():
            for each in payload.before["players"]:
                Entry.objects.filter(pk=each["entry"]).update(answer=each["answer"])
        case _:
            assert_never(payload)


def _discard(tournament: Tournament, line: Decision) -> None:
    """Discard the draft.

    If it had replaced a draft that was out of date, that one is not restored.
    """
    round_ = Round.objects.get(tournament=tournament, number=round_of(line))
    discard_pairing(round_)


def _restore_bye(round_number: int, before: Bye) -> None:
    entry, kind = before["entry"], before["value"]
    if kind is None:
        RequestedBye.objects.filter(entry_id=entry, round_number=round_number).delete()
    else:
        RequestedBye.objects.update_or_create(
            entry_id=entry, round_number=round_number, defaults={"kind": kind}
        )


def _bring_back(payload: CheckInSettled) -> None:
    """Restore the missing of the check-in and their later withdrawals; nobody had a bye before."""
    after = payload.after
    missing = [each["entry"] for each in after["missing"]]
    if after["consequence"] == Consequence.EXCLUDED.value:
        withdrawn_from = payload.before["withdrawn_from"]
        entries = list(Entry.objects.filter(pk__in=missing))
        for entry in entries:
            entry.withdrawn_from = withdrawn_from.get(str(entry.pk))
        save_fields(entries, ["withdrawn_from"])
    elif after["consequence"] == Consequence.PAIRED.value:
        Entry.objects.filter(pk__in=missing).update(checked_in=False)
    else:
        RequestedBye.objects.filter(entry__in=missing, round_number=after["for_round"]).delete()
