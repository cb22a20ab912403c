"""Draw lots between players who are equal in everything at the end [C.07/2026 4.2]."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby

from django.contrib.auth.models import User

from pairing.engine.model import TPN
from pairing.rounds.computed_standings import ranked
from pairing.rounds.facts import round_facts
from pairing.rounds.snapshot import players_after
from pairing.rules import regulations
from pairing.rules.draws import Draw, seed_of
from pairing.rules.reasons import is_reason
from pairing.rules.rounds import minutes_after
from pairing.standings.ranking import Standings
from tournaments.core.actions import open_action, require, require_seen
from tournaments.core.errors import BadInput
from tournaments.core.permissions import Power
from tournaments.core.witness import named_by
from tournaments.models import Tournament
from tournaments.models.payloads import EqualsRanked, LotsDrawn


def equal_in_everything(table: Standings) -> list[list[int]]:
    """Return the TPNs of players who share a rank, group by group, in order of rank."""
    groups = (
        [line.tpn for line in lines]
        for _, lines in groupby(table.lines, key=lambda line: line.rank)
    )
    return [list(map(int, group)) for group in groups if len(group) > 1]


def minutes_left(tournament: Tournament, now: datetime) -> int:
    """Return the minutes in which mistakes can be reported at *now*; 0 if over, or no limit."""
    until = tournament.corrections_until
    return minutes_after(now, until) if until is not None and until > now else 0


def equals_rank(
    *,
    tournament_id: int,
    actor: User,
    now: datetime,
    order: Sequence[int],
    reason: str,
    seen_version: int | None = None,
) -> Tournament:
    """Rank players still equal at the end in the *order* of the Chief Arbiter, as ids.

    *order* has all players of one or more groups of :func:`equal_in_everything`; the order of other
    groups that was decided before stays. ``BadInput`` without a *reason*, which everybody reads;
    refused by :func:`~pairing.rules.regulations.may_rank_equals`. :class:`Conflict` if the
    tournament has changed since *seen_version*.
    """
    with open_action(actor=actor, now=now, pk=tournament_id, powers=(Power.DECIDE,)) as action:
        tournament = action.tournament
        players, entries = players_after(tournament, tournament.total_rounds)
        before = list(tournament.order_of_equals)
        tournament.order_of_equals = [pk for pk in before if pk not in order]
        tied = [
            [entries[TPN(tpn)].pk for tpn in group]
            for group in equal_in_everything(ranked(tournament, players))
        ]
        require(
            regulations.may_rank_equals(
                round_facts(tournament),
                drawn=bool(tournament.lots_seed),
                groups=tied,
                order=order,
                minutes_left=minutes_left(tournament, now),
            )
        )
        require_seen(seen_version, tournament.version, "final.moved_meanwhile")
        if not is_reason(reason):
            raise BadInput("equals.reason_missing", field="reason")
        tournament.order_of_equals += order
        tournament.save(update_fields=["order_of_equals"])
        action.record(
            EqualsRanked(before={"order": before}, after={"order": tournament.order_of_equals}),
            article="C.07 4.2",
            reason=reason.strip(),
        )
    return tournament


def lots_draw(
    *,
    tournament_id: int,
    actor: User,
    now: datetime,
    named: str = "",
    witness: str = "",
    seen_version: int | None = None,
) -> Tournament:
    """Draw lots between players equal at the end; the order counts in the standings.

    Only the Chief Arbiter can do this.

    The seed follows from the secret of the tournament and what a *witness* has *named*
    (:mod:`pairing.rules.draws`). The record keeps all of it and the resulting order, so that
    anybody can repeat the draw (:mod:`pairing.standings.lots`). ``BadInput`` if only one of *named*
    and *witness* is given; refused by :func:`~pairing.rules.regulations.may_draw_lots`.
    :class:`Conflict` if the tournament has changed since *seen_version*.
    """
    named, witness = named_by(named, witness)
    with open_action(actor=actor, now=now, pk=tournament_id, powers=(Power.DECIDE,)) as action:
        tournament = action.tournament
        players, _ = players_after(tournament, tournament.total_rounds)
        tied = equal_in_everything(ranked(tournament, players))
        drawn = bool(tournament.lots_seed)
        require(
            regulations.may_draw_lots(
                round_facts(tournament),
                drawn=drawn,
                tied=sum(map(len, tied)),
                minutes_left=minutes_left(tournament, now),
            )
        )
        require_seen(seen_version, tournament.version, "final.moved_meanwhile")
        seed = seed_of(tournament.draw_secret, Draw.LOTS, named)
        tournament.lots_seed = seed
        tournament.save(update_fields=["lots_seed"])
        ranks = {line.tpn: line.rank for line in ranked(tournament, players).lines}
        action.record(
            LotsDrawn(
                before={},
                after={
                    "seed": seed,
                    "named": named,
                    "witness": witness,
                    "draw_secret": tournament.draw_secret,
                    "order": [sorted(group, key=lambda tpn: ranks[TPN(tpn)]) for group in tied],
                },
            ),
            article="C.07 4.2",
        )
    return tournament
