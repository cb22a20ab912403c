"""Rating lists: formats, faults, and the list that is in use."""

from __future__ import annotations

import io
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from tests.tournaments import factories
from tests.tournaments.lists.imports.files import xlsx
from tests.tournaments.long_work import lose
from tests.trf.reports import FOUR
from tools.rating_list import main as write_invented
from tournaments.core import jobs
from tournaments.core.errors import BadInput, Conflict
from tournaments.lists.rating_lists import loading
from tournaments.lists.rating_lists.list_file import ListFile
from tournaments.lists.rating_lists.loading import (
    list_begin,
    list_cancel,
    list_load,
    problem_of,
    replaced_by,
)
from tournaments.lists.rating_lists.national_csv import read_national
from tournaments.lists.rating_lists.replacing import list_discard, list_use, waiting_lists
from tournaments.lists.rating_lists.rows import Faults
from tournaments.lists.rating_lists.search import lists_in_use, search_lists
from tournaments.models import RatingList, Tournament

from .conftest import HEAD, NATIONAL, PLAYERS, Load, packed, text_list, xml_list

pytestmark = pytest.mark.on_postgres("many rows in one statement")


@pytest.mark.parametrize(
    "data, name",
    [
        (text_list(), "players_list_foa.txt"),
        (xml_list(), "players_list_xml_foa.xml"),
        (packed("players_list_foa.txt", text_list()), "players_list.zip"),
        (packed("players_list_xml_foa.xml", xml_list()), "players_list_xml.zip"),
    ],
)
def test_every_format_of_fide_gives_the_same_players(load: Load, data: bytes, name: str) -> None:
    row = load(data, name)
    assert (row.state, row.is_current, row.players, row.federation, row.rate) == (
        "loaded",
        True,
        5,
        "",
        "",
    )
    file = ListFile(row.path)
    assert [file.player(number)[:6] for number in (1, 3)] == [  # type: ignore[index]
        (2000016, "", "Abara, Player 1", "FRA", "m", "GM"),
        (2000032, "", "Łukasiewicz-Brandt, Zoë Ann", "POL", "w", ""),
    ]
    assert file.player(4)[6:] == ("1975", "", 0, 2210, 0, 0)  # type: ignore[index]


def test_a_list_for_one_rate_has_its_ratings_and_month_under_the_heading(load: Load) -> None:
    head = HEAD.replace("SRtng", "NOV26").replace("RRtng", "Gms  ").replace("BRtng", "K    ")
    row = load(text_list(head=head), "rapid_rating_list.txt")
    assert (row.rate, row.month) == ("rapid", date(2026, 11, 1))
    assert ListFile(row.path).player(1)[8:11] == (0, 2450, 0)  # type: ignore[index]


@pytest.mark.parametrize(
    "name, given, month",
    [
        ("standard_oct26frl.txt", None, date(2026, 10, 1)),
        ("standard_oct26frl.txt", date(2026, 9, 17), date(2026, 9, 1)),
        ("players.txt", None, date(2026, 11, 1)),
    ],
)
def test_the_month_is_the_given_one_else_that_of_the_file_else_the_present(
    load: Load, name: str, given: date | None, month: date
) -> None:
    assert load(text_list(), name, month=given).month == month


def test_a_national_list_is_read_by_its_headings(load: Load) -> None:
    row = load(NATIONAL.encode("cp1252"), "licences.csv", federation="FRA")
    assert (row.state, row.players, row.federation) == ("loaded", 2, "FRA")
    assert ListFile(row.path).player(2) == (
        0, "B00007", "Petit, Noël", "FRA", "", "", "", "Échiquier", 1499, 1510, 0, 0,
    )  # fmt: skip


LONG = b"<playerslist><player><name>" + b"x" * 5_000_000
BOMB = (
    b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b '
    b'"&a;&a;">]><playerslist><player><name>&b;</name>'
)


