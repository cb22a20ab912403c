"""Rating lists of federations: headings, quotation marks, encodings, and files of another kind."""

from __future__ import annotations

import io

import pytest

from tests.tournaments.lists.imports.files import ods, xlsx
from tests.trf.reports import FOUR
from tournaments.core.errors import BadInput
from tournaments.lists.rating_lists.list_file import ListFile
from tournaments.lists.rating_lists.loading import problem_of
from tournaments.lists.rating_lists.national_csv import read_national
from tournaments.lists.rating_lists.rows import Faults, Row
from tournaments.models import RatingList

from .conftest import NATIONAL, Load

pytestmark = pytest.mark.on_postgres("many rows in one statement")


def without_figures(row: RatingList, number: int) -> tuple[object, ...] | None:
    """Return a player without what only FIDE's list has."""
    found = ListFile(row.path).player(number)
    return found and found[: Row._fields.index("women_title")]


def test_a_national_list_is_read_by_its_headings(load: Load) -> None:
    row = load(NATIONAL.encode("cp1252"), "licences.csv", federation="FRA")
    assert (row.state, row.players, row.federation) == ("loaded", 2, "FRA")
    assert without_figures(row, 2) == (
        0, "B00007", "Petit, Noël", "FRA", "", "", "", "Échiquier", 1499, 1510, 0, 0,
    )  # fmt: skip


def test_a_national_list_needs_its_federation(load: Load) -> None:
    row = load(NATIONAL.encode(), "licences.csv")
    assert problem_of(row).startswith("This is not a list of FIDE.")
    with pytest.raises(BadInput):
        load(NATIONAL.encode(), "licences.csv", federation="F1")


def faults_of(lines: list[str]) -> tuple[list[str], list[str]]:
    """Return the names and the faults of a list of a federation with *lines* below the headings."""
    data = "\n".join(["ID,Last,First,Prov,City,Rating", *lines, ""]).encode()
    faults = Faults()
    names = [row.name for row in read_national(io.BytesIO(data), faults)]
    return names, [str(each) for each in faults.found]


@pytest.mark.parametrize(
    "line",
    [
        '1001,"Alder,Ann,ON,Toronto,1900',
        '1001,Alder,Ann,ON,"Toron"to,"1900',
        '1001,Alder,Ann,ON,"Toronto"",1900,"',
        '1001,Alder,"Ann"",ON,"North, Bay",1900',
    ],
)
def test_a_line_with_a_stray_quotation_mark_is_named_and_swallows_no_other(line: str) -> None:
    others = [
        '1002,Birch,Bo,QC,"Laval, East",1800',
        "1003,Cedar,Cia,QC,Laval,1700",
        "1004,Durand,Dan,QC,Laval,1600",
    ]
    for place in range(len(others) + 1):
        names, faults = faults_of([*others[:place], line, *others[place:]])
        assert names == ["Birch, Bo", "Cedar, Cia", "Durand, Dan"]
        assert faults == [
            (
                f"Line {place + 2}: a cell starts with a quotation mark but does not end with one, or "
                f"is far too long."
            )
        ]


def test_quoted_cells_with_lines_of_their_own_and_nicknames_are_read() -> None:
    lines = [
        '1001,Alder,Ann,ON,"Toronto\nEast",1900',
        "",
        '1002,Birch,"Bo" Bob,QC,Laval,1800',
        '1003,"Ce ""X"" dar",Cia,,,1700',
        # One mark too many.
        '1004,Dove,Di,ON,"Toronto"",1900',
        '"1005","Elm","Ed","QC","Laval"","1600"',
    ]
    names = ["Alder, Ann", 'Birch, "Bo" Bob', 'Ce "X" dar, Cia', "Dove, Di", "Elm, Ed"]
    assert faults_of(lines) == (names, [])


