"""The last act, and whether it may be taken back."""

from __future__ import annotations

from pairing.rules.rounds import RoundFacts, Stage
from pairing.rules.undo import may_undo
from pairing.rules.verdict import Allowed, Verdict
from tournaments import permissions
from tournaments.models import Decision, Tournament

from .check_in import check_in_of
from .frame import Frame


def last_act(tournament: Tournament) -> Decision | None:
    """The newest row of the record. One query."""
    return Decision.objects.filter(tournament=tournament).order_by("-sequence").first()


def round_of(decision: Decision) -> int:
    """The round an act that can be taken back was about; 0 where it was about none."""
    if decision.act == "entry.withdrawn":
        return int(decision.after["value"])
    return decision.round_number or int(decision.after.get("for_round", 0))


def verdict_on(decision: Decision, rounds: list[RoundFacts], user: permissions.Visitor) -> Verdict:
    """Whether *user* may take *decision* back, the newest of a tournament whose rounds stand like this."""
    return may_undo(
        decision.act,
        rounds,
        round_of(decision),
        check_in_of(decision.tournament),
        own=decision.actor_id == user.pk,
        decides=permissions.may_decide(user, decision.tournament),
    )


def undoable_act(frame: Frame, user: permissions.Visitor) -> Decision | None:
    """The last act where *user* may take it back, for the page that offers it. One query."""
    decision = last_act(frame.tournament)
    if decision is None:
        return None
    decision.tournament = frame.tournament
    rounds = [RoundFacts(tab.number, Stage(tab.state.value)) for tab in frame.rounds]
    return decision if isinstance(verdict_on(decision, rounds, user), Allowed) else None
