"""Headings in eight languages, and the lists of other programs and federations."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import Any

import pytest

from pairing.record.player_fields import TEXTS
from tests.tournaments.lists.imports.files import xlsx
from tournaments.core.cell_texts import plain
from tournaments.entries.headings import KINDS, kind_of, language_of, words_of_kind
from tournaments.lists.imports.reading import read_list, read_table


def values(text: str | bytes) -> list[dict[str, Any]]:
    """Return the values that the rows of a list have, without the lines."""
    reading = read_list(text)
    assert [str(problem) for row in reading.doubtful for problem in row.problems] == []
    return [
        {name: getattr(row, name) for name in asdict(row) if name != "line" and getattr(row, name)}
        for row in reading.rows
    ]


PLAYER = {
    "name": "Testa, Lia", "fide_rating": 1950, "federation": "ESP", "fide_id": 1500001, "birth_date": "1990/02/01",
    "club": "Roca", "sex": "w", "title": "WFM",
}  # fmt: skip


@pytest.mark.parametrize(
    "headings",
    [
        "Last name;First name;FIDE rating;Country;FIDE ID;Date of birth;Club;Gender;Title",
        "Nom;Prénom;Élo FIDE;Pays;Code FIDE;Date de naissance;Club;Sexe;Titre",
        "Nachname;Vorname;FIDE-Elo;Land;FIDE-Nr.;Geburtsdatum;Verein;Geschlecht;Titel",
        "Apellidos;Nombre;Elo FIDE;Federación;ID FIDE;Fecha de nacimiento;Club;Sexo;Título",
        "Cognome;Nome;Elo FIDE;Federazione;Codice FIDE;Data di nascita;Circolo;Sesso;Titolo",
        "Achternaam;Voornaam;FIDE rating;Land;FIDE nummer;Geboortedatum;Vereniging;Geslacht;Titel",
        "Apelido;Nome;Rating FIDE;Federação;ID FIDE;Data de nascimento;Clube;Sexo;Título",
        "Nazwisko;Imię;Ranking FIDE;Federacja;Numer FIDE;Data urodzenia;Klub;Płeć;Tytuł",
    ],
)
def test_the_headings_of_eight_languages(headings: str) -> None:
    date = "1990-02-01" if headings.startswith("Last") else "01/02/1990"
    assert values(f"{headings}\nTesta;Lia;1950;ESP;1500001;{date};Roca;F;WFM\n") == [PLAYER]


@pytest.mark.parametrize(
    "text, expected",
    [
        # "Elo" beside a FIDE rating is the national one, and the FIDE rating where only a national
        # one is beside.
        ("Name;Elo;Fide-Elo\nA B;1850;1900\n", {"national_rating": 1850, "fide_rating": 1900}),
        ("Name;Elo FIDE;Rating\nA B;1900;1850\n", {"national_rating": 1850, "fide_rating": 1900}),
        ("Nom;Prénom;Elo;Fide\nB;A;1850;1900\n", {"national_rating": 1850, "fide_rating": 1900}),
        (
            "Nachname;Vorname;DWZ;Elo\nB;A;1850;1900\n",
            {"national_rating": 1850, "fide_rating": 1900},
        ),
        (
            "Name;Rtg;RtgN;RtgI\nA B;1901;1850;1900\n",
            {"national_rating": 1850, "fide_rating": 1900},
        ),
        # Of two columns of one meaning the first counts.
        ("Name;Rating;Standard;Rapid;Blitz\nA B;1900;1901;1850;1800\n", {"fide_rating": 1900}),
        ("Name;Rating;Rating\nA B;1900;1850\n", {"fide_rating": 1900}),
        ("Name;Birth;Year of birth\nA B;1990-02-03;1990\n", {"birth_date": "1990/02/03"}),
        ("Name;Sex;Gender\nA B;w;w\n", {"sex": "w"}),
        ("Name;Club;Team\nA B;One;Two\n", {"club": "One"}),
        # A rating and the column with its kind.
        ("Name;Rating;Rating type\nA B;1850;N\n", {"national_rating": 1850}),
        ("Nom;Elo;Fide\nA B;1199;E\nC D;1500;F\n", {"estimate": 1199}),
        # The known heading wins, also alone and above numbers that could be years.
        ("Namnet;Rating;Föreningen\nB, A;1950;X\nD, C;2004;X\n", {"fide_rating": 1950}),
        # A year and a rating with headings keep their meaning.
        ("Name;Rating;Year\nA B;1985;1990\n", {"fide_rating": 1985, "birth_date": "1990/00/00"}),
        # Words that only the cells make clear.
        (
            "Naam;Rating;Geboren;S\nA B;1900;1990;w\n",
            {"fide_rating": 1900, "birth_date": "1990/00/00", "sex": "w"},
        ),
        ("Name;Nat\nA B;SWE\n", {"federation": "SWE"}),
    ],
)
def test_columns_of_one_meaning(text: str, expected: dict[str, object]) -> None:
    (row, *_more) = values(text)
    del row["name"]
    assert {
        name: value for name, value in row.items() if name != "club" or name in expected
    } == expected


@pytest.mark.parametrize(
    "headings, cells, expected",
    [
        (  # Swiss-Manager, German
            "Nr;Name;Titel;Identnr;EloNat;EloInt;Geburt;Fed;Sex;Nachname;Vorname",
            "1;Test Tom;FM;24600001;2101;2088;01.05.1980;GER;;Test;Tom",
            {
                "name": "Test, Tom", "title": "FM", "fide_id": 24600001, "national_rating": 2101, "fide_rating": 2088,
                "birth_date": "1980/05/01", "federation": "GER",
            },
        ),
        (  # Swiss-Manager, English
            "No,Name,Title,FIDE-No,ID no,Rating nat,Rating int,Birth,Fed,Sex,Club",
            '1,"Test, Amy",WCM,400001,88,1402,0,2010,WAL,w,',
            {
                "name": "Test, Amy", "title": "WCM", "fide_id": 400001, "national_rating": 1402,
                "birth_date": "2010/00/00", "federation": "WLS", "sex": "w",
            },
        ),
        (  # Vega
            "N;NAME;COUNTRY;BIRTHDAY;GENDER;TITLE;RATING;IDFIDE;ELOFIDE;IDNAT;ELONAT;CLUB;INFO",
            "1;Prova Ugo;ITA;12.12.07;m;;1687;0;0;88;1687;;pays later",
            {
                "name": "Prova Ugo", "federation": "ITA", "birth_date": "2007/12/12", "sex": "m",
                "national_rating": 1687, "note": "pays later",
            },
        ),
        (  # KBSB: "FIDE" has the ID
            "Matricule;Nom;Prenom;Elo;FIDE;N Club;Club;Federation;Annee",
            "88;Proef;Jan;1850;;4;KSK;VSF;1990",
            {
                "name": "Proef, Jan", "national_rating": 1850, "federation": "BEL", "club": "KSK",
                "birth_date": "1990/00/00",
            },
        ),
        (  # DSB: a comma within a heading
            'ID,Status,"Name,Vorname",Geschlecht,Geburtsjahr,DWZ,FIDE-Elozahl,FIDE-Titel,FIDE-ID,FIDE-Land,Vorname,Nachname',
            '1,A,"Test,Ute",W,2009,1204,1330,-,24600002,GER,Ute,Test',
            {
                "name": "Test, Ute", "sex": "w", "birth_date": "2009/00/00", "national_rating": 1204,
                "fide_rating": 1330, "fide_id": 24600002, "federation": "GER",
            },
        ),
        (  # Swiss-Chess
            "TlnNr\tTeilnehmer\tTitel\tELO\tNWZ\tAttr.\tVerein/Ort\tLand\tGeburt\tFideKenn.",
            "1.\tTest,Ute\t\t1830\t1850\tW\tSC X\tGER\t1980\t24600002",
            {
                "name": "Test, Ute", "fide_rating": 1830, "national_rating": 1850, "sex": "w", "club": "SC X",
                "federation": "GER", "birth_date": "1980/00/00", "fide_id": 24600002,
            },
        ),
        (  # Lichess: its own ratings
            "Rank,Title,Username,Rating,Points",
            "1,FM,some_one,2104,4.5",
            {"name": "some_one", "title": "FM"},
        ),
        (  # US Chess
            "Pair,Name,ID,Rating,State",
            '1,"TEST, TOM",10000001,1500P12,NY',
            {"name": "TEST, TOM", "national_rating": 1500},
        ),
    ],
)  # fmt: skip
def test_lists_of_other_programs(headings: str, cells: str, expected: dict[str, object]) -> None:
    (row,) = values(f"A title\n{headings}\n{cells}\n")
    row.pop("national_id", None)
    assert row == expected


def test_the_footer_of_a_program_is_no_player() -> None:
    data = xlsx([["Start list"], ["No.", "", "Name", "Rtg"], [1, "FM", "Test, Tom", 2101], [],
                 ["Chess-Tournament-Results-Server: https://chess-results.com"]])  # fmt: skip
    assert values(data) == [{"name": "Test, Tom", "title": "FM", "fide_rating": 2101}]


def test_headings_in_an_unknown_language_are_no_player() -> None:
    reading = read_list("Ezizi;Rtx;Klubx\nTest, Tom;1950;X\nProof, Pia;2004;Y\n")
    assert [(row.name, row.fide_rating) for row in reading.rows] == [
        ("Test, Tom", None),
        ("Proof, Pia", None),
    ]
    assert reading.doubtful == []
    assert [(number, heading) for number, heading, _reason in reading.unused] == [
        (2, "Rtx"),
        (3, "Klubx"),
    ]


def test_such_headings_may_have_a_comma() -> None:
    reading = read_list(
        "№;Фамилия, имя;Рейтинг;Год\n1;Тест, Том;1950;2001\n2;Проба, Пия;1871;1999\n"
    )
    assert [row.name for row in reading.rows] == ["Тест, Том", "Проба, Пия"]
    assert [heading for _number, heading, _reason in reading.unused] == ["№", "Рейтинг", "Год"]


def test_a_first_player_without_a_rating_is_no_heading() -> None:
    reading = read_list("Test, Tom;Club\nProof, Pia;1950\nTrial, Ted;1871\n")
    assert [row.name for row in reading.rows] == ["Test, Tom", "Proof, Pia", "Trial, Ted"]


def test_the_comma_of_names_below_name_alone_is_no_delimiter() -> None:
    assert values("Name\nTest, Tom\nProof, Pia\n") == [
        {"name": "Test, Tom"},
        {"name": "Proof, Pia"},
    ]


def test_a_list_without_a_name_is_a_table_with_its_columns() -> None:
    reading = read_table("Rating,Club\n2000,Mate\n")
    assert reading.columns is not None
    assert (reading.refused and reading.refused.code, reading.rows) == ("csv.no_name_column", [])
    assert dict(reading.columns.places) == {"fide_rating": 0, "club": 1}


def test_a_number_with_two_meanings_is_asked() -> None:
    unused = read_list("Name;ID;Rating\nTest, Tom;24600001;1900\n").unused
    assert [(*each[:2], each[2].code) for each in unused] == [
        (2, "ID", "csv.column_asks"), (3, "Rating", "csv.column_asks"),
    ]  # fmt: skip


@pytest.mark.parametrize("mark", ["1850*", "1850/12", "1850P5"])
@pytest.mark.parametrize("heading", ["Elo", "Rating"])
def test_one_mark_of_us_chess_does_not_decide_for_a_column(heading: str, mark: str) -> None:
    text = f"Name;{heading};FIDE ID\nA, B;{mark};1500001\nC, D;1900;1500002\nE, F;1800;1500003\n"
    reading = read_list(text)
    assert [(row.fide_rating, row.national_rating) for row in reading.rows] == [(None, None)] * 3
    ((number, _heading, reason),) = reading.unused
    assert (number, reason.code) == (2, "csv.column_asks")


def test_marks_in_most_cells_are_of_us_chess() -> None:
    rows = values("Name;Rtg\nA, B;1850*\nC, D;1900/12\nE, F;1500P5\n")
    assert [row["national_rating"] for row in rows] == [1850, 1900, 1500]


@pytest.mark.parametrize("letters", ["mmf", "mmm", "wmw"])
def test_letters_of_the_sexes_are_no_titles(letters: str) -> None:
    reading = read_list(
        "Name;Title\n" + "".join(f"Test {letter}{n};{letter}\n" for n, letter in enumerate(letters))
    )
    assert [row.title for row in reading.rows] == [""] * 3
    assert [(number, reason.code) for number, _heading, reason in reading.unused] == [
        (2, "csv.column_asks")
    ]


def test_such_letters_among_titles_are_doubtful() -> None:
    reading = read_list("Name;Title\nTest A;m\nTest B;GM\nTest C;f\nTest D;FM\nTest E;\n")
    assert [(row.name, row.title) for row in reading.rows] == [
        ("Test B", "GM"),
        ("Test D", "FM"),
        ("Test E", ""),
    ]
    assert [problem.code for row in reading.doubtful for problem in row.problems] == [
        "csv.title_or_sex"
    ] * 2
    assert [row["title"] for row in values("Name;Title\nTest A;m\nTest B;g\nTest C;f\n")] == [
        "IM",
        "GM",
        "FM",
    ]
    chosen = read_list("Name;Title\nTest A;m\nTest B;f\n", chosen={0: "name", 1: "title"})
    assert [row.title for row in chosen.rows] == ["IM", "FM"]


@pytest.mark.parametrize("heading", ["USCF", "CFC", "CBX", "KNSB", "SSF"])
def test_ratings_below_the_name_of_a_federation_are_asked(heading: str) -> None:
    reading = read_list(f"Name;{heading};Elo\nA, B;1850;1900\nC, D;950;1400\n")
    assert [(row.fide_rating, row.national_rating, row.national_id) for row in reading.rows] == [
        (1900, None, ""), (1400, None, ""),
    ]  # fmt: skip
    assert [(number, reason.code) for number, _heading, reason in reading.unused] == [
        (2, "csv.column_asks")
    ]
    assert values(f"Name;{heading}\nA, B;12345678\n") == [
        {"name": "A, B", "national_id": "12345678"}
    ]


def test_every_text_of_a_player_has_headings() -> None:
    assert [name for name in TEXTS if name not in KINDS] == [], (
        "Write the words of its column into tournaments/entries/headings.toml: "
        "docs/developer/add-a-player-field.md"
    )


def test_the_table_has_each_word_once_and_folded() -> None:
    times = Counter(word for kind in KINDS for word in words_of_kind(kind))
    assert [word for word, count in times.items() if count > 1 or plain(word) != word] == [], (
        "In tournaments/entries/headings.toml each word stands once, in small letters without "
        "accents and punctuation."
    )
    assert (kind_of("Né(e) le"), kind_of("N° FIDE"), kind_of("Elo (FIDE)"), kind_of("Nom (obligatoire)")) == (
        "birth_date", "fide_id", "fide_rating", "name",
    )  # fmt: skip
    assert language_of(["Nachname", "Vorname", "Rating"]) == "de"
