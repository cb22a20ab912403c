"""Reading each record."""

from __future__ import annotations

import pytest

from pairing.engine.model import TPN, Colour, Points, Result
from pairing.recheck import points_differences
from pairing.trf.document import (
    AbnormalPoints,
    InitialColour,
    NationalRating,
    PlayerRecord,
    PointValues,
    ProhibitedPairs,
    Record,
    RequestedByes,
    RoundCell,
    RoundCount,
    RoundDates,
    TextRecord,
    VirtualPoints,
    VirtualPointsHistory,
)
from pairing.trf.errors import TrfError
from pairing.trf.reader import read
from pairing.trf.writer import write
from tests.trf.reports import FOUR, player, report

ONE = player(1, "0.0")


def first(line: str) -> Record:
    """Return the record of *line*, in a report with 40 players."""
    return read(report(line, *(player(tpn, "0.0") for tpn in range(1, 41)))).records[0]


def cells(*written: str, points: str = "0.0") -> tuple[RoundCell | None, ...]:
    return read(report(player(1, points, *written))).players[0].rounds


def test_a_player_is_read_by_columns() -> None:
    line = (
        "001   12 wWGM Żółw, Ana Ćirić-Müller            2310 SRB   900000001 1985/00/00  1.5  "
        "  3  0000 - H  0000 - U"
    )
    assert read(report("XXR 5", line)).players == (
        PlayerRecord(
            tpn=TPN(12),
            sex="w",
            title="WGM",
            name="Żółw, Ana Ćirić-Müller",
            rating=2310,
            federation="SRB",
            fide_id="900000001",
            birth_date="1985/00/00",
            points=Points(15),
            rank=3,
            rounds=(
                RoundCell(None, None, Result.HALF_POINT_BYE),
                RoundCell(None, None, Result.PAIRING_ALLOCATED_BYE),
            ),
        ),
    )


def test_a_player_only_needs_a_number() -> None:
    assert read("001    7").players == (PlayerRecord(tpn=TPN(7)),)


@pytest.mark.parametrize(
    "written, title",
    [
        ("  g", "GM"),
        ("  m", "IM"),
        ("  f", "FM"),
        (" wf", "WFM"),
        (" GM", "GM"),
        ("WIM", "WIM"),
        ("   ", ""),
    ],
)
def test_titles_of_old_files_are_spelled_out(written: str, title: str) -> None:
    assert read(ONE[:10] + written + ONE[13:]).players[0].title == title


@pytest.mark.parametrize("letter", "1=0WDL+-?")
def test_every_result_of_a_game_is_read(letter: str) -> None:
    other = {"1": "0", "0": "1", "W": "L", "L": "W", "+": "-", "-": "+"}.get(letter, letter)
    worth = {"1": 10, "W": 10, "+": 10, "=": 5, "D": 5, "?": 5}
    document = read(
        report(
            player(1, f"{worth.get(letter, 0) / 10}", f"   2 w {letter}"),
            player(2, f"{worth.get(other, 0) / 10}", f"   1 b {other}"),
        )
    )
    assert [record.rounds for record in document.players] == [
        (RoundCell(TPN(2), Colour.WHITE, Result(letter)),),
        (RoundCell(TPN(1), Colour.BLACK, Result(other)),),
    ]


@pytest.mark.parametrize(
    "written, points, result",
    [
        ("0000 - F", "1.0", Result.FULL_POINT_BYE),
        ("0000 - h", "0.5", Result.HALF_POINT_BYE),
        ("0000 - Z", "0.0", Result.ZERO_POINT_BYE),
        ("0000 - u", "1.0", Result.PAIRING_ALLOCATED_BYE),
        ("     - U", "1.0", Result.PAIRING_ALLOCATED_BYE),
        ("0000   U", "1.0", Result.PAIRING_ALLOCATED_BYE),
        ("0000 - +", "1.0", Result.FULL_POINT_BYE),
        ("0000 - -", "0.0", Result.ZERO_POINT_BYE),
        ("0000 - =", "0.5", Result.HALF_POINT_BYE),
        ("0000 -", "0.0", Result.ZERO_POINT_BYE),
    ],
)
def test_a_bye_is_read_in_every_spelling(written: str, points: str, result: Result) -> None:
    assert cells(written, points=points) == (RoundCell(None, None, result),)


