"""Each refusal has the line, the column and the expected content."""

from __future__ import annotations

import tracemalloc

import pytest

from pairing.trf.errors import TrfError
from pairing.trf.fields import MAX_CHARACTERS
from pairing.trf.reader import read
from tests.trf.reports import FOUR, player, report
from tests.work import work_of

A, B = player(1, "1.0", "   2 w 1"), player(2, "0.0", "   1 b 0")


def refusal(text: str | bytes) -> TrfError:
    with pytest.raises(TrfError) as caught:
        read(text)
    return caught.value


def place(text: str | bytes) -> tuple[str, int, int]:
    error = refusal(text)
    return error.code, error.line, error.column


def test_a_wrong_points_column_is_refused() -> None:
    error = refusal(FOUR.replace(" 0.5    2", " 1.5    2"))
    assert (
        str(error)
        == "line 5, column 81: Player 2 has 1.5 points here, but the results add up to 0.5."
    )
    assert (error.code, error.params) == (
        "trf.points_mismatch",
        {"tpn": 2, "points": 1.5, "expected": 0.5},
    )


def test_an_opponent_who_does_not_point_back_is_refused() -> None:
    error = refusal(FOUR.replace("   3 w 1     2 b 1", "   3 w 1     3 b 1"))
    assert (
        str(error)
        == "line 4, column 102: Round 2: player 1 plays against 3, but 3 plays against 4."
    )
    assert error.code == "trf.opponent_mismatch"


def test_an_opponent_who_has_a_bye_is_refused() -> None:
    error = refusal(report(A, player(2, "0.5", "0000 - H")))
    assert (
        str(error)
        == "line 1, column 92: Round 1: player 1 plays against 2, but 2 plays against nobody."
    )


def test_an_unknown_opponent_is_refused() -> None:
    assert place(report(player(1, "1.0", "   9 w 1"))) == ("trf.unknown_opponent", 1, 92)


def test_nobody_meets_himself() -> None:
    assert place(report(player(1, "1.0", "   1 w 1"))) == ("trf.unknown_opponent", 1, 92)


def test_two_whites_in_one_game_are_refused() -> None:
    error = refusal(FOUR.replace("   1 b 0     4 w =", "   1 w 0     4 w ="))
    assert str(error) == "line 4, column 97: Round 1: player 1 and opponent 3 both have 'w'."
    assert error.code == "trf.colour_clash"


@pytest.mark.parametrize("ours, theirs", ["11", "1=", "+0", "++", "1-", "1L", "?1", "? ", "1 "])
def test_results_that_do_not_fit_together_are_refused(ours: str, theirs: str) -> None:
    text = report(player(1, "", f"   2 w {ours}"), player(2, "", f"   1 b {theirs}"))
    assert place(text) == ("trf.result_clash", 1, 99)


@pytest.mark.parametrize(
    "ours, theirs", ["10", "==", "00", "=0", "0=", "WL", "DD", "LL", "DL", "+-", "--", "??", "  "]
)
def test_results_that_an_arbiter_may_enter_are_accepted(ours: str, theirs: str) -> None:
    text = report(player(1, "", f"   2 w {ours}"), player(2, "", f"   1 b {theirs}"))
    assert len(read(text).players) == 2


def test_a_number_given_twice_is_refused() -> None:
    error = refusal(FOUR + player(2, "0.0"))
    assert str(error) == "line 8, column 5: Pairing number 2 is used twice; it is also on line 5."


@pytest.mark.parametrize("column, letter", [(99, "X"), (109, "é"), (99, "\x00")])
def test_an_unknown_result_letter_is_refused(column: int, letter: str) -> None:
    lines = FOUR.split("\n")
    lines[3] = lines[3][: column - 1] + letter + lines[3][column:]
    assert place("\n".join(lines)) == ("trf.result", 4, column)


def test_bytes_that_are_not_utf_8_are_refused() -> None:
    data = FOUR.encode().replace(b"Player 3", b"Pl\xe4yer 3").replace(b"\n", b"\r\n")
    error = refusal(data)
    assert (error.code, error.line, error.column) == ("trf.not_utf8", 6, 17)
    assert error.message == "Byte 0xe4 is not UTF-8 text. Save the file as UTF-8 and try again."


