"""Pair a round: plan, engine, checker, saved rows. Discard a draft."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.contrib.auth.models import User

from pairing.engine.checker import check
from pairing.engine.errors import InputError, InvariantError, NoLegalPairingError
from pairing.engine.model import TPN, Pairing, TournamentState
from pairing.engine.systems import pair, system_by_code
from pairing.rounds import attendance
from pairing.rounds.computed_standings import require_pairable
from pairing.rounds.draft_views import viewed_draft
from pairing.rounds.facts import older_adjourned, round_facts
from pairing.rounds.paired_before import PAIRED
from pairing.rounds.seats import clear_pairing, discard_pairing, save_pairing
from pairing.rounds.snapshot import requested_byes, skipped, snapshot
from pairing.rounds.steps import facts_of, require_seen_version
from pairing.rules import rounds as policy
from pairing.rules.rounds import FieldFacts, RoundState
from pairing.rules.verdict import Refused
from tournaments.core import permissions
from tournaments.core.actions import citing, open_action, require
from tournaments.core.errors import Conflict, RuleRefused, unreadable
from tournaments.core.newer_lines import OF_A_PLAYER, OF_THE_LIST, require_nothing_newer
from tournaments.models import Action, Decision, Entry, Round, Tournament
from tournaments.models.payload_round_data import LeftOut
from tournaments.models.payloads import RoundDiscarded, RoundPaired

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """The data a pairing was computed from.

    The pairing is not saved if ``pairing_version`` has changed since.
    """

    number: int
    pairing_version: int
    system: str
    state: TournamentState
    entries: dict[TPN, Entry]
    byes: dict[int, str]
    skipped: frozenset[int] = frozenset()
    """The entries whom the arbiter leaves out until they are checked in."""

    @property
    def present(self) -> frozenset[TPN]:
        """The players to be paired."""
        return frozenset(player.tpn for player in self.state.players) - self.state.absent

    def left_out(self) -> LeftOut:
        """Return the ``skipped`` for the record; nothing if there are none."""
        return {"skipped": sorted(self.skipped)} if self.skipped else {}


OF_WHO_PLAYS: Final = (*OF_A_PLAYER, *OF_THE_LIST, Action.ENTRY_EXPELLED, Action.CHECK_IN_ANSWERED)
"""Actions on players after which the person who pairs looks again.

