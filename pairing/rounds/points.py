"""Compute standings and points of a tournament from its rows."""

from __future__ import annotations

from collections.abc import Sequence

from pairing.engine.changes import PointChanges
from pairing.engine.model import TPN, Player, Points, Result, TournamentState
from pairing.standings.ranking import Rules, Standings, standings
from pairing.trf.abnormal import point_changes, require_sayable
from pairing.trf.document import AbnormalPoints
from tournaments.core.chosen_rules import point_system
from tournaments.models import Entry, Tournament


def ranked(tournament: Tournament, players: Sequence[Player]) -> Standings:
    """Return the standings of *players* by the tie-breaks of *tournament*, and finally by lots if they were drawn.

    One query if the list needs ratings, otherwise none. Raises :class:`~pairing.engine.errors.InputError` for an
    invalid list.
    """
    is_over = bool(players) and len(players[0].rounds) == tournament.total_rounds
    rules = Rules.of(
        tournament.tie_breaks, tournament.tie_break_edition, lots=(is_over and tournament.lots_seed) or None
    )
    needed = any(code.tie_break.needs_ratings for code in rules.codes)
    return standings(
        players,
        point_system(tournament),
        rules,
        ratings=_ratings(tournament) if needed else None,
        changes=changes(tournament, players),
    )


def abnormal_points(tournament: Tournament) -> list[AbnormalPoints]:
    """Return the points of *tournament* that differ from its point system, as records 299. One query, if any."""
    if not tournament.abnormal_points:
        return []
    named = {pk for _, _, _, entries in tournament.abnormal_points for pk in entries}
    tpn_of = dict(Entry.objects.filter(pk__in=named, tpn__isnull=False).values_list("pk", "tpn"))
    return [
        AbnormalPoints(
            kind=next((result for result in Result if result.value == letter), None),
            points=Points(points),
            round_number=number,
            players=tuple(TPN(tpn_of[pk] or 0) for pk in entries),
        )
        for letter, points, number, entries in tournament.abnormal_points
    ]


def changes(tournament: Tournament, players: Sequence[Player]) -> dict[TPN, PointChanges]:
    """Return the points that the point adjustments add to those of the *players*. One query, if there are any."""
    records = [(0, record) for record in abnormal_points(tournament)]
    return point_changes(records, players, point_system(tournament), strict=False)


def _ratings(tournament: Tournament) -> dict[TPN, int]:
    """Return each player's rating as in the report: FIDE, else national, else the arbiter's estimate. One query."""
    rows = Entry.objects.filter(tournament=tournament, tpn__isnull=False)
    return {
        TPN(tpn): rating
        for tpn, fide, national, ordering in rows.values_list("tpn", "fide_rating", "national_rating", "rating")
        if tpn is not None and (rating := fide or national or ordering)
    }


def require_pairable(tournament: Tournament, state: TournamentState) -> None:
    """Raise :class:`~pairing.engine.errors.InputError` if a pairing score cannot include the point adjustments.

    One query, if there are any.
    """
    records = [(0, record) for record in abnormal_points(tournament)]
    require_sayable(records, state.players, state.points)
