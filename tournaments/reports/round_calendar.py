"""The calendar files of the rounds: when play begins, and board and opponent of one player."""

from __future__ import annotations

from datetime import datetime
from typing import Final, NamedTuple

from django.utils.translation import gettext

from pairing.rules.rounds import PUBLIC_STATES
from tournaments.core.frame import Frame
from tournaments.models import Action, Decision, Entry, Round, Seat, Tournament
from tournaments.reports.game_calendar import game_appointments, length_of_a_game
from tournaments.reports.icalendar import Appointment, calendar

_OF_THE_TIME: Final = (Action.ROUND_SCHEDULED,)
_OF_THE_BOARDS: Final = (*_OF_THE_TIME, Action.PAIRINGS_PUBLISHED, Action.ROUND_CHANGED)


class _Changes(NamedTuple):
    """How often an appointment changed, and when it last did."""

    times: int
    at: datetime


class _Game(NamedTuple):
    """The game of a player in a round; ``opponent`` is empty for a bye."""

    board: int
    colour: str
    opponent: str
    has_own_date: bool


def round_calendar(frame: Frame) -> str:
    """Return the starts of the rounds of the tournament that are known. Two queries.

    An appointment has the same sequence and time until its own round changes, whatever else is
    published.
    """
    tournament = frame.tournament
    changes = _changes(tournament, _OF_THE_TIME)
    return calendar(
        tournament.name, (_appointment(tournament, row, changes, "") for row in _rounds(tournament))
    )


def player_calendar(frame: Frame, player: Entry) -> str:
    """Return the rounds in which *player* plays or may still play, with board and opponent once
    the pairings are published, and the games with a date of their own.

    Four queries, more for games with a date of their own.
    """
    tournament = frame.tournament
    changes = _changes(tournament, _OF_THE_BOARDS)
    games = _games(tournament, player)
    last = player.withdrawn_from
    appointments = [*game_appointments(tournament, player=player)]
    for row in _rounds(tournament):
        game = games.get(row.number)
        is_public = row.state in PUBLIC_STATES
        if game is None and (is_public or (last is not None and row.number >= last)):
            continue
        if game is not None and (not game.opponent or game.has_own_date):
            continue
        words = _words(game) if game is not None else ""
        appointments.append(_appointment(tournament, row, changes, words, player))
    return calendar(f"{tournament.name} – {player.name}", appointments)


def _rounds(tournament: Tournament) -> list[Round]:
    rows = Round.objects.filter(tournament=tournament, starts_at__isnull=False)
    return list(rows.order_by("number"))


def _changes(tournament: Tournament, actions: tuple[Action, ...]) -> dict[int, _Changes]:
    """Return the changes of each round; 0 has the first line of the record."""
    found: dict[int, _Changes] = {}
    lines = Decision.objects.filter(tournament=tournament, action__in=actions)
    for number, at in lines.order_by("sequence").values_list("round_number", "at"):
        known = found.get(number or 0)
        found[number or 0] = _Changes(known.times + 1 if known else 1, at)
    return found


def _appointment(
    tournament: Tournament,
    row: Round,
    changes: dict[int, _Changes],
    words: str,
    player: Entry | None = None,
) -> Appointment:
    assert row.starts_at is not None
    title = gettext("%(tournament)s, round %(round)d")
    changed = changes.get(row.number, _Changes(0, tournament.created_at))
    whose = f"-{player.pk}" if player is not None else ""
    return Appointment(
        uid=f"{tournament.identity}-round-{row.number}{whose}@swiss-arbiter",
        sequence=changed.times,
        changed_at=changed.at,
        starts_at=row.starts_at,
        ends_at=row.starts_at + length_of_a_game(tournament),
        summary=title % {"tournament": tournament.name, "round": row.number}
        + (f": {words}" if words else ""),
        location=tournament.city,
    )


def _words(game: _Game) -> str:
    if game.colour == "w":
        message = gettext("board %(board)d, White against %(opponent)s")
    else:
        message = gettext("board %(board)d, Black against %(opponent)s")
    return message % {"board": game.board, "opponent": game.opponent}


def _games(tournament: Tournament, player: Entry) -> dict[int, _Game]:
    """Return the places of *player* in the published rounds. Two queries."""
    public = Seat.objects.filter(round__tournament=tournament, round__state__in=PUBLIC_STATES)
    own = list(public.filter(entry=player).select_related("round", "game"))
    played = [seat.game_id for seat in own if seat.game_id is not None]
    others = dict(
        public.filter(game__in=played).exclude(entry=player).values_list("game_id", "entry__name")
    )
    return {
        seat.round.number: _Game(
            seat.game.board if seat.game else 0,
            seat.colour,
            others.get(seat.game_id or 0, ""),
            seat.game is not None and seat.game.starts_at is not None,
        )
        for seat in own
    }
