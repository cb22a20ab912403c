"""Read the tables of a tournament in the form in which its record describes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from pairing.record.replay_players import NO_DESK_DATA
from pairing.record.state import Board, RoundTable, State
from pairing.rules.draws import commitment
from tournaments.entries.entries import FIELDS as OF_ENTRY
from tournaments.models import CheckInDesk, DeskData, Entry, Game, RequestedBye, Round, Seat, Tournament
from tournaments.setup.prohibited_pairs import pairs_of
from tournaments.setup.tournaments import FIELDS as SETTINGS

ALSO: Final = (
    "initial_colour",
    "initial_colour_method",
    "lots_seed",
    "final_at",
    "left_fide_mode",
    "order_of_equals",
    "expelled",
    "listed",
    "archived",
)
"""Settings that have an action of their own."""


def held(tournament: Tournament) -> State:
    """Return what the tables hold of *tournament* now. Ten queries."""
    row = Tournament.objects.get(pk=tournament.pk)
    entries = (
        Entry.objects.filter(tournament=row).order_by("pk").values("pk", "tpn", "withdrawn_from", "answer", *OF_ENTRY)
    )
    byes = RequestedBye.objects.filter(entry__tournament=row).order_by("round_number", "entry_id")
    adjustments = row.point_adjustments.values_list("entry_id", "points", "round_number", "result")
    desk = DeskData.objects.filter(entry__tournament=row).values("entry", *NO_DESK_DATA)
    return State(
        settings={
            **{name: _plain(getattr(row, name)) for name in (*sorted(SETTINGS), *ALSO)},
            "draw_commitment": commitment(row.draw_secret),
        },
        players={values["pk"]: {name: value for name, value in values.items() if name != "pk"} for values in entries},
        rounds=_rounds(row),
        byes={(entry, n): kind for entry, n, kind in byes.values_list("entry_id", "round_number", "kind")},
        desk={values["entry"]: {name: values[name] for name in NO_DESK_DATA} for values in desk},
        fee=CheckInDesk.objects.filter(tournament=row).values_list("fee", flat=True).first() or 0,
        check_in=(row.check_in_round, row.check_in_open),
        adjustments=list(adjustments),
        prohibited=pairs_of(row),
    )


def _rounds(tournament: Tournament) -> dict[int, RoundTable]:
    """Return the rounds with their boards; a board without both players has 0 in their place. Three queries."""
    states = Round.objects.filter(tournament=tournament).order_by("number").values_list("number", "state")
    rounds = {number: RoundTable(state) for number, state in states}
    games = Game.objects.filter(round__tournament=tournament).order_by("first_id", "board")
    # First games come first on one database and last on the other.
    for number, board, first, result in games.values_list("round__number", "board", "first_id", "result"):
        results = rounds[number].boards.setdefault(board, Board(0, 0, [])).results
        results.insert(1 if first else 0, result)
    rows = Seat.objects.filter(round__tournament=tournament).order_by("pk")
    columns = ("round__number", "entry_id", "colour", "game__board", "bye")
    seats: Iterable[tuple[int, int, str, int | None, str]] = rows.values_list(*columns)
    for number, entry, colour, at, bye in seats:
        if at is None:
            rounds[number].byes[entry] = bye
        elif colour == "w":
            rounds[number].boards[at].white = entry
        else:
            rounds[number].boards[at].black = entry
    return rounds


def _plain(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value