def test_small_letters_are_results_too() -> None:
    document = read(report(player(1, "1.0", "   2 w w"), player(2, "0.0", "   1 b l")))
    assert [record.rounds[0] for record in document.players] == [
        RoundCell(TPN(2), Colour.WHITE, Result.UNRATED_WIN),
        RoundCell(TPN(1), Colour.BLACK, Result.UNRATED_LOSS),
    ]


def test_a_blank_round_before_others_stays_in_its_place() -> None:
    assert cells("        ", "0000 - H", points="0.5") == (
        None,
        RoundCell(None, None, Result.HALF_POINT_BYE),
    )


def test_a_game_may_have_no_result_yet() -> None:
    document = read(report(player(1, "0.0", "   2 w"), player(2, "0.0", "   1 b")))
    assert document.players[0].rounds == (RoundCell(TPN(2), Colour.WHITE, None),)


def test_a_forfeited_game_may_have_no_colours() -> None:
    document = read(report(player(1, "1.0", "   2 - +"), player(2, "0.0", "   1 - -")))
    assert document.players[0].rounds == (RoundCell(TPN(2), None, Result.FORFEIT_WIN),)


@pytest.mark.parametrize(
    "line, record",
    [
        ("012 Café Open", TextRecord("012", "Café Open")),
        ("### by hand @ Round 3", TextRecord("###", "by hand @ Round 3")),
        ("ABC whatever", TextRecord("ABC", "whatever")),
        ("", TextRecord("")),
        (
            "132" + " " * 88 + "26/11/21            26/11/23  ",
            RoundDates(("26/11/21", "", "26/11/23")),
        ),
        ("142 9", RoundCount("142", 9)),
        ("XXR  11 ", RoundCount("XXR", 11)),
        ("152 b", InitialColour("152", Colour.BLACK)),
        ("XXC white1", InitialColour("XXC", Colour.WHITE)),
        ("XXC rank black1", InitialColour("XXC", Colour.BLACK, by_rank=True)),
        ("162  W 3.0    D 1.0", PointValues("162", (("W", Points(30)), ("D", Points(10))))),
        (
            "162  A 0.5    P 0.5    X 0.0",
            PointValues("162", (("A", Points(5)), ("P", Points(5)), ("X", Points(0)))),
        ),
        ("162 W  1.0     D  0.5", PointValues("162", (("W", Points(10)), ("D", Points(5))))),
        ("BBU 0.5", PointValues("BBU", (("", Points(5)),))),
        ("XXS W=3 D=1", PointValues("XXS", (("W", Points(30)), ("D", Points(10))))),
        ("XXS PAB=.5", PointValues("XXS", (("PAB", Points(5)),))),
        ("240 H 003 0007 0012", RequestedByes("240", Result.HALF_POINT_BYE, 3, (TPN(7), TPN(12)))),
        ("XXZ 4 5", RequestedByes("XXZ", Result.ZERO_POINT_BYE, None, (TPN(4), TPN(5)))),
        ("250      01.0 001 003 0001 0040", VirtualPoints(Points(10), 1, 3, TPN(1), TPN(40))),
        ("250 01.0      001 003 0001 0040", VirtualPoints(Points(10), 1, 3, TPN(1), TPN(40))),
        (
            "XXA    4  1.0       0.5",
            VirtualPointsHistory(TPN(4), (Points(10), Points(0), Points(5))),
        ),
        ("260 001 009 0003 0017", ProhibitedPairs("260", (TPN(3), TPN(17)), 1, 9)),
        (
            "299 W   2.0   2.5    2   17",
            AbnormalPoints(Result.WIN, Points(25), 2, (TPN(17),), Points(20)),
        ),
        (
            "299    -1.0  -2.0    4   31",
            AbnormalPoints(None, Points(-20), 4, (TPN(31),), Points(-10)),
        ),
        (
            "299         -10.5  999   14   15",
            AbnormalPoints(None, Points(-105), 999, (TPN(14), TPN(15))),
        ),
        ("299 +         2.0", AbnormalPoints(Result.FORFEIT_WIN, Points(20))),
        (
            "FRA   12 wMF  Durand, Zoé                       1874 IDF      K51234 1990/00/00",
            NationalRating(
                "FRA", TPN(12), 1874, "w", "MF", "Durand, Zoé", "IDF", "K51234", "1990/00/00"
            ),
        ),
        ("FRA   12" + " " * 40 + "1874", NationalRating("FRA", TPN(12), 1874)),
        ("FRA   12 no rating", TextRecord("FRA", "12 no rating")),
        ("FRA   12" + " " * 40 + "18x4", TextRecord("FRA", "12" + " " * 40 + "18x4")),
        ("FRA   12" + " " * 39 + "01874", TextRecord("FRA", "12" + " " * 39 + "01874")),
        ("XXB   12" + " " * 40 + "1874", TextRecord("XXB", "12" + " " * 40 + "1874")),
        ("XXP 3 17 20", ProhibitedPairs("XXP", (TPN(3), TPN(17), TPN(20)))),
    ],
)
def test_each_record_is_understood(line: str, record: Record) -> None:
    assert first(line) == record


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_may_end_in_any_way(end: str) -> None:
    assert read(FOUR.replace("\n", end)).records == read(FOUR).records


