"""Lists of players of other programs: a small file of invented people each, its values as read, and
the table in docs/.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Final

import pytest

from tournaments.lists.imports.reading import Reading, read_list

from .files import xlsx

FILES: Final = Path(__file__).parent / "programs"
GOLDEN: Final = FILES / "expected.json"
DOCUMENT: Final = Path(__file__).parents[4] / "docs/developer/rating-lists.md"
BEGIN, END = "<!-- programs: this table is written by a test -->", "<!-- end of programs -->"
PROGRAMS: Final = {
    "swiss_manager.csv": "Swiss-Manager, English",
    "swiss_manager_german.txt": "Swiss-Manager, German",
    "chess_results.tsv": "chess-results, workbook",
    "swiss_chess.txt": "Swiss-Chess",
    "vega.csv": "Vega",
    "vega_archive.csv": "Vega, archive",
    "tornelo.csv": "Tornelo",
    "lichess.csv": "Lichess, Swiss",
    "papi.csv": "Papi, list",
    "sharly_chess.csv": "Sharly Chess, registrations",
    "us_entries.csv": "entries of a US event",
    "google_forms.csv": "Google Forms, French",
    "helloasso.csv": "HelloAsso",
}
"""The files with their programs; a workbook is kept as text with tabs."""
LEFT_OUT: Final = frozenset({"line", "source", "paid_in_full"})


def read(name: str) -> Reading:
    data = (FILES / name).read_bytes()
    if name.endswith(".tsv"):
        data = xlsx([line.split("\t") for line in data.decode().splitlines()])
    return read_list(data)


def players(name: str) -> list[dict[str, object]]:
    """Return the players without their empty fields."""
    return [
        {field: value for field, value in asdict(row).items() if value and field not in LEFT_OUT}
        for row in read(name).rows
    ]


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_players_of_each_list_are_read(name: str) -> None:
    assert players(name) == json.loads(GOLDEN.read_text(encoding="utf-8"))[name]
    assert read(name).doubtful == []


def test_every_file_is_of_a_program() -> None:
    assert {path.name for path in FILES.iterdir()} == {*PROGRAMS, GOLDEN.name}


def written_table() -> str:
    lines = ["| list of | read | not read | the program asks for |", "| --- | --- | --- | --- |"]
    for name, program in PROGRAMS.items():
        kept = list(dict.fromkeys(field for player in players(name) for field in player))
        unused = read(name).unused
        lost = [heading for _, heading, reason in unused if reason.code != "csv.column_asks"]
        doubtful = [heading for _, heading, reason in unused if reason.code == "csv.column_asks"]
        cells = ([field.replace("_", " ") for field in kept], lost, doubtful)
        shown = [", ".join(each) or "–" for each in cells]
        lines.append(f"| {program} | {' | '.join(shown)} |")
    return "\n".join(lines)


def test_the_table_in_the_documents_is_that_of_the_examples() -> None:
    table = DOCUMENT.read_text(encoding="utf-8").partition(BEGIN)[2].partition(END)[0]
    assert table.strip() == written_table()


def write() -> None:
    """Write what is read of each list, and the table in the documents, after a change."""
    found = {name: players(name) for name in PROGRAMS}
    GOLDEN.write_text(
        json.dumps(found, ensure_ascii=False, indent=1, sort_keys=True) + "\n", encoding="utf-8"
    )
    before, _, rest = DOCUMENT.read_text(encoding="utf-8").partition(BEGIN)
    DOCUMENT.write_text(
        f"{before}{BEGIN}\n\n{written_table()}\n\n{END}{rest.partition(END)[2]}", encoding="utf-8"
    )
