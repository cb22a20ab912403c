"""Whatever the rules: no cent is lost, losing never pays, and the order of the entries is nothing."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import assume, given, strategies as st

from pairing.engine.model import TPN, Points
from pairing.standings.prize_rules import Category, Choice, Division, Placed, PrizeRules
from pairing.standings.prize_shares import divide
from pairing.standings.prize_warnings import WeakerGetsMore, warnings_of
from pairing.standings.prizes import Awards, hand_out

Merits = dict[TPN, tuple[int, int]]
"""Points in tenths and a tie-break of each player."""

MERITS = st.lists(
    st.tuples(st.integers(0, 3).map(lambda points: points * 10), st.integers(0, 3)),
    min_size=1,
    max_size=10,
).map(lambda lines: {TPN(tpn): line for tpn, line in enumerate(lines, start=1)})
UNITS = st.sampled_from((1, 100, 1000))
AMOUNTS = st.lists(st.integers(1, 30).map(lambda tens: tens * 1000), max_size=5).map(
    lambda amounts: tuple(sorted(amounts, reverse=True))
)
MEMBERS = st.none() | st.frozensets(st.integers(1, 10).map(TPN), max_size=8)
CATEGORIES = st.lists(
    st.builds(Category, st.just("Some"), AMOUNTS, MEMBERS), min_size=1, max_size=4
)


def rules_with(**fixed: st.SearchStrategy[object]) -> st.SearchStrategy[PrizeRules]:
    free: dict[str, st.SearchStrategy[object]] = {
        "division": st.sampled_from(Division),
        "choice": st.sampled_from(Choice),
        "most_each": st.sampled_from((0, 1, 2)),
        "unit": UNITS,
        "cap": st.sampled_from((0, 20_000)),
        "minimum": st.sampled_from((0, 2_000)),
    }
    return st.builds(PrizeRules, **(free | fixed))


FAIR = rules_with(
    division=st.sampled_from((Division.EQUAL, Division.BY_RANK)),
    choice=st.just(Choice.MOST_VALUABLE),
    most_each=st.sampled_from((1, 2)),
    cap=st.just(0),
    minimum=st.just(0),
)
"""The more valuable prize, without a cap and a minimum."""


def placed(merits: Merits) -> list[Placed]:
    """Rank the players by points, then by the tie-break."""
    order = sorted(merits.values(), reverse=True)
    return [Placed(tpn, order.index(merit) + 1, Points(merit[0])) for tpn, merit in merits.items()]


def totals(awards: tuple[Awards, ...]) -> Counter[TPN]:
    found: Counter[TPN] = Counter()
    for of in awards:
        found.update({award.tpn: award.amount for award in of.awards})
    return found


@given(CATEGORIES, MERITS, rules_with())
def test_the_sum_paid_is_the_sum_offered(
    categories: list[Category], merits: Merits, rules: PrizeRules
) -> None:
    awards = hand_out(categories, placed(merits), rules)
    for category, of in zip(categories, awards, strict=True):
        assert sum(award.amount for award in of.awards) + of.left_over == sum(category.amounts)
        able = sum(category.admits(tpn) for tpn in merits)
        if not rules.cap and (not rules.most_each or len(categories) == 1):
            # Nothing is left over but the prizes of places that no player has.
            assert of.left_over == sum(category.amounts[able:])
    won = Counter(award.tpn for of in awards for award in of.awards)
    assert not rules.most_each or all(count <= rules.most_each for count in won.values())
    assert not rules.cap or all(sum_ <= rules.cap for sum_ in totals(awards).values())


@given(CATEGORIES, MERITS, rules_with(), st.frozensets(st.integers(1, 10).map(TPN), max_size=4))
def test_who_takes_a_prize_elsewhere_frees_it_for_the_next_ones(
    categories: list[Category], merits: Merits, rules: PrizeRules, unpaid: frozenset[TPN]
) -> None:
    """The prizes are divided as if these players were not there; prizes in kind stay theirs."""
    players = placed(merits)
    marked = [replace(category, unpaid=unpaid, things=("Cup",)) for category in categories]
    awards = hand_out(marked, players, rules)
    for category, of in zip(categories, awards, strict=True):
        assert sum(award.amount for award in of.awards) + of.left_over == sum(category.amounts)
    assert not unpaid & set(totals(awards))
    there = [player for player in players if player.tpn not in unpaid]
    assert [of.awards for of in awards] == [of.awards for of in hand_out(categories, there, rules)]
    all_paid = hand_out([replace(one, unpaid=frozenset()) for one in marked], players, rules)
    assert [of.things for of in awards] == [of.things for of in all_paid]


@pytest.mark.costly
@given(CATEGORIES, MERITS, rules_with(), st.randoms())
def test_the_order_of_the_entries_is_nothing(
    categories: list[Category], merits: Merits, rules: PrizeRules, random: object
) -> None:
    players = placed(merits)
    shuffled = list(players)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert hand_out(categories, shuffled, rules) == hand_out(categories, players, rules)


@pytest.mark.costly
@given(CATEGORIES, MERITS, FAIR, st.data())
def test_nobody_gets_more_by_losing(
    categories: list[Category], merits: Merits, rules: PrizeRules, data: st.DataObject
) -> None:
    """A player who loses points never gets more than one rounded unit above the sum before."""
    player = data.draw(st.sampled_from(sorted(merits)))
    worse = data.draw(st.tuples(st.sampled_from((0, 10, 20)), st.integers(0, 3)))
    assume(worse[0] < merits[player][0])
    before = totals(hand_out(categories, placed(merits), rules))[player]
    after = totals(hand_out(categories, placed({**merits, player: worse}), rules))[player]
    assert after <= before + rules.unit * rules.most_each


@given(CATEGORIES, MERITS, FAIR)
def test_the_more_valuable_prize_needs_no_warning(
    categories: list[Category], merits: Merits, rules: PrizeRules
) -> None:
    players = placed(merits)
    assert warnings_of(categories, players, rules, hand_out(categories, players, rules)) == ()


@given(CATEGORIES, MERITS, rules_with())
def test_a_weaker_result_that_gets_more_in_an_open_category_is_in_the_warnings(
    categories: list[Category], merits: Merits, rules: PrizeRules
) -> None:
    players = placed(merits)
    awards = hand_out(categories, players, rules)
    got = totals(awards)
    wronged = {
        better
        for category, of in zip(categories, awards, strict=True)
        for award in of.awards
        for better in merits
        if category.admits(better)
        and merits[better][0] > merits[award.tpn][0]
        and got[better] < award.amount
    }
    found = warnings_of(categories, players, rules, awards)
    assert wronged <= {one.tpn for one in found if isinstance(one, WeakerGetsMore)}


@given(AMOUNTS, MERITS, rules_with(cap=st.just(0)))
def test_in_one_category_nobody_gets_less_than_a_lower_player(
    amounts: tuple[int, ...], merits: Merits, rules: PrizeRules
) -> None:
    players = sorted(placed(merits), key=lambda one: (one.rank, one.tpn))
    got = {award.tpn: award.amount for award in divide(amounts, players, rules)}
    assert sum(got.values()) == sum(amounts[: len(players)])
    assert all(
        got.get(better.tpn, 0) >= got.get(lower.tpn, 0) for better, lower in pairwise(players)
    )
