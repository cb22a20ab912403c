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
WITHDRAWN = "absence.withdrawn"
"""The act by which the rules themselves withdraw who was absent without notice [C.04.2/2017 D.2]."""


@dataclass(frozen=True, slots=True)
class NoShow:
    """A player who forfeited the game at ``board`` of round ``round_number``, and has not explained it.

    ``withdrawn``: by the rules, and until the next pairings are published an explanation takes it back.
    ``withdrawn_from`` is the player's withdrawal as it stands; None is none.
    """

    entry_id: int
    tpn: int | None
    name: str
    board: int
    round_number: int
    withdrawn: bool
    withdrawn_from: int | None

    @property
    def from_round(self) -> int:
        """The round a withdrawal would count from."""
        return self.round_number + 1


def forfeited_seats(tournament: Tournament, round_number: int) -> QuerySet[Seat]:
    """The seats of round *round_number* whose players lost by forfeit; a match by forfeiting both games of it."""
    by_white = (GameResult.WHITE_FORFEITS, GameResult.BOTH_FORFEIT)
    by_black = (GameResult.BLACK_FORFEITS, GameResult.BOTH_FORFEIT)
    one_game = Q(game__second__isnull=True)
    absent = Q(colour="w", game__result__in=by_white) & (one_game | Q(game__second__result__in=by_black))
    absent |= Q(colour="b", game__result__in=by_black) & (one_game | Q(game__second__result__in=by_white))
    return Seat.objects.filter(absent, round__tournament=tournament, round__number=round_number)


def no_shows(frame: Frame) -> tuple[NoShow, ...]:
    """Who forfeited in the newest published round, by board; not who has withdrawn, nor whose absence is explained.

    One query; two when there is somebody.
    """
    number = round_of_no_shows([RoundFacts(tab.number, Stage(tab.state.value)) for tab in frame.rounds])
    return () if number is None else no_shows_of(frame.tournament, number)


def no_shows_of(tournament: Tournament, number: int) -> tuple[NoShow, ...]:
    """Who forfeited in round *number* and has neither withdrawn from the next one nor explained it, by board.

    Those the rules have withdrawn for it are among them, as such. One query; two when there is somebody.
    """
    rows = list(
        forfeited_seats(tournament, number)
        .order_by("game__board", "colour")
        .values_list("entry_id", "entry__tpn", "entry__name", "game__board", "entry__withdrawn_from")
    )
    if not rows:
        return ()
    acts = Decision.objects.filter(tournament=tournament, act__in=(EXPLAINED, WITHDRAWN), round_number=number)
    said = {act: set[int]() for act in (EXPLAINED, WITHDRAWN)}
    for act, after in acts.values_list("act", "after"):
        said[act].add(after["entry"])
    found = []
    for entry_id, tpn, name, board, gone in rows:
        by_rule = gone == number + 1 and entry_id in said[WITHDRAWN]
        stays = gone is None or gone > number + 1
        if entry_id not in said[EXPLAINED] and (by_rule or stays):
            found.append(NoShow(entry_id, tpn, name, board, number, by_rule, gone))
    return tuple(found)
