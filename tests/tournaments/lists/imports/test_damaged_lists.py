"""Lists as people send them: columns exchanged, letters lost, a line with the total,
years of two digits.
"""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests.tournaments.factories import NOW, make_ready
from tests.tournaments.lists.imports.previews import sent
from tournaments.core.birth_dates import birth_date_of
from tournaments.core.errors import BadInput
from tournaments.lists.imports.comparing import compare
from tournaments.lists.imports.entry_lists import Choice, list_import
from tournaments.lists.imports.reading import read_list
from tournaments.models import Entry, Tournament
from tournaments.setup.tournaments import list_close

PLAYERS = "".join(
    f"Player {letter};{1500 + 10 * number};FRA\n" for number, letter in enumerate("ABCDEFGH")
)


def test_two_exchanged_columns_are_read_by_what_is_in_them() -> None:
    reading = read_list("Nom;Fédération;Elo\n" + PLAYERS)
    assert [(row.fide_rating, row.federation) for row in reading.rows[:2]] == [
        (1500, "FRA"),
        (1510, "FRA"),
    ]
    assert not reading.doubtful
    assert "“Fédération” and “Elo” seem to be swapped" in str(reading.remarks[0])
    assert reading.columns is not None
    assert reading.columns.guessed == {"federation", "fide_rating"}


def test_columns_are_exchanged_only_if_both_are_wrong() -> None:
    reading = read_list("Nom;Elo;Fédération\n" + PLAYERS)
    assert [each.code for each in reading.remarks] == ["csv.rating_assumed"]
    one_wrong = read_list("Nom;Fédération;Elo\n" + PLAYERS.replace("FRA", "1200"))
    assert [each.code for each in one_wrong.remarks] == ["csv.rating_assumed"]
    assert len(one_wrong.doubtful) == 8


@pytest.mark.parametrize("line", ["Total;62;", ";62;", "62;;", "Somme : ;8;"])
def test_the_line_with_the_total_is_no_player(line: str) -> None:
    reading = read_list(f"Nom;Elo;Fed\n{PLAYERS}{line}\n")
    assert len(reading.rows) == 8
    assert len(reading.doubtful) == 1


def test_a_cell_that_has_swallowed_rows_is_doubtful() -> None:
    text = 'Alder, Ann;1900;"X\nBirch, Bo;1800;Y\nCedar, Cia;1700;Z"\nDove, Di;1500;"Two\nlines"\n'
    reading = read_list(text)
    assert [row.name for row in reading.rows] == ["Dove, Di"]
    ((problem,),) = [row.problems for row in reading.doubtful]
    assert (problem.code, problem.line, problem.column) == ("csv.cell_of_lines", 1, 3)
    in_the_headings = read_list('Name;Elo;"Club\nBirch, Bo;1800;Y"\nCedar, Cia;1700;Z\n')
    assert "csv.cell_of_lines" in [remark.code for remark in in_the_headings.remarks]


@pytest.mark.parametrize(
    "one, other",
    [
        ("Đorđević, Ana", "Djordjevic, Ana"),
        ("Smith-Jones, Al", "Smith Jones, Al"),
        ("O’Neil, Al", "ONeil, Al"),
    ],
)
def test_one_name_in_two_spellings_is_noticed(one: str, other: str) -> None:
    found = compare(read_list(f"Name;Elo\n{one};1800\n{other};1810\n"), None)
    assert [row.name for row in found.new] == [one]
    assert [problem.code for row in found.doubtful for problem in row.problems] == [
        "csv.name_twice"
    ]


def test_a_player_called_like_a_total_is_entered_with_a_date_of_birth() -> None:
    assert read_list("Nom;Naissance\nTotal, Anna;1990\n").rows[0].name == "Total, Anna"


@pytest.mark.parametrize(
    "text, expected",
    [
        ("01.03.61", "1961/03/01"),
        ("21/3/13", "2013/03/21"),
        ("1-1-20", "2020/01/01"),
        ("31.12.36", "1936/12/31"),
    ],
)
def test_years_of_two_digits(text: str, expected: str) -> None:
    assert birth_date_of(text, "birth_date") == expected


@pytest.mark.parametrize("text, code", [("1.1.21", "csv.birth_century"), ("1.1.35", "csv.birth_century"),
                                            ("31.2.61", "csv.birth_unknown")])  # fmt: skip
def test_years_of_two_digits_that_could_be_either(text: str, code: str) -> None:
    with pytest.raises(BadInput) as refused:
        birth_date_of(text, "birth_date")
    assert refused.value.code == code


@pytest.mark.django_db
class TestLostLetters:
    def test_they_never_replace_good_ones(
        self, tournament: Tournament, chief_arbiter: User
    ) -> None:
        header = "Name;Fide ID;Born;Club\n"
        good = header + "Zając, Ewa;100007;1990;Łódź\nKučera, Petr;;1980;Praha\n"
        list_import(
            tournament_id=tournament.pk,
            actor=chief_arbiter,
            now=NOW,
            reading=read_list(good),
            choice=Choice(),
        )
        found = compare(
            read_list(header + "Zaj?c, Ewa;100007;1990;??d?\nKu?era, Petr;;1980;Praha\n"),
            tournament,
        )
        (zajac,) = found.changed
        assert [(each.field, each.refused and each.refused.code) for each in zajac.changes] == [
            ("name", "csv.letters_lost"), ("club", "csv.letters_lost"),
        ]  # fmt: skip
        assert [row.problems[0].code for row in found.doubtful] == ["csv.letters_lost"]
        assert (found.new, found.missing) == ([], [])


@pytest.mark.django_db
class TestPages:
    @pytest.fixture
    def desk(self, client: Client, chief_arbiter: User) -> Client:
        client.force_login(chief_arbiter)
        return client

    def test_another_encoding_finds_the_columns_anew(
        self, desk: Client, tournament: Tournament
    ) -> None:
        url = reverse("entries-import", args=[tournament.slug])
        data = "Nom;Prénom;Né(e) le\nFaure;Jürgen;1980\nSimon;Zoé;1990\n".encode("mac-roman")
        form = sent(desk.post(url, {"text": "", "file": SimpleUploadedFile("list.csv", data)}))
        assert "first_name" not in form["columns-shown"]
        form |= {"encoding": "mac-roman", "again": "yes"}
        page = desk.post(url, form).content.decode()
        assert "Faure, Jürgen" in page

    @pytest.mark.costly
    def test_c04_2_2_5_a_closed_list_is_said_before_and_keeps_the_preview(
        self, desk: Client, chief_arbiter: User
    ) -> None:
        ready = make_ready(chief_arbiter, players=4)
        list_close(tournament_id=ready.pk, actor=chief_arbiter, now=NOW)
        url = reverse("entries-import", args=[ready.slug])
        first = desk.post(url, {"text": "Name\nNew, Nora\n"})
        assert "The list of participants is closed" in first.content.decode()
        assert reverse("numbers", args=[ready.slug]) in first.content.decode()
        answer = desk.post(url, sent(first) | {"new": "2"})
        assert answer.status_code == 409
        assert "New, Nora" in answer.content.decode()
        assert not Entry.objects.filter(tournament=ready, name="New, Nora").exists()
