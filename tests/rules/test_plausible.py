"""The checks of unusual results, and how often they ask in vain."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from math import prod

import pytest

from pairing.rules.plausible import (
    PLAYED,
    Absence,
    PlayedBoard,
    Shift,
    _chance as probability,
    absences,
    played_twice,
    shift,
    shifted_reading,
    upsets,
)
from tests.examples import Examples


def board(number: int, result: str, white: int = 2000, black: int = 2000) -> PlayedBoard:
    return PlayedBoard(number, 2 * number, 2 * number + 1, white, black, result)


@pytest.mark.parametrize(
    "result, white, black, asks",
    [
        ("10", 1600, 2000, True), ("10", 1601, 2000, False), ("01", 2000, 1600, True), ("WL", 1600, 2000, True),
        ("==", 1600, 2400, False), ("10", 2000, 1600, False), ("+-", 1600, 2400, False), ("", 1600, 2400, False),
        ("10", 0, 2400, False), ("01", 2400, 0, False), ("00", 1600, 2400, False),
        ("+-", 2400, 1600, False), ("", 2400, 1600, False), ("-+", 1600, 2400, False),
    ],
)  # fmt: skip
def test_the_win_of_a_player_rated_400_lower_is_asked_about(
    result: str, white: int, black: int, asks: bool
) -> None:
    found = list(upsets([board(1, result, white, black)]))
    assert bool(found) is asks
    assert not found or found[0].difference == 400


def test_a_played_game_of_a_player_with_a_bye_is_asked_about() -> None:
    boards = [board(1, "10"), board(2, "+-"), board(3, "")]
    reasons = {3: "bye", 4: "withdrawn", 6: "bye", 99: "bye"}
    assert list(absences(boards, reasons)) == [Absence(boards[0], 3, "bye")]


def test_a_person_with_two_played_games_is_asked_about_once() -> None:
    boards = [board(1, "10"), board(2, "=="), board(3, "--")]
    persons = {2: "a", 5: "a", 3: "b", 7: "b"}
    (found,) = played_twice(boards, [], persons)
    assert (found.board.board, found.other.board, found.person) == (2, 1, "a")
    elsewhere = replace(board(1, "01"), section="U12")
    (found,) = played_twice(boards[1:], [elsewhere], {4: "c", elsewhere.white: "c"})
    assert (found.board.board, found.other.section) == (2, "U12")
    # Two games in other sections are for their arbiters to look at.
    assert (
        list(
            played_twice(
                boards[1:], [elsewhere, replace(boards[0], section="U14")], {2: "c", 3: "c"}
            )
        )
        == []
    )
    # The two games of a match are at one board.
    match = [replace(boards[0], game=1), replace(boards[0], game=2, white=3, black=2)]
    assert list(played_twice(match, [], {2: "a", 3: "b"})) == []


def favourites(boards: int) -> list[PlayedBoard]:
    """A first round in which every favourite wins, with White at odd boards."""
    return [
        board(n, "10", 2300 - n, 1900 - n) if n % 2 else board(n, "01", 1900 - n, 2300 - n)
        for n in range(1, boards + 1)
    ]


@pytest.mark.parametrize("by, first, last", [(1, 8, 19), (-1, 9, 20)])
def test_a_run_on_the_wrong_line_is_found(by: int, first: int, last: int) -> None:
    """Where favourites with White and with Black alternate,
    the results fit a board further up as well as down.
    """
    right = favourites(30)
    assert shift(right) is None
    places = range(7, 19) if by == 1 else range(8, 20)
    wrong = [
        replace(each, result=right[n + by].result) if n in places else each
        for n, each in enumerate(right)
    ]
    found = shift(wrong)
    assert found is not None
    assert (found.first, found.last) == (first, last)


def test_a_short_run_and_a_round_between_equals_are_not_asked_about() -> None:
    right = favourites(30)
    assert (
        shift(
            [
                replace(each, result=right[n + 1].result) if n < 4 else each
                for n, each in enumerate(right[:5])
            ]
        )
        is None
    )
    equals = [board(n, "10" if n % 2 else "01") for n in range(1, 40)]
    assert (
        shift([replace(each, result=equals[n + 1].result) for n, each in enumerate(equals[:-1])])
        is None
    )
    assert shift([]) is None


def test_a_shift_is_found_between_two_readings_whatever_the_ratings() -> None:
    first = ["10", "==", "01", "01", "10", "==", "01", "10", "10"]
    second = ["10", "10", "==", "01", "01", "10", "==", "01", "10"]
    assert shifted_reading(first, second) == (0, 7, 1)
    assert shifted_reading(second, first) == (1, 8, -1)
    assert shifted_reading(first, first) is None
    assert (
        shifted_reading(["10"] * 9, ["10"] * 8 + ["01"]) is None
    )  # one difference, and any shift agrees
    assert shifted_reading(first, [""] * 9) is None
    # A run of five, then a longer one of six: the longer one counts.
    five, six = ["10", "==", "01", "10", "=="], ["01", "01", "10", "==", "10", "01"]
    assert shifted_reading([*five, "", *six, ""], ["", *five, "", *six]) == (6, 11, 1)
    assert shifted_reading([*six, "", *five, ""], ["", *six, "", *five]) == (0, 5, 1)


def chances(board: PlayedBoard) -> tuple[float, float, float]:
    return tuple(probability(board, result) for result in ("10", "==", "01"))  # type: ignore[return-value]


@pytest.mark.parametrize(
    "white, black", [(2000, 2000), (1600, 2000), (2000, 1600), (1965, 2000), (2400, 1200)]
)
def test_the_chances_of_a_board_are_those_of_its_ratings(white: int, black: int) -> None:
    """A fifth of each chance ignores the ratings; by the rest White, 35 points ahead,
    has the score expected of Elo.
    """
    win, draw, loss = chances(board(1, "", white, black))
    assert win + draw + loss == pytest.approx(1)
    elo = 1 / (1 + 10 ** ((black - white - 35) / 400))
    assert win + draw / 2 == pytest.approx(0.8 * elo + 0.2 * (0.42 + 0.22 / 2))
    assert draw <= 0.8 * 0.3 + 0.2 * 0.22 + 1e-9
    assert probability(board(1, "", white, black), "WL") == win
    assert probability(board(1, "", white, black), "DD") == draw
    assert probability(board(1, "", white, black), "LW") == loss


def test_three_games_in_ten_between_equals_are_drawn_and_unrated_players_have_fixed_chances() -> (
    None
):
    assert chances(board(1, "", 1965, 2000))[1] == pytest.approx(0.8 * 0.3 + 0.2 * 0.22)
    for white, black in ((0, 2000), (2000, 0), (0, 0)):
        assert chances(board(1, "", white, black)) == (0.42, 0.22, 0.36)


def test_four_results_are_no_run_wherever_they_are() -> None:
    """Between ratings so far apart that four boards alone would be likely enough."""
    right = [
        board(n, "10", 2800, 800) if n % 2 else board(n, "01", 800, 2800) for n in range(1, 15)
    ]
    for length, expected in ((4, None), (5, Shift(7, 11, 1))):
        wrong = [replace(each, result=right[n + 1].result) if n in range(6, 6 + length) else each
                 for n, each in enumerate(right)]  # fmt: skip
        found = shift(wrong)
        assert (found and replace(found, by=1, first=7, last=11)) == expected


def test_a_run_is_asked_about_from_the_chance_that_gives_one_false_alarm_in_200_rounds() -> None:
    """Five results one board too far; the rating of one player goes up
    point by point until the page asks about the run.
    """
    found = []
    for rating in range(2200, 2600):
        right = [
            board(n, "10", 2390, 2000) if n % 2 else board(n, "01", 2000, 2390)
            for n in range(1, 31)
        ]
        right[12] = replace(right[12], white_rating=rating)
        wrong = [
            replace(each, result=right[n + 1].result) if 9 <= n < 14 else each
            for n, each in enumerate(right)
        ]
        ratio = prod(
            probability(right[n + 1], wrong[n].result) / probability(right[n], wrong[n].result)
            for n in range(9, 14)
        )
        found.append((ratio / (2 * 30), shift(wrong)))
    below, above = (
        [ratio for ratio, each in found if each is None],
        [ratio for ratio, each in found if each],
    )
    assert 199 < max(below) <= 200 < min(above) < 201


def literal_shift(boards: list[PlayedBoard]) -> tuple[float, Shift] | None:
    """Look at every run: the best one that ends at each board,
    if it has five results and is likely enough.
    """
    found: list[tuple[float, Shift]] = []
    for by in (1, -1):
        for last in range(len(boards)):
            ratio, best = 1.0, (0.0, last)
            for first in range(last, -1, -1):
                if boards[first].result not in PLAYED or not 0 <= first + by < len(boards):
                    break
                result = boards[first].result
                ratio *= probability(boards[first + by], result) / probability(
                    boards[first], result
                )
                best = max(best, (ratio, first))
            ratio, first = best
            if last - first >= 4 and ratio > 2 * len(boards) * 200:
                found.append((ratio, Shift(boards[first].board, boards[last].board, by)))
    return max(found, key=lambda each: each[0], default=None)


@pytest.mark.costly
def test_the_run_is_the_most_likely_one_of_all(examples: Examples) -> None:
    seen = {True: 0, False: 0}
    for seed in examples(range(600), 40):
        chance = random.Random(seed)
        for boards in rounds(chance, chance.choice([14, 20, 40]), 0):
            by, begin = chance.choice([1, -1]), chance.randrange(len(boards) - 6)
            length = chance.randrange(4, len(boards) + 1)
            places = range(begin, min(begin + length, len(boards)))
            wrong = [
                replace(each, result=boards[n + by].result)
                if n in places and 0 <= n + by < len(boards)
                else each
                for n, each in enumerate(boards)
            ]
            expected = literal_shift(wrong)
            assert shift(wrong) == (expected and expected[1])
            seen[expected is None] += 1
    assert min(seen.values()) > 20


def rounds(chance: random.Random, players: int, noise: int) -> Iterator[list[PlayedBoard]]:
    """Play seven rounds, in scoregroups from the top against the bottom half;
    ratings miss the strength by *noise*.

    One player in twenty has no rating, one game in fifty is a forfeit.
    """
    spread, draws = chance.choice([100, 200, 300]), chance.choice([0.15, 0.3, 0.45])
    ratings = sorted((int(chance.gauss(1800, spread)) for _ in range(players)), reverse=True)
    strength = [rating + chance.gauss(0, noise) for rating in ratings]
    shown = [0 if chance.random() < 0.05 else rating for rating in ratings]
    score = [0] * players
    for number in range(7):
        groups: dict[int, list[int]] = {}
        for player in sorted(range(players), key=lambda each: (-score[each], each)):
            groups.setdefault(score[player], []).append(player)
        pairs, left = [], list[int]()
        for _, group in sorted(groups.items(), reverse=True):
            both, half = left + group, len(left + group) // 2
            pairs += zip(both[:half], both[half : 2 * half], strict=True)
            left = both[2 * half :]
        boards = []
        for place, pair in enumerate(pairs, start=1):
            white, black = pair if (place + number) % 2 else pair[::-1]
            expected = 1 / (1 + 10 ** ((strength[black] - strength[white] - 35) / 400))
            drawn, drawing = 4 * draws * expected * (1 - expected), chance.random()
            result = (
                "10"
                if drawing < expected - drawn / 2
                else "=="
                if drawing < expected + drawn / 2
                else "01"
            )
            result = "+-" if chance.random() < 0.02 else result
            boards.append(PlayedBoard(place, white, black, shown[white], shown[black], result))
            score[white] += {"10": 2, "+-": 2, "==": 1, "01": 0}[result]
            score[black] += {"10": 0, "+-": 0, "==": 1, "01": 2}[result]
        yield boards


def literal_reading(first: list[str], second: list[str]) -> tuple[int, int, int] | None:
    """Look at every run of at least five results that *second* has one place further."""
    found = []
    for by in (1, -1):
        for begin in range(len(first)):
            for end in range(begin + 4, len(first)):
                places = range(begin, end + 1)
                if not all(
                    0 <= n + by < len(second) and first[n] and first[n] == second[n + by]
                    for n in places
                ):
                    continue
                if sum(first[n] != second[n] for n in places) >= 2:
                    found.append((begin, end, by))
    return max(found, key=lambda run: run[1] - run[0], default=None)


def test_the_longest_run_of_a_second_reading_is_found(examples: Examples) -> None:
    longest = set()
    for seed in examples(range(4_000), 1_000):
        chance = random.Random(seed)
        second = [
            chance.choice(["10", "==", "01", "01", ""]) for _ in range(chance.randrange(5, 16))
        ]
        by, begin = chance.choice([1, -1]), chance.randrange(len(second) - 3)
        places = range(begin, begin + chance.randrange(3, 13))
        moved = [
            second[n + by] if n in places and 0 <= n + by < len(second) else own
            for n, own in enumerate(second)
        ]
        # A second run in the same round, so that the longer one counts.
        if chance.random() < 0.5:
            moved = [*moved, "==", *moved[: chance.randrange(len(moved))]]
            second = [*second, "01", *second[1:], "10"][: len(moved)]
        found = shifted_reading(moved, second)
        assert found == literal_reading(moved, second)
        longest.add(found and (found[1] - found[0] + 1, found[2]))
    assert {(5, 1), (5, -1), (6, 1), (6, -1), (9, 1), None} <= longest


@pytest.mark.costly
def test_a_shift_is_asked_in_vain_in_at_most_one_round_of_200(examples: Examples) -> None:
    count = played = 0
    for seed in examples(range(600), 60):
        chance = random.Random(seed)
        for boards in rounds(
            chance, chance.choice([20, 40, 80, 150, 300]), chance.choice([0, 60, 120, 200])
        ):
            played += 1
            count += shift(boards) is not None
    assert count * 200 <= played
