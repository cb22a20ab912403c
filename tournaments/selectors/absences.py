"""Who lost the newest game by forfeit and has not been heard of."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q, QuerySet

from pairing.rules.absence import round_of_no_shows
from pairing.rules.rounds import RoundFacts, Stage
from tournaments.models import Decision, GameResult, Seat, Tournament

from .frame import Frame

EXPLAINED = "absence.explained"
"""The act that takes a player off the list."""


@dataclass(frozen=True, slots=True)
class NoShow:
    """A player who forfeited the game at ``board`` of round ``round_number``."""

    entry_id: int
    tpn: int | None
    name: str
    board: int
    round_number: int

    @property
    def from_round(self) -> int:
        """The round a withdrawal would count from."""
        return self.round_number + 1


def forfeited_seats(tournament: Tournament, round_number: int) -> QuerySet[Seat]:
    """The seats of round *round_number* whose players lost by forfeit."""
    absent = Q(colour="w", game__result__in=(GameResult.WHITE_FORFEITS, GameResult.BOTH_FORFEIT))
    absent |= Q(colour="b", game__result__in=(GameResult.BLACK_FORFEITS, GameResult.BOTH_FORFEIT))
    return Seat.objects.filter(absent, round__tournament=tournament, round__number=round_number)


def no_shows(frame: Frame) -> tuple[NoShow, ...]:
    """Who forfeited in the newest published round, by board; not the withdrawn, nor whose absence is explained.

    One query; two when there is somebody.
    """
    number = round_of_no_shows([RoundFacts(tab.number, Stage(tab.state.value)) for tab in frame.rounds])
    if number is None:
        return ()
    seats = forfeited_seats(frame.tournament, number).filter(entry__withdrawn_from__isnull=True)
    rows = list(
        seats.order_by("game__board", "colour").values_list("entry_id", "entry__tpn", "entry__name", "game__board")
    )
    if not rows:
        return ()
    explained = Decision.objects.filter(tournament=frame.tournament, act=EXPLAINED, round_number=number)
    known = {after["entry"] for after in explained.values_list("after", flat=True)}
    return tuple(
        NoShow(entry_id, tpn, name, board, number)
        for entry_id, tpn, name, board in rows
        if entry_id not in known and board is not None
    )
