"""A rating whose heading does not say whose it is: by what else is in the list, else a question."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.tournaments.lists.imports.files import xlsx
from tests.tournaments.lists.imports.previews import sent
from tournaments.lists.imports.reading import Reading, read_list
from tournaments.models import Entry, Tournament


def ratings(reading: Reading) -> list[tuple[int | None, int | None]]:
    """Return the FIDE rating and the national one of each player."""
    return [(row.fide_rating, row.national_rating) for row in reading.rows]


def questioned(reading: Reading) -> list[int]:
    """Return the numbers of the columns about which the program asks."""
    return [
        number for number, _heading, reason in reading.unused if reason.code == "csv.column_asks"
    ]


@pytest.mark.parametrize(
    "headings, cells",
    [
        # A number of a member, and no FIDE ID.
        (
            "Relatienummer;Naam;Titel;FED;Rating;Nv;Geboren;S",
            "8800001;Proef, Jan;;NED;1712;34;2004;",
        ),
        ("Matricule;Nom;Prenom;Elo", "88001;Essai;Jo;1712"),
        ("ID;Name;Kanji;ST;ST-G", "N8800001;Test Taro;試験;1712;3"),
        ("Player ID;Name;Rating", "88123A;Test, Tom;1712"),
        # Regions where a federation is expected, or headings that only the lists of federations
        # have.
        ("UNIQUE_NO;SURNAME;FIRSTNAME;RATING;FED", "8801;Test;Tom;1712;GAU\n8802;Proof;Pia;;LIM"),
        ("NOMBRE;FED;ELO;PARTIDAS;NAC", "Prueba, Ana;CTB;1712;4;1990\nOtra, Eva;RJA;;;"),
        ("Nama;Provinsi;Rating", "Uji Satu;Bali;1712"),
        ("Player;State;Rating", "Test, Tom;NY;1712"),
        # The name of the list says it, FIDE IDs or not.
        ("DAFTAR RATING NASIONAL\nFIDE-ID;Nama;Rating", "88000001;Uji Satu;1712"),
        ("National rating list July\nName;FIDE ID;Elo", "Test, Tom;88000001;1712"),
        ("KNSB ratinglijst\nNaam;Rating", "Proef, Jan;1712"),
        ("SSF Elo\nName;Rating", "Test, Tom;1712"),
    ],
)
def test_the_ratings_of_a_federation(headings: str, cells: str) -> None:
    reading = read_list(f"{headings}\n{cells}\n")
    assert ratings(reading)[0] == (None, 1712)
    assert not [each for each in reading.remarks if each.code == "csv.rating_assumed"]


@pytest.mark.parametrize(
    "headings, cells",
    [
        ("Full name;FIDE ID;Rating;Team name", "Test, Tom;88000001;1712;Mate"),
        ("FIDE rating list\nLicence;Name;Elo", "A88001;Test, Tom;1712"),
        ("Name;FIDE ID;Rating", "Test, Tom;'0880001';1712\nTotal;1;"),
        ("Name;Elo FIDE;N° licence", "Test, Tom;1712;A88001"),
    ],
)
def test_the_ratings_of_fide(headings: str, cells: str) -> None:
    reading = read_list(f"{headings}\n{cells}\n")
    assert ratings(reading) == [(1712, None)]
    assert not [each for each in reading.remarks if each.code == "csv.rating_assumed"]


@pytest.mark.parametrize(
    "headings, cells, number",
    [
        ("Name;FIDE ID;Licence;Rating", "Test, Tom;88000001;A88001;1712", 4),
        ("Name;ID;Rating", "Test, Tom;88000001;1712", 3),
        ("Rank;Username;Rating", "1;tom_88;1712", 3),
        ("Teilnehmer;TWZ", "Test,Tom;1712", 2),
        ("Name;FIDE ID;TWZ", "Test, Tom;88000001;1712", 3),
        # Without headings, beside a number that is no FIDE ID.
        (
            '"Test, Tom";"AUT";"1712"',
            '"Proof, Pia";"AUT";"1423";"";"88001"\n"Ex, Eve";"AUT";"1411";"";"88002"',
            3,
        ),
    ],
)
def test_a_list_that_does_not_say_whose_they_are_is_asked(
    headings: str, cells: str, number: int
) -> None:
    reading = read_list(f"{headings}\n{cells}\n")
    assert set(ratings(reading)) == {(None, None)}
    assert number in questioned(reading)


def test_a_sheet_names_the_ratings() -> None:
    text = [["Name", "Rating"], ["Test, Tom", 1712]]
    assert ratings(read_list(xlsx(text))) == [(1712, None)]
    assert ratings(read_list(xlsx([["Nationale Ratings 2026"], *text]))) == [(None, 1712)]


def test_a_rating_without_any_hint_is_of_fide_and_the_preview_says_so() -> None:
    (remark,) = read_list("Name;Rating;Fed\nTest, Tom;1712;SWE\n").file_remarks
    assert (remark.code, remark.line, remark.column) == ("csv.rating_assumed", 1, 2)
    assert "“Rating” is read as FIDE rating" in str(remark)
    assert (
        read_list(
            "Name;Rating;Fed\nTest, Tom;1712;SWE\n", chosen={0: "name", 1: "fide_rating"}
        ).file_remarks
        == []
    )


@pytest.mark.django_db
def test_the_page_asks_and_saves_what_is_chosen(
    client: Client, tournament: Tournament, chief_arbiter: User
) -> None:
    client.force_login(chief_arbiter)
    url = reverse("entries-import", args=[tournament.slug])
    first = client.post(url, {"text": "Teilnehmer;TWZ\nTest,Tom;1712\n"})
    assert "it could be FIDE rating or national rating" in first.content.decode()
    chosen = client.post(url, sent(first, **{"column-2": "national_rating", "again": "yes"}))
    assert client.post(url, sent(chosen)).status_code == 302
    entry = Entry.objects.get(tournament=tournament)
    assert (entry.fide_rating, entry.national_rating) == (None, 1712)


@pytest.mark.parametrize(
    "headings, codes",
    [
        # The regions of Spain: AND is not Andorra, CAN not Canada, MAD not Madagascar.
        ("FEDA_ID;NOMBRE;FED;ELO", ["CTB", "AND"]),
        ("FEDA_ID;NOMBRE;FED;ELO", ["AND", "AND"]),
        ("Licencia;Nombre;Fed;Elo", ["MAD", "VAL", "CAT", "CAN"]),
        (";Nombre;Federación;Elo", ["MAD", "AND", "MAD"]),
        # Cantons and states: BE is not Belgium, PA not Panama.
        ("Lizenz;Name;Verband;Elo", ["ZH", "BE", "AG", "SG"]),
        (";Name;Fed;Rating", ["BAY", "NRW", "HES", "BER", "BER"]),
        (";Nome;Fed;Rating", ["SP", "RJ", "PA", "GO"]),
    ],
)
def test_regions_are_no_federations(headings: str, codes: list[str]) -> None:
    reading = read_list(
        f"{headings}\n"
        + "".join(f"A8800{n};Test {n}a;{code};1712\n" for n, code in enumerate(codes))
    )
    assert [(row.federation, row.fide_rating, row.national_rating) for row in reading.rows] == [
        ("", None, 1712)
    ] * len(codes)
    assert [
        each.code for _number, _heading, each in reading.unused if each.code == "csv.column_regions"
    ]


@pytest.mark.parametrize(
    "headings, codes, read",
    [
        ("Nombre;Fed", ["AND", "AND"], ["AND", "AND"]),
        ("Nombre;Fed", ["AND", "ESP"], ["AND", "ESP"]),
        ("Licence;Nom;Fed", ["FRA", "FRA", "FRX"], ["FRA", "FRA"]),
        ("Name;Fed", ["ENG", "XQA"], ["ENG"]),
    ],
)
def test_a_wrong_code_makes_no_regions(headings: str, codes: list[str], read: list[str]) -> None:
    number = "A88001;" if headings.startswith("Licence") else ""
    reading = read_list(
        f"{headings}\n"
        + "".join(f"{number}Test {code}{n};{code}\n" for n, code in enumerate(codes))
    )
    assert [row.federation for row in reading.rows] == read
    assert len(reading.doubtful) == len(codes) - len(read)
