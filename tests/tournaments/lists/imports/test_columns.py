"""Find the columns of a list by heading and by content."""

from __future__ import annotations

import pytest
from django.utils import timezone

from pairing.rules.federations import FEDERATIONS
from tournaments.core.errors import BadInput
from tournaments.entries.cells import ImportRow
from tournaments.entries.federations import _OTHERS, suggested
from tournaments.lists.imports.reading import read_list

THIS_YEAR = timezone.localdate().year
PLAYERS = "Moreau, Léa;2105;FRA;612345;17/03/2001;f\nIto, Ken;1820;JPN;77123456;1985-01-02;m\n"


def places(text: str, **more: object) -> dict[str, int]:
    columns = read_list(text, **more).columns
    assert columns is not None
    return dict(columns.places)


class TestByContent:
    def test_a_list_without_headings(self) -> None:
        assert read_list(PLAYERS).rows == [
            ImportRow(
                1, "Moreau, Léa", 612345, "FRA", sex="w", birth_date="2001/03/17", fide_rating=2105
            ),
            ImportRow(
                2, "Ito, Ken", 77123456, "JPN", sex="m", birth_date="1985/01/02", fide_rating=1820
            ),
        ]

    def test_headings_below_title_lines(self) -> None:
        text = (
            "Autumn Open 2026;;\nEntries;2 "
            "players;\n;;\nName;Elo;Club\nAnn;1500;Mate\nBo;1400;Mate\n"
        )
        assert [(row.line, row.name, row.fide_rating) for row in read_list(text).rows] == [
            (5, "Ann", 1500),
            (6, "Bo", 1400),
        ]

    def test_two_columns_of_names(self) -> None:
        assert [row.name for row in read_list("Moreau\tLéa\t2105\nIto\tKen\t1820\n").rows] == [
            "Moreau, Léa",
            "Ito, Ken",
        ]

    def test_one_name_on_each_line(self) -> None:
        assert [row.name for row in read_list("Léa Moreau\nKen Ito\n").rows] == [
            "Léa Moreau",
            "Ken Ito",
        ]

    def test_numbers_that_can_be_years_and_ratings_are_asked(self) -> None:
        reading = read_list("Ann Abara;1999\nBo Blom;2004\n")
        assert reading.columns is not None
        assert dict(reading.columns.places) == {"name": 0}
        assert [(number, str(reason)) for number, _heading, reason in reading.unused] == [
            (
                2,
                (
                    "The column “2” is not used: it could be FIDE rating or birth date. Choose what "
                    "it contains."
                ),
            )
        ]

    @pytest.mark.parametrize(
        "rows, expected",
        [
            # Ratings from 1800: one below 1920 or after the last possible year of birth shows that
            # they are not years.
            ("Ann Abara;1950\nBo Blom;1871\nCy Cole;2004\nDi Doe;1830\n", {"fide_rating": 1}),
            ("Ann Abara;2050\nBo Blom;2171\nCy Cole;2004\n", {"fide_rating": 1}),
            # A second column decides.
            ("Ann Abara;1850;1980\nBo Blom;1423;2006\n", {"fide_rating": 1, "birth_date": 2}),
            ("Ann Abara;1980;1850\nBo Blom;2006;1423\n", {"fide_rating": 2, "birth_date": 1}),
            (
                "Ann Abara;1950;1990-05-01\nBo Blom;2004;1985-01-02\n",
                {"fide_rating": 1, "birth_date": 2},
            ),
            # FIDE's search: standard, rapid, blitz, year.
            (
                "Ann Abara;2020;1990;1985;1990\nBo Blom;1971;0;1885;1991\n",
                {"fide_rating": 1, "birth_date": 4},
            ),
        ],
    )
    def test_another_column_of_numbers_decides(self, rows: str, expected: dict[str, int]) -> None:
        found = places(rows)
        del found["name"]
        assert {
            name: number for name, number in found.items() if name != "national_rating"
        } == expected

    @pytest.mark.parametrize(
        "rows, requested",
        [
            ("Ann Abara;2020;1850;FRA\nBo Blom;1971;1750;FRA\n", {2, 3}),
            ("Ann Abara;1850;2020;FRA\nBo Blom;1750;1971;FRA\n", {2, 3}),
            ("Ann Abara\t1850\t2020\t612345\nBo Blom\t1750\t1971\t77123456\n", {2, 3}),
            ("Ann Abara;2020;1850;1990\nBo Blom;1971;1750;1985\n", {2, 3, 4}),
            ("Ann Abara;1850;1920\nBo Blom;1960;1990\n", {2, 3}),
            # Nobody is born this year and has a rating; a child of six seldom has one.
            (f"Ann Abara;{THIS_YEAR};1423\nBo Blom;1971;1300\n", {2, 3}),
            (f"Ann Abara;{THIS_YEAR - 6};1550\nBo Blom;1971;1400\n", {2, 3}),
            # One number is not a year of birth.
            ("Ann A;1971;1400\nBo B;1990;1350\nCy C;1980;1300\nDi D;2171;1500\n", {2, 3}),
        ],
    )
    def test_two_columns_that_can_both_be_ratings_are_asked(
        self, rows: str, requested: set[int]
    ) -> None:
        for has_sections in (False, True):
            reading = read_list(rows, has_sections=has_sections)
            assert {
                number
                for number, _heading, reason in reading.unused
                if reason.code == "csv.column_asks"
            } == requested
            (first, *_more) = reading.rows
            assert (first.birth_date, first.fide_rating, first.national_rating) == ("", None, None)

    @pytest.mark.parametrize("step, expected", [(-5, {"birth_date": 2, "fide_rating": 1}), (5, {})])
    def test_in_a_long_list_years_do_not_rise_with_the_ratings(
        self, step: int, expected: dict[str, int]
    ) -> None:
        first = 1921 if step > 0 else 2011
        rows = "".join(f"Test {chr(65 + n)};{2071 + 5 * n};{first + step * n}\n" for n in range(18))
        assert places(rows) == {"name": 0} | expected

    def test_the_time_of_an_entry_is_no_date_of_birth(self) -> None:
        for text in (
            "2019-11-01 10:00:00",
            f"{THIS_YEAR}-01-01 10:00:00",
            f"{THIS_YEAR}-01-01",
            "2026-01-01T09:30",
        ):
            assert places(f"Ann Abara;1850;{text}\nBo Blom;1423;{text}\n") == {
                "name": 0,
                "fide_rating": 1,
            }
            assert places(f"Name;Date\nAnn Abara;{text}\n") == {"name": 0}
        assert "birth_date" in places("Ann Abara;1850;1990-05-01 00:00:00\n")

    def test_the_second_column_of_ratings_is_the_national_one(self) -> None:
        assert places("Ann Abara;1500;1550\nBo Blom;2450;2400\n") == {
            "name": 0,
            "fide_rating": 1,
            "national_rating": 2,
        }

    @pytest.mark.parametrize("heading", ["Fax", "Postcode", "Locker"])
    def test_a_number_below_an_unknown_heading_is_not_guessed(self, heading: str) -> None:
        assert places(f"Name;{heading}\nAnn;75011\nBo;69001\n") == {"name": 0}

    def test_federations_and_titles_below_unknown_headings_are_found(self) -> None:
        assert places("Name;Code;T.\nAnn;FRA;GM\nBo;SWE;FM\n") == {
            "name": 0,
            "federation": 1,
            "title": 2,
        }

    def test_fide_above_ids_is_the_id(self) -> None:
        assert places("Name;FIDE\nAnn;612345\nBo;77123456\n") == {"name": 0, "fide_id": 1}
        assert places("Name;FIDE\nAnn;1500\nBo;2400\n") == {"name": 0, "fide_rating": 1}


