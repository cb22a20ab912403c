"""Change reports at random, for fuzz tests.

Lines and letters are changed so that the file is wrong or unusual. Whole games, numbers and records
are changed on both sides, so that the file stays consistent and reaches the engine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from random import Random

from pairing.engine.event_plan import EventPlan
from pairing.engine.generator import generate
from pairing.engine.model import TPN, Colour, Points, PointSystem, Result
from pairing.trf.document import (
    AbnormalPoints,
    PlayerRecord,
    ProhibitedPairs,
    Record,
    RequestedByes,
    RoundCell,
    RoundCount,
    TextRecord,
    TrfDocument,
    VirtualPoints,
    VirtualPointsHistory,
)
from pairing.trf.generated import document_of
from pairing.trf.scoring import point_values
from pairing.trf.writer import write

ODD = " \t\x00\x0b\x0c\x1c\x85\u2028\ufeff\u0661é€😀-+=?0123456789WDLFHZUABXwb.,#²\r\n"
LINES = (
    "132" + " " * 88 + "26/11/21",
    "142 1",
    "142 99",
    "XXR 3",
    "152 B",
    "XXC rank",
    "XXC black1",
    "162  W 3.0    D 1.0",
    "162  L 9.0",
    "BBU 0.0",
    "XXS PAB=9 W=1",
    "XXS WW=2",
    "192 FIDE_DUTCH_2026_BAKU",
    "192 FIDE_DOUBLESWISS",
    "192 FIDE_DUTCH_2017",
    "192 FIDE_DUBOV",
    "240 H 003 0001 0002",
    "XXZ 1 2 3 4 5 6 7 8 9",
    "250      99.9 001 099 0001 9999",
    "XXA    1  9.9  0.0  1.0",
    "260 001 999 0001 0002 0003 0004 0005 0006",
    "XXP 1 2 3",
    "299          -9.9  001    1",
    "299 W         9.9  000",
    "299 U         1.0  001    1",
    "FRA    1" + " " * 40 + "2000",
    "013 A team",
    "001 9999",
    "001    1",
    "### a remark",
    "\x1a",
)
GAMES = (
    (Result.WIN, Result.LOSS),
    (Result.DRAW, Result.DRAW),
    (Result.LOSS, Result.WIN),
    (Result.LOSS, Result.LOSS),
    (Result.DRAW, Result.LOSS),
    (Result.UNRATED_WIN, Result.UNRATED_LOSS),
    (Result.FORFEIT_WIN, Result.FORFEIT_LOSS),
    (Result.FORFEIT_LOSS, Result.FORFEIT_LOSS),
    (Result.UNKNOWN, Result.UNKNOWN),
    (None, None),
)
BYES = (
    Result.PAIRING_ALLOCATED_BYE,
    Result.FULL_POINT_BYE,
    Result.HALF_POINT_BYE,
    Result.ZERO_POINT_BYE,
)


@cache
def seeds() -> tuple[TrfDocument, ...]:
    """Return a few small generated events, each with different features."""
    plans = (
        EventPlan(players=2, rounds=1),
        EventPlan(players=6, rounds=5, played=3),
        EventPlan(players=7, rounds=6, played=5, byes=1_500, forfeits=1_000),
        EventPlan(players=9, rounds=7, played=4, late=2_000, withdrawals=2_000),
        EventPlan(players=8, rounds=7, played=3, accelerated=True),
        EventPlan(
            players=10,
            rounds=5,
            played=4,
            prohibitions=2_000,
            points=PointSystem.from_values(win=30, draw=10),
        ),
        EventPlan(players=5, rounds=5, played=4, forfeits=3_000),
    )
    return tuple(
        document_of(generate(plan, Random(number)), name=f"Event {number}")
        for number, plan in enumerate(plans)
    )


def mutated_text(text: str, chance: Random) -> str:
    """Return *text* with up to six changes of lines and letters."""
    for _ in range(chance.randrange(7)):
        lines = text.split("\n")
        text = "\n".join(_TEXT_CHANGES[chance.randrange(len(_TEXT_CHANGES))](lines, chance))
    return text


def mutated_document(document: TrfDocument, chance: Random) -> TrfDocument:
    """Return *document* with up to eight changes that keep both players
    of a game consistent, without points.
    """
    records = [
        replace(record, points=None) if isinstance(record, PlayerRecord) else record
        for record in document.records
    ]
    for _ in range(chance.randrange(9)):
        records = _RECORD_CHANGES[chance.randrange(len(_RECORD_CHANGES))](records, chance)
    return TrfDocument(tuple(records))


def mutant(chance: Random) -> str:
    """Return a report whose records are changed, and then perhaps its letters."""
    document = seeds()[chance.randrange(len(seeds()))]
    if chance.randrange(3):
        document = mutated_document(document, chance)
    text = write(document)
    return text if chance.randrange(3) else mutated_text(text, chance)


# -- letters and lines -----------------------------------------------------------------------------


def _place(lines: list[str], chance: Random) -> int:
    return chance.randrange(len(lines))


def _move(lines: list[str], chance: Random) -> list[str]:
    line = lines.pop(_place(lines, chance))
    lines.insert(chance.randrange(len(lines) + 1), line)
    return lines


def _double(lines: list[str], chance: Random) -> list[str]:
    lines.insert(_place(lines, chance), lines[_place(lines, chance)])
    return lines


def _cut(lines: list[str], chance: Random) -> list[str]:
    place = _place(lines, chance)
    lines[place] = lines[place][: chance.randrange(len(lines[place]) + 1)]
    return lines


def _drop(lines: list[str], chance: Random) -> list[str]:
    del lines[_place(lines, chance)]
    return lines or [""]


def _shift(lines: list[str], chance: Random) -> list[str]:
    place = _place(lines, chance)
    column, blanks = chance.randrange(len(lines[place]) + 1), chance.randrange(4)
    line = lines[place]
    lines[place] = (
        line[:column] + " " * blanks + line[column:]
        if blanks
        else line[:column] + line[column + 1 :]
    )
    return lines


def _letter(lines: list[str], chance: Random) -> list[str]:
    place = _place(lines, chance)
    column = chance.randrange(len(lines[place]) + 1)
    lines[place] = (
        lines[place][:column] + ODD[chance.randrange(len(ODD))] + lines[place][column + 1 :]
    )
    return lines


def _insert(lines: list[str], chance: Random) -> list[str]:
    lines.insert(_place(lines, chance), LINES[chance.randrange(len(LINES))])
    return lines


_TEXT_CHANGES: tuple[Callable[[list[str], Random], list[str]], ...] = (
    _move, _double, _cut, _drop, _shift, _letter, _insert,
)  # fmt: skip


# -- games, numbers and records, on both sides -----------------------------------------------------


def _players(records: list[Record]) -> list[PlayerRecord]:
    return [record for record in records if isinstance(record, PlayerRecord)]


def _some_round(records: list[Record], chance: Random) -> int:
    """Return the index of a round that a player has, or of the next one."""
    return chance.randrange(
        max((len(player.rounds) for player in _players(records)), default=0) + 1
    )


def _with_cells(
    records: list[Record], index: int, cells: dict[TPN, RoundCell | None]
) -> list[Record]:
    changed: list[Record] = []
    for record in records:
        if isinstance(record, PlayerRecord) and record.tpn in cells:
            rounds = [*record.rounds, *[None] * (index + 1 - len(record.rounds))]
            rounds[index] = cells[record.tpn]
            changed.append(replace(record, rounds=tuple(rounds)))
        else:
            changed.append(record)
    return changed


def _pair_afresh(records: list[Record], chance: Random) -> list[Record]:
    """Give one round other games, even repeated ones:
    neighbours in a random order, perhaps with one left over.
    """
    index = _some_round(records, chance)
    order = [player.tpn for player in _players(records)]
    for place in range(len(order)):
        other = chance.randrange(len(order))
        order[place], order[other] = order[other], order[place]
    away = chance.randrange(len(order) + 1) // 2
    cells: dict[TPN, RoundCell | None] = {
        tpn: RoundCell(None, None, BYES[1 + chance.randrange(3)]) if chance.randrange(4) else None
        for tpn in order[:away]
    }
    order = order[away:]
    if len(order) % 2:
        cells[order.pop()] = RoundCell(None, None, BYES[chance.randrange(4)])
    for white, black in zip(order[::2], order[1::2], strict=True):
        ours, theirs = GAMES[chance.randrange(len(GAMES))]
        cells[white] = RoundCell(black, Colour.WHITE, ours)
        cells[black] = RoundCell(white, Colour.BLACK, theirs)
    return _with_cells(records, index, cells)


def _another_result(records: list[Record], chance: Random) -> list[Record]:
    return _one_game(records, chance, lambda cell: cell.colour, GAMES[chance.randrange(len(GAMES))])


def _other_colours(records: list[Record], chance: Random) -> list[Record]:
    return _one_game(
        records, chance, lambda cell: cell.colour.opposite if cell.colour else None, None
    )


def _one_game(
    records: list[Record],
    chance: Random,
    colour: Callable[[RoundCell], Colour | None],
    results: tuple[Result | None, Result | None] | None,
) -> list[Record]:
    index, players = _some_round(records, chance), _players(records)
    player = players[chance.randrange(len(players))]
    cell = player.cell(index + 1)
    other = next((one for one in players if cell is not None and one.tpn == cell.opponent), None)
    theirs = other.cell(index + 1) if other is not None else None
    if cell is None or other is None or theirs is None:
        return records
    ours, their_result = results if results is not None else (cell.result, theirs.result)
    cells: dict[TPN, RoundCell | None] = {
        player.tpn: replace(cell, colour=colour(cell), result=ours),
        other.tpn: replace(theirs, colour=colour(theirs), result=their_result),
    }
    return _with_cells(records, index, cells)


def _everybody_away(records: list[Record], chance: Random) -> list[Record]:
    index = _some_round(records, chance)
    bye = RoundCell(None, None, BYES[chance.randrange(4)])
    return _with_cells(records, index, {player.tpn: bye for player in _players(records)})


def _other_numbers(records: list[Record], chance: Random) -> list[Record]:
    """Exchange the numbers of two players everywhere, or give one player an unused number."""
    numbers = [player.tpn for player in _players(records)]
    old = numbers[chance.randrange(len(numbers))]
    new = (
        TPN(1 + chance.randrange(9_999))
        if chance.randrange(2)
        else numbers[chance.randrange(len(numbers))]
    )
    renamed = {old: new, new: old}

    def number(tpn: TPN) -> TPN:
        return renamed.get(tpn, tpn)

    def cell(one: RoundCell | None) -> RoundCell | None:
        return (
            one
            if one is None or one.opponent is None
            else replace(one, opponent=number(one.opponent))
        )

    return [
        replace(record, tpn=number(record.tpn), rounds=tuple(map(cell, record.rounds)))
        if isinstance(record, PlayerRecord)
        else record
        for record in records
    ]


def _another_player(records: list[Record], chance: Random) -> list[Record]:
    return [*records, PlayerRecord(TPN(10_000 - len(records) - chance.randrange(50) * 100))]


def _another_record(records: list[Record], chance: Random) -> list[Record]:
    numbers = [player.tpn for player in _players(records)]

    def some() -> tuple[TPN, ...]:
        return tuple(
            numbers[chance.randrange(len(numbers))] for _ in range(1 + chance.randrange(6))
        )

    def points(sign: int = 1) -> Points:
        return Points(sign * 5 * chance.randrange(40))

    first = 1 + chance.randrange(4)
    system = PointSystem.from_values(
        win=chance.randrange(40), draw=chance.randrange(20), loss=chance.randrange(10)
    )
    kinds: tuple[Callable[[], Record | None], ...] = (
        lambda: RequestedByes(
            "240", BYES[1 + chance.randrange(3)], 1 + chance.randrange(9), some()
        ),
        lambda: RequestedByes("XXZ", Result.ZERO_POINT_BYE, None, some()),
        lambda: VirtualPoints(
            points(), first, first + chance.randrange(9), TPN(1), TPN(1 + chance.randrange(9_999))
        ),
        lambda: VirtualPointsHistory(some()[0], (points(), points(), points())),
        lambda: ProhibitedPairs("260", some(), first, first + chance.randrange(9)),
        lambda: ProhibitedPairs("XXP", some()),
        lambda: AbnormalPoints(None, points(1 - 2 * chance.randrange(2)), first, some()),
        lambda: AbnormalPoints(Result.WIN, points(), first * chance.randrange(2) or None, some()),
        lambda: AbnormalPoints(BYES[1 + chance.randrange(3)], points(), None, ()),
        lambda: RoundCount("142", 1 + chance.randrange(9)),
        lambda: point_values(system),
        lambda: TextRecord(
            "192", ("FIDE_DUTCH_2026", "FIDE_DUTCH_2017", "FIDE_DOUBLESWISS")[chance.randrange(3)]
        ),
    )
    record = kinds[chance.randrange(len(kinds))]()
    # The first of several declarations counts, so this one goes to the front.
    return [record, *records] if record is not None else records


_RECORD_CHANGES: tuple[Callable[[list[Record], Random], list[Record]], ...] = (
    _pair_afresh, _pair_afresh, _another_result, _other_colours, _everybody_away, _other_numbers, _another_player,
    _another_record, _another_record,
)  # fmt: skip
