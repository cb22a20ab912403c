"""The columns and elements of FIDE's lists, as they are published and as they were before."""

from __future__ import annotations

import io
import zipfile
from xml.sax.saxutils import escape

import pytest

from tournaments.core.errors import BadInput
from tournaments.lists.rating_lists import fide_xml
from tournaments.lists.rating_lists.fide_text import read_text
from tournaments.lists.rating_lists.fide_xml import read_xml
from tournaments.lists.rating_lists.list_file import ListFile
from tournaments.lists.rating_lists.rows import RATES_OF_PLAY, Faults, Row

from .conftest import Load, packed, xml_list

WIDTHS = (15, 61, 4, 4, 5, 5, 15, 4, 6, 4, 3, 6, 4, 3, 6, 4, 3, 6, 4)


def columns(*cells: str) -> str:
    return (
        "".join(cell.ljust(width) for cell, width in zip(cells, WIDTHS, strict=True)).rstrip()
        + "\n"
    )


COMBINED = (
    columns(
        "ID Number", "Name", "Fed", "Sex", "Tit", "WTit", "OTit", "FOA",
        "SRtng", "SGm", "SK", "RRtng", "RGm", "Rk", "BRtng", "BGm", "BK", "B-day", "Flag",
    )
    + columns(
        "2000016", "Abara, Player 1", "FRA", "F", "IM", "WGM", "IA,FST", "",
        "2410", "9", "10", "2380", "0", "10", "2290", "12", "20", "1990", "w",
    )
    + columns(
        "2000024", "Blomqvist, Player 2", "SWE", "M", "", "", "NA", "AFM",
        "1834", "0", "20", "", "", "", "", "", "", "1988", "i",
    )
    + columns(
        "2000032", "Lukasiewicz-Brandt, Zoe Ann", "POL", "F", "WFM", "WFM", "", "",
        "", "", "", "1790", "0", "20", "", "", "", "2003", "wi",
    )
)  # fmt: skip
ONE_RATE = """\
ID Number      Name                                                         Fed Sex Tit  WTit OTit           FOA \
NOV26 Gms K  B-day Flag
2000016        Abara, Player 1                                              FRA F   IM   WGM                     \
2410  9   10 1990  w
"""
OLDER = """\
 ID Number Name                             TitlFed  Nov26 GamesBorn  Flag
   2000016 Abara, Player 1                  wg  FRA  2410    9  1990  wi
   2000024 Blomqvist, Player 2                  SWE  1834    0  1988
"""


COMBINED_XML = (
    b"<playerslist><player><fideid>2000016</fideid><name>Abara, Player 1</name><country>FRA</country>"
    b"<sex>F</sex><title>IM</title><w_title>WGM</w_title><o_title>IA,FST</o_title><foa_title></foa_title>"
    b"<rating>2410</rating><games>9</games><k>10</k>"
    b"<rapid_rating>2380</rapid_rating><rapid_games>0</rapid_games><rapid_k>10</rapid_k>"
    b"<blitz_rating>2290</blitz_rating><blitz_games>12</blitz_games><blitz_k>20</blitz_k>"
    b"<birthday>1990</birthday><flag>w</flag></player></playerslist>"
)
ONE_RATE_XML = (
    b"<playerslist><player><fideid>2000016</fideid><name>Abara, Player 1</name><country>FRA</country>"
    b"<sex>F</sex><title>IM</title><w_title>WGM</w_title><o_title></o_title><rating>2410</rating>"
    b"<games>9</games><k>10</k><birthday>1990</birthday><flag>w</flag></player></playerslist>"
)
WITHOUT_FOA = (
    "ID Number      Name                    Fed Sex Tit  WTit OTit           SRtng SGm SK RRtng "
    "RGm Rk B-day Flag\n"
    "2000016        Abara, Player 1         FRA F   IM   WGM  IA,FST         2410  9   10 2380  0 "
    "  10 1990  w\n"
    "2000024        Blomqvist, Player 2     NOR M   FM        SI,FI,LSI,SLI,NA1946  0   40 1900  "
    "0   20 1950  \n"
    "2000032        Czerny, Player 3        NOR M             SI,FI,LSI,SLI,NA,DI1846  0   40 "
    "1800  0   20 1951  i\n"
    "2000040        Dumont, Player 4        NOR M             SI,FI,LSI,SLI,N1746  0   40 1700  0 "
    "  20 1952  \n"
)
"""A list as it was before the column FOA; other titles fill their column,
or are longer by a letter or four.
"""


def text_rows(text: str, rate: str = "") -> list[Row]:
    faults = Faults()
    rows = list(read_text(io.BytesIO(text.encode()), faults, rate=rate))
    assert faults.found == []
    return rows


