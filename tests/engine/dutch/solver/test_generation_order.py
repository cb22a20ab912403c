"""Article 4: the order of candidates, against the examples of the
text and its literal comparison rules.
"""

from __future__ import annotations

from itertools import combinations, permutations

from pairing.engine.dutch.solver.generation_order import ExchangeOrder, MdpOrder, TranspositionOrder
from pairing.engine.dutch.solver.mixed_radix import units


def transposition_cost(s1: list[int], s2: tuple[int, ...], residents: list[int]) -> int:
    order = TranspositionOrder(residents, s1)
    return sum(order.cost(min(a, b), max(a, b)) for a, b in zip(s1, s2, strict=False))


def test_c04_3_4_2_2_transpositions_are_sorted_by_the_first_bsns_of_s2() -> None:
    """The example of the text: eleven players, S1 of five;
    6-7-8-9-10, 6-7-8-9-11, … 11-10-9-8-7.
    """
    residents = list(range(11))
    s1 = residents[:5]
    in_order = sorted(
        permutations(residents[5:], 5), key=lambda s2: transposition_cost(s1, s2, residents)
    )

    as_bsns = [tuple(v + 1 for v in s2) for s2 in in_order]
    assert len(as_bsns) == 720
    assert as_bsns[:3] == [(6, 7, 8, 9, 10), (6, 7, 8, 9, 11), (6, 7, 8, 10, 9)]
    assert as_bsns[-1] == (11, 10, 9, 8, 7)
    assert as_bsns == sorted(as_bsns)


def test_c04_3_4_2_2_two_mdps_try_3_4_then_3_5_up_to_11_10() -> None:
    order = MdpOrder(mdps=2, size=11)
    in_order = sorted(
        permutations(range(2, 11), 2), key=lambda s2: order.cost(0, s2[0]) + order.cost(1, s2[1])
    )

    as_bsns = [tuple(v + 1 for v in s2) for s2 in in_order]
    assert len(as_bsns) == 72
    assert as_bsns[:2] == [(3, 4), (3, 5)]
    assert as_bsns[8:10] == [(4, 3), (4, 5)]
    assert as_bsns[-1] == (11, 10)


def test_c04_3_4_4_2_sets_of_mdps_are_sorted_by_the_smallest_differing_bsn() -> None:
    order = MdpOrder(mdps=4, size=10)
    in_order = sorted(
        combinations(range(4), 2),
        key=lambda paired: sum(order.cost(u, -1) for u in range(4) if u not in paired),
    )
    assert in_order == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]


def test_c04_3_4_4_2_the_set_of_mdps_comes_before_their_opponents() -> None:
    order = MdpOrder(mdps=2, size=6)
    first_floats = order.cost(0, -1) + order.cost(1, 2)
    second_floats = order.cost(0, 5) + order.cost(1, -1)
    assert second_floats < first_floats < order.limit


def literal_key(exchange: tuple[frozenset[int], frozenset[int]]) -> tuple[object, ...]:
    """Return the key of 4.3.2 as written: number, difference of sums, largest from S1,
    smallest from S2.
    """
    down, up = exchange
    return (
        len(down),
        sum(up) - sum(down),
        [-bsn for bsn in sorted(down, reverse=True)],
        sorted(up),
    )


def exchange_cost(exchange: tuple[frozenset[int], frozenset[int]], size: int, pairs: int) -> int:
    """Return the order of the exchange as the cost of a matching over the new S1,
    whose members are the tops.

    Every top has the same partner, who comes after all players.
    """
    down, up = exchange
    residents = range(size + 1)
    order = ExchangeOrder(residents, pairs)
    s1 = (set(range(1, pairs + 1)) - down) | up
    return sum(order.cost(bsn - 1, size) for bsn in s1)


def test_c04_3_4_3_2_exchanges_are_sorted_as_the_four_rules_say() -> None:
    """All exchanges of up to three BSNs in a bracket of nine with S1 of four."""
    size, pairs = 9, 4
    s1, s2 = range(1, pairs + 1), range(pairs + 1, size + 1)
    exchanges = [
        (frozenset(down), frozenset(up))
        for number in range(4)
        for down in combinations(s1, number)
        for up in combinations(s2, number)
    ]
    by_text = sorted(exchanges, key=literal_key)
    by_cost = sorted(exchanges, key=lambda exchange: exchange_cost(exchange, size, pairs))
    assert by_cost == by_text


def test_c04_3_4_3_2_examples_of_the_text_in_a_bracket_of_eleven() -> None:
    def cost(down: set[int], up: set[int]) -> int:
        return exchange_cost((frozenset(down), frozenset(up)), 11, 5)

    assert cost({5}, {11}) < cost({5, 4}, {6, 7})
    assert cost({4}, {6}) < cost({5}, {8})
    assert cost({4, 3}, {8, 6}) < cost({5, 4}, {9, 8})
    assert cost({5}, {7}) < cost({4}, {6})
    assert cost({5, 2}, {6, 8}) < cost({4, 3}, {6, 8})
    assert cost({5, 4}, {6, 9}) < cost({5, 4}, {7, 8})


def test_mixed_radix_units_leave_room_for_every_digit() -> None:
    assert units([3, 10]) == [10, 1]
    assert units([2, 5, 7]) == [35, 7, 1]


def test_c04_3_4_3_2_the_duals_of_groups_make_the_pairs_of_their_halves_tight_and_are_feasible() -> (
    None
):
    """Costs count twice, as in the matching (``minimum_cost_perfect_matching``)."""
    order = ExchangeOrder(range(3, 22), 9)
    groups = [[3], [4, 5], [6, 7, 8, 9, 10, 11], [12, 13, 14, 15, 16, 17, 18], [19, 20, 21]]
    duals = order.start_duals(22, groups)
    for group in groups:
        half = (len(group) + 1) // 2
        for u, v in combinations(group, 2):
            slack = 2 * order.cost(u, v) - duals[u] - duals[v]
            assert slack == 0 if u in group[:half] and v in group[half:] else slack >= 0


def test_c04_3_4_3_2_the_duals_of_one_group_make_the_pairs_of_s1_and_s2_tight_and_are_feasible() -> (
    None
):
    order = ExchangeOrder(range(3, 22), 8)
    duals = order.start_duals(22)
    for u, v in combinations(range(3, 22), 2):
        slack = 2 * order.cost(u, v) - duals[u] - duals[v]
        assert slack == 0 if u < 3 + 8 <= v else slack >= 0