def test_columns_count_characters_not_bytes() -> None:
    lines = FOUR.replace("Player 3", "Плеер  3").split("\n")
    lines[5] = lines[5][:98] + "X" + lines[5][99:]
    assert place("\n".join(lines)) == ("trf.result", 6, 99)


JUNK = {
    "no UTF-8": (b"\x93\x8f\xff\x00junk" * 1_250_000, "trf.too_large"),
    "text": (b"lorem ipsum " * 850_000, "trf.too_large"),
    "just small enough": (b"lorem ipsum\r\n" * 90_000, "trf.no_players"),
    "blank lines": (b"\n" * 3_900_000, "trf.too_large"),
    "one line": (b"x" * 3_900_000, "trf.no_players"),
    "digits": (b"001 " + b"1" * 3_900_000, "trf.gap"),
    "rounds": (b"001    1" + b" " * 83 + b"0000 - H  " * 390_000, "trf.too_many_rounds"),
    "points": (b"162 " + b"W1.0 " * 100_000 + b"W", "trf.point_symbol"),
    "blanks": (b"162 " + b" " * 3_900_000, "trf.point_symbol"),
    "bad at the end": (b"\n" * 7_900_000 + b"\xff", "trf.not_utf8"),
}


@pytest.mark.costly
@pytest.mark.parametrize("name", JUNK)
def test_megabytes_of_junk_are_refused_with_little_work_and_in_bounded_memory(name: str) -> None:
    """There are only a few calls per line or word: never more than two per byte."""
    data, code = JUNK[name]
    refused, calls = work_of(lambda: refusal(data))
    assert refused.code == code
    assert calls < 2 * len(data)
    tracemalloc.start()
    refusal(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 150_000_000


def test_a_text_longer_than_any_report_is_refused() -> None:
    """A text has no bytes to count."""
    refused = refusal("x" * (MAX_CHARACTERS + 1))
    assert (refused.code, refused.line, refused.column) == ("trf.too_large", 1, 1)
    assert f"{MAX_CHARACTERS:,} characters" in str(refused)
    assert refusal("x" * MAX_CHARACTERS).code == "trf.no_players"


@pytest.mark.parametrize("text", ["", "\n\n", "012 Open\n", "\ufeff", b""])
def test_a_file_without_players_is_refused(text: str | bytes) -> None:
    assert str(refusal(text)) == (
        "line 1, column 1: This file contains no players: a tournament report has a line '001 …' "
        "for each player."
    )


@pytest.mark.parametrize(
    "line, code, column",
    [
        ("001 abcd", "trf.number", 5),
        ("001    0", "trf.number", 5),
        ("001   ²1", "trf.number", 5),
        ("0011    1", "trf.gap", 4),
        (A[:48] + "20x0" + A[52:], "trf.number", 49),
        (A[:80] + "1,55" + A[84:], "trf.points", 81),
        (A[:80] + " one" + A[84:], "trf.points", 81),
        (A[:84] + "1" + A[85:], "trf.gap", 85),
        (A[:91] + "  2 w 1 ", "trf.round_columns", 92),
        (A[:91] + "  12b1  ", "trf.round_columns", 92),
        (A[:91] + "   x w 1", "trf.number", 92),
        (A[:91] + "   2 x 1", "trf.colour", 97),
        (A[:91] + "   2 - 1", "trf.colour", 97),
        (A[:91] + "   2 w H", "trf.bye_with_opponent", 99),
        (A[:91] + "0000 w 1", "trf.opponent_missing", 92),
        (A[:91] + "0000 - 1", "trf.opponent_missing", 92),
        (A[:91] + "0000 b H", "trf.opponent_missing", 92),
        ("142", "trf.number", 5),
        ("142 0", "trf.number", 5),
        ("142 100", "trf.number", 5),
        ("XXR  99999999999999999999", "trf.number", 6),
        ("152 G", "trf.initial_colour", 5),
        ("152", "trf.initial_colour", 5),
        ("XXC rank green1", "trf.configuration", 10),
        ("162  Q 1.0", "trf.point_symbol", 6),
        ("162  W 1.0    D", "trf.point_symbol", 15),
        ("162  W 1.0x", "trf.point_symbol", 6),
        ("162  W 1..0", "trf.points", 8),
        ("162", "trf.point_symbol", 6),
        ("BBW x", "trf.points", 5),
        ("XXS W", "trf.point_symbol", 5),
        ("XXS W=1 Q=2", "trf.point_symbol", 9),
        ("XXS W=x", "trf.points", 7),
        ("240 Q 003 0007", "trf.bye_kind", 5),
        ("240 H 000 0007", "trf.number", 7),
        ("240 H", "trf.number", 7),
        ("240 H 003 0007 x", "trf.number", 16),
        ("XXZ 1 x", "trf.number", 7),
        ("250      01.0 003 001 0001 0040", "trf.range", 19),
        ("250      01.0 001 003 0040 0001", "trf.range", 28),
        ("250      xx.0 001 003 0001 0040", "trf.points", 10),
        ("XXA    x  1.0", "trf.number", 5),
        ("XXA    1  1.0  y.0", "trf.points", 15),
        ("XXA    1" + "  1.0" * 100, "trf.too_many_rounds", 505),
        ("260 001", "trf.number", 5),
        ("260 009 001 0001 0002", "trf.range", 9),
        ("XXP 1 10000", "trf.number", 7),
        ("142x 9", "trf.gap", 4),
        ("299 W 01.0", "trf.points", 13),
        ("299 Q         1.0", "trf.bye_kind", 5),
        ("299W          1.0", "trf.gap", 4),
        ("299 W1        1.0", "trf.gap", 6),
        ("299 W         1.0 0001", "trf.gap", 19),
        ("299 W        +1.0", "trf.points", 13),
        ("299 W  x      1.0", "trf.points", 7),
        ("299 W         1.0  100    1", "trf.number", 20),
        ("299 W         1.0  998    1", "trf.number", 20),
        ("299 W         1.0  001    x", "trf.number", 27),
    ],
)
def test_an_impossible_field_is_refused_with_its_position(
    line: str, code: str, column: int
) -> None:
    error = refusal(report("012 Test", line, player(3, "0.0")))
    assert (error.code, error.line, error.column) == (code, 2, column)


def test_a_message_is_one_printable_line() -> None:
    message = refusal(report("142 \x1b[31m" + "9" * 500)).message
    assert message.isprintable()
    assert len(message) < 150


def test_points_may_include_the_bye_of_the_round_to_be_paired_or_not() -> None:
    for points in ("1.0", "1.5"):
        read(report(player(1, points, "   2 w 1", "0000 - H"), B, "XXR 3"))
        read(report(player(1, points, "   2 w 1"), B, "XXR 3", "240 H 002 0001"))
    assert place(report(player(1, "2.0", "   2 w 1", "0000 - H"), B)) == (
        "trf.points_mismatch",
        1,
        81,
    )


def test_points_of_an_adjourned_game_may_be_counted_or_not() -> None:
    for points in ("0.0", "0.5"):
        read(report(player(1, points, "   2 w ?"), player(2, points, "   1 b ?")))
    assert place(report(player(1, "1.0", "   2 w ?"), player(2, "0.0", "   1 b ?"))) == (
        "trf.points_mismatch",
        1,
        81,
    )


def test_virtual_points_do_not_count_as_points() -> None:
    assert place(report("XXA    1  1.0  1.0", player(1, "2.0", "   2 w 1"), B)) == (
        "trf.points_mismatch",
        2,
        81,
    )


def test_points_are_not_compared_if_they_differ_from_the_results() -> None:
    assert (
        read(report(player(1, "9.0", "   2 w 1"), B, "299 W         1.0  001    1"))
        .players[0]
        .points
        == 90
    )
    assert read(report(player(1, "1.5", "   2 w 1"), B, "XXS WW=1.5")).players[0].points == 15
    assert read(report(player(1, "", "   2 w 1"), B)).players[0].points is None


def test_a_blank_round_before_a_played_one_is_refused() -> None:
    games = ["   2 w 1", "   1 b 0"]
    blank = report(*(player(n, f"{2 - n}.0", " " * 8, games[n - 1]) for n in (1, 2)))
    assert place(blank) == ("trf.round_blank", 1, 92)
    between = report(*(player(n, f"{2 - n}.0", "0000 - Z", " " * 8, games[n - 1]) for n in (1, 2)))
    assert place(between) == ("trf.round_blank", 1, 102)
    late = report(
        *(player(n, f"{2 - n}.0", "0000 - Z" if n == 1 else " " * 8, games[n - 1]) for n in (1, 2))
    )
    assert len(read(late).players) == 2
