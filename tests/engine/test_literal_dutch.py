"""The literal reference itself: the golden positions, the examples of the text,
and its shortcut.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from pairing.engine.checker import check
from pairing.engine.errors import NoLegalPairingError
from pairing.engine.model import Pairing, PointSystem
from pairing.json_io import state_from_json

from .compact import position
from .literal_dutch import Bracket, LiteralDutch, exchanges_4_3, pair_literally
from .literal_floats import Float, float_in_round
from .position_json import Json, pairing_of


def golden_cases(shared: Path) -> list[Json]:
    """Return the positions of the 2026 edition; without any, nothing would be proved."""
    cases: list[Json] = json.loads(
        (shared / "golden" / "dutch_2026.json").read_text(encoding="utf-8")
    )
    assert len(cases) > 0
    return cases


def in_any_order(pairing: Pairing) -> tuple[Any, ...]:
    """Return the pairs with their colours and the bye;
    the golden files list the pairs by White's number.
    """
    return sorted(pairing.pairs), pairing.bye


def test_every_golden_position_of_2026_has_its_expected_pairing(shared: Path) -> None:
    cases = golden_cases(shared)
    found = {case["id"]: in_any_order(pair_literally(state_from_json(case))) for case in cases}
    assert found == {case["id"]: in_any_order(pairing_of(case["expected"])) for case in cases}


def test_the_checker_agrees_with_every_golden_position_of_2026(shared: Path) -> None:
    cases = golden_cases(shared)
    findings = {
        case["id"]: check(state_from_json(case), pair_literally(state_from_json(case)))
        for case in cases
    }
    assert findings == {case["id"]: () for case in cases}


def bsns(places: Iterable[int]) -> list[int]:
    """Return places counted from 0 as BSNs."""
    return [place + 1 for place in places]


ELEVEN = LiteralDutch(position(dict.fromkeys(range(1, 12), "")))


def test_c04_3_4_2_2_transpositions_of_eleven_players() -> None:
    s1, s2 = exchanges_4_3(11, 5)[0]
    found = [
        bsns(partner for _, partner in pairs) for pairs, _ in ELEVEN.transpositions_4_2(s1, s2)
    ]
    assert (bsns(s1), len(found)) == ([1, 2, 3, 4, 5], 720)
    assert found == sorted(found)
    assert found[:3] == [[6, 7, 8, 9, 10], [6, 7, 8, 9, 11], [6, 7, 8, 10, 9]]
    assert found[-1] == [11, 10, 9, 8, 7]


def test_c04_3_4_2_2_transpositions_with_two_mdps() -> None:
    found = [
        bsns(partner for _, partner in pairs)
        for pairs, _ in ELEVEN.transpositions_4_2((0, 1), tuple(range(2, 11)), ordered=False)
    ]
    assert len(found) == 72
    assert found == sorted(found)
    assert (found[0], found[9], found[-1]) == ([3, 4], [4, 5], [11, 10])


def test_c04_3_4_3_2_exchanges_in_the_order_of_the_four_rules() -> None:
    order = [
        (bsns(sorted(set(range(5)) - set(s1), reverse=True)), bsns(sorted(set(s1) - set(range(5)))))
        for s1, _ in exchanges_4_3(11, 5)
    ]

    def comes_first(one: tuple[list[int], list[int]], other: tuple[list[int], list[int]]) -> bool:
        return order.index(one) < order.index(other)

    assert order[:4] == [([], []), ([5], [6]), ([5], [7]), ([4], [6])]
    assert comes_first(([5], [11]), ([5, 4], [6, 7]))  # fewer BSNs
    assert comes_first(([4], [6]), ([5], [8]))  # smaller difference of the sums
    assert comes_first(([4, 3], [6, 8]), ([5, 4], [8, 9]))
    assert comes_first(([5, 2], [6, 7]), ([4, 3], [6, 7]))  # the largest BSN that leaves S1
    assert comes_first(([5, 4, 1], [6, 7, 8]), ([5, 3, 2], [6, 7, 8]))
    assert comes_first(([5, 4], [6, 9]), ([5, 4], [7, 8]))  # the smallest BSN that enters S1
    assert comes_first(([5, 4, 3], [6, 7, 10]), ([5, 4, 3], [6, 8, 9]))


def test_c04_3_4_4_2_sets_of_pairable_mdps_by_their_smallest_differing_bsn() -> None:
    round_ = LiteralDutch(position({**dict.fromkeys((1, 2, 3, 4), "F"), 5: "Z", 6: "Z"}))
    bracket = Bracket((0, 1, 2, 3), (4, 5), ())
    sets = [bsns(s1) for s1, _ in round_.mdp_sets_4_4(bracket, (10, 10))]
    assert sets == [[1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]]


def test_c04_3_4_4_1_a_limbo_has_the_scores_that_c7_asks_for() -> None:
    round_ = LiteralDutch(position({1: "F F", 2: "F F", 3: "F H", 4: "F H", 5: "Z Z"}))
    bracket = Bracket((0, 1, 2, 3), (4,), ())
    assert [bsns(limbo) for _, limbo in round_.mdp_sets_4_4(bracket, (20, 15, 15))] == [
        [2, 3, 4],
        [1, 3, 4],
    ]


@pytest.mark.parametrize("players", range(2, 9))
def test_c04_3_4_3_the_shortcut_leaves_out_only_repeated_candidates(players: int) -> None:
    """The first appearance of every set of pairs is generated in the same order,
    without repetitions.
    """
    round_ = LiteralDutch(position(dict.fromkeys(range(1, players + 1), "")))
    everybody = tuple(range(players))
    for pairs in range(players // 2 + 1):
        first_seen: dict[frozenset[frozenset[int]], None] = {}
        for s1, s2 in exchanges_4_3(players, pairs):
            for found, _ in round_.transpositions_4_2(s1, s2, ordered=False):
                first_seen.setdefault(frozenset(frozenset(pair) for pair in found))
        short = [
            frozenset(frozenset(pair) for pair in found)
            for found, _ in round_.homogeneous_3_6(everybody, pairs)
        ]
        assert short == list(first_seen)


def test_c04_3_1_4_floats() -> None:
    lines = {
        1: "H 2w=",
        2: "H 1b=",
        3: "F 4w0",
        4: "Z 3b1",
        5: "Z U",
        6: "Z 7w+",
        7: "F 6b-",
        8: "Z H",
        9: "Z F",
        10: "F Z",
    }
    state = position(lines)
    assert {player.tpn: float_in_round(state, player, 2) for player in state.players} == {
        1: Float.NONE,
        2: Float.NONE,  # the same score
        3: Float.DOWN,
        4: Float.UP,  # 1.4.2: different scores, whatever the result
        5: Float.DOWN,
        6: Float.DOWN,
        8: Float.DOWN,
        9: Float.DOWN,  # 1.4.3: more than a loss, without a game
        7: Float.NONE,
        10: Float.NONE,  # 1.4.4
    }


def test_c04_3_1_4_3_an_allocated_bye_worth_nothing_is_a_downfloat() -> None:
    state = position(
        {1: "U", 2: "Z", 3: "H"},
        points=PointSystem.from_values(win=30, draw=20, loss=10, pairing_allocated_bye=0),
    )
    assert [float_in_round(state, player, 1) for player in state.players] == [
        Float.DOWN,
        Float.NONE,
        Float.DOWN,
    ]


def test_c04_3_1_9_3_no_legal_pairing_is_reported() -> None:
    with pytest.raises(NoLegalPairingError):
        pair_literally(position({1: "2w=", 2: "1b="}))
