"""Read the tables of a tournament in the form in which its record describes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from django.db.models import F, Model

from pairing.record import defaults
from pairing.record.people import Held
from pairing.record.state import Board, Corrected, RoundTable, State, moment
from pairing.rules.corrections import CorrectionKind
from pairing.rules.draws import commitment
from tournaments.models import (
    Appointment,
    CheckInDesk,
    Correction,
    DeskData,
    DraftView,
    Entry,
    Game,
    RequestedBye,
    Round,
    Seat,
    Section,
    Tournament,
)
from tournaments.models.regulations import pairs_of
from tournaments.standings.prize_plan import described, plan_of

OTHERWISE: Final = frozenset({"corrections_until", "group_a_last"})
"""Settings that the record has in another form than the column."""


def held(tournament: Tournament) -> State:
    """Return what the tables hold of *tournament* now. Sixteen queries."""
    row = Tournament.objects.get(pk=tournament.pk)
    entries = (
        Entry.objects.filter(tournament=row)
        .order_by("pk")
        .values("pk", *defaults.PLAYER, *defaults.LATER_PLAYER)
    )
    section = Section.objects.filter(tournament=row).select_related("event").first()
    desk = DeskData.objects.filter(entry__tournament=row).values("entry", *defaults.DESK)
    return State(
        settings=held_settings(row),
        players={
            values["pk"]: {name: value for name, value in values.items() if name != "pk"}
            for values in entries
        },
        rounds=_rounds(row),
        byes=held_byes(row),
        desk={values["entry"]: {name: values[name] for name in defaults.DESK} for values in desk},
        fee=CheckInDesk.objects.filter(tournament=row).values_list("fee", flat=True).first() or 0,
        check_in=(row.check_in_round, row.check_in_open),
        adjustments=held_adjustments(row),
        prohibited=pairs_of(row),
        prizes=_prizes(row),
        corrections=_corrections(row),
        views=_views(row),
        created=(row.created_by_id, utc(row.created_at) or ""),
        section=None if section is None else {"event": section.event.name, **_limits(section)},
    )


def held_settings(row: Tournament) -> dict[str, Any]:
    """Return the settings of the tournament *row*, which was just read."""
    names = [
        *sorted(defaults.SETTINGS),
        *(name for name in defaults.LATER_SETTINGS if name not in OTHERWISE),
    ]
    return {
        **{name: _plain(getattr(row, name)) for name in names},
        "group_a_last": row.group_a_last_id,
        "corrections_until": utc(row.corrections_until),
        "draw_commitment": commitment(row.draw_secret),
    }


def held_byes(tournament: Tournament) -> dict[tuple[int, int], str]:
    """Return the requested byes by entry and round, in the order of the rounds. One query."""
    rows = RequestedBye.objects.filter(entry__tournament=tournament).order_by(
        "round_number", "entry_id"
    )
    return {
        (entry, n): kind for entry, n, kind in rows.values_list("entry_id", "round_number", "kind")
    }


def held_adjustments(tournament: Tournament) -> list[Any]:
    """Return the adjusted points: entry, points, round and result of each. One query."""
    return list(
        tournament.point_adjustments.values_list("entry_id", "points", "round_number", "result")
    )


def _prizes(tournament: Tournament) -> object:
    """Return the prizes as recorded; a text, which no record has, if a row is unreadable."""
    try:
        return described(plan_of(tournament))
    except ValueError as error:
        return str(error)


def utc(at: datetime | None) -> str | None:
    """Return *at* as the replay has it."""
    return moment(at.isoformat() if at else None)


def _corrections(tournament: Tournament) -> list[Corrected]:
    rows = (
        Correction.objects.filter(tournament=tournament)
        .select_related("game__round")
        .order_by("pk")
    )
    return [
        Corrected(
            kind=row.kind,
            round_number=row.round_number,
            about=_about(row),
            reported_at=utc(row.reported_at) or "",
            entered_at=utc(row.entered_at) or "",
            effect=row.effect,
            waiting=row.waiting,
            before=row.before,
            after=row.after,
            reason=row.reason,
            values=_unlike_defaults(row, defaults.CORRECTION),
        )
        for row in rows
    ]


def _about(row: Correction) -> tuple[int, ...]:
    if row.game is None:
        return (row.entry_id or 0,)
    if (row.game.round.tournament_id, row.game.round.number) != (
        row.tournament_id,
        row.round_number,
    ):
        return (0, 0)
    return (row.game.board, row.game.number if row.kind == CorrectionKind.RESULT.value else 0)


def _views(tournament: Tournament) -> dict[tuple[int, str], dict[object, str]]:
    found: dict[tuple[int, str], dict[object, str]] = {}
    rows = DraftView.objects.filter(round__tournament=tournament).order_by("pk")
    for number, paired_at, person, at in rows.values_list(
        "round__number", "paired_at", "person_id", "at"
    ):
        found.setdefault((number, utc(paired_at) or ""), {})[person] = utc(at) or ""
    return found


def held_roles(tournament: Tournament) -> list[Held]:
    """Return the roles of people in the table of appointments, in their order. One query."""
    rows = Appointment.objects.filter(tournament=tournament).order_by("pk")
    return [Held(row.person_id, row.role, utc(row.since) or "", utc(row.until)) for row in rows]


def _rounds(tournament: Tournament) -> dict[int, RoundTable]:
    """Return the rounds with their boards; a board without both players
    has 0 in their place. Three queries.

    Rows that do not fit together give a round that no record can have: a board 0, or a text for a
    result.
    """
    rounds = {
        row.number: RoundTable(
            row.state,
            starts_at=utc(row.starts_at),
            results_due_at=utc(row.results_due_at),
            paired_at=utc(row.paired_at),
            published_at=utc(row.published_at),
            results_published_at=utc(row.results_published_at),
            values=_unlike_defaults(row, defaults.ROUND),
        )
        for row in Round.objects.filter(tournament=tournament).order_by("number")
    }
    _add_games(tournament, rounds)
    _add_seats(tournament, rounds)
    return rounds


def _add_games(tournament: Tournament, rounds: dict[int, RoundTable]) -> None:
    """Add the games of *tournament* to the boards of their *rounds*. One query."""
    games = Game.objects.filter(round__tournament=tournament).order_by(
        F("first_id").asc(nulls_first=True), "board"
    )
    columns = (
        "round__number",
        "board",
        "result",
        "table",
        "starts_at",
        "place",
        "first__round__number",
        "first__board",
    )
    for number, board, result, at_table, starts_at, where, *rest in games.values_list(
        *columns, *defaults.GAME
    ):
        first, further = rest[:2], dict(zip(defaults.GAME, rest[2:], strict=True))
        if at_table is not None:
            rounds[number].tables[board] = at_table
        at_board = rounds[number].boards.setdefault(board, Board(0, 0, []))
        results, game = at_board.results, 1 if first == [None, None] else 2
        if further := _named(further, defaults.GAME):
            at_board.values[game] = further
        if starts_at is not None:
            at_board.dates[game] = (utc(starts_at) or "", where)
        if first == [None, None]:
            results.append(result)
            continue
        if not results:
            results.append("")
        results.append(
            result if first == [number, board] else "of board {1} in round {0}".format(*first)
        )


def _add_seats(tournament: Tournament, rounds: dict[int, RoundTable]) -> None:
    """Add the players and their colours to the boards of *rounds*, and the byes. One query."""
    rows = Seat.objects.filter(round__tournament=tournament).order_by("pk")
    columns = (
        "round__number",
        "entry_id",
        "colour",
        "game__board",
        "bye",
        "round_id",
        "game__round_id",
    )
    seats: Iterable[tuple[int, int, str, int | None, str, int, int | None]] = rows.values_list(
        *columns
    )
    for number, entry, colour, at, bye, own_round, round_of_game in seats:
        if at is None:
            rounds[number].byes[entry] = bye
            continue
        # No board of this round for a place at a game of another.
        place = rounds[number].boards.setdefault(
            at if round_of_game == own_round else 0, Board(0, 0, [])
        )
        if colour == "w":
            place.white = entry
        else:
            place.black = entry


def _limits(section: Section) -> dict[str, object]:
    return {name: getattr(section, name) for name in defaults.SECTION}


def _unlike_defaults(row: Model, of: defaults.Defaults) -> dict[str, Any]:
    return _named({name: getattr(row, name) for name in of}, of)


def _named(values: Mapping[str, Any], of: defaults.Defaults) -> dict[str, Any]:
    return defaults.named_values(of, {name: _plain(value) for name, value in values.items()})


def _plain(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value
