"""Byes that players ask for, before the pairings of the round are published [C.04.2/2026 3.3]."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User

from pairing.rounds.facts import bye_rules, round_facts
from pairing.rules import entries as policy
from pairing.rules.verdict import ALLOWED, Verdict
from tournaments.core.actions import OpenAction, open_action, require
from tournaments.core.errors import BadInput
from tournaments.core.newer_lines import require_player_as_seen
from tournaments.entries.entries import about
from tournaments.entries.entry_list import granted_byes
from tournaments.models import ByeKind, Entry, RequestedBye, Tournament
from tournaments.models.payloads import ByeCancelled, ByeRequested


def bye_request(
    *,
    entry_id: int,
    actor: User,
    now: datetime,
    round_number: int,
    kind: str,
    seen_version: int | None = None,
) -> RequestedBye:
    """Grant a participant a bye in a round: ``"Z"``, ``"H"`` or ``"F"`` [C.04.2/2026 3.3].

    Refused after the pairings of the round are published, and if the regulations do not give the
    points. A second request for the same round replaces the first.
    """
    expected = [value for value in ByeKind.values if value != ByeKind.PAIRING_ALLOCATED]
    if kind not in expected:
        raise BadInput("bye.kind_unknown", field="kind", value=kind, expected=expected)
    with open_action(actor=actor, now=now, entries=entry_id) as action:
        tournament = action.tournament
        entry = Entry.objects.get(pk=entry_id)
        require(policy.may_change_bye(round_facts(tournament), round_number))
        bye = RequestedBye.objects.filter(entry=entry, round_number=round_number).first()
        before = bye.kind if bye else None
        if bye is not None and before == kind:
            return bye
        require_player_as_seen(tournament, entry, seen_version)
        require(may_have_bye(tournament, entry, round_number, kind))
        bye, _ = RequestedBye.objects.update_or_create(
            entry=entry, round_number=round_number, defaults={"kind": kind}
        )
        player = about(entry)
        _record_bye(
            action,
            ByeRequested(before={**player, "value": before}, after={**player, "value": kind}),
            round_number,
        )
    return bye


def may_have_bye(tournament: Tournament, entry: Entry, round_number: int, kind: str) -> Verdict:
    """Return whether *entry* may have a bye *kind* in *round_number*, beside other byes."""
    if kind == ByeKind.ZERO_POINT:
        return ALLOWED
    counted = other_byes_with_points(entry, round_number)
    rounds = round_facts(tournament)
    return policy.may_ask_for_points(
        bye_rules(tournament),
        round_number,
        others=counted,
        rounds=rounds,
        entitled=not entry.no_byes_with_points,
    )


def other_byes_with_points(entry: Entry, round_number: int) -> int:
    """Return how many byes with points *entry* has in other rounds than *round_number*."""
    return (
        granted_byes(entry=entry)
        .exclude(round_number=round_number)
        .exclude(kind=ByeKind.ZERO_POINT)
        .count()
    )


def bye_cancel(
    *, entry_id: int, actor: User, now: datetime, round_number: int, seen_version: int | None = None
) -> None:
    """Cancel a requested bye, before the pairings of the round are published [C.04.2/2026 3.3]."""
    with open_action(actor=actor, now=now, entries=entry_id) as action:
        tournament = action.tournament
        entry = Entry.objects.get(pk=entry_id)
        require(policy.may_change_bye(round_facts(tournament), round_number))
        bye = RequestedBye.objects.filter(entry=entry, round_number=round_number).first()
        require_player_as_seen(tournament, entry, seen_version)
        if bye is None:
            raise BadInput("bye.not_requested", field="round_number", round=round_number)
        before = bye.kind
        bye.delete()
        player = about(entry)
        _record_bye(
            action,
            ByeCancelled(before={**player, "value": before}, after={**player, "value": None}),
            round_number,
        )


def _record_bye(
    action: OpenAction, payload: ByeRequested | ByeCancelled, round_number: int
) -> None:
    """Record a requested bye, which visitors see with the pairings of its round."""
    action.record(
        payload,
        article="C.04.2 3.3",
        round_number=round_number,
        changes_pairing=True,
        is_public=False,
    )
