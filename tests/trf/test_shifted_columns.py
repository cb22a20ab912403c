"""Text in a column of 001 that must be blank is refused with its place;
letters for the sex are not titles.
"""

from __future__ import annotations

import pytest

from pairing.trf.errors import TrfError
from pairing.trf.fields import PLAYER_GAPS
from pairing.trf.reader import read
from pairing.trf.remarks import remarks
from pairing.trf.writer import write
from tests.trf.reports import player, report

LINE = player(1, "0.0", name="Abara, Ann")
OTHER = player(2, "0.0", name="Birch, Bo")


def with_text(at: int, text: str, line: str = LINE) -> str:
    """Return *line* with *text* from column *at* on."""
    return line[: at - 1] + text + line[at - 1 + len(text) :]


@pytest.mark.parametrize("column", PLAYER_GAPS)
def test_text_in_a_blank_column_is_refused_with_its_place(column: int) -> None:
    with pytest.raises(TrfError) as raised:
        read(report(OTHER, with_text(column, "7", LINE.ljust(92))))
    assert (raised.value.code, raised.value.line, raised.value.column) == ("trf.gap", 2, column)
    assert "'7'" in raised.value.message


@pytest.mark.parametrize(
    "at, text, column",
    [
        (48, "2000 ", 48),
        (49, " 2000", 53),
        (53, "FRA ", 53),
        (54, " FRA", 57),
        (58, "    12345678", 69),
        (69, "1990/01/01 ", 69),
        (12, " GM", 14),
        (14, "Abara, Ann ", 14),
        (48, "12000", 48),
    ],
    ids=[
        "rating early",
        "rating late",
        "federation early",
        "federation late",
        "FIDE ID late",
        "birth early",
        "title late",
        "name early",
        "rating of five digits",
    ],
)
def test_a_field_that_has_shifted_is_refused(at: int, text: str, column: int) -> None:
    with pytest.raises(TrfError) as raised:
        read(report(with_text(at, text), OTHER))
    assert (raised.value.code, raised.value.column) == ("trf.gap", column)


def test_a_name_of_34_letters_keeps_all_of_them() -> None:
    name = "Abcdefghij-Klmnopqrst, Uvwxyz Abcd"
    (first, _) = read(report(with_text(15, name), OTHER)).players
    assert (len(name), first.name, first.rating) == (34, name, 2000)


def players_with(*titles: str, sexes: str = "") -> str:
    lines = [player(tpn, "0.0") for tpn in range(1, len(titles) + 1)]
    sexes = sexes.ljust(len(titles))
    return report(
        *(
            with_text(10, sex + f"{title:>3}", line)
            for line, title, sex in zip(lines, titles, sexes, strict=True)
        )
    )


@pytest.mark.parametrize(
    "titles", [("m", "m", "f"), ("m  ", "w  ", "m  "), ("M", "F", ""), ("w", "w", "w")]
)
def test_a_column_of_titles_with_only_letters_for_the_sex_is_the_sex(
    titles: tuple[str, ...],
) -> None:
    text = players_with(*titles)
    document = read(text)
    letters = {"m": "m", "f": "w", "w": "w", "": ""}
    assert [each.sex for each in document.players] == [
        letters[title.strip().lower()] for title in titles
    ]
    assert {each.title for each in document.players} == {""}
    assert ("trf.sex_in_title", 1, 11) in [
        (each.code, each.line, each.column) for each in remarks(document)
    ]
    assert write(document) == text


@pytest.mark.parametrize(
    "titles, sexes, read_as",
    [
        (("m", "m", "f"), "mmw", ["IM", "IM", "FM"]),
        (("m", "g", "m"), "", ["IM", "GM", "IM"]),
        (("m", "", ""), "", ["IM", "", ""]),
    ],
    ids=["there is a sex", "another title", "few players"],
)
def test_old_titles_stay_titles(titles: tuple[str, ...], sexes: str, read_as: list[str]) -> None:
    document = read(players_with(*titles, sexes=sexes))
    assert [each.title for each in document.players] == read_as
    codes = {each.code: each for each in remarks(document)}
    assert "trf.sex_in_title" not in codes
    assert ("trf.title_or_sex" in codes) == (not sexes)
    if not sexes:
        assert (codes["trf.title_or_sex"].line, codes["trf.title_or_sex"].params["count"]) == (
            1,
            titles.count("m"),
        )


def test_an_unknown_letter_for_the_sex_is_named() -> None:
    (found,) = remarks(read(report(with_text(10, "x"), OTHER)))
    assert (found.code, found.line, found.column, found.params["found"]) == (
        "trf.sex_dropped",
        1,
        10,
        "x",
    )
