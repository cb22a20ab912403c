"""Read a tournament report file: the columns of the players,
and the few records that change a number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

LETTERS = {"W": "1W+F", "D": "=DH", "L": "0L", "A": "Z-", "P": "U"}
"""Record 162: the results that each symbol gives points to."""
STANDARD = dict.fromkeys("1W+FU", 10) | dict.fromkeys("=DH", 5) | dict.fromkeys("0LZ-", 0)


class Cell(NamedTuple):
    """A game or a bye in one round of the file; ``result`` is empty if the file has none."""

    opponent: int | None
    colour: str
    result: str


@dataclass(frozen=True)
class Player:
    """A line 001, points in tenths; ``rating`` is the FIDE rating."""

    tpn: int
    name: str
    rating: int
    points: int
    rank: int | None
    cells: list[Cell]


@dataclass
class ReportFile:
    """The data of the file. Rounds are those of the file: in Double-Swiss two for each match."""

    players: dict[int, Player] = field(default_factory=dict)
    rounds: int = 0
    system: str = ""
    codes: list[str] = field(default_factory=list)
    edition: str = ""
    points: dict[str, int] = field(default_factory=lambda: dict(STANDARD))
    virtual: dict[tuple[int, int], int] = field(default_factory=dict)
    """(TPN, round) → virtual points."""
    changes: list[tuple[int, int, int]] = field(default_factory=list)
    """(TPN, round, points) of the point adjustments."""
    byes_to_come: dict[tuple[int, int], str] = field(default_factory=dict)
    national: dict[int, int] = field(default_factory=dict)
    method: str = ""
    comments: list[str] = field(default_factory=list)

    @property
    def is_of_matches(self) -> bool:
        return "DOUBLESWISS" in self.system

    @property
    def games(self) -> int:
        return 2 if self.is_of_matches else 1

    def ratings(self) -> dict[int, int] | None:
        """Return the ratings that rank the players, 0 for none;
        None if the file does not say how they were chosen.
        """
        if self.method == "OTHER":
            return None
        chosen = {
            tpn: self._rating_of(player.rating, self.national.get(tpn, 0))
            for tpn, player in self.players.items()
        }
        for text in self.comments:
            if found := re.match(r"Rating of TPN (\d+): (\d+), (estimate|second)", text):
                chosen[int(found[1])] = int(found[2])
        return chosen

    def tie_break_ratings(self) -> dict[int, int]:
        """Return the ratings of the tie-breaks: FIDE, else national,
        else in a comment; 0 for none.
        """
        hit = (re.match(r"Rating of TPN (\d+): (\d+)", text) for text in self.comments)
        commented = {int(found[1]): int(found[2]) for found in hit if found}
        return {
            tpn: player.rating or self.national.get(tpn, 0) or commented.get(tpn, 0)
            for tpn, player in self.players.items()
        }

    def _rating_of(self, fide: int, national: int) -> int:
        match self.method:
            case "NIDOF":
                return national or fide
            case "HBFN":
                return max(fide, national)
            case "LBFN":
                return min(fide, national) if fide and national else fide or national
            case "NRO":
                return national
            case _:
                return fide or national


def tenths(text: str) -> int:
    return round(float(text) * 10)


def read(text: str) -> ReportFile:
    """Return the content of the file."""
    file = ReportFile()
    bye_is_given = False
    for line in text.splitlines():
        code, rest = line[:3], line[4:].strip()
        match code:
            case "001":
                player = _player(line)
                file.players[player.tpn] = player
            case "142":
                file.rounds = int(rest)
            case "162":
                for symbol, points in re.findall(r"([WDLAP])\s*(\d+\.\d)", line[5:]):
                    file.points |= dict.fromkeys(LETTERS[symbol], tenths(points))
                    bye_is_given |= symbol == "P"
            case "172":
                file.method = rest.split()[-1]
            case "192":
                file.system = rest
            case "202":
                file.codes = rest.split(",")
            case "###":
                file.comments.append(rest)
                if found := re.search(r"C\.07, edition (\S+)", rest):
                    file.edition = found[1]
            case "240":
                for tpn in line[9:].split():
                    file.byes_to_come[int(tpn), int(line[6:9])] = line[4]
            case "250":
                _virtual(file, line)
            case "299":
                for tpn in line[23:].split():
                    file.changes.append((int(tpn), int(line[19:22]), tenths(line[12:17])))
            case _ if (
                re.fullmatch(r"[A-Z]{3}", code)
                and line[4:8].strip().isdigit()
                and line[48:52].strip().isdigit()
            ):
                file.national[int(line[4:8])] = int(line[48:52])
    if not bye_is_given:  # A win; in a match a win and a draw [C.04.5 1.4].
        file.points["U"] = file.points["1"] + (file.points["="] if file.is_of_matches else 0)
    return file


def _player(line: str) -> Player:
    cells = []
    for at in range(91, len(line.rstrip()), 10):
        opponent, colour, result = (
            line[at : at + 4].strip(),
            line[at + 5 : at + 6],
            line[at + 7 : at + 8],
        )
        met = int(opponent) if opponent and opponent != "0000" else None
        cells.append(Cell(met, colour if colour in ("w", "b") else "", result.strip()))
    return Player(
        tpn=int(line[4:8]),
        name=line[14:47].strip(),
        rating=int(line[48:52].strip() or 0),
        points=tenths(line[80:84]),
        rank=int(line[85:89]) if line[85:89].strip() else None,
        cells=cells,
    )


def _virtual(file: ReportFile, line: str) -> None:
    points = tenths(line[9:13].strip() or line[4:8])
    for number in range(int(line[14:17]), int(line[18:21]) + 1):
        for tpn in range(int(line[22:26]), int(line[27:31]) + 1):
            file.virtual[tpn, number] = points
