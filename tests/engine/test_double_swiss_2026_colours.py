"""The colours of the Double-Swiss Pairing System [C.04.5/2026 4]."""

import pytest

from pairing.engine.double_swiss.colours import ColourRule, colour_and_rule
from pairing.engine.model import TPN, Colour
from tests.engine.compact_matches import match_position
from tests.engine.test_double_swiss_2026 import paired, scored

WHITE, BLACK = Colour


@pytest.mark.parametrize(
    "own, theirs, tpn, colour, rule",
    [
        ("", "", 1, WHITE, "4.3.1"),
        ("", "", 2, BLACK, "4.3.1"),
        ("w", "", 2, BLACK, "4.3.2"),
        ("bb", "wb", 2, WHITE, "4.3.2"),
        ("wbw", "w", 2, BLACK, "4.3.2"),
        ("wb", "bw", 2, WHITE, "4.3.3"),
        ("wbb", "bw", 2, WHITE, "4.3.3"),
        ("bwb", "bbw", 2, WHITE, "4.3.3"),
        ("wb", "wb", 2, WHITE, "4.3.4"),
        ("bw", "w", 2, BLACK, "4.3.4"),
        ("", "b", 1, BLACK, "4.3.5"),
        ("b", "", 1, WHITE, "4.3.4"),
    ],
)
def test_c04_5_4_3_the_first_rule_that_decides(
    own: str, theirs: str, tpn: int, colour: Colour, rule: str
) -> None:
    assert colour_and_rule(own, theirs, TPN(tpn), WHITE) == (colour, ColourRule(rule))
    other = colour.opposite if rule == "4.3.1" else colour
    assert colour_and_rule(own, theirs, TPN(tpn), BLACK) == (other, ColourRule(rule))


def test_c04_5_4_3_1_the_number_is_the_one_on_the_list() -> None:
    """Player 1 is absent in round 1: the Dutch System would count 2 as the first (reading R1),
    this system does not.
    """
    state = match_position(dict.fromkeys(range(1, 6), ""), absent=(1,))
    assert paired(state) == ({(4, 2), (3, 5)}, None)


def test_c04_5_4_2_the_player_with_the_higher_score_is_higher_ranked() -> None:
    assert paired(scored({1: 0, 2: 10})) == ({(1, 2)}, None)
    assert paired(scored({1: 10, 2: 0})) == ({(1, 2)}, None)
    assert paired(scored({3: 0, 1: 10})) == ({(1, 3)}, None)
    assert paired(scored({3: 10, 2: 0})) == ({(3, 2)}, None)


def test_c04_5_4_3_1_a_match_of_two_forfeits_gives_no_colour() -> None:
    state = match_position({1: "2w+-", 2: "1b-+", 3: "4w-+", 4: "3b+-"}, initial_colour="b")
    assert paired(state) == ({(3, 1), (2, 4)}, None)