@pytest.mark.parametrize(
    "data, name, sentence",
    [
        (b"", "l.txt", "The file is empty."),
        (xml_list()[:-40], "l.xml", "Line 7, column 193: the XML cannot be read"),
        (text_list()[:-150], "l.txt", "Line 6: the last line is incomplete."),
        (BOMB, "l.xml", "Line 1: the file declares a document type."),
        (LONG, "l.xml", "Line 1: this line or element is far too long"),
        (b"<p " + b"a" * 3_000_000, "l.xml", "Line 1: this line or element is far too long"),
        (b"ID Number Name Fed\n" + b"x" * 100_000, "l.txt", "Line 2: this line or element is far too long"),
        (b"Nom;Club\nPetit;Mat\n", "l.csv", "Line 1: there is no rating column"),
        (b"Nom;Elo\nPetit;1500\nGr", "l.csv", "Line 3: the last line is incomplete."),
        (b"Nom;Elo\nPe\0tit;1500\n", "l.csv", "Line 2: a zero byte"),
        (b"Club;Elo\nMat;1500\n", "l.csv", "Line 1, column 1: there is no name column."),
        (b"PK\x03\x04 broken", "l.zip", "The packed file cannot be unpacked."),
        (packed("l.txt", text_list())[:-30], "l.zip", "The packed file cannot be unpacked."),
        (packed("l.txt", b"0" * 40_000_000), "l.zip", "The packed file would unpack to far more than its size"),
        (packed("l.exe", b"0"), "l.zip", "The packed file must contain one list (.xml, .txt or .csv); found: 0."),
        (text_list([]), "l.txt", "The file contains no players."),
        (text_list([(number, "", "FRA", "M", "", 1, 0, 0, 1990) for number in range(101)]), "l.txt",
         "Line 2: more than 100 lines cannot be read. The first is this one: Line 2: the name is missing."),
    ],
)  # fmt: skip
def test_a_bad_file_says_where_and_changes_nothing(
    load: Load, data: bytes, name: str, sentence: str
) -> None:
    used = load(text_list())
    row = load(data, name, federation="FRA")
    assert (row.state, row.is_current) == ("failed", False)
    assert problem_of(row).startswith(sentence)
    assert lists_in_use() == [used]
    assert [file.name for file in used.path.parent.iterdir()] == [used.path.name]


def test_a_packed_file_with_a_flipped_bit_is_refused(load: Load) -> None:
    data = bytearray(packed("l.txt", text_list()))
    data[60] ^= 1
    assert load(bytes(data), "l.zip").state == "failed"


def test_a_national_list_needs_its_federation(load: Load) -> None:
    row = load(NATIONAL.encode(), "licences.csv")
    assert problem_of(row).startswith("This is not a list of FIDE.")
    with pytest.raises(BadInput):
        load(NATIONAL.encode(), "licences.csv", federation="F1")


def test_single_lines_that_cannot_be_read_are_left_out_and_counted(load: Load) -> None:
    row = load(text_list([*PLAYERS, (2000067, "Weiss, Odd", "FRA", "M", "", "25x0", 0, 0, 1990)]))
    assert (row.state, row.players, row.left_out) == ("loaded", 5, 1)
    assert problem_of(row) == "Line 7: “25x0” is not a rating or FIDE ID."


def test_names_with_wrong_letters_are_named_and_stay_in_the_list(
    load: Load, administrator: User, client: Client
) -> None:
    text = "Nom;Elo\nPetit, Zoé;1500\nMÃ¼ller, JÃ¶rg;1600\nFranÃ§ois, Ã‰lise;1700\n"
    expected = (
        "Names with wrong letters: 2. The first is “MÃ¼ller, JÃ¶rg”, which probably means "
        "“Müller, Jörg”."
    )
    row = load(text.encode(), "l.csv", federation="FRA")
    assert (row.players, row.left_out, problem_of(row)) == (3, 0, expected)
    row = load(f"{text}Weiss, Odd;25x0\n".encode(), "l.csv", federation="FRA")
    assert (row.players, row.left_out) == (3, 1)
    assert problem_of(row) == f"Line 5: “25x0” is not a rating or FIDE ID. {expected}"
    client.force_login(administrator)
    assert expected in client.get(reverse("rating-lists")).content.decode()


def test_a_new_list_replaces_the_one_before_whose_file_stays(
    load: Load, tournament: Tournament
) -> None:
    oldest = load(text_list())
    old = load(text_list(), now=factories.NOW + timedelta(days=1))
    new = load(text_list([PLAYERS[0], *PLAYERS[2:]]), now=factories.NOW + timedelta(days=2))
    national = load(NATIONAL.encode(), "f.csv", federation="FRA")
    assert lists_in_use() == [new, national]
    assert [each.path.exists() for each in (oldest, old, new)] == [False, True, True]
    assert replaced_by(new) == old
    assert search_lists(tournament, "blomqvist") == []


