"""Symbols of other programs that are not results become unknown results,
on both sides of the game.
"""

from __future__ import annotations

import pytest

from pairing.trf.unknown_results import UnknownResult, with_unknown_results
from tests.trf.reports import player, report


def two(one: str, other: str, end: str = "\n") -> bytes:
    return report("012 Test", player(1, "0.0", one), player(2, "0.0", other), end=end).encode()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("symbol", ["X", "é", "5"])
def test_c04_2_3_1_an_unknown_symbol_makes_the_game_unknown_for_both(symbol: str, end: str) -> None:
    data, found = with_unknown_results(two(f"   2 w {symbol}", "   1 b 0", end))
    assert data == two("   2 w ?", "   1 b ?", end)
    assert found == (UnknownResult(line=2, column=99, symbol=symbol, round_number=1),)


def test_each_symbol_is_named_with_its_round() -> None:
    lines = [player(1, "0.0", "   2 w 1", "   2 b X"), player(2, "0.0", "   1 b 0", "   1 w Y")]
    data, found = with_unknown_results(report(*lines).encode())
    assert (
        data
        == report(
            player(1, "0.0", "   2 w 1", "   2 b ?"), player(2, "0.0", "   1 b 0", "   1 w ?")
        ).encode()
    )
    # The first player's symbol makes both sides unknown, so the second player's is not looked at
    # any more.
    assert [(each.line, each.symbol, each.round_number) for each in found] == [(1, "X", 2)]


@pytest.mark.parametrize(
    "one, other",
    [
        ("   2 w 1", "   1 b 0"),
        ("   2 w d", "   1 b d"),  # small letters are results too
        ("   2 w  ", "   1 b  "),  # no result yet
        ("0000 - X", "0000 - H"),  # a bye is not a game: the reader refuses it with its line
        ("     w X", "   1 b 0"),
    ],
)
def test_results_byes_and_cells_without_an_opponent_stay_as_they_are(one: str, other: str) -> None:
    data = two(one, other)
    assert with_unknown_results(data) == (data, ())


def test_only_the_side_that_has_a_symbol_changes() -> None:
    """An opponent without a line or without that round is a fault that the reader names."""
    alone = report(player(1, "0.0", "   9 w X")).encode()
    assert with_unknown_results(alone)[0] == report(player(1, "0.0", "   9 w ?")).encode()
    short = report(player(1, "0.0", "   2 w X"), player(2, "0.0")).encode()
    assert (
        with_unknown_results(short)[0]
        == report(player(1, "0.0", "   2 w ?"), player(2, "0.0")).encode()
    )
    open_game = with_unknown_results(two("   2 w X", "   1 b  "))[0]
    assert open_game == two("   2 w ?", "   1 b  ")


def test_a_file_that_is_not_utf_8_stays_as_it_is() -> None:
    data = two("   2 w X", "   1 b 0") + b"012 Zo\xe9\n"
    assert with_unknown_results(data) == (data, ())