def test_c04_2_2_2_2_the_columns_of_the_combined_list() -> None:
    assert text_rows(COMBINED) == [
        Row(
            2000016, "", "Abara, Player 1", "FRA", "w", "IM", "1990", "", 2410, 2380, 2290, 0,
            women_title="WGM", other_titles="IA,FST", standard_k=10, rapid_k=10, blitz_k=20,
            standard_games=9, blitz_games=12,
        ),
        Row(
            2000024, "", "Blomqvist, Player 2", "SWE", "m", "", "1988", "", 1834, 0, 0, 1,
            other_titles="NA", standard_k=20,
        ),
        Row(
            2000032, "", "Lukasiewicz-Brandt, Zoe Ann", "POL", "w", "WFM", "2003", "", 0, 1790, 0, 1,
            women_title="WFM", rapid_k=20,
        ),
    ]  # fmt: skip


def test_other_titles_longer_than_their_column_move_the_columns_after_them() -> None:
    read = [
        (row.name, row.title, row.standard, row.rapid, row.birth) for row in text_rows(WITHOUT_FOA)
    ]
    assert read == [
        ("Abara, Player 1", "IM", 2410, 2380, "1990"),
        ("Blomqvist, Player 2", "FM", 1946, 1900, "1950"),
        ("Czerny, Player 3", "", 1846, 1800, "1951"),
        ("Dumont, Player 4", "", 1746, 1700, "1952"),
    ]
    assert text_rows(WITHOUT_FOA)[2].inactive == 1


@pytest.mark.parametrize(
    "other",
    [
        "",
        "NA",
        "FA,SI,LSI,DI,NI",
        "SI,FI,LSI,SLI,NA",
        "SI,FI,LSI,SLI,N",
        "SI,FI,LSI,SLI,",
        "SI,FI,LSI,SLI,NA,DI",
    ],
)
@pytest.mark.parametrize("arena", ["", "AGM", "AIM", "AFM", "ACM"])
def test_other_titles_may_touch_the_title_of_the_online_arena(other: str, arena: str) -> None:
    head = "ID Number  Name        Fed Sex Tit  WTit OTit           FOA SRtng SGm SK B-day Flag\n"
    line = f"2000024    Falk, Ute   NOR F   FM        {other:<15}{arena:<4}1946  0   40 1950  wi\n"
    (row,) = text_rows(head + line)
    assert row == Row(
        2000024, "", "Falk, Ute", "NOR", "w", "FM", "1950", "", 1946, 0, 0, 1,
        other_titles=other.rstrip(","), standard_k=40,
    )  # fmt: skip


def test_the_list_for_one_rate_has_one_rating_under_its_month() -> None:
    assert [(row.standard, row.rapid, row.title) for row in text_rows(ONE_RATE)] == [
        (2410, 0, "IM")
    ]
    assert [(row.standard, row.rapid) for row in text_rows(ONE_RATE, "rapid")] == [(0, 2410)]


@pytest.mark.parametrize("rate", RATES_OF_PLAY)
def test_k_and_games_of_a_list_for_one_rate_are_those_of_this_rate(rate: str) -> None:
    (row,) = text_rows(ONE_RATE, rate)
    (same,) = read_xml(io.BytesIO(ONE_RATE_XML), Faults(), rate=rate)
    for read in (row, same):
        assert {each: (read._asdict()[f"{each}_k"], read._asdict()[f"{each}_games"]) for each in RATES_OF_PLAY} == {
            **dict.fromkeys(RATES_OF_PLAY, (0, 0)), rate: (10, 9),
        }  # fmt: skip
        assert (read.title, read.women_title) == ("IM", "WGM")


def test_the_elements_of_the_combined_list() -> None:
    (row,) = read_xml(io.BytesIO(COMBINED_XML), Faults(), rate="")
    assert row == text_rows(COMBINED)[0]


@pytest.mark.parametrize("text", ["0", "", "99", "x"])
def test_a_k_that_nobody_has_is_none_and_does_not_leave_out_the_player(text: str) -> None:
    data = COMBINED_XML.replace(b"<k>10</k>", f"<k>{text}</k>".encode())
    faults = Faults()
    (row,) = read_xml(io.BytesIO(data), faults, rate="")
    assert (row.standard, row.standard_k, faults.found) == (2410, 0, [])


def test_older_lists_have_headings_without_a_blank_and_the_sex_in_the_flag() -> None:
    assert text_rows(OLDER) == [
        Row(
            2000016, "", "Abara, Player 1", "FRA", "w", "WGM", "1990", "", 2410, 0, 0, 1,
            women_title="WGM", standard_games=9,
        ),
        Row(2000024, "", "Blomqvist, Player 2", "SWE", "", "", "1988", "", 1834, 0, 0, 0),
    ]  # fmt: skip


def test_columns_in_another_order_and_headings_that_come_again() -> None:
    moved = "ID Number  Fed SRtng Name\n2000040    IRL 1500  O'Hara, Sean\n"
    assert [row.fide_id for row in text_rows(f"\ufeff\r\n\r\n{COMBINED}\n{moved}")] == [
        2000016, 2000024, 2000032, 2000040,
    ]  # fmt: skip
    assert text_rows(moved)[0] == Row(
        2000040, "", "O'Hara, Sean", "IRL", "", "", "", "", 1500, 0, 0, 0
    )


