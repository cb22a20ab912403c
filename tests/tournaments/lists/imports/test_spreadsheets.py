"""Lists from Excel and OpenDocument: reading them, and files made to do harm."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from datetime import datetime
from io import BytesIO
from zipfile import ZipFile

import pytest

from tests.tournaments.lists.imports.files import archive, ods, ods_row, replaced, xlsx
from tournaments.core.errors import BadInput
from tournaments.entries.cells import ImportRow
from tournaments.lists.imports.reading import read_list
from tournaments.lists.imports.sheets import MAX_COLUMNS, MAX_ROWS, text_of
from tournaments.lists.imports.unpacking import MAX_UNPACKED

SHEET = "xl/worksheets/sheet1.xml"
TEXT = '<table:table-cell office:value-type="string"'
LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
PLAIN = xlsx([["Name", "Elo"], ["Kovar, Eva", 2011]])


def refused(data: bytes) -> BadInput:
    with pytest.raises(BadInput) as bad:
        read_list(data)
    assert str(bad.value)
    return bad.value


def cheaply(read: Callable[[], object], *, seconds: float = 3, megabytes: int = 150) -> None:
    """Run *read* and prove that it takes little time of the processor and little memory."""
    tracemalloc.start()
    begun = time.process_time()
    try:
        read()
    finally:
        spent, peak = time.process_time() - begun, tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    # Tracing slows Python down to about a third.
    assert spent < 4 * seconds
    assert peak < megabytes * 1_000_000


class TestRead:
    def test_a_workbook_below_title_lines_on_the_second_sheet(self) -> None:
        born = datetime(2001, 3, 7)  # noqa: DTZ001  a cell has no time zone
        data = xlsx(
            [["Remember to print"]],
            [
                ["Open d’automne"],
                [],
                ["Nom", "Prénom", "Elo", "Féd.", "Code FIDE", "Né le", "Club"],
                ["Moreau", "Léa\u00a0 Ann", 2105, "FRA", 612345, born, "Tour\nNoire"],
                ["Ito", "Ken", "1500 F", "JPN", 770077, 1985, None],
            ],
        )
        reading = read_list(data)
        assert (reading.sheet and reading.sheet.name, reading.doubtful, reading.source) == (
            "Second",
            [],
            "sheet",
        )
        assert reading.rows == [
            ImportRow(
                4,
                "Moreau, Léa Ann",
                612345,
                "FRA",
                club="Tour Noire",
                birth_date="2001/03/07",
                fide_rating=2105,
            ),
            ImportRow(5, "Ito, Ken", 770077, "JPN", birth_date="1985/00/00", fide_rating=1500),
        ]

    def test_other_sheets_with_players_are_named(self) -> None:
        players = [["Name", "Elo"], ["Kovar, Eva", 2011]]
        reading = read_list(xlsx(players, [["Name", "Elo"], ["Ito, Ken", 1500]], [["Notes"]]))
        assert [row.name for row in reading.rows] == ["Kovar, Eva"]
        remark = reading.file_remarks[-1]
        assert (remark.code, remark.params["others"]) == ("csv.other_sheets", "Second")

    def test_of_other_sheets_only_the_beginning_is_read(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        cells: list[object] = []

        def counted(value: object) -> str:
            cells.append(value)
            return text_of(value)

        monkeypatch.setattr("tournaments.lists.imports.xlsx.text_of", counted)
        players = [["Name", "Elo"], ["Kovar, Eva", 2011]]
        many = [["Name", "Elo"], *[[f"Ito, Ken {number}", 1500] for number in range(6_000)]]
        reading = read_list(xlsx(players, many, many))
        assert [row.name for row in reading.rows] == ["Kovar, Eva"]
        assert reading.file_remarks[-1].params["others"] == "Second, Third"
        assert len(cells) < 250

    def test_a_strict_open_xml_workbook(self) -> None:
        with ZipFile(BytesIO(PLAIN)) as zipped:
            parts = {name: zipped.read(name) for name in zipped.namelist()}
        usual = b"http://schemas.openxmlformats.org/%s/2006/"
        strict = b"http://purl.oclc.org/ooxml/%s/"
        for kind in (b"spreadsheetml", b"officeDocument"):
            parts = {
                name: part.replace(usual % kind, strict % kind) for name, part in parts.items()
            }
        assert read_list(archive(parts)).rows == read_list(PLAIN).rows

    def test_an_opendocument_list_with_blank_and_repeated_cells(self) -> None:
        date = (
            '<table:table-cell office:value-type="date" office:date-value="2001-03-07T00:00:00"/>'
        )
        note = "<office:annotation><text:p>call her</text:p></office:annotation>"
        name = f"{TEXT}>{note}<text:p>Moreau,<text:s/>Léa</text:p></table:table-cell>"
        blank = '<table:table-cell table:number-columns-repeated="2"/>'
        rows = ods_row("Name", "x", "y", "Elo", "Born") + ods_row(
            repeated='table:number-rows-repeated="3"'
        )
        reading = read_list(ods(rows + ods_row(name, blank, 2105, date)))
        assert reading.rows == [
            ImportRow(5, "Moreau, Léa", birth_date="2001/03/07", fide_rating=2105)
        ]

    def test_a_problem_names_sheet_row_and_column(self) -> None:
        (row,) = read_list(xlsx([["Name", "x", "Elo"], [], ["Ann", "", "many"]])).doubtful
        assert [str(problem) for problem in row.problems] == [
            "Sheet “Players”, row 3, column C: “many” is not a whole number (FIDE rating)."
        ]
        assert row.values == {"name": "Ann", "fide_rating": "many"}

    def test_formulas_are_not_calculated_and_one_without_a_value_is_doubtful(self) -> None:
        data = xlsx([["Name", "Elo"], ["Ann", "=1000+500"], ["Bo", 1400]])
        reading = read_list(data)
        assert [row.name for row in reading.rows] == ["Bo"]
        (row,) = reading.doubtful
        assert [(found.code, found.line, found.column) for found in row.problems] == [
            ("csv.uncalculated", 2, 2)
        ]
        stored = replaced(data, SHEET, "<v />", "<v>1500</v>")
        assert read_list(stored).rows[0] == ImportRow(2, "Ann", fide_rating=1500)

    def test_an_opendocument_formula_without_a_value_is_doubtful(self) -> None:
        formula = '<table:table-cell table:formula="of:=1+1"/>'
        stored = (
            '<table:table-cell table:formula="of:=1+1" office:value-type="float" '
            'office:value="1500"/>'
        )
        reading = read_list(
            ods(ods_row("Name", "Elo") + ods_row("Ann", formula) + ods_row("Bo", stored))
        )
        assert [(row.name, row.fide_rating) for row in reading.rows] == [("Bo", 1500)]
        assert [found.code for row in reading.doubtful for found in row.problems] == [
            "csv.uncalculated"
        ]

    @pytest.mark.parametrize("error", ["#REF!", "#N/A", "#DIV/0!", "Err:502"])
    def test_an_error_of_the_spreadsheet_is_doubtful(self, error: str) -> None:
        (row,) = read_list(xlsx([["Name", "Elo"], ["Ann", error]])).doubtful
        assert [found.code for found in row.problems] == ["csv.uncalculated"]


class TestHarmful:
    def test_a_cell_at_the_far_corner(self) -> None:
        """The smallest file whose used range has 17 thousand million cells."""
        corner = (
            '<row r="1048576"><c r="XFD1048576" '
            't="inlineStr"><is><t>x</t></is></c></row></sheetData>'
        )
        data = replaced(PLAIN, SHEET, "</sheetData>", corner)
        cheaply(lambda: refused(data))
        assert refused(data).code == "file.sheet_too_large"

    def test_a_cell_far_to_the_right(self) -> None:
        data = replaced(
            PLAIN, SHEET, "</row>", '<c r="XFD1" t="inlineStr"><is><t>x</t></is></c></row>'
        )
        cheaply(lambda: refused(data))
        found = refused(data)
        assert str(found).startswith("Sheet “Players”, row 1, column ALM: 16384 columns")

    def test_a_formatted_row_at_the_end_of_the_sheet_is_nothing(self) -> None:
        last = '<row r="1048576" hidden="1"><c r="A1048576" s="0"/></row></sheetData>'
        assert [
            row.name for row in read_list(replaced(PLAIN, SHEET, "</sheetData>", last)).rows
        ] == ["Kovar, Eva"]

    def test_a_dimension_that_is_not_true(self) -> None:
        data = replaced(PLAIN, SHEET, '<dimension ref="A1:B2"', '<dimension ref="A1:XFD1048576"')
        cheaply(lambda: read_list(data))
        assert [row.name for row in read_list(data).rows] == ["Kovar, Eva"]

    def test_a_row_number_beyond_every_sheet(self) -> None:
        far = '<row r="99999999999"><c r="A99999999999"><v>1</v></c></row></sheetData>'
        data = replaced(PLAIN, SHEET, "</sheetData>", far)
        cheaply(lambda: refused(data))

    @pytest.mark.costly
    def test_many_rows_with_a_blank_cell_at_the_end(self) -> None:
        rows = "".join(f'<row r="{n}"><c r="ZZZ{n}" s="0"/></row>' for n in range(3, 20_000))
        data = replaced(PLAIN, SHEET, "</sheetData>", rows + "</sheetData>")
        cheaply(lambda: refused(data))
        assert refused(data).code == "file.sheet_too_large"

    @pytest.mark.costly
    @pytest.mark.parametrize(
        "rows",
        [
            ods_row("Name") + ods_row("Ann", repeated='table:number-rows-repeated="1048576"'),
            ods_row("Name")
            + ods_row("Ann", repeated='table:number-rows-repeated="99999999999999999999"'),
        ],
    )
    def test_a_row_repeated_a_million_times(self, rows: str) -> None:
        cheaply(lambda: refused(ods(rows)))
        assert refused(ods(rows)).code == "csv.too_many_rows"

    def test_a_cell_repeated_a_million_times(self) -> None:
        name = f'{TEXT} table:number-columns-repeated="1048576"><text:p>Name</text:p></table:table-cell>'
        cheaply(lambda: refused(ods(ods_row(name))))
        found = refused(ods(ods_row(name)))
        assert (found.code, found.line, found.column) == (
            "csv.too_many_columns",
            1,
            MAX_COLUMNS + 1,
        )

    def test_blank_cells_and_rows_repeated_a_million_times_are_nothing(self) -> None:
        blank = '<table:table-cell table:number-columns-repeated="16384"/>'
        rows = ods_row("Name", "Elo", blank) + ods_row("Ann", 1500, blank)
        rows += ods_row(blank, repeated='table:number-rows-repeated="1048574"') + ods_row(
            "Bo", 1400
        )
        cheaply(lambda: read_list(ods(rows)))
        assert [(row.line, row.name) for row in read_list(ods(rows)).rows] == [
            (2, "Ann"),
            (1_048_577, "Bo"),
        ]

    @pytest.mark.costly
    def test_a_part_that_unpacks_to_a_gigabyte_is_counted_and_not_believed(self) -> None:
        bomb = archive({"[Content_Types].xml": "", "xl/workbook.xml": b" " * (MAX_UNPACKED + 1)})
        assert len(bomb) < 100_000
        cheaply(lambda: refused(bomb))
        assert refused(bomb).code == "file.sheet_too_large"
        # The directory at the end says that the part is small.
        size = (MAX_UNPACKED + 1).to_bytes(4, "little")
        assert refused(bomb.replace(size, (5).to_bytes(4, "little"))).code in (
            "file.sheet_too_large",
            "file.sheet_broken",
        )

    def test_millions_of_small_tags_are_refused_before_they_are_read(self) -> None:
        for data in (
            ods("<x/>" * 2_000_000),
            archive(
                {
                    "[Content_Types].xml": "",
                    "xl/workbook.xml": "",
                    "xl/sharedStrings.xml": "<x/>" * 2_000_000,
                }
            ),
        ):
            cheaply(lambda data=data: refused(data))
            assert refused(data).code == "file.sheet_too_large"

    def test_entities_are_refused(self) -> None:
        text = (
            '<table:table-cell office:value-type="string"><text:p>&b;</text:p></table:table-cell>'
        )
        assert (
            refused(ods(ods_row("Name") + ods_row(text), head=LAUGHS)).code == "file.sheet_broken"
        )
        for part, root in (
            (SHEET, "<worksheet"),
            ("xl/workbook.xml", "<workbook"),
            ("xl/styles.xml", "<styleSheet"),
        ):
            assert refused(replaced(PLAIN, part, root, LAUGHS + root)).code == "file.sheet_broken"

    @pytest.mark.costly
    def test_links_to_other_files_and_macros_are_not_unpacked(self) -> None:
        with ZipFile(BytesIO(PLAIN)) as zipped:
            parts = {name: zipped.read(name) for name in zipped.namelist()}
        bomb = b" " * (MAX_UNPACKED + 1)
        more = {
            "xl/externalLinks/externalLink1.xml": bomb,
            "xl/vbaProject.bin": bomb,
            "xl/media/a.png": bomb,
        }
        assert [row.name for row in read_list(archive(parts | more)).rows] == ["Kovar, Eva"]

    @pytest.mark.parametrize(
        "data, code",
        [
            (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 500, "file.sheet_old"),
            (b"PK\x03\x04 and nothing else", "file.sheet_broken"),
            (archive({"word/document.xml": "<x/>"}), "file.not_a_sheet"),
            (archive({"content.xml": "<x>"}), "file.sheet_broken"),
            (archive({"content.xml": ""}), "file.sheet_broken"),
            (
                archive({"[Content_Types].xml": "<x/>", "xl/workbook.xml": "<x/>"}),
                "file.sheet_broken",
            ),
            (xlsx([]), "file.empty"),
            (xlsx([["Elo", "Fed"], [1500, "FRA"]]), "csv.no_name_column"),
            (PLAIN[: len(PLAIN) // 2], "file.sheet_broken"),
        ],
        ids=[
            "xls",
            "no zip",
            "docx",
            "half",
            "empty part",
            "no workbook",
            "empty",
            "no name",
            "truncated",
        ],
    )
    def test_a_file_that_is_no_list_is_refused_with_a_sentence(
        self, data: bytes, code: str
    ) -> None:
        assert refused(data).code == code

    def test_every_byte_may_be_damaged(self) -> None:
        for place in range(0, len(PLAIN), 83):
            data = PLAIN[:place] + bytes([PLAIN[place] ^ 0x55]) + PLAIN[place + 1 :]
            try:
                read_list(data)
            except BadInput as bad:
                assert str(bad)  # noqa: PT017


@pytest.mark.costly
@pytest.mark.parametrize("rows, is_read", [(MAX_ROWS, True), (MAX_ROWS + 1, False)])
def test_a_list_of_five_thousand_players_is_read_fast(rows: int, is_read: bool) -> None:
    cells = [["Name", "Elo", "Fed", "FIDE ID"]] + [
        [f"Player {chr(65 + n % 26)}{n}", 1000 + n % 1800, "FRA", n + 100_001] for n in range(rows)
    ]
    data = xlsx(cells)
    begun = time.process_time()
    if is_read:
        assert len(read_list(data).rows) == rows
    else:
        assert refused(data).code == "csv.too_many_rows"
    assert time.process_time() - begun < 3
