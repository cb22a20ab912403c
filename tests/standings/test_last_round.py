"""Bounds of the last round: never wrong in any of the results, and reached by points."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Final

import pytest

from pairing.engine.model import TPN, Points
from pairing.standings.last_round import (
    Bounds,
    Chance,
    Gains,
    Scores,
    bounds_at_board,
    bounds_without_game,
    money_bounds,
)
from pairing.standings.prize_rules import Category, Choice, Division, Placed, PrizeRules
from pairing.standings.prizes import hand_out

RESULTS: Final[tuple[Gains, ...]] = ((10, 0), (5, 5), (0, 10))
Board = tuple[TPN, TPN]


class Round:
    """A small last round with random points, boards, byes and categories."""

    def __init__(self, seed: int) -> None:
        self.random = random = Random(seed)
        count = random.randint(3, 8)
        players = [TPN(number) for number in range(1, count + 1)]
        self.points = {tpn: random.choice((0, 5, 10, 15, 20)) for tpn in players}
        random.shuffle(players)
        boards = random.randint(1, count // 2)
        self.boards = list(zip(players[: 2 * boards : 2], players[1 : 2 * boards : 2], strict=True))
        rest = players[2 * boards :]
        self.gains = {tpn: random.choice((0, 5, 10)) for tpn in rest}
        self.categories = [
            Category(
                f"C{number}",
                tuple(sorted((random.randrange(100, 900, 100) for _ in range(3)), reverse=True)),
                None if number == 0 else frozenset(t for t in players if random.random() < 0.6),
            )
            for number in range(random.randint(1, 3))
        ]
        self.rules = PrizeRules(
            random.choice(list(Division)),
            random.choice(list(Choice)),
            random.randint(0, 2),
            random.choice((1, 100)),
        )

    def ends(self) -> list[tuple[tuple[Gains, ...], dict[TPN, int]]]:
        """Return the points of all players for all results of all boards."""
        found = []
        for results in product(RESULTS, repeat=len(self.boards)):
            points = {tpn: each + self.gains.get(tpn, 0) for tpn, each in self.points.items()}
            for (white, black), (whites, blacks) in zip(self.boards, results, strict=True):
                points[white] += whites
                points[black] += blacks
            found.append((results, points))
        return found

    def placed(self, points: dict[TPN, int]) -> list[Placed]:
        """Rank the players by points, and equal ones as some tie-break might."""
        tie_break = {tpn: self.random.randrange(3) for tpn in points}
        key = {tpn: (-points[tpn], tie_break[tpn]) for tpn in points}
        return [
            Placed(tpn, 1 + sum(other < key[tpn] for other in key.values()), Points(points[tpn]))
            for tpn in points
        ]

    def bounds(self, tpn: TPN, result: Gains | None, category: Category | None) -> Bounds:
        members = category.members if category else None
        scores = Scores.of(self.points, self.boards, self.gains, members)
        for white, black in self.boards:
            if tpn in (white, black):
                counted = [
                    self.points[t] if members is None or t in members else None
                    for t in (white, black)
                ]
                assert result is not None
                return bounds_at_board(
                    scores,
                    (counted[0], counted[1]),
                    is_white=tpn == white,
                    gains=result,
                    results=RESULTS,
                )
        return bounds_without_game(scores, self.points[tpn] + self.gains[tpn], RESULTS)

    def own_result(self, tpn: TPN, results: tuple[Gains, ...]) -> Gains | None:
        return next((r for b, r in zip(self.boards, results, strict=True) if tpn in b), None)


def places_in(placed: list[Placed], tpn: TPN, category: Category) -> int:
    ranks = {each.tpn: each.rank for each in placed if category.admits(each.tpn)}
    return 1 + sum(rank < ranks[tpn] for rank in ranks.values())


@pytest.mark.parametrize("seed", range(60))
def test_no_result_of_the_others_leads_outside_the_bounds(seed: int) -> None:
    of = Round(seed)
    tested = 0
    for results, points in of.ends():
        placed = of.placed(points)
        paid = dict.fromkeys(of.points, 0)
        for awards in hand_out(of.categories, placed, of.rules):
            for award in awards.awards:
                paid[award.tpn] += award.amount
        for tpn in of.points:
            own = of.own_result(tpn, results)
            chances = []
            for category in of.categories:
                bounds = None
                if category.admits(tpn):
                    bounds = of.bounds(tpn, own, category)
                    assert bounds.best <= places_in(placed, tpn, category) <= bounds.worst
                chances.append(Chance(category.amounts, bounds))
            money = money_bounds(chances, of.rules)
            if money is not None:
                assert money[0] <= paid[tpn] <= money[1], (of.rules, chances, paid[tpn])
                tested += 1
    limited = len(of.categories) > 1 and of.rules.most_each
    unproven = limited and (
        of.rules.choice is Choice.IN_ORDER or of.rules.division is Division.HORT
    )
    assert bool(tested) != bool(unproven)


@pytest.mark.parametrize("seed", range(60, 90))
def test_both_ends_are_reached_by_points(seed: int) -> None:
    of = Round(seed)
    ahead: dict[tuple[TPN, Gains | None], list[tuple[int, int]]] = {}
    for results, points in of.ends():
        for tpn in of.points:
            more = sum(each > points[tpn] for each in points.values())
            as_many = sum(each >= points[tpn] for each in points.values())
            ahead.setdefault((tpn, of.own_result(tpn, results)), []).append((more + 1, as_many))
    for (tpn, own), found in ahead.items():
        assert of.bounds(tpn, own, None) == (
            min(best for best, _ in found),
            max(worst for _, worst in found),
        )


def test_a_leader_who_wins_is_first_or_shares_the_points() -> None:
    points = {TPN(1): 40, TPN(2): 35, TPN(3): 40, TPN(4): 30, TPN(5): 20}
    boards = [(TPN(1), TPN(2)), (TPN(3), TPN(4))]
    scores = Scores.of(points, boards, {TPN(5): 10})
    bounds = [
        bounds_at_board(scores, (40, 35), is_white=True, gains=gains, results=RESULTS)
        for gains in RESULTS
    ]
    assert bounds == [(1, 2), (1, 2), (2, 4)]
    assert bounds_without_game(scores, 30, RESULTS) == (4, 5)
    assert money_bounds([Chance((100_000, 40_000), bounds[0])], PrizeRules()) == (40_000, 100_000)


@pytest.mark.parametrize(
    "rules",
    [
        PrizeRules(cap=100),
        PrizeRules(minimum=100),
        PrizeRules(choice=Choice.IN_ORDER),
        PrizeRules(division=Division.HORT),
    ],
)
def test_nothing_is_claimed_where_nothing_is_proven(rules: PrizeRules) -> None:
    chance = Chance((300, 200), Bounds(1, 2))
    assert money_bounds([chance, Chance((100,), None)], rules) is None
    assert money_bounds([Chance((100, 300), Bounds(1, 2))], PrizeRules()) is None
    assert money_bounds([], PrizeRules()) == (0, 0)