def test_cancelling_keeps_the_list_before(
    load: Load, tmp_path: Path, administrator: User, tournament: Tournament
) -> None:
    used = load(text_list())
    row = list_begin(actor=None, now=factories.NOW, origin="list.txt")
    list_cancel(list_id=row.pk, actor=administrator)
    times = iter(factories.NOW + timedelta(seconds=2 * number) for number in range(100))
    (tmp_path / "new").write_bytes(text_list())
    assert (
        list_load(list_id=row.pk, source=tmp_path / "new", clock=lambda: next(times)).state
        == "cancelled"
    )
    assert lists_in_use() == [used]
    assert not row.path.exists()
    with pytest.raises(Conflict):
        list_cancel(list_id=row.pk, actor=administrator)


def test_cancelling_at_the_last_moment_counts(
    load: Load, administrator: User, tournament: Tournament, tmp_path: Path
) -> None:
    used = load(text_list())
    row = list_begin(actor=None, now=factories.NOW, origin="list.txt")
    list_cancel(list_id=row.pk, actor=administrator)
    (tmp_path / "new").write_bytes(text_list())
    assert (
        list_load(list_id=row.pk, source=tmp_path / "new", clock=lambda: factories.NOW).state
        == "cancelled"
    )
    assert lists_in_use() == [used]


def test_one_list_is_loaded_at_a_time_and_an_interrupted_one_does_not_stop_the_next(
    db: None,
) -> None:
    first = list_begin(actor=None, now=factories.NOW, origin="one.txt")
    with pytest.raises(Conflict):
        list_begin(actor=None, now=factories.NOW, origin="two.txt")
    assert jobs.take_here("rating_list") is not None
    lose()
    list_begin(actor=None, now=factories.NOW, origin="two.txt")
    first.refresh_from_db()
    assert problem_of(first) == "The loading was interrupted. Start it again."


def test_a_much_smaller_list_waits_until_an_administrator_decides(
    load: Load, tournament: Tournament, stranger: User, deputy: User
) -> None:
    used = load(text_list())
    small = load(text_list(PLAYERS[:1]))
    assert (small.state, lists_in_use()) == ("waiting", [used])
    assert [hit.row.name for hit in search_lists(tournament, "blomqvist")] == [
        "Blomqvist, Player 2"
    ]
    assert waiting_lists() == [(small, used)]
    given: dict[str, Any] = {"list_id": small.pk, "now": factories.NOW}
    with pytest.raises(PermissionDenied):
        list_use(**given, actor=stranger)
    with pytest.raises(PermissionDenied):
        list_discard(list_id=small.pk, actor=stranger)
    with pytest.raises(Conflict, match="Another list is in use"):
        list_use(**given, actor=deputy, seen_current=used.pk + 100)
    assert lists_in_use() == [used]
    for _ in range(2):
        assert list_use(**given, actor=deputy, seen_current=used.pk) == small
    assert lists_in_use() == [small]
    # And back, also without having seen the page.
    assert list_use(list_id=used.pk, actor=None, now=factories.NOW) == used
    assert (lists_in_use(), replaced_by(used)) == ([used], small)


def test_a_list_that_waits_is_discarded_or_followed_by_a_better_one(
    load: Load, deputy: User
) -> None:
    used, small = load(text_list()), load(text_list(PLAYERS[:1]))
    list_discard(list_id=small.pk, actor=deputy)
    assert (waiting_lists(), lists_in_use(), small.path.exists()) == ([], [used], False)
    for action in (
        lambda: list_discard(list_id=small.pk, actor=deputy),
        lambda: list_use(list_id=small.pk, actor=deputy, now=factories.NOW),
    ):
        with pytest.raises(Conflict, match="cannot be used any more"):
            action()
    small = load(text_list(PLAYERS[:1]))
    new = load(text_list())
    small.refresh_from_db()
    assert (small.state, lists_in_use(), small.path.exists()) == ("cancelled", [new], False)


@pytest.mark.parametrize("players, state", [(4, "loaded"), (3, "waiting")])
def test_a_list_may_shrink_by_a_fifth(load: Load, players: int, state: str) -> None:
    load(text_list())
    assert load(text_list(PLAYERS[:players])).state == state


def test_the_command_asks_too_and_goes_back(db: None, tmp_path: Path, capsys: Any) -> None:
    for name, players in (("all", PLAYERS), ("one", PLAYERS[:1])):
        (tmp_path / f"{name}.txt").write_bytes(text_list(players))
    with pytest.raises(CommandError, match="There is no list before"):
        call_command("load_ratings", "--back")
    call_command("load_ratings", str(tmp_path / "all.txt"))
    (used,) = lists_in_use()
    with pytest.raises(CommandError, match=r"The list has 1 players, the one in use .* has 5"):
        call_command("load_ratings", str(tmp_path / "one.txt"))
    assert (lists_in_use(), waiting_lists()) == ([used], [])
    call_command("load_ratings", str(tmp_path / "one.txt"), "--smaller")
    assert [each.players for each in lists_in_use()] == [1]
    call_command("load_ratings", "--back")
    assert lists_in_use() == [used]
    assert "5 players are in use again" in capsys.readouterr().out


