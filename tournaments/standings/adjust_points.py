"""Make and withdraw point adjustments, and show them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.contrib.auth.models import User
from django.db.models import QuerySet

from pairing.engine.model import TPN
from pairing.rounds.computed_standings import point_adjustments, ranked
from pairing.rounds.facts import round_facts
from pairing.rounds.snapshot import players_after
from pairing.rules import point_adjustments as policy
from pairing.rules.reasons import is_reason
from pairing.rules.rounds import RoundState
from tournaments.core import permissions
from tournaments.core.actions import citing, open_action, require
from tournaments.core.chosen_rules import point_system
from tournaments.core.errors import BadInput, Conflict
from tournaments.models import Action, Decision, Entry, PointAdjustment, Tournament, payload_data
from tournaments.models.payloads import PointsAdjusted, PointsWithdrawn


@dataclass(frozen=True, slots=True)
class Adjustment:
    """A point adjustment in round ``round_number``, in tenths; below zero for points taken.

    ``action`` is the line of the record with the article and the reason; None if it came from a
    file.
    """

    entry_id: int
    tpn: int
    name: str
    points: int
    round_number: int
    decision: Decision | None


def decisions_on_points(tournament: Tournament) -> QuerySet[Decision]:
    """Return every action that made or withdrew a point adjustment, in order."""
    rows = Decision.objects.filter(
        tournament=tournament, action__in=(Action.POINTS_ADJUSTED, Action.POINTS_WITHDRAWN)
    )
    return rows.order_by("sequence")


def adjustments(
    tournament: Tournament, *, after_round: int, tpn: int | None = None
) -> tuple[Adjustment, ...]:
    """Return the point adjustments in the standings after *after_round*, oldest first.

    Withdrawn adjustments are left out. With *tpn*, only those of this player. Three queries, one if
    there are none.
    """
    kept = [
        row
        for row in point_adjustments(tournament)
        if not row.result and row.round_number is not None and row.round_number <= after_round
    ]
    if not kept:
        return ()
    decisions = _valid_decisions(tournament)
    found = []
    for row in kept:
        own = decisions[row.entry_id, row.points, row.round_number]
        decision = own.pop(0) if own else None
        if row.entry is not None and row.round_number is not None and tpn in (None, row.entry.tpn):
            about = row.entry
            found.append(
                Adjustment(
                    about.pk, about.tpn or 0, about.name, row.points, row.round_number, decision
                )
            )
    return tuple(found)


def other_changes(
    by_decision: Iterable[tuple[int, str, int]], listed: Iterable[Adjustment]
) -> tuple[tuple[int, str, int], ...]:
    """Return the rest of *by_decision* (number, name, tenths) that is not *listed*.

    There is one if a file gives a result other points, or adjusts points that count for the ranks
    only.
    """
    listed_points: Counter[int] = Counter()
    for line in listed:
        listed_points[line.tpn] += line.points
    left = ((tpn, name, points - listed_points[tpn]) for tpn, name, points in by_decision)
    return tuple(line for line in left if line[2])


def _valid_decisions(
    tournament: Tournament,
) -> defaultdict[tuple[int | None, int, int | None], list[Decision]]:
    """Return the point adjustments that were not withdrawn, by player, points and round. One query.

    A withdrawal that does not name a decision withdraws the oldest.
    """
    found: defaultdict[tuple[int | None, int, int | None], list[Decision]] = defaultdict(list)
    for row in decisions_on_points(tournament):
        match row.payload:
            case PointsAdjusted(after=made):
                found[made["entry"], made["points"], row.round_number].append(row)
            case PointsWithdrawn(before=gone):
                same = found[gone["entry"], gone["points"], row.round_number]
                if "decision" in gone:
                    same[:] = [row for row in same if row.sequence != gone["decision"]]
                elif same:
                    same.pop(0)
    return found


MAX_ARTICLE: Final = 40


@dataclass(frozen=True, slots=True)
class Place:
    """A player whose points or rank would change; points in tenths."""

    tpn: int
    name: str
    points_before: int
    points_after: int
    rank_before: int
    rank_after: int


@dataclass(frozen=True, slots=True)
class PointsEffect:
    """The effect of a point adjustment: ``points`` in tenths, below zero for points taken.

    They belong to round ``round_number``. ``moved`` is empty while the results of that round are
    not published, because no standings count them yet. ``next_round`` is the first round whose
    pairing counts them, None after the last; ``has_draft``: it is a draft, which would be out of
    date. ``seen`` is the number of point adjustments in the record.
    """

    entry: Entry
    points: int
    round_number: int
    results_published: bool
    moved: tuple[Place, ...]
    next_round: int | None
    has_draft: bool
    seen: int


def points_effect(
    tournament: Tournament, *, entry_id: int, points: int, round_number: int
) -> PointsEffect:
    """Return the effect of :func:`points_adjust`. Saves nothing.

    ``BadInput`` and ``RuleRefused`` as there.
    """
    with citing(tournament):
        entry = _require_possible(tournament, entry_id, points, round_number)
    adjustment = PointAdjustment(
        tournament=tournament, entry=entry, points=points, round_number=round_number
    )
    rounds = round_facts(tournament)
    over = rounds[round_number - 1].state is RoundState.RESULTS_PUBLISHED
    following = rounds[round_number] if round_number < len(rounds) else None
    return PointsEffect(
        entry=entry,
        points=points,
        round_number=round_number,
        results_published=over,
        moved=_moved(tournament, adjustment) if over else (),
        next_round=following.number if following else None,
        has_draft=following is not None and following.state is RoundState.DRAFT,
        seen=decisions_on_points(tournament).count(),
    )


def points_adjust(
    *,
    tournament_id: int,
    entry_id: int,
    points: int,
    round_number: int,
    article: str,
    reason: str,
    seen: int,
    actor: User,
    now: datetime,
) -> Decision:
    """Give a player *points* (tenths), or take them if below zero. Chief Arbiter only.

    They belong to *round_number*, the newest published round
    (:func:`~pairing.rules.point_adjustments.may_adjust`, which may refuse). The standings of
    that round and the next pairing count them; a draft of that pairing is out of date. *article* is
    the rule that allows it, from the Laws of Chess or the regulations; it and the *reason* are public.
    ``BadInput`` for points that cannot be the difference of two scores, for a player without a
    number, and without an article or a reason. :class:`Conflict` if the record no longer has *seen*
    point adjustments, so that nothing is done twice.
    """
    article, reason = article.strip(), reason.strip()
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        tournament = action.tournament
        permissions.require_may_decide(actor, tournament)
        _require_reason(article, reason)
        entry = _require_possible(tournament, entry_id, points, round_number)
        if decisions_on_points(tournament).count() != seen:
            raise Conflict("points.moved_meanwhile")
        tournament.point_adjustments.create(entry=entry, points=points, round_number=round_number)
        return action.record(
            PointsAdjusted(before={}, after=_recorded(entry, points)),
            article=article,
            round_number=round_number,
            reason=reason,
            changes_pairing=True,
        )


FROM_A_FILE: Final = 0
"""Used as the sequence of the action if the points came with an imported file,
without an action.
"""


def points_withdraw(
    *,
    tournament_id: int,
    entry_id: int,
    points: int,
    round_number: int,
    reason: str,
    actor: User,
    now: datetime,
    decision: int | None = None,
) -> Decision:
    """Withdraw *points* (tenths) given or taken in *round_number*, as if never adjusted.

    Only the Chief Arbiter can do this, with a *reason*; the record keeps both lines. *decision* is
    the sequence of the decision to withdraw, or :data:`FROM_A_FILE`; if it is None, one of two
    equal decisions is withdrawn. Refused by
    :func:`~pairing.rules.point_adjustments.may_withdraw_points`; :class:`Conflict` if there is no such decision.
    """
    reason = reason.strip()
    with open_action(actor=actor, now=now, pk=tournament_id) as action:
        tournament = action.tournament
        permissions.require_may_decide(actor, tournament)
        if not is_reason(reason):
            raise BadInput("points.reason_missing", field="reason")
        entry = _entry(tournament, entry_id)
        equal = tournament.point_adjustments.filter(
            entry=entry, points=points, round_number=round_number, result=""
        )
        first = equal.first()
        decisions = _valid_decisions(tournament)[entry.pk, points, round_number]
        valid = [row.sequence for row in decisions]
        if equal.count() > len(decisions):
            valid.append(FROM_A_FILE)
        if first is None or (decision is not None and decision not in valid):
            raise Conflict("points.not_there")
        drawn = bool(tournament.lots_seed)
        require(policy.may_withdraw_points(round_facts(tournament), round_number, lots_drawn=drawn))
        first.delete()
        gone: payload_data.WithdrawnAdjustment = {
            "entry": entry.pk,
            "name": entry.name,
            "points": points,
        }
        if decision is not None:
            gone["decision"] = decision
        return action.record(
            PointsWithdrawn(before=gone, after={}),
            article=next(
                (row.article for row in reversed(decisions) if decision in (None, row.sequence)), ""
            ),
            round_number=round_number,
            reason=reason,
            changes_pairing=True,
        )


def _require_reason(article: str, reason: str) -> None:
    if not article:
        raise BadInput("points.article_missing", field="article")
    if len(article) > MAX_ARTICLE or not article.isprintable():
        raise BadInput("points.article", field="article", most=MAX_ARTICLE)
    if not is_reason(reason):
        raise BadInput("points.reason_missing", field="reason")


def _require_possible(
    tournament: Tournament, entry_id: int, points: int, round_number: int
) -> Entry:
    entry = _entry(tournament, entry_id)
    system = point_system(tournament)
    given = sum(
        tournament.point_adjustments.filter(entry=entry, result="").values_list("points", flat=True)
    )
    require(
        policy.may_adjust(
            round_facts(tournament),
            round_number,
            system=system,
            sum_after=given + points,
            lots_drawn=bool(tournament.lots_seed),
        )
    )
    if abs(points) not in policy.amounts(system):
        raise BadInput("points.amount", field="amount", unit=policy.unit(system) / 10)
    return entry


def _entry(tournament: Tournament, entry_id: int) -> Entry:
    """Return the player; raise ``Entry.DoesNotExist`` for an entry of another tournament."""
    entry = Entry.objects.get(pk=entry_id, tournament=tournament)
    if entry.tpn is None:
        raise BadInput("points.no_number", field="player", name=entry.name)
    return entry


def _recorded(entry: Entry, points: int) -> payload_data.Adjustment:
    return {"entry": entry.pk, "name": entry.name, "points": points}


def _moved(tournament: Tournament, adjustment: PointAdjustment) -> tuple[Place, ...]:
    """Return the players to whom *adjustment*, which is not saved,
    gives other points or another rank in its round.
    """
    players, entries = players_after(tournament, adjustment.round_number or 0)
    before = {line.tpn: line for line in ranked(tournament, players).lines}
    found = []
    for line in ranked(tournament, players, extra=[adjustment]).lines:
        old = before[TPN(line.tpn)]
        if (old.points, old.rank) != (line.points, line.rank):
            name = entries[line.tpn].name
            found.append(Place(line.tpn, name, old.points, line.points, old.rank, line.rank))
    return tuple(found)
