"""Every known list: a small file of invented people, its values as read, and the table in docs/."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from datetime import date
from pathlib import Path

import pytest

from tests.tournaments.lists.imports.files import xlsx
from tournaments.core.dbf import write_dbf
from tournaments.core.errors import BadInput
from tournaments.lists.rating_lists.adapters import ADAPTERS
from tournaments.lists.rating_lists.loading import problem_of
from tournaments.lists.rating_lists.opening import OpenList, open_list
from tournaments.lists.rating_lists.rows import RATES_OF_PLAY, Faults, Row

from .conftest import Load

FILES = Path(__file__).parent / "files"
GOLDEN = FILES / "expected.json"
DOCUMENT = Path(__file__).parents[4] / "docs/developer/rating-lists.md"
BEGIN, END = "<!-- lists: this table is written by a test -->", "<!-- end of lists -->"
HEADS = b"Relatienummer;Naam;Titel;FED;Rating;Nv;Geboren;S\r\n"
FIXTURES = {
    identifier: next(
        path for path in sorted(FILES.iterdir()) if path.stem.partition("-")[0] == identifier
        and path.name != "dsb-vereine.csv"
    )
    for identifier in ADAPTERS
}  # fmt: skip


def read(path: Path, name: str = "") -> tuple[OpenList, list[Row], Faults]:
    faults = Faults()
    with open_list(path, name or path.name) as opened:
        return opened, list(opened.rows(faults)), faults


def described(rows: list[Row]) -> list[dict[str, object]]:
    """Return the players without their empty fields."""
    return [{name: value for name, value in row._asdict().items() if value} for row in rows]


def table_of(path: Path) -> list[list[str]]:
    text = path.read_bytes().decode(ADAPTERS[path.stem.partition("-")[0]].encoding)
    separator = next(each for each in ("\t", ";", ",") if each in text.splitlines()[-1])
    return list(csv.reader(io.StringIO(text.lstrip("\ufeff")), delimiter=separator))


@pytest.mark.parametrize("identifier", ADAPTERS)
def test_each_list_is_recognised_and_read(identifier: str) -> None:
    opened, rows, faults = read(FIXTURES[identifier])
    assert opened.adapter is ADAPTERS[identifier]
    assert (faults.found, faults.assumed, faults.remark) == ([], None, None)
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert described(rows) == golden[identifier]


@pytest.mark.parametrize("identifier", ["jcf", "nzcf", "lok", "ucf", "mcf"])
def test_a_list_is_the_same_as_a_workbook(identifier: str, tmp_path: Path) -> None:
    path = tmp_path / "list.xlsx"
    path.write_bytes(xlsx([["Legend"], ["see the next sheet"]], table_of(FIXTURES[identifier])))
    _, expected, _ = read(FIXTURES[identifier])
    opened, rows, _ = read(path)
    assert opened.adapter is ADAPTERS[identifier]
    assert rows == expected


@pytest.mark.costly
def test_a_large_workbook_is_read_and_one_that_unpacks_too_far_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "list.xlsx"
    rows = [
        [f"N{number}", f"Kogane {number:05}", "", 20, 1500 + number % 900]
        for number in range(6_000)
    ]
    path.write_bytes(xlsx([["ID", "Name", "Kanji", "ST-K", "ST", "ST-G", "RP-K", "RP"], *rows]))
    assert len(read(path)[1]) == 6_000
    with (
        zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive,
        archive.open("xl/worksheets/sheet2.xml", "w") as part,
    ):
        for _ in range(310):
            part.write(b" " * 1_000_000)
    with pytest.raises(BadInput, match="too large"):
        read(path)


def test_a_workbook_is_read_to_its_last_row_whatever_size_it_declares(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Each blank row before the last one is made, up to the limit.
    monkeypatch.setattr("tournaments.lists.rating_lists.tables.MAX_ROWS", 10_000)
    path = tmp_path / "list.xlsx"
    made = io.BytesIO(xlsx(table_of(FIXTURES["jcf"])))
    with zipfile.ZipFile(made) as archive, zipfile.ZipFile(path, "w") as changed:
        for name in archive.namelist():
            part = archive.read(name)
            if name.startswith("xl/worksheets/"):
                part = re.sub(rb'<dimension ref="[^"]*"', b'<dimension ref="A1"', part)
                part = part.replace(b"</sheetData>", b'<row r="9999999999"/></sheetData>')
            changed.writestr(name, part)
    assert read(path)[1] == read(FIXTURES["jcf"])[1]


def test_a_workbook_above_the_limit_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "list.xlsx"
    path.write_bytes(xlsx(table_of(FIXTURES["jcf"])))
    monkeypatch.setattr("tournaments.lists.rating_lists.tables.MAX_WORKBOOK", 1_000)
    with pytest.raises(BadInput, match="too large"):
        read(path)


@pytest.mark.parametrize("is_packed", [False, True])
def test_a_list_whose_first_letters_are_pk_is_no_archive(tmp_path: Path, is_packed: bool) -> None:
    """PKZ is the number of a player of the DSB."""
    data = "PKZ,Name,Rating\n10001,Feldmann Ida,1850\n"
    path = tmp_path / "list"
    if is_packed:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("list.csv", data)
    else:
        path.write_text(data)
    _, (row,), _ = read(path, "list.csv")
    assert (row.name, row.standard) == ("Feldmann Ida", 1850)


def test_the_list_of_us_chess_is_the_same_as_a_dbase_file(tmp_path: Path) -> None:
    head, *records = table_of(FIXTURES["us_chess"])
    path = tmp_path / "TARATSUP.DBF"
    data = write_dbf(
        [(name, 30) for name in head],
        [dict(zip(head, record, strict=False)) for record in records],
        date(2026, 11, 28),
    )
    path.write_bytes(data)
    _, expected, _ = read(FIXTURES["us_chess"])
    assert read(path)[1] == expected
    path.write_bytes(data[:-60])
    with pytest.raises(BadInput, match="Line 2: the last line is incomplete"):
        read(path)


def test_the_archive_of_the_dsb_gives_the_names_of_the_clubs(tmp_path: Path) -> None:
    path = tmp_path / "LV-0-csv.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(FIXTURES["dsb"], "spieler.csv")
        archive.write(FILES / "dsb-vereine.csv", "vereine.csv")
        archive.writestr("verbaende.csv", "Verband,Name\r\nB,Baden\r\n")
    opened, rows, _ = read(path)
    assert opened.adapter is ADAPTERS["dsb"]
    # Each player once, with the club of the active membership.
    assert [(row.name, row.club) for row in rows] == [
        ("Köhlbrand, Jürg", "Springer Niederlind 1921, e. V."),
        ("Süßmann, Line", "Springer Niederlind 1921, e. V."),
        ("Gastmann, Ove", "Turm Öhe"),
    ]


@pytest.mark.parametrize(
    "identifier, name, rate",
    [
        ("knsb", "KLASSIEK.csv", "standard"),
        ("knsb", "RAPID.csv", "rapid"),
        ("knsb", "SNEL.csv", "blitz"),
        ("chessa", "ratings_blitz.csv", "blitz"),
        ("lok", "rapid_lok_sm_cz.txt", "rapid"),
        ("oesb", "oesbr2026.LST", "rapid"),
    ],
)
def test_the_name_of_a_file_with_one_rating_says_its_rate(
    identifier: str, name: str, rate: str
) -> None:
    opened, rows, _ = read(FIXTURES[identifier], name)
    assert opened.rate == rate
    assert [each for each in RATES_OF_PLAY if any(getattr(row, each) for row in rows)] == [rate]


@pytest.mark.django_db
def test_a_known_list_names_its_federation_and_refuses_another(load: Load) -> None:
    data = FIXTURES["knsb"].read_bytes()
    row = load(data, "RAPID.csv")
    assert (row.state, row.federation, row.rate) == ("loaded", "NED", "rapid")
    refused = load(data, "RAPID.csv", federation="FRA")
    assert refused.state == "failed"
    assert problem_of(refused) == (
        "This is the list of NED (KNSB), not of FRA. Enter NED, or choose another file."
    )


@pytest.mark.parametrize("identifier", ["ecf", "knsb", "dsu", "ffe", "us_chess"])
@pytest.mark.parametrize("kind", ["utf-16", "utf-8-sig", "old Mac", "blank lines"])
def test_a_list_is_the_same_in_another_encoding_and_with_other_line_ends(
    identifier: str, kind: str, tmp_path: Path
) -> None:
    path = FIXTURES[identifier]
    text = path.read_bytes().decode(ADAPTERS[identifier].encoding).lstrip("\ufeff")
    lines = text.splitlines()
    data = {
        "utf-16": text.encode("utf-16"),
        "utf-8-sig": text.encode("utf-8-sig"),
        "old Mac": "\r".join([*lines, ""]).encode(ADAPTERS[identifier].encoding),
        "blank lines": "\n\n".join(["", *lines, ""]).encode(),
    }[kind]
    changed = tmp_path / path.name
    changed.write_bytes(data)
    opened, rows, faults = read(changed)
    assert opened.adapter is ADAPTERS[identifier]
    assert (rows, faults.found) == (read(path)[1], [])


@pytest.mark.django_db
@pytest.mark.parametrize(
    "data, problem",
    [
        (b"<!DOCTYPE html><html><body>Log in</body></html>", "This is a web page, not a list"),
        (b"<html><head><title>404</title></head></html>", "This is a web page, not a list"),
        (
            HEADS.replace(b";", b",") + b"100;Duinstra, Mo;;NED;1800;10;1990;\r\n",
            "No player in the file has a rating.",
        ),
        (HEADS, "The file contains no players"),
    ],
)
def test_what_is_no_list_says_what_it_is(load: Load, data: bytes, problem: str) -> None:
    row = load(data, "list.csv", federation="")
    assert row.state == "failed"
    assert problem in problem_of(row)


@pytest.mark.django_db
@pytest.mark.parametrize("identifier", [each for each in ADAPTERS if each != "fide"])
def test_a_file_that_is_cut_off_says_so(load: Load, identifier: str) -> None:
    """Within the second cell of the last line."""
    data = FIXTURES[identifier].read_bytes().rstrip(b"\r\n")
    last = data.rfind(b"\n") + 1
    row = load(data[: last + 12], FIXTURES[identifier].name, federation="")
    assert row.state == "failed" or (identifier == "icu" and row.left_out)
    assert (
        "incomplete" in problem_of(row)
        or "columns" in problem_of(row)
        or (
            # The layout of several federations
            identifier == "swiss_manager" and "Enter the federation" in problem_of(row)
        )
    )


def kept(identifier: str) -> list[str]:
    """Return the fields that the players of the example have."""
    rows = json.loads(GOLDEN.read_text(encoding="utf-8"))[identifier]
    return [name for name in Row._fields if any(row.get(name) for row in rows)]


def lost(identifier: str) -> list[str]:
    """Return the headings of the example whose cells are not read."""
    opened, _, _ = read(FIXTURES[identifier])
    return opened.reading.recognised.unused if opened.reading else []


def written_table() -> str:
    lines = [
        "| list | whose | where | ratings | kept besides | not read |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    figures = {
        f"{before}{rate}{after}"
        for rate in RATES_OF_PLAY
        for before in ("", "fide_")
        for after in ("", "_k", "_games")
    }
    for identifier, adapter in ADAPTERS.items():
        fields = kept(identifier)
        ratings = [
            name.replace("_", " ")
            for name in fields
            if name in figures and not name.endswith(("_k", "_games"))
        ]
        if adapter.rates:
            ratings = [" or ".join(["standard", *adapter.rates]) + " (one in each file)"]
            ratings += ["fide standard"] if "fide_standard" in adapter.columns else []
        besides = [name.replace("_", " ") for name in fields if name not in figures]
        besides += ["K, games"] if "standard_k" in fields else []
        where = adapter.where + (f"; {adapter.published}" if adapter.published else "")
        whose = adapter.federation or ("FIDE" if adapter.is_fide else "as entered")
        cells = (
            adapter.name, whose, where, ", ".join(ratings),
            ", ".join(besides), ", ".join(lost(identifier)) or "–",
        )  # fmt: skip
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def test_the_table_in_the_documents_is_that_of_the_examples() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    table = text.partition(BEGIN)[2].partition(END)[0]
    assert table.strip() == written_table()


def write() -> None:
    """Write what is read of each example, and the table in the documents, after a change."""
    found = {identifier: described(read(FIXTURES[identifier])[1]) for identifier in ADAPTERS}
    GOLDEN.write_text(
        json.dumps(found, ensure_ascii=False, indent=1, sort_keys=True) + "\n", encoding="utf-8"
    )
    text = DOCUMENT.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    DOCUMENT.write_text(
        f"{before}{BEGIN}\n\n{written_table()}\n\n{END}{rest.partition(END)[2]}", encoding="utf-8"
    )
