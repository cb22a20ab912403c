"""A tournament report as it is in the file: one frozen record per line, in file order.

A record that was read keeps its line (``source``) and is written back unchanged.
``dataclasses.replace`` drops the line, and a new record has none; these are written from their
fields. So a changed field can never be written as the old line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeVar, cast

from pairing.engine.model import TPN, Colour, Points, Result


@dataclass(frozen=True, slots=True)
class Record:
    """Base class of all records.

    ``source`` is the line as read with its line end; None for a new record.
    """

    source: str | None = field(default=None, init=False, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class TextRecord(Record):
    """A record kept as text: names, dates, 192, comments (``###``), and unknown ones.

    A blank line is a text record with the code ``""``.
    """

    code: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class RoundCell:
    """One round in a 001 record: opponent, colour and result.

    ``opponent`` None is a bye; ``result`` None is a paired game without a result yet. The colour of
    a forfeited game may be unknown (None). ``second`` is the result of the second game in a
    document by matches.
    """

    opponent: TPN | None
    colour: Colour | None
    result: Result | None
    second: Result | None = None

    @property
    def is_bye(self) -> bool:
        """Return whether it is an allocated or requested bye, without an opponent."""
        return self.opponent is None

    @property
    def is_pairing(self) -> bool:
        """Return whether it is part of the pairing: a game or forfeit, or the allocated bye."""
        return self.opponent is not None or self.result is Result.PAIRING_ALLOCATED_BYE


@dataclass(frozen=True, slots=True)
class PlayerRecord(Record):
    """Record 001. ``points`` are tenths, None if the column is empty; unknown numbers are None.

    ``rounds`` has one cell per round up to the player's last entry; None is a blank cell.
    """

    tpn: TPN
    name: str = ""
    sex: str = ""
    title: str = ""
    rating: int | None = None
    federation: str = ""
    fide_id: str = ""
    birth_date: str = ""
    points: Points | None = None
    rank: int | None = None
    rounds: tuple[RoundCell | None, ...] = ()

    def cell(self, round_number: int) -> RoundCell | None:
        """Return the entry of round *round_number* (from 1); None if it is blank."""
        return self.rounds[round_number - 1] if round_number <= len(self.rounds) else None


@dataclass(frozen=True, slots=True)
class RoundDates(Record):
    """Record 132: the date of each round as written, ``""`` for a round without a date."""

    dates: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RoundCount(Record):
    """Records 142 and XXR: the declared number of rounds."""

    code: str
    rounds: int


@dataclass(frozen=True, slots=True)
class InitialColour(Record):
    """Records 152 and XXC. ``by_rank``: XXC requires pairing by the rank column, not by TPN."""

    code: str
    colour: Colour | None
    by_rank: bool = False


@dataclass(frozen=True, slots=True)
class PointValues(Record):
    """Records 162, XXS and BB?: (symbol, tenths) as written; the symbol of BB? is ``""``."""

    code: str
    values: tuple[tuple[str, Points], ...]


@dataclass(frozen=True, slots=True)
class RequestedByes(Record):
    """Records 240 and XXZ: the players who are not paired in a round.

    XXZ names no round; it is the round to be paired.
    """

    code: str
    kind: Result
    round_number: int | None
    players: tuple[TPN, ...]


@dataclass(frozen=True, slots=True)
class VirtualPoints(Record):
    """Record 250: virtual points (tenths) of a range of players in a range of rounds."""

    points: Points
    first_round: int
    last_round: int
    first_tpn: TPN
    last_tpn: TPN


@dataclass(frozen=True, slots=True)
class VirtualPointsHistory(Record):
    """Record XXA: the virtual points (tenths) of one player by round, from round 1."""

    tpn: TPN
    points: tuple[Points, ...]


@dataclass(frozen=True, slots=True)
class ProhibitedPairs(Record):
    """Records 260 and XXP: no two players of the list may meet in those rounds (None: in all)."""

    code: str
    players: tuple[TPN, ...]
    first_round: int | None = None
    last_round: int | None = None


@dataclass(frozen=True, slots=True)
class AbnormalPoints(Record):
    """Record 299: points that differ from the point system, in tenths; a penalty is negative.

    ``kind`` None is a bonus or penalty, otherwise the result that is worth ``points``.
    ``round_number`` None means all rounds. Empty ``players`` means all players with that result.
    ``match_points`` belong to teams.
    """

    kind: Result | None
    points: Points
    round_number: int | None = None
    players: tuple[TPN, ...] = ()
    match_points: Points | None = None


@dataclass(frozen=True, slots=True)
class NationalRating(Record):
    """A record of national rating support: the data of *federation* on player ``tpn``.

    ``rating`` cannot be in the 001 record. The other fields may be empty if they are the same as
    there.
    """

    federation: str
    tpn: TPN
    rating: int
    sex: str = ""
    classification: str = ""
    name: str = ""
    origin: str = ""
    number: str = ""
    birth_date: str = ""


R = TypeVar("R", bound=Record)


@dataclass(frozen=True, slots=True)
class TrfDocument:
    """A whole report: its records in file order. ``newline`` ends the lines written from fields.

    The records are sorted by class once, when the document is made, because a round is paired from
    a few of them and a file may have a hundred thousand. ``games`` is the number of file rounds in
    one round here: 2 in a document by matches (``matches``).
    """

    records: tuple[Record, ...]
    newline: str = "\n"
    games: int = 1
    _numbered: dict[type[Record], list[tuple[int, Record]]] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    def __post_init__(self) -> None:
        for line, record in enumerate(self.records, 1):
            self._numbered.setdefault(type(record), []).append((line, record))

    def numbered(self, kind: type[R]) -> Iterator[tuple[int, R]]:
        """Yield (line from 1, record) for the records of one class, in file order."""
        return iter(cast(list[tuple[int, R]], self._numbered.get(kind, [])))

    def of(self, kind: type[R]) -> tuple[R, ...]:
        """Return the records of one class, in file order. Builds the tuple: call it once."""
        return tuple(record for _, record in self.numbered(kind))

    @property
    def players(self) -> tuple[PlayerRecord, ...]:
        """Return the 001 records in file order. Builds the tuple: call it once."""
        return self.of(PlayerRecord)

    def texts(self, code: str) -> tuple[str, ...]:
        """Return the texts of all records with *code* (``"112"``, ``"###"``), in file order."""
        return tuple(record.text for _, record in self.numbered(TextRecord) if record.code == code)

    def text(self, code: str) -> str:
        """Return the text of the first record with *code* (``"012"``); ``""`` without one."""
        return next(
            (record.text for _, record in self.numbered(TextRecord) if record.code == code), ""
        )

    def line_of(self, record: Record) -> int:
        """Return the line of *record*, from 1; 0 for a record that is not in this document.

        Looks at every record, so use it for a single error; for the lines of many records use
        :meth:`numbered`.
        """
        return next((number for number, other in enumerate(self.records, 1) if other is record), 0)