Results that come in are not among them.
"""


def require_players_as_seen(tournament: Tournament, number: int, seen_version: int | None) -> None:
    """Raise :class:`Conflict` with the lines about players that are newer than *seen_version*.

    At most one query.
    """
    require_nothing_newer(
        tournament, seen_version, OF_WHO_PLAYS, "round.players_moved", round=number
    )


def round_pair(
    *,
    round_id: int,
    actor: User,
    now: datetime,
    older_open: bool = False,
    byes_only: bool = False,
    seen_version: int | None = None,
) -> Round:
    """Pair a planned round, or a draft that is out of date,
    by the tournament's system. Only arbiters see the draft.

    The engine works on a snapshot without a lock; the version is compared under the lock. Refused
    by :func:`~pairing.rules.rounds.may_pair`, or with Article 1.9.3 if no legal pairing exists;
    then the round stays unchanged. *older_open* acknowledges that games from before the last round
    are still adjourned, *byes_only* that nobody plays in the round: only the Chief Arbiter confirms
    that [C.04.2/2026 3.3]. :class:`Conflict` if somebody else paired the round or changed its data
    in the meantime, or if a player has changed since *seen_version* (:data:`OF_WHO_PLAYS`): nobody
    pairs without the withdrawal, bye or entry that came in. ``InvariantError`` if the engine fails
    or the checker disagrees: this is a bug, and nothing is saved.
    """
    plan = round_plan(
        round_id, actor, older_open=older_open, byes_only=byes_only, seen_version=seen_version
    )
    pairing = _agreed_pairing(plan)
    with open_action(actor=actor, now=now, rounds=round_id) as action:
        tournament = action.tournament
        round_ = Round.objects.get(pk=round_id)
        round_.tournament = tournament
        require_plan_unmoved(plan, tournament, round_)
        redone = round_.state == RoundState.DRAFT
        viewers = viewed_draft(round_)
        if redone:
            clear_pairing(round_)
        save_pairing(tournament, round_, pairing, plan.entries, plan.byes)
        draft_from(round_, plan, now)
        action.record(
            RoundPaired(
                before={"state": RoundState.DRAFT.value if redone else RoundState.PLANNED.value},
                after={
                    "state": RoundState.DRAFT.value,
                    "system": plan.system,
                    "pairs": [list(pair_) for pair_ in pairing.pairs],
                    "pairing_allocated_bye": pairing.bye,
                    "boards": [
                        [plan.entries[white].pk, plan.entries[black].pk]
                        for white, black in pairing.pairs
                    ],
                    "not_paired": sorted(plan.state.absent),
                    **plan.left_out(),
                    **viewers,
                },
            ),
            article=system_by_code(plan.system).round_pairing,
            round_number=plan.number,
            is_public=False,
        )
    return round_


def no_legal_pairing(plan: RoundPlan) -> str:
    """Return the article that prevents a pairing of *plan* [C.04.3/2026 1.9.3], or empty."""
    try:
        pair(plan.state)
    except NoLegalPairingError as error:
        return error.article
    return ""


def draft_from(round_: Round, plan: RoundPlan, now: datetime) -> None:
    round_.state = RoundState.DRAFT
    round_.paired_at = now
    round_.paired_from_version = plan.pairing_version
    round_.save(update_fields=["state", "paired_at", "paired_from_version"])


def round_unpair(
    *, round_id: int, actor: User, now: datetime, seen_version: int | None = None
) -> Round:
    """Discard a draft: the round is planned again. Refused once it is published [C.04.2/2026 4.4].

    :class:`Conflict` if the draft is not the one of *seen_version*
    (:func:`~pairing.rounds.versions.round_version`).
    """
    with open_action(actor=actor, now=now, rounds=round_id) as action:
        round_ = Round.objects.get(pk=round_id)
        require(policy.may_discard(facts_of(round_)))
        require_seen_version(round_, seen_version)
        viewers = viewed_draft(round_)
        discard_pairing(round_)
        action.record(
            RoundDiscarded(
                before={"state": RoundState.DRAFT.value},
                after={"state": RoundState.PLANNED.value, **viewers},
            ),
            round_number=round_.number,
            is_public=False,
        )
    return round_


def is_stale(round_: Round, tournament: Tournament) -> bool:
    """Return whether any data of the draft has changed since it was paired."""
    return (
        round_.state == RoundState.DRAFT
        and round_.paired_from_version != tournament.pairing_version
    )


def round_plan(
    round_id: int,
    actor: User,
    *,
    older_open: bool = False,
    byes_only: bool = False,
    seen_version: int | None = None,
) -> RoundPlan:
    """Read the data of the pairing without a lock, and refuse if the rules do not allow it.

    *older_open*, *byes_only* and *seen_version* as in :func:`round_pair`.

    The version is read first, so that any change during the reading increases it.
    """
    round_ = Round.objects.select_related("tournament").get(pk=round_id)
    tournament = round_.tournament
    permissions.require_may_run(actor, tournament)
    require_players_as_seen(tournament, round_.number, seen_version)
    state, entries = snapshot(tournament, round_.number)
    unnumbered = Entry.objects.filter(tournament=tournament, tpn__isnull=True).order_by("name")
    field = FieldFacts(
        present=len(state.players) - len(state.absent) + len(unnumbered),
        unnumbered=tuple(entry.name for entry in unnumbered),
        unconfirmed=attendance.unconfirmed(tournament, round_.number),
        not_arrived=tuple(
            entry.name
            for entry in attendance.not_arrived(
                entries[tpn] for tpn in sorted(entries) if tpn not in state.absent
            )
        ),
        initial_colour_known=bool(tournament.initial_colour),
        initial_colour_article=system_by_code(tournament.system).initial_colour,
        older_adjourned=() if older_open else older_adjourned(tournament, round_.number),
        entered=len(state.players) + len(unnumbered),
        byes_only=byes_only,
        decides=permissions.may_decide(actor, tournament),
    )
    rounds = round_facts(tournament)
    with citing(tournament):
        require(
            policy.may_pair(
                rounds, round_.number, field, draft_is_stale=is_stale(round_, tournament)
            )
        )
    try:
        require_pairable(tournament, state)
    except InputError as error:
        raise unreadable(error) from error
    left_out = skipped(tournament, round_.number)
    return RoundPlan(
        number=round_.number,
        pairing_version=tournament.pairing_version,
        system=tournament.system,
        state=state,
        entries=entries,
        byes=requested_byes(tournament, round_.number, left_out),
        skipped=left_out,
    )


def _agreed_pairing(plan: RoundPlan) -> Pairing:
    """Return the engine's pairing if the checker agrees [C.04.2/2026 1.4].

    A failure of either is a bug.
    """
    try:
        pairing = pair(plan.state)
        findings = check(plan.state, pairing)
    except NoLegalPairingError as error:
        raise RuleRefused(
            Refused("no_legal_pairing", error.article, {"round": plan.number})
        ) from error
    except InputError as error:
        # The state was made from our own tables: if it is inconsistent, so are the tables.
        raise InvariantError(
            f"Round {plan.number}: our own tables make no tournament: {error.message}"
        ) from error
    if findings:
        details = " ".join(f"[{finding.article}] {finding.message}" for finding in findings)
        logger.error(
            "Round %s: the checker does not agree with the engine: %s", plan.number, details
        )
        raise InvariantError(
            f"Round {plan.number}: the checker does not agree with the engine: {details}"
        )
    return pairing


def require_plan_unmoved(plan: RoundPlan, tournament: Tournament, round_: Round) -> None:
    """Raise :class:`Conflict` if the round was paired, or its data changed, since *plan*."""
    if round_.state != RoundState.PLANNED and not is_stale(round_, tournament):
        last = Decision.objects.filter(
            tournament=tournament, action__in=PAIRED, round_number=plan.number
        ).last()
        name = last.actor_name if last else ""
        raise Conflict("round.paired_meanwhile", params={"round": plan.number, "name": name})
    if tournament.pairing_version != plan.pairing_version:
        raise Conflict("facts.changed_meanwhile", params={"round": plan.number})
