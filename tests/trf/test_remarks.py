"""A file that was cut off or mistyped is named:
counts, unknown records, gaps, numbers of nobody.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pairing.cli.main import main
from pairing.trf.reader import read
from pairing.trf.remarks import looks_like_a_player, remarks
from tests.trf.reports import FOUR, player, report

FIVE = [player(tpn, "0.0") for tpn in range(1, 6)]


def found(*lines: str) -> list[tuple[str, int, str]]:
    """Return code, line and sentence of each remark on the file with *lines*."""
    return [(each.code, each.line, each.message) for each in remarks(read(report(*lines)))]


def test_a_complete_file_has_no_remark() -> None:
    assert found("062 5", "072 5", *FIVE) == []
    assert found("062 5 (5)", *FIVE) == []


def test_a_count_that_is_not_that_of_the_file_is_named() -> None:
    assert found("062 8", *FIVE) == [("trf.count", 1, "062 says 8 players, the file has 5.")]
    assert found("062 13 (11)", *FIVE) == [("trf.count", 1, "062 says 13 players, the file has 5.")]
    expected = "072 says 9 rated players, the file has 5 players with a rating."
    assert found("062 5", "072 9", *FIVE) == [("trf.count", 2, expected)]


@pytest.mark.parametrize("code", ["101", "011", "OO1", "0o1", "002", " 001", "01 ", "000"])
def test_an_unknown_record_that_looks_like_a_player_is_named(code: str) -> None:
    line = code + player(6, "0.0")[3:]
    (remark,) = found(*FIVE, line)
    assert remark[:2] == ("trf.unknown_record", 6)
    assert code.strip() in remark[2]


def test_other_unknown_records_are_named_once() -> None:
    (remark,) = found(*FIVE, "DAT 0001 EMAIL", "00", "DAT 2", "### a comment", "222 5400+30", "")
    expected = "This program does not know these records and does not use them: DAT (2), 00 (1)."
    assert remark == ("trf.unknown_records", 6, expected)
    assert not looks_like_a_player("123456789012345678901234567890")


def test_names_with_wrong_letters_are_named_once() -> None:
    names = ("MÃ¼ller, JÃ¶rg", "Petit, Zoé", "FranÃ§ois, Ã‰lise", "Ångström, Åke", "JOÃO Silva")
    (remark,) = found(*(player(tpn, "0.0", name=name) for tpn, name in enumerate(names, 1)))
    expected = (
        "Names with wrong letters: 2. The first is 'MÃ¼ller, JÃ¶rg', which probably means "
        "'Müller, Jörg'."
    )
    assert remark == ("trf.wrong_letters", 1, expected)
    (remark,) = found("022 MÃ¼nchen", *FIVE)
    assert remark[:2] == ("trf.wrong_letters", 1)


def test_gaps_in_the_numbers_are_named() -> None:
    assert found(FIVE[0], FIVE[1], FIVE[4]) == [
        (
            "trf.numbers_missing",
            1,
            "The pairing numbers have gaps: 3, 4 missing. Lines of players may be lost.",
        )
    ]


@pytest.mark.parametrize(
    "record, code, numbers",
    [
        ("240 H 001 0002 0009", "240", "9"),
        ("XXZ 2 9 8", "XXZ", "8, 9"),
        ("260 001 009 0001 0077", "260", "77"),
        ("XXP 1 77", "XXP", "77"),
        ("XXA   12  1.0", "XXA", "12"),
        ("250      01.0 001 003 0009 0012", "250", "9"),
        ("FRA    9" + " " * 40 + "2000", "FRA", "9"),
        ("### Rating of TPN 9: 1650, national", "###", "9"),
        ("### Expelled @ Round 2: TPN 9", "###", "9"),
    ],
)
def test_a_record_that_names_nobody_is_named(record: str, code: str, numbers: str) -> None:
    expected = f"Record {code} names {numbers}, but there is no such player: this is not used."
    assert found("142 9", *FIVE, record) == [("trf.unknown_number", 7, expected)]


def test_a_line_that_ends_early_is_named() -> None:
    expected = "The line of player 5 ends in column 20: it may be cut off."
    assert found(*FIVE[:4], FIVE[4][:20]) == [("trf.short_line", 5, expected)]
    assert found(*[line[:60] for line in FIVE]) == []


def test_a_range_of_virtual_points_may_end_after_the_last_player() -> None:
    assert found("142 9", *FIVE, "250      01.0 001 003 0001 9999") == []


def test_impossible_ratings_are_named() -> None:
    text = [line.replace(" 2000 ", " 9999 ") for line in FIVE]
    (remark,) = found(*text)
    assert remark == (
        "trf.rating_too_high",
        1,
        "5 ratings are above 4000, the first is 9999: please check.",
    )


@pytest.mark.parametrize("verb", [["pair"], ["explain"], ["check"], ["check", "--standings"]])
def test_every_verb_names_them_on_standard_error(
    verb: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "cut.trf"
    file.write_text("062 8\n192 FIDE_DUTCH_2026\n202 BH\n" + FOUR)
    main([*verb, str(file)])
    captured = capfd.readouterr()
    assert "cut.trf: line 1, column 5: 062 says 8 players, the file has 4." in captured.err
    assert "062" not in captured.out


def test_a_round_of_byes_alone_is_named() -> None:
    games = ["   2 w 1", "   1 b 0"]
    (remark,) = found("142 5", *(player(n, f"{2 - n}.0", "0000 - Z", games[n - 1]) for n in (1, 2)))
    assert remark == (
        "trf.round_of_byes",
        2,
        ("Round 1 has only byes and no game. It counts as finished."),
    )


def test_a_bye_after_the_last_round_is_named() -> None:
    cells = ["   2 w 1", "   1 b 0"]
    players = [player(n, f"{2 - n}.0", cells[n - 1]) for n in (1, 2)]
    expected = "A bye for round 3 is not used: the tournament has 2 rounds (142 or XXR)."
    assert found("142 2", "240 H   3    1", *players) == [("trf.bye_after_last", 2, expected)]
    late = player(1, "1.0", cells[0], " " * 8, "0000 - H")
    assert found("142 2", late, players[1]) == [("trf.bye_after_last", 2, expected)]
    assert found("142 3", "240 H   3    1", late, players[1]) == []


def test_a_fide_id_of_two_players_is_named() -> None:
    lines = [player(n, "0.0").replace(str(12345677 + n), "88000001") for n in (1, 2, 3)]
    expected = (
        "Players 1 and 2 have the same FIDE ID, 88000001: is this one person twice? Number "
        "of such players: 2."
    )
    assert found(*lines) == [("trf.fide_id_twice", 2, expected)]
    none = [line.replace("88000001", "       0") for line in lines]
    assert found(*none) == []
