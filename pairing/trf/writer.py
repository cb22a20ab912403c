"""Write a tournament report: read lines unchanged, new ones by the tables of columns."""

from __future__ import annotations

from collections.abc import Iterable

from pairing.engine.errors import text as _
from pairing.engine.model import Points

from .document import (
    AbnormalPoints,
    InitialColour,
    NationalRating,
    PlayerRecord,
    PointValues,
    ProhibitedPairs,
    Record,
    RequestedByes,
    RoundCell,
    RoundCount,
    RoundDates,
    TextRecord,
    TrfDocument,
    VirtualPoints,
    VirtualPointsHistory,
)
from .errors import TrfError
from .fields import CELL_WIDTH, FIRST_ROUND_COLUMN, NATIONAL, PLAYER, ROUND_WIDTH, Column, Kind
from .matches import by_games

_BLANK_CELL = " " * ROUND_WIDTH
_CONTROLS = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029], " ")


def write(document: TrfDocument) -> str:
    """Return *document* as text: ``write(read(text)) == text``.

    A record with its line is written as that line, any other from its fields. Each 001 written from
    fields is padded to 91 + 10·rounds columns, which some programs require, for the highest number
    of rounds of a player. Texts are cut to their columns and control characters become blanks; a
    number that does not fit raises :class:`TrfError` (``trf.too_wide``). A document by matches is
    written by games. Cost: proportional to the text.
    """
    if document.games > 1:
        document = by_games(document)
    columns = max((len(player.rounds) for player in document.players), default=0)
    lines: list[str] = []
    for record in document.records:
        if lines and not lines[-1].endswith(
            ("\n", "\r")
        ):  # The line that was last when read has no line end.
            lines.append(document.newline)
        lines.append(
            record.source
            if record.source is not None
            else _line(record, columns) + document.newline
        )
    return "".join(lines)


def _line(record: Record, columns: int) -> str:
    match record:
        case PlayerRecord():
            return _player(record, columns)
        case TextRecord(code=code, text=text):
            return f"{code} {_clean(text)}".rstrip() if code else _clean(text)
        case RoundDates(dates=dates):
            return (
                "132".ljust(FIRST_ROUND_COLUMN - 1)
                + "".join(date.ljust(ROUND_WIDTH) for date in dates).rstrip()
            )
        case RoundCount(code=code, rounds=rounds):
            return f"{code} {rounds}"
        case InitialColour():
            return _initial_colour(record)
        case PointValues():
            return _point_values(record)
        case RequestedByes():
            return _requested_byes(record)
        case VirtualPoints(points=points):
            return (
                f"250      {_points(points, '0>4')} {record.first_round:03} {record.last_round:03} "
                f"{record.first_tpn:04} {record.last_tpn:04}"
            )
        case VirtualPointsHistory(tpn=tpn, points=history):
            return f"XXA {tpn:>4}" + "".join(f" {_points(points, '>4')}" for points in history)
        case AbnormalPoints():
            return _abnormal_points(record)
        case NationalRating(federation=federation):
            return _columns(federation, NATIONAL, record).rstrip()
        case ProhibitedPairs(code="260", players=players):
            first, last = record.first_round or 1, record.last_round or 999
            return f"260 {first:03} {last:03}" + "".join(f" {tpn:04}" for tpn in players)
        case ProhibitedPairs(code=code, players=players):
            return " ".join([code, *(str(tpn) for tpn in players)])
    raise AssertionError(record)


def _player(player: PlayerRecord, columns: int) -> str:
    cells = [_cell(cell) for cell in player.rounds]
    return _columns("001", PLAYER, player).ljust(FIRST_ROUND_COLUMN - 1) + "".join(cells).ljust(
        ROUND_WIDTH * columns
    )


def _columns(code: str, table: Iterable[Column], record: Record) -> str:
    """Return the fields of *record*, each in its columns."""
    line = code
    for column in table:
        line = line.ljust(column.first - 1) + _field(column, getattr(record, column.name))
    return line


def _abnormal_points(record: AbnormalPoints) -> str:
    """Write record 299. The letters W, D and L mean the results of games here, rated or not."""
    kind = (
        {"1": "W", "=": "D", "0": "L"}.get(record.kind.value, record.kind.value)
        if record.kind
        else " "
    )
    teams = _signed(record.match_points) if record.match_points is not None else ""
    line = f"299 {kind} {teams:>5} {_signed(record.points):>5}  {record.round_number or 0:03}"
    return line + "".join(f" {tpn:>4}" for tpn in record.players)


def _cell(cell: RoundCell | None) -> str:
    if cell is None:
        return _BLANK_CELL
    opponent = "0000" if cell.opponent is None else f"{cell.opponent:>4}"
    colour = cell.colour.value if cell.colour else "-"
    result = cell.result.value if cell.result else " "
    return f"{opponent} {colour} {result}".ljust(CELL_WIDTH) + "  "


def _field(column: Column, value: str | int | None) -> str:
    match column.kind, value:
        case _, None:
            text = ""
        case Kind.TEXT, _:
            return _clean(str(value))[: column.width].ljust(column.width)
        case Kind.POINTS, int(points):
            text = _signed(Points(points))
        case _:
            text = _clean(str(value))
    text = text.rjust(column.width)
    if len(text) > column.width:
        raise TrfError(
            "trf.too_wide",
            _("'%(found)s' does not fit the %(width)s columns of the field '%(field)s'."),
            column=column.first,
            found=text,
            width=column.width,
            field=column.name,
        )
    return text


def _signed(points: Points) -> str:
    return ("-" if points < 0 else "") + _points(Points(abs(points)), "")


def _points(points: Points, layout: str) -> str:
    return format(f"{points // 10}.{points % 10}", layout)


def _initial_colour(record: InitialColour) -> str:
    if record.code == "152":
        return f"152 {record.colour.value.upper()}" if record.colour else "152"
    words = ["rank"] if record.by_rank else []
    if record.colour:
        words.append({"w": "white1", "b": "black1"}[record.colour.value])
    return " ".join([record.code, *words])


def _point_values(record: PointValues) -> str:
    match record.code:
        case "162":
            cells = [f"{symbol}{_points(points, '>4')}" for symbol, points in record.values]
            return "162  " + "    ".join(cells)
        case "XXS":
            return " ".join(
                ["XXS", *(f"{symbol}={_points(points, '')}" for symbol, points in record.values)]
            )
        case code:
            return " ".join([code, *(_points(points, "") for _, points in record.values)])


def _requested_byes(record: RequestedByes) -> str:
    if record.round_number is None:
        return " ".join([record.code, *(str(tpn) for tpn in record.players)])
    numbers = "".join(f" {tpn:04}" for tpn in record.players)
    return f"{record.code} {record.kind.value} {record.round_number:03}{numbers}"


def _clean(text: str) -> str:
    """Return *text* on one line: control characters and line ends become blanks."""
    return text.translate(_CONTROLS).strip()
