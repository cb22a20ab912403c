"""What the pages must show of the numbers in the report file."""

from __future__ import annotations

from typing import Any, Final

from .reckoning import Line, cells_of, points_after, points_before, virtual_in
from .report_file import ReportFile

SHORT: Final = {
    "1": "1",
    "=": "½",
    "0": "0",
    "W": "1*",
    "D": "½*",
    "L": "0*",
    "+": "+",
    "-": "−",
    "?": "?",
}
"""A game in the crosstable."""


def shown_in(public: ReportFile, number: int) -> list[object]:
    """Return the numbers on the page of round *number*:
    of each player points, virtual points, and games or bye.
    """
    return [
        (
            points_before(public, tpn, number),
            virtual_in(public, tpn, number),
            cells_of(public, tpn, number),
        )
        for tpn in public.players
    ]


def shown_of_player(public: ReportFile, tpn: int, over: int, line: Line | None) -> object:
    """Return what the page of a player must show: the place,
    and of each round the game and the points after it.
    """
    rounds = range(1, over + 1)
    place = (line.rank, line.points) if line else None
    return place, [
        (cells_of(public, tpn, number), points_after(public, tpn, number)) for number in rounds
    ]


def cell_in_crosstable(public: ReportFile, tpn: int, number: int) -> str | None:
    """Return a game as the crosstable shows it; None for a bye."""
    cells = cells_of(public, tpn, number)
    if cells[0].opponent is None:
        return None
    return f"{cells[0].opponent}{cells[0].colour}" + "·".join(
        SHORT[cell.result or "?"] for cell in cells
    )


def first_difference(found: list[Any], expected: list[Any]) -> str:
    """Return the first lines that differ."""
    differing = [pair for pair in zip(found, expected, strict=False) if pair[0] != pair[1]]
    return (
        f"{differing[0][0]}, computed {differing[0][1]}"
        if differing
        else f"{len(found)} lines, not {len(expected)}"
    )
