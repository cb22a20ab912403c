"""The calendar file of games with a date of their own: of the tournament, or of one player."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from datetime import datetime

from django.utils.translation import gettext

from pairing.rules.game_dates import OPEN_RESULTS
from pairing.rules.rounds import RoundState
from tournaments.core.scores import AT_BOARD
from tournaments.models import Action, Decision, Entry, Seat, Tournament
from tournaments.models.payload_game_data import GameDate
from tournaments.models.payloads import GameScheduled
from tournaments.reports.icalendar import Appointment, calendar

Key = tuple[int, int, int, int]
"""A game: its round, both entries in their order, and its number in a match."""


def game_calendar(tournament: Tournament, *, player: Entry | None = None) -> str:
    """Return the calendar of the games of *tournament* with a date of their own, or of those of *player*.

    Each line of the record about a date raises the sequence of its appointment. The appointment is cancelled when the
    date is removed or a pairing change takes the game away, and left out once the result is published. Three queries.
    """
    name = tournament.name if player is None else f"{tournament.name} – {player.name}"
    rows = Decision.objects.filter(tournament=tournament, action=Action.GAME_SCHEDULED).order_by("sequence")
    lines: defaultdict[Key, list[tuple[datetime, GameDate]]] = defaultdict(list)
    for row in rows:
        if isinstance(payload := row.payload, GameScheduled):
            key = _key(row.round_number or 0, payload.after)
            if player is None or player.pk in key[1:3]:
                lines[key].append((row.at, payload.after))
    return calendar(name, _appointments(tournament, lines))


def _appointments(tournament: Tournament, lines: dict[Key, list[tuple[datetime, GameDate]]]) -> Iterator[Appointment]:
    """Yield the appointment of each game of *lines* that is not over."""
    entries = Entry.objects.in_bulk({entry for key in lines for entry in key[1:3]})
    over = _is_over(tournament, {key[0] for key in lines}) if lines else {}
    for key, changes in lines.items():
        changed_at, last = changes[-1]
        dates = [change["starts_at"] for _, change in changes if change["starts_at"]]
        if over.get(key) or not dates:
            continue
        is_gone = key not in over
        white, black = (entries[entry].name for entry in (last["white"], last["black"]))
        yield Appointment(
            uid=f"{tournament.identity}-{'-'.join(map(str, key))}@swiss-arbiter",
            sequence=len(changes) - 1 + is_gone,
            changed_at=changed_at,
            starts_at=datetime.fromisoformat(dates[-1]),
            summary=f"{white} – {black}",
            description=gettext("%(tournament)s, round %(round)d, board %(board)d")
            % {"tournament": tournament.name, "round": key[0], "board": last["board"]},
            location=last["place"],
            cancelled=is_gone or last["starts_at"] is None,
        )


def _is_over(tournament: Tournament, rounds: Collection[int]) -> dict[Key, bool]:
    """Return whether the result of each game of *rounds* is published. One query."""
    at_board: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
    results: dict[tuple[int, int], tuple[bool, str, str | None]] = {}
    seats = Seat.objects.filter(round__tournament=tournament, round__number__in=rounds, game__isnull=False)
    for number, game, entry, state, first, second in seats.values_list(
        "round__number", "game_id", "entry_id", "round__state", *AT_BOARD
    ):
        at_board[number, game or 0].append(entry)
        results[number, game or 0] = (state == RoundState.RESULTS_PUBLISHED, first, second)
    found: dict[Key, bool] = {}
    for (number, game), pair in at_board.items():
        one, other = sorted(pair)
        is_public, *made = results[number, game]
        for place, result in enumerate(made, start=1):
            if result is not None:
                found[number, one, other, place] = is_public and result not in OPEN_RESULTS
    return found


def _key(number: int, date: GameDate) -> Key:
    one, other = sorted((date["white"], date["black"]))
    return number, one, other, date.get("game", 1)