@pytest.mark.parametrize(
    "text, expected",
    [
        (  # Danish: two columns called Nr, the second beside Fide
            'Nr;Navn;Klub;Rat.;Fide;Nr;K\n"88001";"Prøve, Bo";"X";"1750";"1740";"88000001";"20"\n',
            (88000001, "88001", "Prøve, Bo", "", "", "", "", "X", 1750, 0, 0, 0),
        ),
        (  # New Zealand: two rows of headings
            "Code,Name,,Club,Year,Standard,,Rapid,,FIDE,,\n,,,,,Rating,T,Rating,T,Code,Fed,Title\n8800011,Test,Kiri,AC,1999,1702,,1655,,88000001,NZL,\n",
            (88000001, "8800011", "Test, Kiri", "NZL", "", "", "1999", "AC", 1702, 1655, 0, 0),
        ),
        (  # Irish: fixed columns without headings
            "0508      Test, Aine                    wc  IRL  1582  4   1962  wS Town North\n",
            (0, "0508", "Test, Aine", "IRL", "w", "WCM", "1962", "Town North", 1582, 0, 0, 0),
        ),
    ],
)
def test_lists_with_unusual_headings(load: Load, text: str, expected: tuple[object, ...]) -> None:
    row = load(text.encode(), "list.csv", federation="DEN" if "Navn" in text else "")
    assert problem_of(row) == ""
    assert (row.players, without_figures(row, 1)) == (1, expected)


def test_a_line_without_the_fixed_columns_is_named(load: Load) -> None:
    lines = [f"880{n}  Test, Bo{chr(n + 60)}  IRL  1582  0   1962  S Town" for n in range(10, 20)]
    row = load("\n".join([*lines, "end of the list", ""]).encode(), "list.txt", federation="IRL")
    assert (row.players, row.left_out) == (10, 1)
    assert problem_of(row).startswith(
        "Line 11: the line does not have the same columns as the others"
    )


@pytest.mark.parametrize(
    "line, fault",
    [
        ("1001,Alder,Ann,ON,Toronto,2,000", "7 columns, but the header has 6."),
        ("1001,Alder,Ann,ON,Toronto,2", "“2” is not a rating or FIDE ID."),
        ("1001,Alder,Ann,ON,Toronto,99", "“99” is not a rating or FIDE ID."),
        (",2,,,,1850", "“2” is not a name: it has no letters."),
        (",Average,,,,1850", "this looks like a total or a bye, not like a player."),
        (",Total players: 2,,,,1850", "this looks like a total or a bye, not like a player."),
    ],
)
def test_values_that_cannot_be_and_lines_of_totals_are_named(line: str, fault: str) -> None:
    names, (found,) = faults_of(
        ["1003,Cedar,Cia,QC,Laval,100", line, "1004,Total,Dan,QC,Laval,1600"]
    )
    assert names == ["Cedar, Cia", "Total, Dan"]
    assert found.startswith("Line 3")
    assert found.endswith(fault)


