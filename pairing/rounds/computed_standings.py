"""Compute standings and points of a tournament from its rows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Final

from django.db.models import Prefetch, prefetch_related_objects

from pairing.engine.changes import PointChanges
from pairing.engine.model import TPN, Player, Points, Result, TournamentState
from pairing.standings.ranking import Rules, Standings, standings
from pairing.trf.abnormal import point_changes, require_sayable
from pairing.trf.document import AbnormalPoints
from tournaments.core.chosen_rules import point_system
from tournaments.models import Entry, PointAdjustment, Tournament


def ranked(
    tournament: Tournament, players: Sequence[Player], *, extra: Iterable[PointAdjustment] = ()
) -> Standings:
    """Return the standings of *players* by the tie-breaks of *tournament*,
    and finally by a decision or by lots.

    *extra* are point adjustments that are not saved. Expelled players are left out. One query, two
    if the list needs ratings (:func:`point_adjustments`), one more if a player is expelled or tied
    players were ranked by decision. Raises :class:`~pairing.engine.errors.InputError` for an
    invalid list.
    """
    is_over = bool(players) and len(players[0].rounds) == tournament.total_rounds
    known = numbers_of(tournament, {*tournament.expelled, *tournament.order_of_equals})
    rules = Rules.from_codes(
        tournament.tie_breaks,
        tournament.tie_break_edition,
        lots=(is_over and tournament.lots_seed) or None,
        order=tuple(known[pk] for pk in tournament.order_of_equals if pk in known)
        if is_over
        else (),
    )
    needed = any(code.tie_break.needs_ratings for code in rules.codes)
    return standings(
        players,
        point_system(tournament),
        rules,
        ratings=tie_break_ratings(tournament) if needed else None,
        changes=changes(tournament, players, extra=extra),
        expelled={known[pk] for pk in tournament.expelled if pk in known},
    )


def numbers_of(tournament: Tournament, entries: Collection[int]) -> dict[int, TPN]:
    """Return the pairing numbers of *entries* of *tournament*. One query, none without entries."""
    if not entries:
        return {}
    rows = Entry.objects.filter(tournament=tournament, pk__in=entries, tpn__isnull=False)
    return {pk: TPN(tpn) for pk, tpn in rows.values_list("pk", "tpn") if tpn is not None}


def point_adjustments(tournament: Tournament) -> list[PointAdjustment]:
    """Return the point adjustments of *tournament* with their entries, the first made first.

    One query for the first call with this instance of the tournament, two if there are any.
    """
    # Most events have none, and half of the query's cost would be the columns of the entries.
    rows = PointAdjustment.objects.prefetch_related("entry").order_by("pk")
    prefetch_related_objects([tournament], Prefetch("point_adjustments", queryset=rows))
    return list(tournament.point_adjustments.all())


def as_records(adjustments: Iterable[PointAdjustment]) -> list[AbnormalPoints]:
    """Return *adjustments* as records 299.

    Neighbours that differ only in their players share a record.
    """
    records: list[AbnormalPoints] = []
    for row in adjustments:
        players = (TPN(row.entry.tpn or 0),) if row.entry else ()
        record = AbnormalPoints(
            _RESULTS.get(row.result), Points(row.points), row.round_number, players
        )
        last = records[-1] if records else None
        if (
            last
            and players
            and last == replace(record, players=last.players)
            and players[0] not in last.players
        ):
            records[-1] = replace(record, players=(*last.players, *players))
        else:
            records.append(record)
    return records


_RESULTS: Final = {result.value: result for result in Result}


def changes(
    tournament: Tournament, players: Sequence[Player], *, extra: Iterable[PointAdjustment] = ()
) -> dict[TPN, PointChanges]:
    """Return the points that the point adjustments, and *extra*, add to those of the *players*.

    One query.
    """
    records = [(0, record) for record in as_records([*point_adjustments(tournament), *extra])]
    return point_changes(records, players, point_system(tournament), strict=False)


def changes_of(tournament: Tournament, player: Player) -> PointChanges | None:
    """Return the points that the point adjustments add to those of one *player*; None without any.

    One query.
    """
    own = [
        row
        for row in point_adjustments(tournament)
        if row.entry is None or row.entry.tpn == player.tpn
    ]
    records = [(0, record) for record in as_records(own)]
    return point_changes(records, [player], point_system(tournament), strict=False).get(player.tpn)


def tie_break_ratings(tournament: Tournament) -> dict[TPN, int]:
    """Return the rating of each player as in the report. One query.

    It is that of FIDE, else the national one, else the arbiter's estimate.
    """
    rows = Entry.objects.filter(tournament=tournament, tpn__isnull=False)
    return {
        TPN(tpn): rating
        for tpn, fide, national, ordering in rows.values_list(
            "tpn", "fide_rating", "national_rating", "rating"
        )
        if tpn is not None and (rating := fide or national or ordering)
    }


def require_pairable(tournament: Tournament, state: TournamentState) -> None:
    """Raise :class:`~pairing.engine.errors.InputError` if adjustments do not fit pairing scores.

    One query.
    """
    records = [(0, record) for record in as_records(point_adjustments(tournament))]
    require_sayable(records, state.players, state.points)
