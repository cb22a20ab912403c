"""Pair a round by hand."""

from __future__ import annotations

from datetime import datetime

from django.contrib.auth.models import User

from pairing.engine.model import Pairing
from pairing.rounds.arrange import (
    Pairings,
    arrangement,
    changed_places as read_changed_places,
    ordered,
    recorded_cautions,
    require_named,
    require_reason,
    require_unmoved,
)
from pairing.rounds.draft_views import viewed_draft
from pairing.rounds.pair import (
    RoundPlan,
    draft_from,
    no_legal_pairing,
    require_plan_unmoved,
    round_plan,
)
from pairing.rounds.seats import clear_pairing, save_pairing
from pairing.rules import manual
from pairing.rules.published import Arrangement
from pairing.rules.rounds import RoundState
from tournaments.core import permissions
from tournaments.core.actions import open_action
from tournaments.models import ByeKind, Round, Tournament
from tournaments.models.payload_round_data import ViewedDraft
from tournaments.models.payloads import RoundPairedByHand


def round_pair_by_hand(
    *,
    round_id: int,
    pairings: Pairings,
    reason: str,
    actor: User,
    now: datetime,
    seen_version: int | None = None,
) -> Round:
    """Pair a round from scratch by hand, as no pairing is legal. Chief Arbiter only.

    [C.04.3/2026 1.9.3] leaves the decision to the Chief Arbiter. Each player due to be paired gets
    a board, the pairing-allocated bye or no game. The record keeps the rules that the boards break,
    with the *reason*. The draft is then like any other.

    Refused by :func:`~pairing.rules.manual.may_pair_by_hand` if the engine finds a pairing, and for
    the same reasons as :func:`round_pair`. :class:`Conflict` if the tournament has changed since
    *seen_version*.
    """
    plan = round_plan(round_id, actor)
    article = no_legal_pairing(plan)
    with open_action(actor=actor, now=now, rounds=round_id) as action:
        tournament = action.tournament
        permissions.require_may_decide(actor, tournament)
        round_ = Round.objects.get(pk=round_id)
        round_.tournament = tournament
        require_plan_unmoved(plan, tournament, round_)
        require_unmoved(tournament, seen_version)
        after = ordered(arrangement(pairings, plan.entries), plan.state)
        require_named(
            manual.may_pair_by_hand(plan.present, after, no_legal_pairing=article), plan.entries
        )
        require_reason(reason)
        viewers = viewed_draft(round_)
        if round_.state == RoundState.DRAFT:
            clear_pairing(round_)
        bye = next(
            (tpn for tpn, letter in after.byes.items() if letter == ByeKind.PAIRING_ALLOCATED), None
        )
        save_pairing(
            tournament, round_, Pairing(tuple(after.boards.values()), bye), plan.entries, plan.byes
        )
        draft_from(round_, plan, now)
        action.record(
            _paired_by_hand(tournament, plan, after, viewers),
            article=article,
            round_number=plan.number,
            reason=reason.strip(),
            is_public=False,
        )
    return round_


def _paired_by_hand(
    tournament: Tournament, plan: RoundPlan, after: Arrangement, viewers: ViewedDraft
) -> RoundPairedByHand:
    """Return the pairing *after*, with the rules that it breaks, for the record; *viewers* are those
    of the draft that it replaces.
    """
    nothing = Arrangement({})
    return RoundPairedByHand(
        before=read_changed_places(nothing, after, plan.entries),
        after={
            **read_changed_places(after, nothing, plan.entries),
            "cautions": recorded_cautions(tournament, plan.state, after, plan.entries),
            "not_paired": sorted(plan.state.absent),
            **plan.left_out(),
            **viewers,
        },
    )