def test_every_chief_arbiter_loads_lists_if_the_site_allows_it(
    tournament: Tournament, chief_arbiter: User, stranger: User, settings: Any
) -> None:
    settings.RATING_LISTS_BY_ARBITERS = True
    with pytest.raises(PermissionDenied):
        list_begin(actor=stranger, now=factories.NOW, origin="one.txt")
    assert (
        list_begin(actor=chief_arbiter, now=factories.NOW, origin="one.txt").loaded_by
        == chief_arbiter
    )


def test_only_site_administrators_load_lists(
    tournament: Tournament, chief_arbiter: User, deputy: User, stranger: User
) -> None:
    deputy.is_staff = False
    for actor in (chief_arbiter, deputy, stranger):
        with pytest.raises(PermissionDenied):
            list_begin(actor=actor, now=factories.NOW, origin="one.txt")
    stranger.is_staff = True
    row = list_begin(actor=stranger, now=factories.NOW, origin="one.txt")
    with pytest.raises(PermissionDenied):
        list_cancel(list_id=row.pk, actor=deputy)


def test_the_command_loads_a_file_and_says_what_went_wrong(
    db: None, tmp_path: Path, capsys: Any
) -> None:
    write_invented([str(tmp_path / "list.xml.zip"), "--rows", "2000"])
    call_command("load_ratings", str(tmp_path / "list.xml.zip"), "--month", "2026-10")
    assert "FIDE 2026-10: 2000 players are loaded and in use." in capsys.readouterr().out
    (tmp_path / "bad.xml").write_bytes(b"<playerslist>")
    with pytest.raises(CommandError, match="the XML cannot be read"):
        call_command("load_ratings", str(tmp_path / "bad.xml"))
    with pytest.raises(CommandError, match="There is no file"):
        call_command("load_ratings", str(tmp_path / "none.xml"))
    assert RatingList.objects.filter(is_current=True).count() == 1


@pytest.mark.parametrize(
    "url, sentence",
    [
        ("file:///etc/passwd", "This is not an address"),
        ("ftp://example.org/l.zip", "This is not an address"),
        ("http://user:secret@example.org/l.zip", "This is not an address"),
        ("http://127.0.0.1:9/l.zip", "The address is in a private network."),
        ("http://[::1]:9/l.zip", "The address is in a private network."),
        ("http://[::ffff:10.0.0.1]/l.zip", "The address is in a private network."),
        ("http://169.254.169.254/latest", "The address is in a private network."),
        ("http://localhost:9/l.zip", "The address is in a private network."),
    ],
)
def test_addresses_inside_the_network_of_the_server_are_refused(
    db: None, url: str, sentence: str
) -> None:
    row = list_begin(actor=None, now=factories.NOW, origin=url)
    done = list_load(list_id=row.pk, source=url, clock=lambda: factories.NOW)
    assert done.state == "failed"
    assert problem_of(done).startswith(sentence)


def test_rows_of_earlier_loadings_are_kept_in_a_small_number(
    load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "KEPT_LINES", 2)
    for _ in range(5):
        load(b"", "l.txt")
    assert RatingList.objects.count() <= 3


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
    row = load(text.encode(), "list.csv", federation="DEN")
    assert problem_of(row) == ""
    assert (row.players, ListFile(row.path).player(1)) == (1, expected)


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


def test_c04_2_2_2_2_no_list_of_fide_has_a_rating_below_100(load: Load) -> None:
    row = load(text_list([*PLAYERS, (2000067, "Weiss, Odd", "FRA", "M", "", 99, 0, 0, 1990)]))
    assert (row.state, row.players, row.left_out) == ("loaded", 5, 1)


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
        (  # one wrong code: what is no federation is left out
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
    row = load(("\n".join(lines) + "\n").encode("cp1252"), "list.csv", federation="FRA")
    assert problem_of(row) == ""
    assert ListFile(row.path).player(1) == expected


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
        (xlsx([["Name", "Rating"], ["Test, Tom", 1712]]), "This is a spreadsheet."),
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
