"""The basic rules of every Swiss system, checked on whole pairings [C.04.1/2026]."""

from pairing.engine.dutch.explain import explain_round
from pairing.engine.systems import pair

from .compact import pairing, position

EIGHT = position(
    {
        1: "5w1",
        2: "6b1",
        3: "7w1",
        4: "8b1",
        5: "1b0",
        6: "2w0",
        7: "3b0",
        8: "4w0",
    },
    total_rounds=5,
)
"""After round 1: 1-4 have won, 5-8 have lost."""


def test_c04_1_5_equal_scores_meet() -> None:
    groups = [{1, 2, 3, 4}, {5, 6, 7, 8}]
    assert [any({*pair_} <= group for group in groups) for pair_ in pair(EIGHT).pairs] == [True] * 4


def test_c04_1_8_the_colour_alternates_when_colours_differ_by_one_game() -> None:
    last = {player.tpn: player.rounds[-1].colour for player in EIGHT.players}
    whites = [white for white, _ in pair(EIGHT).pairs]
    blacks = [black for _, black in pair(EIGHT).pairs]
    assert {last[tpn].letter for tpn in whites if last[tpn]} == {"b"}
    assert {last[tpn].letter for tpn in blacks if last[tpn]} == {"w"}
    assert pair(EIGHT) == pairing((4, 1), (2, 3), (5, 8), (7, 6))


def test_c04_1_9_every_board_has_an_explanation() -> None:
    explained = explain_round(EIGHT)
    assert [(board.white.tpn, board.black.tpn) for board in explained.pairs] == list(
        pair(EIGHT).pairs
    )