def test_a_byte_order_mark_is_not_part_of_the_first_record() -> None:
    assert read("\ufeff" + FOUR).records == read(FOUR).records


def test_only_line_ends_end_a_line() -> None:
    """Python's ``splitlines`` would also split at a form feed or a line separator."""
    name = "012 one\x0btwo\x0cthree\x85four\u2028five"
    assert read(name + "\n" + ONE).texts("012") == (name[4:],)


def test_texts_are_found_by_their_code() -> None:
    document = read(report("112 A", "112 B", ONE))
    assert (document.texts("112"), document.text("112"), document.text("012")) == (
        ("A", "B"),
        "A",
        "",
    )


@pytest.mark.parametrize(
    "letter, sex", [("f", "w"), ("F", "w"), ("w", "w"), ("W", "w"), (" ", ""), ("x", "x")]
)
def test_women_are_f_in_some_programs(letter: str, sex: str) -> None:
    line = player(1, "0.0")
    assert line[9] == "m"
    text = report(line[:9] + letter + line[10:])
    assert read(text).players[0].sex == sex
    assert write(read(text)) == text


IN_PLAY = (
    player(1, "1.0", "   2 w 1", "   3 b  "),
    player(2, "0.0", "   1 b 0", "0000 - U"),
    player(3, "1.0", "0000 - U", "   1 w  "),
)
"""The points do not contain the bye of round 2, whose game has no result yet."""


def test_the_bye_of_a_round_in_play_may_not_be_counted_yet() -> None:
    text = report("142 3", *IN_PLAY)
    assert [player.points for player in read(text).players] == [10, 0, 10]
    assert list(points_differences(read(text))) == []
    counted = text.replace(IN_PLAY[1], IN_PLAY[1].replace(" 0.0 ", " 1.0 "))
    assert read(counted).players[1].points == 10


def test_the_bye_of_a_round_that_is_over_is_counted() -> None:
    over = [line.replace("3 b  ", "3 b 1").replace("1 w  ", "1 w 0") for line in IN_PLAY]
    with pytest.raises(TrfError) as caught:
        read(report("142 3", over[0].replace(" 1.0 ", " 2.0 "), *over[1:]))
    assert (caught.value.code, caught.value.params["tpn"]) == ("trf.points_mismatch", 2)
