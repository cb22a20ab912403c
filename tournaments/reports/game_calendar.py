"""The calendar file of games with a date of their own: of the tournament, or of one player."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from typing import Final

from django.utils.translation import gettext

from pairing.rules.game_dates import OPEN_RESULTS
from pairing.rules.rounds import RoundState
from tournaments.core.scores import AT_BOARD
from tournaments.models import Action, Decision, Entry, RateOfPlay, Seat, Tournament
from tournaments.models.payload_game_data import GameDate
from tournaments.models.payloads import GameScheduled
from tournaments.reports.icalendar import Appointment, calendar

Key = tuple[int, int, int, int]
"""A game: its round, both entries in their order, and its number in a match."""
_DATES: Final = ("game__starts_at", "game__second__starts_at")
_LENGTHS: Final = {RateOfPlay.RAPID: timedelta(hours=1), RateOfPlay.BLITZ: timedelta(minutes=20)}


def length_of_a_game(tournament: Tournament) -> timedelta:
    """Return how long an appointment is: an estimate, because a time control is a text."""
    return _LENGTHS.get(RateOfPlay(tournament.rate_of_play), timedelta(hours=4))


def game_calendar(tournament: Tournament) -> str:
    """Return the calendar of the games of *tournament* with a date of their own.

    Each line of the record about a date raises the sequence of its appointment. The appointment is
    cancelled when the date is removed or lost by a pairing change, and left out once the result is
    published. Three queries.
    """
    return calendar(tournament.name, game_appointments(tournament))


def game_appointments(
    tournament: Tournament, *, player: Entry | None = None
) -> Iterator[Appointment]:
    """Yield the appointments of :func:`game_calendar`, or those of *player*."""
    rows = Decision.objects.filter(tournament=tournament, action=Action.GAME_SCHEDULED).order_by(
        "sequence"
    )
    lines: defaultdict[Key, list[tuple[datetime, GameDate]]] = defaultdict(list)
    for row in rows:
        if isinstance(payload := row.payload, GameScheduled):
            key = _key(row.round_number or 0, payload.after)
            if player is None or player.pk in key[1:3]:
                lines[key].append((row.at, payload.after))
    return _appointments(tournament, lines)


def _appointments(
    tournament: Tournament, lines: dict[Key, list[tuple[datetime, GameDate]]]
) -> Iterator[Appointment]:
    """Yield the appointment of each game of *lines* that is not over."""
    entries = Entry.objects.in_bulk({entry for key in lines for entry in key[1:3]})
    games = _games(tournament, {key[0] for key in lines}) if lines else {}
    for key, changes in lines.items():
        changed_at, last = changes[-1]
        dates = [change["starts_at"] for _, change in changes if change["starts_at"]]
        is_over, has_date = games.get(key, (False, False))
        if is_over or not dates:
            continue
        is_lost = last["starts_at"] is not None and not has_date  # by a pairing change
        white, black = (entries[entry].name for entry in (last["white"], last["black"]))
        yield Appointment(
            uid=f"{tournament.identity}-{'-'.join(map(str, key))}@swiss-arbiter",
            sequence=len(changes) - 1 + is_lost,
            changed_at=changed_at,
            starts_at=(begins := datetime.fromisoformat(dates[-1])),
            ends_at=begins + length_of_a_game(tournament),
            summary=f"{white} – {black}",
            description=gettext("%(tournament)s, round %(round)d, board %(board)d")
            % {"tournament": tournament.name, "round": key[0], "board": last["board"]},
            location=last["place"],
            cancelled=not has_date,
        )


def _games(tournament: Tournament, rounds: Collection[int]) -> dict[Key, tuple[bool, bool]]:
    """Return whether the result of each game of *rounds* is published, and whether it has a date.

    One query.
    """
    at_board: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    values: dict[tuple[int, int], tuple[str, list[tuple[str | None, datetime | None]]]] = {}
    seats = Seat.objects.filter(
        round__tournament=tournament, round__number__in=rounds, game__isnull=False
    )
    columns = ("round__number", "game_id", "entry_id", "round__state", *AT_BOARD, *_DATES)
    for number, game, entry, state, first, second, at, second_at in seats.values_list(*columns):
        at_board[number, game or 0].append(entry)
        values[number, game or 0] = (state, [(first, at), (second, second_at)])
    found: dict[Key, tuple[bool, bool]] = {}
    for (number, game), pair in at_board.items():
        one, other = sorted(pair)
        state, games = values[number, game]
        for place, (result, at) in enumerate(games, start=1):
            if result is not None:
                is_over = state == RoundState.RESULTS_PUBLISHED and result not in OPEN_RESULTS
                found[number, one, other, place] = (is_over, at is not None)
    return found


def _key(number: int, date: GameDate) -> Key:
    one, other = sorted((date["white"], date["black"]))
    return number, one, other, date.get("game", 1)
