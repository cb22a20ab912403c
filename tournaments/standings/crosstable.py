"""The crosstable: each player's rounds in one row, limited to the data that the reader may see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from pairing.engine.changes import PointChanges
from pairing.engine.model import TPN, Player, PointSystem, Result, RoundRecord
from pairing.rounds.computed_standings import changes
from pairing.standings.points import points_of, score
from tournaments.core.chosen_rules import point_system
from tournaments.core.frame import Frame
from tournaments.models import Entry
from tournaments.standings.ranked_field import field_for, players_for
from tournaments.standings.standings import places

EVERY_ROW: Final = slice(None)


class CrosstableOrder(Enum):
    """The order of the rows, which also decides the number of an opponent in the cells."""

    RANK = "rank"
    TPN = "tpn"


@dataclass(frozen=True, slots=True)
class Cell:
    """One round; ``number`` is the opponent's among the rows, ``points`` are tenths.

    ``opponent_id`` is the opponent's entry, which stays when numbers change. Without an opponent
    the round was a bye; a forfeited game keeps the scheduled opponent and colour. In a match of two
    ``games`` the colour and ``result`` are those of the first, ``second`` is the result of the
    second. ``is_before_entry``: a late entry was not there yet [C.04.2/2026 2.4]. ``met_namesake``:
    another player has the opponent's name.
    """

    round_number: int
    number: int | None
    opponent: TPN | None
    opponent_id: int | None
    opponent_name: str
    colour: str
    result: Result
    second: Result | None
    points: int
    games: int
    is_before_entry: bool = False
    met_namesake: bool = False

    @property
    def met(self) -> str:
        """The opponent's name, after the number if not unique; empty without an opponent."""
        return f"{self.opponent} {self.opponent_name}" if self.met_namesake else self.opponent_name


@dataclass(frozen=True, slots=True)
class CrosstableLine:
    """One player: ``number`` identifies the row, ``points`` are tenths.

    ``rank`` is shared by equal players, and None for an expelled one. ``is_namesake``: another
    player has the same name.
    """

    number: int
    rank: int | None
    entry_id: int
    tpn: TPN
    name: str
    title: str
    federation: str
    fide_id: int | None
    rating: int
    points: int
    is_withdrawn: bool
    cells: tuple[Cell, ...]
    is_namesake: bool = False


@dataclass(frozen=True, slots=True)
class Crosstable:
    """The rows after ``after_round`` rounds.

    ``in_play``: the last of them is not over, and only arbiters see it.
    """

    after_round: int
    order: CrosstableOrder
    in_play: bool
    lines: tuple[CrosstableLine, ...]


def crosstable(
    frame: Frame,
    *,
    order: CrosstableOrder = CrosstableOrder.RANK,
    after_round: int | None = None,
    rows: slice = EVERY_ROW,
) -> Crosstable:
    """Return the crosstable after *after_round*, or the newest round that
    the reader of *frame* may see. Two queries.

    With *rows*, only these have their cells, and only these are in it.

    Visitors see the rounds with published results; an arbiter also sees the round in play, with the
    results entered so far. The caller must not ask for a later round than these.
    """
    newest = frame.latest_published or 0 if frame.runs else frame.latest_results
    after = newest if after_round is None else after_round
    players, entries = players_for(frame, after)
    changed = changes(frame.tournament, tuple(players.values()))
    # Visitors' ranks may be in the store; a crosstable needs nothing else of the standings.
    ranks: Mapping[int, int] = places(frame, after).ranks
    if frame.runs:
        ranks = field_for(frame, after).ranks  # type: ignore[assignment]
    ordered = _ordered(list(players.values()), ranks, order)
    numbers = {player.tpn: number for number, player in enumerate(ordered, start=1)}
    if order is CrosstableOrder.TPN:
        numbers = {player.tpn: int(player.tpn) for player in ordered}
    system = point_system(frame.tournament)
    lines = []
    for player in ordered[rows]:
        entry = entries[player.tpn]
        lines.append(
            CrosstableLine(
                number=numbers[player.tpn],
                rank=ranks.get(player.tpn),
                entry_id=entry.pk,
                tpn=player.tpn,
                name=entry.name,
                title=entry.title,
                federation=entry.federation,
                fide_id=entry.public_fide_id,
                rating=entry.rating,
                points=score(player, system, changed.get(player.tpn)),
                is_withdrawn=entry.withdrawn_from is not None and entry.withdrawn_from <= after + 1,
                cells=cells_of(
                    player.rounds,
                    numbers,
                    entries,
                    system,
                    changed.get(player.tpn),
                    first_round=entry.first_round,
                ),
                is_namesake=entry.is_namesake,
            )
        )
    return Crosstable(after, order, in_play=after > frame.latest_results, lines=tuple(lines))


