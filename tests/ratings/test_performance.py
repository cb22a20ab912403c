"""Title norms: ratings, average, performance and percentage on both sides of their limits."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pairing.ratings.conditions import State
from pairing.ratings.editions import Title, norm_edition
from pairing.ratings.figures import Figures, score_needed
from pairing.ratings.model import Event, Game, Person, System
from pairing.ratings.norms import Norm, norm
from tests.ratings.notation import EVENT, HERO, NINE, changed, event, games

HEROINE = replace(HERO, is_woman=True)


def figures(found: Norm) -> Figures:
    assert found.figures is not None
    return found.figures


def gm(lines: list[Game], of: Event = EVENT, player: Person = HERO) -> Norm:
    return norm(Title.GM, player, of, lines)


def state_of(found: Norm, code: str) -> tuple[str, str, State]:
    return next((row.needed, row.found, row.state) for row in found.conditions if row.code == code)


# 1.4.6 to 1.4.8: ratings, average, performance.


@pytest.mark.parametrize(
    "title, rating, raised",
    [
        (Title.GM, 2199, 2200), (Title.GM, 2200, None), (Title.IM, 2049, 2050),
        (Title.IM, 2050, None), (Title.WGM, 1999, 2000), (Title.WGM, 2000, None),
        (Title.WIM, 1849, 1850), (Title.WIM, 1850, None),
    ],
)  # fmt: skip
def test_b01_1_4_6b_the_lowest_opponent_counts_as_the_floor(
    title: Title, rating: int, raised: int | None
) -> None:
    found = norm(title, HEROINE, EVENT, changed(NINE, r9=f"1 {rating} - AUT"))
    assert figures(found).raised == (raised and (9, rating, raised))


def test_b01_1_4_6c_only_one_opponent_is_raised() -> None:
    found = gm(changed(NINE, r8="= 2100 - AUT", r9="1 1800 - AUT"))
    assert figures(found).raised == (9, 1800, 2200)
    assert figures(found).average == (21580 - 2340 - 2320 + 2100 + 2200 + 4) // 9


def test_b01_1_4_6d_an_unrated_opponent_has_1400() -> None:
    found = gm(changed(NINE, r8="= 0 - AUT", r9="1 1399 - AUT"))
    assert figures(found).raised == (9, 1399, 2200)
    found = gm(changed(NINE, r8="= 0 - AUT", r9="1 0 - AUT"))
    assert figures(found).raised == (8, 1400, 2200)
    assert figures(found).unrated == 2


@pytest.mark.parametrize("unrated, state", [(2, State.MET), (3, State.CONFIRM)])
def test_more_than_two_unrated_opponents_are_to_be_confirmed(unrated: int, state: State) -> None:
    lines = games("; ".join(
        [*["1 2650 GM SWE"] * 5, *["1 2650 - HUN"] * (4 - unrated), *["1 0 - AUT"] * unrated]
    ))  # fmt: skip
    found = norm(Title.IM, HERO, EVENT, lines)
    assert (found.state, found.failing) == (state, ())


@pytest.mark.parametrize("total, average", [(9 * 2398 + 4, 2398), (9 * 2398 + 5, 2399)])
def test_b01_1_4_7b_the_average_is_rounded(total: int, average: int) -> None:
    lines = games(NINE)
    rest = sum(game.opponent.rating or 0 for game in lines[:-1] if game.opponent)
    lines = changed(NINE, r9=f"1 {total - rest} - AUT")
    assert figures(gm(lines)).average == average


def test_b01_1_4_7b_a_half_is_rounded_up() -> None:
    """Of eight ratings: 2379.5 meets 2380, 2379.375 does not."""
    rows = ["1 2380 GM SWE"] * 3 + ["1 2380 IM HUN"] * 2 + ["1 2380 - CZE"] * 2
    assert figures(gm(games("; ".join([*rows, "1 2376 - CZE", "U"])))).average == 2380
    found = gm(games("; ".join([*rows, "1 2375 - CZE", "U"])))
    assert (figures(found).average, found.failing) == (2379, ("1.4.8a",))


@pytest.mark.parametrize(
    "title, least", [(Title.GM, 2380), (Title.IM, 2230), (Title.WGM, 2180), (Title.WIM, 2030)]
)
def test_b01_1_4_8a_the_least_average(title: Title, least: int) -> None:
    def of(rating: int) -> Norm:
        rows = [f"1 {rating} GM SWE"] * 3 + [f"1 {rating} FM HUN"] * 3 + [f"1 {rating} - CZE"] * 3
        return norm(title, HEROINE, EVENT, games("; ".join(rows)))

    assert (of(least).failing, of(least - 1).failing) == ((), ("1.4.8a",))


@pytest.mark.parametrize(
    "title, least",
    [(Title.GM, 2600), (Title.IM, 2450), (Title.WGM, 2400), (Title.WIM, 2250)],
)
def test_b01_1_4_8_the_least_performance(title: Title, least: int) -> None:
    """With half of the points the performance is the average."""

    def of(rating: int) -> Norm:
        rows = [f"1 {rating} GM SWE"] * 4 + [f"= {rating} FM HUN"] + [f"0 {rating} - CZE"] * 4
        return norm(title, HEROINE, EVENT, games("; ".join(rows)))

    assert (of(least).failing, of(least - 1).failing) == ((), ("1.4.8",))


@pytest.mark.parametrize("halves, failing", [(7, ()), (6, ("1.4.8b",))])
def test_b01_1_4_8b_the_least_percentage(halves: int, failing: tuple[str, ...]) -> None:
    """3½ of 9 are 39 %, 3 of 9 are 33 %, against opponents who are strong enough."""
    results = "1" * (halves // 2) + "=" * (halves % 2) + "0" * 9
    rows = [f"{letter} 2800 GM {'SWE' if n % 2 else 'HUN'}" for n, letter in enumerate(results[:9])]
    assert gm(games("; ".join(rows))).failing == failing


@pytest.mark.parametrize("halves, state", [(8, State.FAILED), (9, State.CONFIRM), (10, State.MET)])
def test_b01_1_4_8b_a_percentage_that_is_only_rounded_enough_is_to_be_confirmed(
    halves: int, state: State
) -> None:
    """4½ of 13 are 34.6 %."""
    results = ["1"] * (halves // 2) + ["="] * (halves % 2)
    rows = results + ["0"] * (13 - len(results))
    lines = games("; ".join(f"{r} 2800 GM {'SWE' if n % 2 else 'HUN'}" for n, r in enumerate(rows)))
    found = gm(lines, event(rounds=13, system=System.ROUND_ROBIN))
    assert state_of(found, "percent")[2] is state


@pytest.mark.parametrize(
    "halves, count, percent", [(8, 14, 57), (14, 24, 58), (15, 26, 58), (10, 16, 63), (5, 18, 28)]
)
def test_b01_1_4_9_percentages_are_rounded_without_floats(
    halves: int, count: int, percent: int
) -> None:
    """Half points of half games: 4/7, 7/12, 7½/13, 5/8 and 2½/9."""
    results = ["1"] * (halves // 2) + ["="] * (halves % 2)
    rows = results + ["0"] * (count // 2 - len(results))
    found = gm(games("; ".join(f"{result} 2500 GM SWE" for result in rows)), event(rounds=20))
    assert figures(found).percent == percent


@pytest.mark.parametrize(
    "halves, averages",
    [
        (7, (2680, 2530, 2480, 2330)),
        (8, (2643, 2493, 2443, 2293)),
        (9, (2600, 2450, 2400, 2250)),
        (10, (2557, 2407, 2357, 2207)),
        (11, (2520, 2370, 2320, 2170)),
        (12, (2475, 2325, 2275, 2125)),
        (13, (2434, 2284, 2234, 2084)),
    ],
)
def test_the_score_needed_of_nine_games_by_the_average(
    halves: int, averages: tuple[int, ...]
) -> None:
    edition = norm_edition(None)
    empty = Figures(9, 0, None, None, None, None, None, 0, 0, 0, 0, 0, 0)
    for title, average in zip(edition.titles.values(), averages, strict=True):
        needed = score_needed(replace(empty, average=average), title, edition)
        lower = score_needed(replace(empty, average=average - 1), title, edition)
        assert needed == halves
        assert lower is not None
        assert lower > halves


@pytest.mark.parametrize(
    "count, titled, required, own, one",
    [
        (7, 4, 3, 4, 4), (8, 4, 3, 4, 5), (9, 5, 3, 5, 6), (10, 5, 4, 6, 6), (11, 6, 4, 6, 7),
        (12, 6, 4, 7, 8), (13, 7, 5, 7, 8),
    ],
)  # fmt: skip
def test_the_limits_by_the_number_of_games(
    count: int, titled: int, required: int, own: int, one: int
) -> None:
    lines = games("; ".join(["1 2500 - SWE"] * count))
    found = gm(lines, event(rounds=count, system=System.ROUND_ROBIN))
    needed = {row.code: row.needed for row in found.conditions}
    assert needed["titled"] == f"≥ {titled}"
    assert needed["required"] == f"≥ {required}"
    assert needed["own_federation"] == f"≤ {own}"
    assert needed["one_federation"] == f"≤ {one}"


def test_a_score_above_the_needed_one() -> None:
    found = norm(Title.IM, HERO, EVENT, games(NINE))
    assert (found.needed, found.exceeding) == (11, 3)


def test_a_player_without_a_game_has_no_figures() -> None:
    found = gm(games("H; Z; Z"))
    assert (figures(found).average, found.needed, found.failing[0]) == (None, None, "1.4.1")
