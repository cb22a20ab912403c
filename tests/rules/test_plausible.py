"""The checks of unusual results, and how often they ask in vain."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from pairing.rules.plausible import (
    Absence,
    PlayedBoard,
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
    ],
)  # fmt: skip
def test_the_win_of_a_player_rated_400_lower_is_asked_about(result: str, white: int, black: int, asks: bool) -> None:
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
    """Where favourites with White and with Black alternate, the results fit a board further up as well as down."""
    right = favourites(30)
    assert shift(right) is None
    places = range(7, 19) if by == 1 else range(8, 20)
    wrong = [replace(each, result=right[n + by].result) if n in places else each for n, each in enumerate(right)]
    found = shift(wrong)
    assert found is not None
    assert (found.first, found.last) == (first, last)


def test_a_short_run_and_a_round_between_equals_are_not_asked_about() -> None:
    right = favourites(30)
    assert (
        shift([replace(each, result=right[n + 1].result) if n < 4 else each for n, each in enumerate(right[:5])])
        is None
    )
    equals = [board(n, "10" if n % 2 else "01") for n in range(1, 40)]
    assert shift([replace(each, result=equals[n + 1].result) for n, each in enumerate(equals[:-1])]) is None
    assert shift([]) is None


def test_a_shift_is_found_between_two_readings_whatever_the_ratings() -> None:
    first = ["10", "==", "01", "01", "10", "==", "01", "10", "10"]
    second = ["10", "10", "==", "01", "01", "10", "==", "01", "10"]
    assert shifted_reading(first, second) == (0, 7, 1)
    assert shifted_reading(second, first) == (1, 8, -1)
    assert shifted_reading(first, first) is None
    assert shifted_reading(["10"] * 9, ["10"] * 8 + ["01"]) is None  # one difference, and any shift agrees
    assert shifted_reading(first, [""] * 9) is None


def rounds(chance: random.Random, players: int, noise: int) -> Iterator[list[PlayedBoard]]:
    """Play seven rounds, in scoregroups from the top against the bottom half; ratings miss the strength by *noise*.

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
            result = "10" if drawing < expected - drawn / 2 else "==" if drawing < expected + drawn / 2 else "01"
            result = "+-" if chance.random() < 0.02 else result
            boards.append(PlayedBoard(place, white, black, shown[white], shown[black], result))
            score[white] += {"10": 2, "+-": 2, "==": 1, "01": 0}[result]
            score[black] += {"10": 0, "+-": 0, "==": 1, "01": 2}[result]
        yield boards


def test_a_shift_is_asked_in_vain_in_at_most_one_round_of_200(examples: Examples) -> None:
    asked = played = 0
    for seed in examples(range(600), 60):
        chance = random.Random(seed)
        for boards in rounds(chance, chance.choice([20, 40, 80, 150, 300]), chance.choice([0, 60, 120, 200])):
            played += 1
            asked += shift(boards) is not None
    assert asked * 200 <= played
