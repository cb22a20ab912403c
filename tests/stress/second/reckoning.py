"""Compute points, floats, the order of the boards and the standings from a report file.

Points are tenths. A round of Double-Swiss is a match, as on the pages: rounds 2k−1 and 2k of the
file.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass

from .report_file import Cell, ReportFile
from .table import Round, Table
from .tie_breaks import PLACES, column, place_in_direct_encounter

OF_RATINGS = ("ARO", "TPR", "PTP", "APRO", "APPO", "RTNG")
"""Tie-breaks that cannot be used if somebody has no rating [C.07 10]."""


@dataclass(frozen=True)
class Line:
    """A line of the standings; a value is None if the tie-break says nothing about the player."""

    tpn: int
    rank: int
    points: int
    values: tuple[float | None, ...]


@dataclass(frozen=True)
class Standings:
    codes: tuple[str, ...]
    left_out: tuple[str, ...]
    lines: tuple[Line, ...]


def rounds_in(file: ReportFile) -> int:
    """Return the number of rounds that the file has columns for, in rounds of the event."""
    most = max((len(player.cells) for player in file.players.values()), default=0)
    return -(-most // file.games)


def cells_of(file: ReportFile, tpn: int, number: int) -> list[Cell]:
    """Return the cells of the player in round *number* of the event;
    an empty column is an absence.
    """
    cells = file.players[tpn].cells
    absent = Cell(None, "", "Z")
    first = (number - 1) * file.games
    found = [cells[at] if at < len(cells) else absent for at in range(first, first + file.games)]
    return [cell if cell.opponent or cell.result else absent for cell in found]


def points_in(file: ReportFile, tpn: int, number: int) -> int:
    """Return the points of one round; an open or adjourned game has given none."""
    cells = cells_of(file, tpn, number)
    if cells[0].result == "U":
        return file.points["U"]
    return sum(file.points.get(cell.result, 0) for cell in cells)


def points_after(file: ReportFile, tpn: int, number: int) -> int:
    """Return the points after round *number*, with the point adjustments up to it."""
    made = sum(points_in(file, tpn, n) for n in range(1, number + 1))
    return made + sum(points for who, n, points in file.changes if who == tpn and n <= number)


def points_before(file: ReportFile, tpn: int, number: int) -> int:
    """Return the points with which round *number* is paired:
    an adjourned game counts as a draw there [C.04.2 3.1].
    """
    cells = [cell for n in range(1, number) for cell in cells_of(file, tpn, n)]
    return points_after(file, tpn, number - 1) + file.points["="] * sum(
        cell.result == "?" for cell in cells
    )


def virtual_in(file: ReportFile, tpn: int, number: int) -> int:
    return file.virtual.get((tpn, (number - 1) * file.games + 1), 0)


def opponent_in(file: ReportFile, tpn: int, number: int) -> int | None:
    return cells_of(file, tpn, number)[0].opponent


def boards_of(file: ReportFile, number: int) -> list[tuple[int, int]]:
    """Return (White, Black) of each board of the round,
    in the order of their publication [C.04.2 3.6].
    """
    pairs = []
    scores = {
        tpn: points_before(file, tpn, number) + virtual_in(file, tpn, number)
        for tpn in file.players
    }
    for tpn in file.players:
        cell = cells_of(file, tpn, number)[0]
        if cell.opponent and cell.colour == "w":
            pairs.append((tpn, cell.opponent))

    def place(pair: tuple[int, int]) -> tuple[int, int, int]:
        one, other = scores[pair[0]], scores[pair[1]]
        higher = min(pair, key=lambda tpn: (-scores[tpn], tpn))
        return -max(one, other), -(one + other), higher

    return sorted(pairs, key=place)


def byes_of(file: ReportFile, number: int) -> dict[int, str]:
    """Return the players of the file without a game in the round: TPN → letter."""
    cells = {tpn: cells_of(file, tpn, number)[0] for tpn in file.players}
    return {tpn: cell.result for tpn, cell in cells.items() if cell.opponent is None}


def standings(file: ReportFile, after: int) -> Standings:
    """Return the standings after round *after*, tied players in order of number."""
    table = _table(file, after)
    codes = [code for code in file.codes if code != "PTS"]
    played = [
        tpn for tpn, row in table.rows.items() if any(one.opponent and one.is_played for one in row)
    ]
    unrated = not all(
        table.ratings[tpn] for tpn in played
    )  # Who never played is in no tie-break by rating.
    left_out = tuple(code for code in codes if unrated and code.split("/")[0] in OF_RATINGS)
    used = tuple(code for code in codes if code not in left_out)
    expelled = _numbers(file.comments, r"Expelled @ Round \d+: TPN (.*)")
    tpns = [tpn for tpn in file.players if tpn not in expelled]
    total = {tpn: points_after(file, tpn, after) for tpn in tpns}
    groups = _split([tpns], {tpn: -total[tpn] for tpn in tpns})
    values: list[dict[int, float | None]] = []
    for code in used:
        if code in PLACES:
            found: dict[int, float | None] = {}
            for group in groups:
                if len(group) > 1:
                    found |= place_in_direct_encounter(table, group, forfeits=code == "DE/P")
        else:
            found = column(table, code)
        values.append(found)
        smallest_is_best = code in PLACES or code == "TPN" or code == "RTNG/R"
        merits = {tpn: _merit(found.get(tpn), smallest_is_best) for tpn in tpns}
        groups = _split(groups, merits)
    lines = []
    for group, ranks in _ranked(file, groups, after):
        for tpn, rank in zip(group, ranks, strict=True):
            lines.append(Line(tpn, rank, total[tpn], tuple(one.get(tpn) for one in values)))
    return Standings(used, left_out, tuple(lines))


def _merit(value: float | None, smallest_is_best: bool) -> float:
    if value is None:
        return float("inf")
    return value if smallest_is_best else -value


def _split(
    groups: Iterable[list[int]], merits: dict[int, float] | dict[int, int]
) -> list[list[int]]:
    return [
        sorted(tpn for tpn in group if merits[tpn] == merit)
        for group in groups
        for merit in sorted({merits[tpn] for tpn in group})
    ]


def _ranked(
    file: ReportFile, groups: list[list[int]], after: int
) -> Iterable[tuple[list[int], list[int]]]:
    """Yield each group with the ranks: shared, unless lots or the
    Chief Arbiter decided after the last round.
    """
    is_last = after * file.games == file.rounds
    seed = next(
        (match[1] for text in file.comments if (match := re.search(r"^Lots .*seed: (\S+)", text))),
        "",
    )
    decided = _numbers(file.comments, r"Order of tied players @ Round \d+: TPN (.*), C\.07")
    rank = 1
    for group in groups:
        ranks = [rank] * len(group)
        if is_last and len(group) > 1 and set(group) <= set(decided):
            group, ranks = sorted(group, key=decided.index), [rank + n for n in range(len(group))]
        elif is_last and len(group) > 1 and seed:
            group = sorted(
                group, key=lambda tpn: hashlib.sha256(f"{seed}:{tpn}".encode()).hexdigest()
            )
            ranks = [rank + n for n in range(len(group))]
        yield group, ranks
        rank += len(group)


def _numbers(comments: list[str], pattern: str) -> list[int]:
    return [
        int(n)
        for text in comments
        if (found := re.match(pattern, text))
        for n in re.findall(r"\d+", found[1])
    ]


def _table(file: ReportFile, after: int) -> Table:
    """Return the rounds up to *after* as C.07 counts them; a match is one round with one result."""
    games = file.games
    rows = {}
    for tpn in file.players:
        row = []
        for number in range(1, after + 1):
            cell, points = cells_of(file, tpn, number)[0], points_in(file, tpn, number)
            result = _of_match(file, tpn, number) if games == 2 and cell.opponent else cell.result
            row.append(Round(cell.opponent, cell.colour, result, points))
        rows[tpn] = row
    bonuses = {tpn: [0] * after for tpn in file.players}
    for tpn, number, points in file.changes:
        if number <= after:
            bonuses[tpn][number - 1] += points
    worth = (file.points["1"] * games, file.points["="] * games, file.points["0"] * games)
    return Table(
        rows,
        bonuses,
        *worth,
        after,
        file.tie_break_ratings(),
        caps_dummies=file.edition != "fide-2024",
    )


def _of_match(file: ReportFile, tpn: int, number: int) -> str:
    """Return the result of a match by the points of its games;
    forfeited only if one player forfeited both games.
    """
    own = "".join(cell.result for cell in cells_of(file, tpn, number))
    opponent = opponent_in(file, tpn, number)
    assert opponent is not None
    theirs = "".join(cell.result for cell in cells_of(file, opponent, number))
    if own == "--":
        return "-"
    if theirs == "--":
        return "+"
    if len(own) < 2 or "?" in own:
        return "?"
    mine, other = points_in(file, tpn, number), points_in(file, opponent, number)
    return "1" if mine > other else "=" if mine == other else "0"
