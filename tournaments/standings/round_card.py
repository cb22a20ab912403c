"""One player in a round, for the card that the page of the round opens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate

from pairing.engine.model import TPN, Player, PointSystem
from pairing.rounds.computed_standings import changes
from pairing.rounds.round_page import BoardLine, RoundPage
from pairing.rounds.snapshot import players_after
from pairing.standings.points import points_of, score
from tournaments.core.chosen_rules import point_system
from tournaments.core.frame import Frame
from tournaments.models import ByeKind, Entry
from tournaments.standings.crosstable import Cell, cells_of


class FloatShown(Enum):
    """Whether the opponent of a round came from another scoregroup."""

    DOWN = "down"
    UP = "up"
    NONE = ""


@dataclass(frozen=True, slots=True)
class CardRound:
    """An earlier round: the cell, whether the player floated, and the points after (tenths)."""

    cell: Cell
    floated: FloatShown
    total: int


@dataclass(frozen=True, slots=True)
class PlayerCard:
    """A player before round ``number``, and the place in it: a board, a bye, or neither.

    ``points`` are tenths.
    """

    entry: Entry
    number: int
    points: int
    colours: str
    rounds: tuple[CardRound, ...]
    board: BoardLine | None
    bye: ByeKind | None

    @property
    def opponent_id(self) -> int | None:
        """The entry of the opponent in the round."""
        if self.board is None:
            return None
        white, black = self.board.white.entry_id, self.board.black.entry_id
        return black if white == self.entry.pk else white


def player_card(frame: Frame, page: RoundPage, entry: Entry) -> PlayerCard:
    """Return the card of *entry* for the round of *page*. Two queries; four with point adjustments.

    A player without a number has no earlier rounds.
    """
    players, entries = players_after(frame.tournament, page.number - 1)
    by_tpn = {player.tpn: player for player in players}
    own = by_tpn.get(TPN(entry.tpn)) if entry.tpn is not None else None
    system = point_system(frame.tournament)
    changed = changes(frame.tournament, players)
    rounds: tuple[CardRound, ...] = ()
    points = 0
    if own is not None:
        points = score(own, system, changed.get(own.tpn))
        numbers = {tpn: int(tpn) for tpn in entries}
        change = changed.get(own.tpn)
        cells = cells_of(
            own.rounds, numbers, entries, system, change, first_round=entry.first_round
        )
        rounds = _rounds(own, cells, by_tpn, system)
    board = next(
        (line for line in page.boards if entry.pk in (line.white.entry_id, line.black.entry_id)),
        None,
    )
    bye = next((line.kind for line in page.byes if line.player.entry_id == entry.pk), None)
    colours = "".join(
        line.cell.colour.upper()
        for line in rounds
        if line.cell.colour and line.cell.result.is_played
    )
    return PlayerCard(entry, page.number, points, colours, rounds, board, bye)


def _rounds(
    own: Player, cells: Sequence[Cell], by_tpn: Mapping[TPN, Player], system: PointSystem
) -> tuple[CardRound, ...]:
    totals = _totals(own, system)
    lines = []
    for place, (cell, record) in enumerate(zip(cells, own.rounds, strict=True)):
        floated = FloatShown.NONE
        if record.opponent is not None and record.is_played:
            mine, theirs = totals[place], _totals(by_tpn[record.opponent], system)[place]
            floated = (
                FloatShown.DOWN
                if mine > theirs
                else FloatShown.UP
                if mine < theirs
                else FloatShown.NONE
            )
        lines.append(CardRound(cell, floated, totals[place + 1]))
    return tuple(lines)


def _totals(player: Player, system: PointSystem) -> list[int]:
    """Return the points of *player* before the first round, and after each round, in tenths."""
    return list(accumulate((points_of(record, system) for record in player.rounds), initial=0))