class TestChosen:
    def test_the_choice_of_the_arbiter_counts(self) -> None:
        text = "Name;Elo;Code\nAnn;1500;75011\n"
        assert places(text, chosen={0: "name", 1: "national_rating", 2: ""}) == {
            "name": 0,
            "national_rating": 1,
        }

    def test_a_choice_without_a_name_or_with_one_twice_is_refused(self) -> None:
        for chosen, code in (
            ({1: "fide_rating"}, "csv.no_name_column"),
            ({0: "name", 1: "name"}, "csv.column_twice"),
        ):
            with pytest.raises(BadInput) as bad:
                read_list("Name;Elo\nAnn;1500\n", chosen=chosen)
            assert bad.value.code == code


class TestText:
    @pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
    def test_every_delimiter_is_found_below_a_title(self, delimiter: str) -> None:
        text = "Open d’hiver, Paris\n" + "".join(
            delimiter.join(cells) + "\n" for cells in (("Nom", "Elo"), ("Ann", "1500"))
        )
        assert [(row.name, row.fide_rating) for row in read_list(text).rows] == [("Ann", 1500)]

    @pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-16"])
    def test_utf_16_is_found_without_its_mark(self, encoding: str) -> None:
        (row,) = read_list("Name;Elo\nMüller, Léa;1500\n".encode(encoding)).rows
        assert (row.name, row.fide_rating) == ("Müller, Léa", 1500)

    def test_pasted_cells_keep_their_empty_first_column(self) -> None:
        assert [row.name for row in read_list("\tName\tElo\n\tAnn\t1500\n").rows] == ["Ann"]


class TestFederations:
    @pytest.mark.parametrize(
        "typed, code",
        [
            ("FR", "FRA"),
            ("DEU", "GER"),
            ("ch", "SUI"),
            ("Allemagne", "GER"),
            ("españa", "ESP"),
            ("XYZ", ""),
            ("", ""),
        ],
    )
    def test_the_code_that_was_meant_is_proposed(self, typed: str, code: str) -> None:
        assert suggested(typed) == code

    def test_every_proposal_is_a_code_of_fide(self) -> None:
        assert set(_OTHERS.values()) <= FEDERATIONS
        assert all(len(code) == 3 and code.isupper() for code in FEDERATIONS)
        assert not {code.lower() for code in FEDERATIONS} & _OTHERS.keys()