@pytest.mark.parametrize(
    "lines, expected",
    [
        (  # German, with a FIDE rating and the number of the federation
            [
                'ID,"Name,Vorname",Geschlecht,Geburtsjahr,DWZ,FIDE-Elozahl,FIDE-ID,FIDE-Land,Vorname,Nachname',
                '99001,"Test,Ute",W,2009,1204,1330,24600002,GER,Ute,Test',
            ],
            (24600002, "99001", "Test, Ute", "GER", "w", "", "2009", "", 1204, 0, 0, 0),
        ),
        (  # Dutch
            [
                "Relatienummer;Naam;Titel;FED;Rating;Nv;Geboren;S",
                "9900001;Test, Tom;FM;NED;2,290;120;1988;",
            ],
            (0, "9900001", "Test, Tom", "NED", "", "FM", "1988", "", 2290, 0, 0, 0),
        ),
        (  # Belgian: "FIDE" has the FIDE ID
            ["Matricule;Nom;Prenom;Elo;FIDE;Annee", "99002;Test;Zoe;2010;24600002;1985"],
            (24600002, "99002", "Test, Zoe", "", "", "", "1985", "", 2010, 0, 0, 0),
        ),
        (  # Swiss-Manager's list of a federation
            [
                "ID_No,Name,Fed,ClubName,Birthday,Rtg_Nat,Fide_No,Rtg_Int",
                "7,Test Tom,FR,SK,1980/05/01,n.c.,0,1830",
            ],
            (0, "7", "Test Tom", "FRA", "", "", "1980/05/01", "SK", 0, 0, 0, 0),
        ),
        (  # title lines, a date with the month first
            [
                "LIST,,",
                "JULY,,",
                "ID,Name,Sex,Born,Rating",
                "5,Test Tom,K,05/12/2001,1822",
                "6,Pia,F,3/14/2010,1500",
            ],
            (0, "5", "Test Tom", "", "w", "", "2001/05/12", "", 1822, 0, 0, 0),
        ),
        (  # Spanish regions below FED: AND is Andalusia, not Andorra
            [
                "FEDA_ID;NOMBRE;FED;ELO;NAC",
                "99001;Prueba, Ana;AND;1712;1990",
                "99002;Otra, Eva;CTB;1650;2001",
            ],
            (0, "99001", "Prueba, Ana", "", "", "", "1990", "", 1712, 0, 0, 0),
        ),
        (  # one wrong code, which is left out
            [
                "ID;Name;Fed;Elo",
                "99001;Test, Ann;FRX;1712",
                "99002;Test, Bo;FRA;1650",
                "99003;Test, Cy;FRA;1600",
            ],
            (0, "99001", "Test, Ann", "", "", "", "", "", 1712, 0, 0, 0),
        ),
        (  # nothing says which is the month
            ["Name,Born,Rating", "Test Tom,05/12/2010,1822"],
            (0, "", "Test Tom", "", "", "", "2010", "", 1822, 0, 0, 0),
        ),
    ],
)
def test_lists_of_federations_have_the_same_headings(
    load: Load, lines: list[str], expected: tuple[object, ...]
) -> None:
    known = {"Relatienummer": "NED", "FEDA_ID": "ESP", "Matricule": "BEL"}
    federation = known.get(lines[0].split(";")[0], "FRA")
    row = load(("\n".join(lines) + "\n").encode("cp1252"), "list.csv", federation=federation)
    assert problem_of(row) == ""
    assert without_figures(row, 1) == expected


@pytest.mark.parametrize(
    "name, encoding, called",
    [
        ("Прова Олег", "cp1251", "Windows-1251"),
        ("Prøve, Åge", "cp865", "DOS 850 (865)"),
        ("Müller, Zoë", "cp1252", ""),
        ("Müller, Zoë", "utf-8", ""),
    ],
)
def test_old_encodings_are_recognised_and_named(
    load: Load, name: str, encoding: str, called: str
) -> None:
    row = load(f"ID;Name;Rtg_Nat\n1;{name};1712\n".encode(encoding), "list.csv", federation="UKR")
    assert ListFile(row.path).player(1)[2] == name
    assert (called in problem_of(row), bool(problem_of(row))) == (True, bool(called))


@pytest.mark.parametrize(
    "data, expected",
    [
        (FOUR.encode(), "This is the report of a tournament (TRF)"),
        (b"\xef\xbb\xbf012 Open\r\n001    1 m    Test", "“Open a TRF file”"),
        (ods([["Name", "Rating"], ["Test, Tom", 1712]]), "This is a spreadsheet."),
        (xlsx([["Name", "Club"], ["Test, Tom", "Mate"]]), "A list of entries is imported"),
        (xlsx([["Name"]])[:-90], "Is it complete?"),
        (b"%PDF-1.7 " + b"x" * 100, "This is a PDF file"),
        (b"\x00\x01\x00\x00Standard Jet DB\x00" + bytes(100), "database of Papi or Access"),
        (b"Name;Club\nTest, Tom;Mate\n", "A list of entries is imported on the page Entries"),
    ],
)
def test_another_file_is_named_with_the_page_to_which_it_belongs(
    load: Load, data: bytes, expected: str
) -> None:
    row = load(data, "list.csv", federation="FRA")
    assert (row.state, expected in problem_of(row)) == ("failed", True)
