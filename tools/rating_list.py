"""``python -m tools.rating_list FILE``: write an invented rating list in a format of FIDE,
for tests and benchmarks.

The same arguments give the same bytes. The names are put together from syllables and belong to
nobody; their frequency falls as in a real list, so that some surnames have thousands of bearers and
most a few.
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Final, TextIO

BEGIN: Final = (
    "b",
    "br",
    "ch",
    "d",
    "f",
    "g",
    "h",
    "j",
    "k",
    "kr",
    "l",
    "m",
    "n",
    "p",
    "r",
    "s",
    "st",
    "t",
    "v",
    "z",
)
VOWEL: Final = ("a", "e", "i", "o", "u", "ai", "é", "ö", "ia")
END: Final = ("", "", "n", "r", "s", "l", "ł", "nd", "ck", "v")
FEDERATIONS: Final = (
    "FRA",
    "GER",
    "IND",
    "ESP",
    "POL",
    "ITA",
    "RUS",
    "USA",
    "ENG",
    "NED",
    "HUN",
    "CZE",
    "BRA",
    "IRI",
)
TITLES: Final = ("",) * 190 + ("GM", "IM", "IM", "FM", "FM", "FM", "CM", "WGM", "WIM", "WFM")
SURNAMES: Final = 60_000
FIRST_NAMES: Final = 3_000
HEADER: Final = (
    f"{'ID Number':<15}{'Name':<61}Fed Sex Tit  WTit OTit           FOA "
    "SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag"
)


@dataclass(frozen=True, slots=True)
class Invented:
    """One player of the list; a rating of 0 is none."""

    fide_id: int
    name: str
    federation: str
    sex: str
    title: str
    standard: int
    rapid: int
    blitz: int
    birth_year: int
    flag: str


def invented(rows: int, seed: int = 1) -> Iterator[Invented]:
    """Yield *rows* players in the order of their FIDE IDs, the same ones for the same *seed*."""
    draw = random.Random(seed)  # noqa: S311 - not a secret
    surnames, first_names = _names(draw, SURNAMES, 2), _names(draw, FIRST_NAMES, 2)
    by_surname, by_first = (
        list(accumulate(1 / (5 + n) for n in range(len(names))))
        for names in (surnames, first_names)
    )
    fide_id = 100_000
    for _ in range(rows):
        fide_id += draw.randint(1, 30)
        surname = draw.choices(surnames, cum_weights=by_surname)[0]
        first = " ".join(
            draw.choices(first_names, cum_weights=by_first, k=draw.choice((1, 1, 1, 2)))
        )
        standard = draw.choice((0, draw.randint(1400, 2400)))
        yield Invented(
            fide_id=fide_id,
            name=f"{surname}, {first}",
            federation=draw.choice(FEDERATIONS),
            sex=draw.choice("MMMMF"),
            title=draw.choice(TITLES),
            standard=standard,
            rapid=draw.choice((0, 0, draw.randint(1400, 2400))),
            blitz=draw.choice((0, 0, draw.randint(1400, 2400))),
            birth_year=draw.randint(1940, 2019),
            flag=draw.choice(("", "", "i")),
        )


def _names(draw: random.Random, count: int, syllables: int) -> list[str]:
    """Return *count* different names; every thirtieth has a hyphen."""
    names: dict[str, None] = {}
    while len(names) < count:
        parts = (draw.choice(BEGIN) + draw.choice(VOWEL) for _ in range(draw.randint(1, syllables)))
        name = (
            "".join(parts) + draw.choice(BEGIN) + draw.choice(VOWEL) + draw.choice(END)
        ).capitalize()
        if len(names) > 100 and len(names) % 30 == 0:
            name += "-" + draw.choice(BEGIN).capitalize() + draw.choice(VOWEL) + draw.choice(END)
        names[name] = None
    return list(names)


def write_xml(file: TextIO, rows: Iterator[Invented]) -> None:
    """Write *rows* like ``players_list_xml_foa.xml``."""
    file.write('<?xml version="1.0" encoding="UTF-8"?>\n<playerslist>\n')
    for row in rows:
        file.write(
            f"<player>\n<fideid>{row.fide_id}</fideid>\n<name>{row.name}</name>\n<country>{row.federation}</country>\n"
            f"<sex>{row.sex}</sex>\n<title>{row.title}</title>\n<w_title></w_title>\n<o_title></o_title>\n"
            f"<foa_title></foa_title>\n<rating>{row.standard or ''}</rating>\n<games>0</games>\n<k>20</k>\n"
            f"<rapid_rating>{row.rapid or ''}</rapid_rating>\n<rapid_games></rapid_games>\n<rapid_k></rapid_k>\n"
            f"<blitz_rating>{row.blitz or ''}</blitz_rating>\n<blitz_games></blitz_games>\n<blitz_k></blitz_k>\n"
            f"<birthday>{row.birth_year}</birthday>\n<flag>{row.flag}</flag>\n</player>\n"
        )
    file.write("</playerslist>\n")


def write_text(file: TextIO, rows: Iterator[Invented]) -> None:
    """Write *rows* like ``players_list_foa.txt``: columns of fixed width under their headings."""
    file.write(HEADER + "\n")
    for row in rows:
        ratings = "".join(
            f"{value or '':<6}{'':<4}{'':<3}" for value in (row.standard, row.rapid, row.blitz)
        )
        file.write(
            f"{row.fide_id:<15}{row.name:<61}{row.federation} "
            f"{row.sex:<4}{row.title:<5}{'':<5}{'':<15}{'':<4}{ratings}"
            f"{row.birth_year:<6}{row.flag}\n"
        )


def write_csv(file: TextIO, rows: Iterator[Invented]) -> None:
    """Write *rows* like the list of a federation, with its own identifiers."""
    writer = csv.writer(file, delimiter=";")
    writer.writerow(
        [
            "Code",
            "Nom",
            "Prénom",
            "Code FIDE",
            "Fed",
            "Sexe",
            "Elo",
            "Rapide",
            "Blitz",
            "Né le",
            "Club",
        ]
    )
    for row in rows:
        last, _, first = row.name.partition(", ")
        ratings = (row.standard or "", row.rapid or "", row.blitz or "")
        writer.writerow(
            [
                f"N{row.fide_id}",
                last,
                first,
                row.fide_id,
                row.federation,
                row.sex,
                *ratings,
                row.birth_year,
                "Mate",
            ]
        )


WRITERS: Final[dict[str, Callable[[TextIO, Iterator[Invented]], None]]] = {
    "xml": write_xml,
    "txt": write_text,
    "csv": write_csv,
}


def main(arguments: list[str]) -> int:
    """Write the file; packed if its name ends in ``.zip``, in the format that the name ends in."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.rating_list", description="Write an invented rating list."
    )
    parser.add_argument(
        "file", type=Path, help="such as list.xml, list.txt, list.csv or list.xml.zip"
    )
    parser.add_argument("--rows", type=int, default=1_500_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    path: Path = options.file
    packed = path.suffix == ".zip"
    plain = path.with_suffix("") if packed else path
    if plain.suffix[1:] not in WRITERS:
        parser.error(
            f"the name of the file must end in one of {', '.join(WRITERS)}, or in one of them and .zip"
        )
    with plain.open("w", encoding="utf-8", newline="" if plain.suffix == ".csv" else "\n") as file:
        WRITERS[plain.suffix[1:]](file, invented(options.rows, options.seed))
    if packed:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.write(plain, plain.name)
        plain.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