def cells_of(
    rounds: Sequence[RoundRecord],
    numbers: Mapping[TPN, int],
    entries: Mapping[TPN, Entry],
    system: PointSystem,
    change: PointChanges | None = None,
    *,
    first_round: int,
) -> tuple[Cell, ...]:
    """Return *rounds* of a player as cells, oldest first; *change*: point adjustments.

    *first_round* is that of the entry.
    """
    return tuple(
        Cell(
            round_number=number,
            number=None if record.opponent is None else numbers[record.opponent],
            opponent=record.opponent,
            opponent_id=None if record.opponent is None else entries[record.opponent].pk,
            opponent_name="" if record.opponent is None else entries[record.opponent].name,
            colour=record.colour.letter if record.colour else "",
            result=record.result,
            second=record.second,
            points=points_of(record, system) + (change.results[number - 1] if change else 0),
            games=system.games,
            is_before_entry=number < first_round and record.opponent is None,
            met_namesake=record.opponent is not None and entries[record.opponent].is_namesake,
        )
        for number, record in enumerate(rounds, start=1)
    )


def _ordered(
    players: Sequence[Player], ranks: Mapping[int, int], order: CrosstableOrder
) -> list[Player]:
    if order is CrosstableOrder.TPN:
        return sorted(players, key=lambda player: player.tpn)
    return sorted(players, key=lambda player: (ranks.get(player.tpn, len(players) + 1), player.tpn))


ROW, NAME, BOX, TOP, EDGE = 22, 190, 56, 30, 34
"""The size of the picture: height of a row, width of the names and of a round,
space above the rows and left of the names.
"""
GOOD, EVEN, BAD, UNPLAYED = "#cfe8dc", "#ecebe4", "#f3d6d2", "#ffffff"
"""The colours of a round: more than half of the possible points, half of them, less, or no game."""


@dataclass(frozen=True, slots=True)
class DrawnCell:
    """A cell with its position and the colour of its result; ``piece``: the player's colour."""

    cell: Cell
    x: int
    fill: str
    piece: str


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """A row with its position in the picture."""

    line: CrosstableLine
    y: int
    cells: tuple[DrawnCell, ...]


@dataclass(frozen=True, slots=True)
class CrosstablePicture:
    """The crosstable as a picture; ``rounds`` are the numbers with their positions."""

    lines: tuple[DrawnLine, ...]
    rounds: tuple[tuple[int, int], ...]
    width: int
    height: int


def picture(table: Crosstable, *, win: int) -> CrosstablePicture:
    """Return the positions of all parts of *table*; *win*: the most a round can give, in tenths."""

    def x(number: int) -> int:
        return EDGE + NAME + BOX * (number - 1)

    return CrosstablePicture(
        lines=tuple(
            DrawnLine(
                line,
                TOP + ROW * index,
                tuple(
                    DrawnCell(cell, x(cell.round_number), _fill(cell, win), _PIECES[cell.colour])
                    for cell in line.cells
                ),
            )
            for index, line in enumerate(table.lines)
        ),
        rounds=tuple((number, x(number)) for number in range(1, table.after_round + 1)),
        width=x(table.after_round + 1) + BOX,
        height=TOP + ROW * len(table.lines) + 8,
    )


_PIECES = {"w": "#ffffff", "b": "#222222", "": "none"}


def _fill(cell: Cell, win: int) -> str:
    if not (cell.result.is_played or (cell.second is not None and cell.second.is_played)):
        return UNPLAYED
    return GOOD if 2 * cell.points > win else BAD if 2 * cell.points < win else EVEN
