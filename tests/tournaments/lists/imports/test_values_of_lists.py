"""Values that lists have in unusual forms, and values that cannot be."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.tournaments.lists.imports.files import ods, ods_row, replaced, xlsx
from tournaments.entries.cells import read_row
from tournaments.lists.imports.reading import Reading, read_list

THIS_YEAR = timezone.localdate().year


def row_of(**values: str) -> tuple[Any, list[str]]:
    """Return the participant Test, Tom with *values*, and the codes of the problems."""
    row, problems = read_row({"name": "Test, Tom"} | values)
    return row, [problem.code for problem in problems]


@pytest.mark.parametrize(
    "name, text, value",
    [
        ("fide_rating", "2,000", 2000),
        ("fide_rating", "2.000", 2000),
        ("fide_rating", "2 000", 2000),
        ("fide_rating", "1’850", 1850),
        ("fide_rating", "2000.00", 2000),
        ("fide_rating", "1,850 F", 1850),
        ("fide_rating", "n.c.", None),
        ("fide_rating", "unr.", None),
        ("fide_rating", "Non classé", None),
        ("fide_rating", "n/a", None),
        ("national_rating", "1500/12", 1500),
        ("national_rating", "1500P12", 1500),
        ("fide_id", "1.234.567", 1234567),
        ("fide_id", "'34100001'", 34100001),
        ("fide_id", "'34100001", 34100001),
        ("fide_id", '="34100001"', 34100001),
        ("federation", "FR", "FRA"),
        ("federation", "Deutschland", "GER"),
        ("federation", "Países Baixos", "NED"),
        ("sex", "Femme", "w"),
        ("sex", "männlich", "m"),
        ("sex", "K", "w"),
        ("title", "-", ""),
        ("birth_date", "2010-05-12 00:00:00", "2010/05/12"),
        ("birth_date", "2010-05-12T00:00:00Z", "2010/05/12"),
        ("birth_date", "12.05.2010 00:00", "2010/05/12"),
        ("birth_date", "12-May-2010", "2010/05/12"),
        ("birth_date", "12 mai 2010", "2010/05/12"),
        ("birth_date", "12 maja 2010", "2010/05/12"),
        ("birth_date", "20100512", "2010/05/12"),
        ("birth_date", "00.00.1975", "1975/00/00"),
        ("birth_date", "00.00.00", ""),
        ("birth_date", "1900/01/01", ""),
        ("birth_date", "0", ""),
    ],
)
def test_forms_that_are_read(name: str, text: str, value: object) -> None:
    row, problems = row_of(**{name: text})
    assert (problems, getattr(row, name)) == ([], value)


@pytest.mark.parametrize(
    "name, text, code",
    [
        ("fide_id", "1.000", "csv.fide_id_short"),
        ("fide_id", "6", "csv.fide_id_short"),
        ("fide_id", "Z56000", "csv.not_a_number"),
        ("fide_id", "11/01/1987", "csv.not_a_number"),
        ("fide_rating", "2.000,5", "csv.not_a_number"),
        ("fide_rating", "12", "csv.rating_low"),
        ("fide_rating", "2", "csv.rating_low"),
        ("national_rating", "12", "csv.rating_low"),
        ("federation", "UK", "csv.federation_meant"),
        ("birth_date", str(THIS_YEAR + 1), "csv.birth_range"),
        ("birth_date", f"01.01.{THIS_YEAR + 5}", "csv.birth_range"),
        ("birth_date", (timezone.localdate() + timedelta(days=1)).isoformat(), "csv.birth_range"),
        ("birth_date", "1850", "csv.birth_range"),
        ("birth_date", "36526", "csv.birth_unknown"),
        ("club", "MÃ¼nchen", "csv.letters_doubled"),
        ("name", "JÃ¶rg KÃ¼hn", "csv.letters_doubled"),
        ("name", "ZoÃ« Å ab", "csv.letters_doubled"),
        ("name", "NicolÃ", "csv.letters_doubled"),
        ("name", "NicolÃ, Ugo", "csv.letters_doubled"),
    ],
)
def test_values_that_cannot_be_wait(name: str, text: str, code: str) -> None:
    assert row_of(**{name: text}) == (None, [code])


@pytest.mark.parametrize(
    "name",
    [
        "JOÃO Silva",
        "Voß de Vries",
        "Voß, Jo",
        "JOÃ, Bo",
        "SANDGRÅ Anna",
        "Ångström, Åke",
        "Müller, Jörg",
        "Łukasik, Stanisław",
    ],
)
def test_names_with_such_letters_are_names(name: str) -> None:
    assert row_of(name=name)[1] == []


def test_the_right_letters_are_proposed_and_a_choice_repairs_the_list() -> None:
    text = (
        "Name;Rating;Club\nJÃ¶rg KÃ¼hn;2020;MÃ¼nchen\nZoÃ« "
        "Å\xa0ab;1800;\nJörg Test;1500;\n".encode()
    )
    first = read_list(text).doubtful[0].problems[0]
    assert "did you mean “Jörg Kühn”?" in str(first)
    again = read_list(text, encoding="utf-8 twice")
    assert [(row.name, row.club) for row in again.rows] == [
        ("Jörg Kühn", "München"),
        ("Zoë Šab", ""),
        ("Jörg Test", ""),
    ]


@pytest.mark.parametrize(
    "text", ["ZoÃ« Å ab", "ZoÃ« Å\xa0ab", "NicolÃ", "NicolÃ, Ugo", "NicolÃ\xa0 Rossi"]
)
def test_the_list_is_repaired_as_its_row_proposes(text: str) -> None:
    data = f"Name;Rating\n{text};1800\n".encode()
    (problem,) = read_list(data).doubtful[0].problems
    (row,) = read_list(data, encoding="utf-8 twice").rows
    assert f"did you mean “{row.name}”?" in str(problem)
    assert row.name in ("Zoë Šab", "Nicolà", "Nicolà, Ugo", "Nicolà Rossi")


@pytest.mark.parametrize(
    "text", ["'Alder, Ann'", "“Alder, Ann”", "„Alder, Ann“", "« Alder, Ann »", "`Alder, Ann´"]
)
def test_quotation_marks_around_a_name_are_left_out(text: str) -> None:
    assert [row.name for row in read_list(f"Name;Rating\n{text};1800\n").rows] == ["Alder, Ann"]
    assert row_of(name="'t Hart, Jan 'Jo'")[0].name == "'t Hart, Jan 'Jo'"
    assert row_of(name="’t Hart, Jan")[0].name == "’t Hart, Jan"


class TestOrderOfDates:
    def born(
        self, *dates: str, separator: str = ",", heading: str = "Date of birth", **more: str
    ) -> Reading:
        rows = "".join(
            f"Test {chr(65 + number)}{separator}{text}\n" for number, text in enumerate(dates)
        )
        return read_list(f"Name{separator}{heading}\n{rows}", **more)  # type: ignore[arg-type]

    def test_one_date_decides_for_its_column(self) -> None:
        month = self.born("05/12/2010", "01/25/2010", "11/02/90", separator=";")
        assert [row.birth_date for row in month.rows] == ["2010/05/12", "2010/01/25", "1990/11/02"]
        day = self.born("05/12/2010", "25/01/2010")
        assert [row.birth_date for row in day.rows] == ["2010/12/05", "2010/01/25"]

    @pytest.mark.parametrize(
        "dates", [("05/12/2010", "11/02/1990"), ("05/12/2010", "01/25/2010", "25/01/2010")]
    )
    def test_undecided_dates_wait_with_one_choice(self, dates: tuple[str, ...]) -> None:
        waits = self.born(*dates)
        assert waits.values is not None
        assert waits.values.asks_dates
        assert {problem.code for row in waits.doubtful for problem in row.problems} == {
            "csv.birth_order"
        }
        assert "“05/12/2010” can be 2010-12-05 or 2010-05-12" in str(waits.doubtful[0].problems[0])
        for order, first in (("day", "2010/12/05"), ("month", "2010/05/12")):
            read = self.born(*dates, dates=order)
            assert (read.rows[0].birth_date, read.doubtful) == (first, [])

    @pytest.mark.parametrize("separator", [",", ";"])
    def test_the_language_says_that_the_day_is_first(self, separator: str) -> None:
        read = self.born("05/12/2010", heading="Date de naissance", separator=separator)
        assert [row.birth_date for row in read.rows] == ["2010/12/05"]

    @pytest.mark.parametrize("heading", ["Birth", "Elo;Date"])
    def test_a_semicolon_or_a_word_of_all_languages_says_nothing(self, heading: str) -> None:
        dates = [f"{';' * heading.count(';')}{text}" for text in ("05/12/2010", "11/02/1990")]
        waits = self.born(*dates, heading=heading, separator=";")
        assert (waits.rows, len(waits.doubtful)) == ([], 2)

    def test_dots_have_the_day_first(self) -> None:
        assert [row.birth_date for row in self.born("05.12.2010", "05/05/2010").rows] == [
            "2010/12/05",
            "2010/05/05",
        ]


@pytest.mark.parametrize(
    "letters, sexes",
    [
        ("H M", "mw"),
        ("M V", "mw"),
        ("V S", "mw"),
        ("L P", "mw"),
        ("K M", "wm"),
        ("H F", "mw"),
        ("M F", "mw"),
        ("M W", "mw"),
    ],
)
def test_letters_of_the_sexes(letters: str, sexes: str) -> None:
    one, other = letters.split()
    rows = read_list(f"Name;Sex\nTest A;{one}\nTest B;{other}\n").rows
    assert "".join(row.sex for row in rows) == sexes


@pytest.mark.parametrize(
    "line",
    [
        "Total;2;", "Total;120;2000", "Average;;1950", "Moyenne;;1950", "Players: 2;;", "Teilnehmer: 2;;",
        "Durchschnitt;;1950",
        "Total players;;", "2 joueurs;;", "Promedio Elo;;1950", "Totale giocatori;;", "Gemiddelde;;1950", "Média;;1950",
        "Grand total;;", "Avg;;1950", "Median;;1950", "Max;;1950", "Min;;1871", "Max Elo;;1950", "Summary;;",
        "Sous-total;;", "Effectif: 2;;", "Moy.;;1950", "Médiane;;1950", "Ø;;1950", "Ø Elo;;1950", "Zwischensumme;;",
        "Teilnehmerzahl: 2;;", "Elo medio;;1950", "Gemiddeld;;1950", "Gem.;;1950", "Łącznie;;", "Gracze: 2;;",
        "Średni ranking;;1950", "bye;;", "BYE;;", "spielfrei;;", "TBD;;",
        "Razem;;", "Średnia;;1950", "Gesamt: 2;;", "Number of players 2;;",
        "1 player;;", "1 joueur;;", "Всього;2;", "Итого: 2;;", "2 участников;;",
    ],
)  # fmt: skip
def test_lines_below_a_list_wait(line: str) -> None:
    reading = read_list(f"Name;FIDE ID;Rating\nTest, Tom;1500001;1950\nProof, Pia;;1871\n{line}\n")
    assert [row.name for row in reading.rows] == ["Test, Tom", "Proof, Pia"]
    assert "csv.total" in [problem.code for row in reading.doubtful for problem in row.problems]


@pytest.mark.parametrize(
    "name",
    [
        "Spieler, Hans",
        "Player 3",
        "Media, Ana",
        "Total, Anna",
        "Van, De",
        "Max, Min",
        "Øst, Bo",
        "Bye, Al",
    ],
)
def test_names_that_begin_like_totals(name: str) -> None:
    assert [row.name for row in read_list(f"Name;FIDE ID\n{name};1500001\n").rows] == [name]


@pytest.mark.parametrize(
    "name", ["Øst, Bo", "Bye, Al", "Max, Anna", "Gem, Jo", "Player, Number 01"]
)
def test_names_with_a_word_of_such_lines_are_entered_without_an_id(name: str) -> None:
    assert [row.name for row in read_list(f"Name;Rating\n{name};1500\n").rows] == [name]


class TestHiddenRows:
    def test_of_a_workbook(self) -> None:
        data = xlsx([["Name", "Rating"], ["Test, Tom", 1500], ["Hidden, Hal", 1600]])
        hidden = replaced(data, "xl/worksheets/sheet1.xml", '<row r="3"', '<row r="3" hidden="1"')
        reading = read_list(hidden)
        assert [row.name for row in reading.rows] == ["Test, Tom"]
        assert [(row.name, row.problems[0].code) for row in reading.doubtful] == [
            ("Hidden, Hal", "csv.row_hidden")
        ]

    def test_of_a_document(self) -> None:
        rows = ods_row("Name", "Rating") + ods_row("Test, Tom", 1500)
        rows += ods_row("Hidden, Hal", 1600, repeated='table:visibility="filter"')
        reading = read_list(ods(rows))
        assert [row.name for row in reading.rows] == ["Test, Tom"]
        assert [(row.name, row.problems[0].code) for row in reading.doubtful] == [
            ("Hidden, Hal", "csv.row_hidden")
        ]


@pytest.mark.parametrize(
    "name, encoding",
    [("Прова, Олег", "cp1251"), ("Prøve, Åge", "cp865"), ("Søgård, Jens", "cp850")],
)
def test_old_encodings_are_recognised(name: str, encoding: str) -> None:
    assert [row.name for row in read_list(f"Name;Rating\n{name};1712\n".encode(encoding)).rows] == [
        name
    ]
