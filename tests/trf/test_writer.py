"""The layout of records built by a program."""

from __future__ import annotations

import pytest

from pairing.engine.model import TPN, Colour, Points, Result
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
    TrfDocument,
    VirtualPoints,
    VirtualPointsHistory,
)
from pairing.trf.errors import TrfError
from pairing.trf.writer import write


def line(record: Record) -> str:
    return write(TrfDocument((record,)))


def test_a_player_is_written_in_the_columns_of_the_format() -> None:
    player = PlayerRecord(
        tpn=TPN(12),
        sex="w",
        title="WGM",
        name="Ćirić, Ana",
        rating=2310,
        federation="SRB",
        fide_id="900000001",
        birth_date="1985/00/00",
        points=Points(25),
        rank=3,
        rounds=(
            RoundCell(TPN(7), Colour.WHITE, Result.WIN),
            None,
            RoundCell(None, None, Result.HALF_POINT_BYE),
            RoundCell(TPN(8), Colour.BLACK, None),
        ),
    )
    text = line(player)
    fields = {
        (1, 3): "001",
        (5, 8): "  12",
        (10, 10): "w",
        (11, 13): "WGM",
        (15, 47): "Ćirić, Ana".ljust(33),
    }
    fields |= {
        (49, 52): "2310",
        (54, 56): "SRB",
        (58, 68): "  900000001",
        (70, 79): "1985/00/00",
        (81, 84): " 2.5",
    }
    fields |= {
        (86, 89): "   3",
        (92, 99): "   7 w 1",
        (102, 109): " " * 8,
        (112, 119): "0000 - H",
        (122, 129): "   8 b  ",
    }
    assert {columns: text[columns[0] - 1 : columns[1]] for columns in fields} == fields
    assert len(text) == 91 + 10 * 4 + 1
    assert text[130:] == " \n"


def test_every_player_is_padded_to_the_rounds_of_the_one_who_has_most() -> None:
    """Some programs refuse a 001 line that is shorter than 91 + 10·rounds columns."""
    bye = RoundCell(None, None, Result.HALF_POINT_BYE)
    text = write(TrfDocument((PlayerRecord(TPN(1)), PlayerRecord(TPN(2), rounds=(bye, bye, bye)))))
    assert [len(line) for line in text.splitlines()] == [121, 121]


@pytest.mark.parametrize(
    "record, text",
    [
        (TextRecord("012", "Open"), "012 Open"),
        (TextRecord("012", "Open\nof\tParis"), "012 Open of Paris"),
        (TextRecord("012", "a\u2028b\x85c\x7fd\u200ce"), "012 a b c d\u200ce"),
        (TextRecord("###", ""), "###"),
        (TextRecord("", ""), ""),
        (
            RoundDates(("26/11/21", "", "26/11/23")),
            "132" + " " * 88 + "26/11/21            26/11/23",
        ),
        (RoundCount("142", 9), "142 9"),
        (InitialColour("152", Colour.WHITE), "152 W"),
        (InitialColour("XXC", Colour.BLACK, by_rank=True), "XXC rank black1"),
        (PointValues("162", (("W", Points(30)), ("D", Points(10)))), "162  W 3.0    D 1.0"),
        (PointValues("XXS", (("W", Points(30)), ("PAB", Points(5)))), "XXS W=3.0 PAB=0.5"),
        (PointValues("BBU", (("", Points(5)),)), "BBU 0.5"),
        (RequestedByes("240", Result.HALF_POINT_BYE, 3, (TPN(7), TPN(12))), "240 H 003 0007 0012"),
        (RequestedByes("XXZ", Result.ZERO_POINT_BYE, None, (TPN(4), TPN(5))), "XXZ 4 5"),
        (VirtualPoints(Points(10), 1, 3, TPN(1), TPN(40)), "250      01.0 001 003 0001 0040"),
        (VirtualPointsHistory(TPN(4), (Points(10), Points(5))), "XXA    4  1.0  0.5"),
        (
            AbnormalPoints(Result.WIN, Points(25), 2, (TPN(17),), Points(20)),
            "299 W   2.0   2.5  002   17",
        ),
        (
            AbnormalPoints(None, Points(-105), 999, (TPN(14), TPN(9))),
            "299         -10.5  999   14    9",
        ),
        (AbnormalPoints(Result.FORFEIT_LOSS, Points(0)), "299 -         0.0  000"),
        (
            NationalRating(
                "FRA", TPN(12), 1874, "w", "MF", "Durand, Zoé", "IDF", "K51234", "1990/00/00"
            ),
            "FRA   12 w MF Durand, Zoé                       1874 IDF      K51234 1990/00/00",
        ),
        (NationalRating("FRA", TPN(12), 1874), "FRA   12" + " " * 40 + "1874"),
        (ProhibitedPairs("260", (TPN(3), TPN(17)), 1, 9), "260 001 009 0003 0017"),
        (ProhibitedPairs("260", (TPN(3), TPN(17))), "260 001 999 0003 0017"),
        (ProhibitedPairs("XXP", (TPN(3), TPN(17))), "XXP 3 17"),
    ],
)
def test_each_record_is_laid_out_as_the_format_says(record: Record, text: str) -> None:
    assert line(record) == text + "\n"


def test_a_long_name_is_cut_to_its_columns() -> None:
    assert line(PlayerRecord(TPN(1), name="x" * 40))[14:48] == "x" * 33 + " "


@pytest.mark.parametrize(
    "player, field, column",
    [
        (PlayerRecord(TPN(10_000)), "tpn", 5),
        (PlayerRecord(TPN(1), points=Points(1_000)), "points", 81),
        (PlayerRecord(TPN(1), rating=10_000), "rating", 49),
        (PlayerRecord(TPN(1), fide_id="123456789012"), "fide_id", 58),
    ],
)
def test_a_number_that_does_not_fit_is_refused(
    player: PlayerRecord, field: str, column: int
) -> None:
    with pytest.raises(TrfError) as caught:
        line(player)
    assert (caught.value.code, caught.value.params["field"], caught.value.column) == (
        "trf.too_wide",
        field,
        column,
    )