@pytest.mark.parametrize(
    "title, w_title, higher",
    [
        ("FM", "WGM", "WGM"),
        ("IM", "WGM", "IM"),
        ("", "WCM", "WCM"),
        ("CM", "", "CM"),
        ("", "IA", ""),
        ("HG", "WFM", "WFM"),
    ],
)
def test_c04_2_2_2_2_the_higher_of_two_titles_counts(title: str, w_title: str, higher: str) -> None:
    data = f"<l><player><fideid>1</fideid><name>A</name><title>{title}</title><w_title>{w_title}</w_title></player></l>"
    (row,) = read_xml(io.BytesIO(data.encode()), Faults(), rate="")
    assert row.title == higher


def test_files_of_a_mac_beside_the_list_are_no_lists(load: Load) -> None:
    file = io.BytesIO(packed("players_list_xml_foa.xml", xml_list()))
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("__MACOSX/._players_list_xml_foa.xml", b"\0\1")
    row = load(file.getvalue(), "players_list_xml.zip")
    assert (row.state, row.players) == ("loaded", 5)
    found = ListFile(row.path).by_fide_id([2000016])
    assert found[2000016].title == "GM"


def element(tag: str, text: str) -> str:
    return f"<{tag}>{text}</{tag}>"


def player(number: int, name: str, more: str = "", before: str = "") -> str:
    fields = {
        "fideid": str(number),
        "name": name,
        "country": "FRA",
        "sex": "M",
        "title": "",
        "rating": "1500",
    }
    return (
        f"{before}<player>\n{''.join(element(*each) for each in fields.items())}\n{more}</player>\n"
    )


def xml_rows(
    *players: str, part: int = fide_xml.PART, head: str = "", encoding: str = "utf-8"
) -> list[Row]:
    data = f"{head}<playerslist>\n{''.join(players)}</playerslist>\n".encode(encoding)
    stream = io.BytesIO(data)
    small = io.BufferedReader(Small(stream, part))  # type: ignore[arg-type]
    return list(read_xml(small, Faults(), rate="standard"))


class Small(io.RawIOBase):
    """A stream that gives few bytes at a time."""

    def __init__(self, stream: io.BytesIO, most: int) -> None:
        self.stream, self.most = stream, most

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        data = self.stream.read(min(self.most, len(buffer)))
        buffer[: len(data)] = data
        return len(data)


UNUSUAL = [
    player(2, escape("Name & Co")),
    player(3, "<![CDATA[A <b>]]>"),
    player(4, "Plain, Pia"),
    player(
        5, "Comment, Carl", before="<!-- <player><fideid>99</fideid><name>No</name></player> -->"
    ),
    player(6, "More, Max", more="<rating>1600</rating>"),
    player(7, "Łos, Zoë", more="<flag/>"),
    "<player><name>Short, Sue</name><fideid>8</fideid></player>",
    "<player kind='x'><fideid>9</fideid><name>With, Attribute</name></player >",
    player(10, "Last, Lea"),
]
NAMES = [
    "First, Fay", "Name & Co", "A <b>", "Plain, Pia", "Comment, Carl", "More, Max", "Łos, Zoë", "Short, Sue",
    "With, Attribute", "Last, Lea",
]  # fmt: skip


@pytest.mark.parametrize("part", [7, 100, 10**6])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_plain_and_unusual_players_are_read_alike(part: int, encoding: str) -> None:
    rows = xml_rows(player(1, "First, Fay"), *UNUSUAL, part=part, encoding=encoding)
    assert [row.name for row in rows] == NAMES
    assert [row.fide_id for row in rows] == list(range(1, 11))


def test_a_declared_encoding_is_read() -> None:
    head = '<?xml version="1.0" encoding="ISO-8859-1"?>'
    rows = xml_rows(player(1, "First, Fay"), player(2, "Émile, Zoë"), head=head, encoding="latin-1")
    assert [row.name for row in rows] == ["First, Fay", "Émile, Zoë"]


@pytest.mark.parametrize("part", [50, 10**6])
@pytest.mark.parametrize(
    "bad, line",
    [
        (player(3, "Bad & Co"), 9),
        ("<player><fideid>3</player>", 8),
        (player(3, "Control \x01 Sign"), 9),
        ("</playerslist><playerslist>", 8),
    ],
)
def test_what_is_not_xml_is_refused_with_its_line_after_plain_players_too(
    part: int, bad: str, line: int
) -> None:
    good = [player(1, "First, Fay"), player(2, "Second, Sam")]
    with pytest.raises(BadInput) as refused:
        xml_rows(*good, bad, player(4, "Later, Lou"), part=part)
    assert refused.value.code == "rating_list.not_xml"
    assert refused.value.line == line


def test_a_fault_in_a_plain_player_has_its_line() -> None:
    data = (
        "<l>\n"
        + "".join(player(n, "Name, N") for n in range(1, 4))
        + player(4, "")
        + player(5, "N")
        + "</l>"
    )
    faults = Faults()
    rows = list(read_xml(io.BytesIO(data.encode()), faults, rate=""))
    assert [row.fide_id for row in rows] == [1, 2, 3, 5]
    assert [fault.line for fault in faults.found] == [13]
