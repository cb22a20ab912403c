"""Tables whose headings or lines are not as usual:
two rows of headings, fixed columns, stray quotation marks.
"""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments.lists.imports.previews import sent
from tournaments.lists.imports.csv_reading import text_sheet
from tournaments.lists.imports.reading import read_list
from tournaments.models import Entry, Tournament, WaitingEntry


def test_two_columns_called_nr() -> None:
    text = "\nNr;Navn;Rat.;Fide;Nr\n88001;Bo Prøve;1750;1740;88000001\n88002;Ida Test;1211;-;\n"
    rows = read_list(text).rows
    assert [
        (row.national_id, row.fide_id, row.fide_rating, row.national_rating) for row in rows
    ] == [
        ("88001", 88000001, 1740, 1750),
        ("88002", None, None, 1211),
    ]


@pytest.mark.parametrize("numbers", [("1", "2"), ("88001", "x")])
def test_a_place_below_nr_is_no_number_of_a_player(numbers: tuple[str, str]) -> None:
    rows = read_list(
        f"Nr;Name;Fide;Nr\n88001;Test, Bo;1740;{numbers[0]}\n88002;Test, Di;;{numbers[1]}\n"
    ).rows
    assert [row.fide_id for row in rows] == [None, None]


def test_long_numbers_below_nr_are_asked() -> None:
    reading = read_list("Nr;Name;Club\n88001;Test, Bo;Mate\n88002;Test, Di;Mate\n")
    assert [(number, reason.code) for number, _heading, reason in reading.unused] == [
        (1, "csv.column_asks")
    ]


def test_two_rows_of_headings() -> None:
    text = (
        "Code,Name,,Club,Year,Standard,,Rapid,,FIDE,,\n,,,,,Rating,T,Rating,T,Code,Fed,Title\n"
        "8800011,Test,Kiri,AC,1999,1702,,1655,,88000001,NZL,FM\n8800012,Proof,Tane,,2011,unr,,,,,NZL,\n"
    )
    reading = read_list(text)
    first, second = reading.rows
    assert (first.name, first.national_id, first.fide_id, first.fide_rating, first.national_rating) == (
        "Test, Kiri", "8800011", 88000001, None, 1702,
    )  # fmt: skip
    assert (first.title, first.federation, first.birth_date, second.name) == (
        "FM",
        "NZL",
        "1999/00/00",
        "Proof, Tane",
    )
    assert (first.line, reading.doubtful) == (3, [])


@pytest.mark.parametrize(
    "second", [",,,Test,", "Prova,,Bo,FM,", ",,1712,,", ",,Rating,,", ",,one,two,"]
)
def test_a_player_is_no_second_row_of_headings(second: str) -> None:
    sheet = read_list(f"Name,,Elo,,Club\n{second}\nTest Tom,,1712,,X\n")
    assert sheet.columns is not None
    assert sheet.columns.header == 0


def test_fixed_columns_without_headings() -> None:
    lines = [
        "0508      Test, Aine                    wc  IRL  1582  4   1962  wS Town North",
        "88364     Ui Proof, Bo                      ENG  1613  0   1984  U Testford",
        "88365     Sample Long Name, Cy          FM  IRL  2100",
        "88366     Elm, Di                           IRL",
    ]
    reading = read_list("\n".join(lines))
    assert [
        (row.line, row.name, row.national_rating, row.fide_rating, row.national_id)
        for row in reading.rows
    ] == [
        (1, "Test, Aine", 1582, None, "0508"),
        (2, "Ui Proof, Bo", 1613, None, "88364"),
        (3, "Sample Long Name, Cy", 2100, None, "88365"),
        (4, "Elm, Di", None, None, "88366"),
    ]
    first = reading.rows[0]
    assert (first.sex, first.title, first.club, first.birth_date) == (
        "w",
        "WCM",
        "Town North",
        "1962/00/00",
    )
    wrong = read_list("\n".join([*lines, "Players: 4"]))
    assert [(row.line, row.problems[0].code) for row in wrong.doubtful] == [(5, "csv.total")]


def test_a_cell_with_one_quotation_mark_too_many_is_read() -> None:
    text = 'Name,City,Elo\n"Test, Ann",York,1712\nBo Proof,"Toronto"",1650\nDi Elm,Laval,1600\n'
    assert [(row.name, row.fide_rating) for row in read_list(text).rows] == [
        ("Test, Ann", 1712), ("Bo Proof", 1650), ("Di Elm", 1600),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "broken", ['Bo Proof,"Toronto,1650', 'Bo "Proof,"Toronto"x,1650', '"Bo Proof,York,1650"x']
)
def test_a_stray_quotation_mark_swallows_no_other_row(broken: str) -> None:
    others = ["Ann Test,York,1712", "Di Elm,Laval,1600", '"Gorse, Gil","Bay, North",1500']
    for place in range(len(others) + 1):
        reading = read_list("\n".join(["Name,City,Elo", *others[:place], broken, *others[place:]]))
        assert [row.name for row in reading.rows] == ["Ann Test", "Di Elm", "Gorse, Gil"]
        assert [(row.line, row.problems[0].code) for row in reading.doubtful] == [
            (place + 2, "csv.broken_cell")
        ]


def test_many_stray_marks_are_another_kind_of_file() -> None:
    sheet = text_sheet("Name,Club\n" + 'A,"B" C" D\n' * 150)
    assert (sheet.problem and sheet.problem.code, len(sheet.broken)) == ("csv.broken_cell", 100)


@pytest.mark.django_db
def test_the_row_with_the_stray_mark_waits_on_the_page(
    client: Client, tournament: Tournament, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    url = reverse("entries-import", args=[tournament.slug])
    shown = client.post(
        url, {"text": 'Name,City,Elo\nAnn Test,York,1712\nBo Proof,"Toronto,1650\n'}
    )
    assert shown.status_code == 200
    assert "a cell starts with a quotation mark but does not end with one" in shown.content.decode()
    assert client.post(url, sent(shown)).status_code == 302
    assert Entry.objects.get(tournament=tournament).name == "Ann Test"
    assert WaitingEntry.objects.get(tournament=tournament).fields["name"] == "Bo Proof"


@pytest.mark.parametrize("heading", ["", "Name;Club;;\n"])
def test_columns_without_a_heading_that_are_not_used_are_named(heading: str) -> None:
    reading = read_list(f"{heading}Test, Tom;Mate;99001;vegan\nProof, Pia;Mate;99002;left\n")
    named = {number for number, _heading, _reason in reading.unused}
    assert {3, 4} <= named
    assert all(str(reason) for _number, _heading, reason in reading.unused)
