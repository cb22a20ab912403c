"""The rules of a tournament: the edition of C.04.2, the point system, matches of two games."""

from __future__ import annotations

from pairing.engine.model import PointSystem
from pairing.engine.systems import games_a_round
from pairing.rules.fide_mode import are_out_of_date
from pairing.rules.handling import HANDLING, HandlingRules
from tournaments.models import Tournament


def is_of_matches(tournament: Tournament) -> bool:
    """Return whether a round of *tournament* is a match of two games [C.04.5/2026 0]."""
    return games_a_round(tournament.system) > 1


def point_system(tournament: Tournament) -> PointSystem:
    """Return the points for each result in *tournament*, in tenths."""
    system = PointSystem.from_values(
        win=tournament.points_win,
        draw=tournament.points_draw,
        loss=tournament.points_loss,
        absence=tournament.points_absence,
        pairing_allocated_bye=tournament.points_pab,
    )
    return system.for_matches(tournament.points_pab) if is_of_matches(tournament) else system


def handling(tournament: Tournament) -> HandlingRules:
    """Return the edition of C.04.2 that *tournament* uses."""
    return HANDLING[tournament.handling_edition]


def left_fide_mode(tournament: Tournament) -> int | None:
    """Return the round that left FIDE mode (:mod:`pairing.rules.fide_mode`). No query.

    0: from the start, because its rules were no longer in force on its first day. None: it is in
    FIDE mode. Leaving is stored, so nothing leads back; rules and first day are compared for events
    from before that was stored.
    """
    if tournament.left_fide_mode is not None:
        return tournament.left_fide_mode
    first_day = tournament.start_date or tournament.created_at.date()
    if are_out_of_date(first_day, tournament.system, tournament.handling_edition):
        return 0
    return None
