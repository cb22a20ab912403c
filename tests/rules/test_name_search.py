"""Finding the lines of a list by what somebody typed."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from pairing.rules.name_search import (
    MOST_NAMES,
    MOST_WITH_MISTAKES,
    find_lines,
    names_not_found,
    nearly_begins,
)

PLAYERS = {
    1: "Müller, Jörg Lisbon CC POR",
    2: "García, Ana Lisbon CC ESP",
    3: "Đorđević, Milan Novi Sad SRB",
    4: "Li, Wei Leiden NED",
    5: "Gracia, Pau Vic ESP",
    12: "Muller-Weiß, Eva Köln GER",
}


def find(typed: str) -> list[int]:
    found = find_lines(
        PLAYERS.items(), typed, text_of=lambda line: line[1], numbers_of=lambda line: (line[0],)
    )
    return [number for number, _ in found]


@pytest.mark.parametrize(
    "typed, numbers",
    [
        ("", [1, 2, 3, 4, 5, 12]),
        ("  ", [1, 2, 3, 4, 5, 12]),
        ("-", []),
        ("1", [1]),
        ("12", [12]),
        ("müller", [1, 12]),
        ("lisbon", [1, 2]),
        ("esp", [2, 5]),
        ("Müller, Jörg", [1]),
        ("müller, lisbon", [1]),  # the whole text first: a name and a club
        ("müller, pau", [1, 5, 12]),
        ("wei; pau", [4, 5, 12]),
        ("3, 5", [3, 5]),
        ("5,", [5]),
        ("müller, ", [1, 12]),
        ("muler", [1, 12]),
        ("gracia", [5]),  # exact: Garcia with two letters exchanged is not added
        ("garica", [2]),
        ("djordje", [3]),
        ("dordevic", [3]),
        ("djordjevik", [3]),
        ("mler", []),
        ("lo", []),  # too short for a mistake
        ("muler garcia", []),
        ("muler, wei, djordje", [1, 3, 4, 12]),  # a mistake in some of several names
        ("garica + vic", [2, 5]),
        ("müler, jorg", [1]),  # one name with a mistake, not two names
        ("muler, xyzw", [1, 12]),
        ("muler jorg", [1]),
    ],
)
def test_a_search_finds(typed: str, numbers: list[int]) -> None:
    assert find(typed) == numbers


@pytest.mark.parametrize(
    "typed, missing",
    [
        ("", []),
        ("nobody", []),
        ("nobody, none", []),  # the page says that nobody fits
        ("müller, pau", []),
        ("müller, lisbon", []),  # a name and a club
        ("muler, xyzw", ["xyzw"]),
        ("Wei; Nobody ; 3; 7; Wei", ["Nobody", "7"]),
        ("müller, garica", []),  # found with a mistake
        ("Müller, Jan", ["Jan"]),
        ("müller, -,", []),
    ],
)
def test_a_search_for_several_names_says_which_are_missing(typed: str, missing: list[str]) -> None:
    found = [(number, PLAYERS[number]) for number in find(typed)]
    assert (
        names_not_found(
            found, typed, text_of=lambda line: line[1], numbers_of=lambda line: (line[0],)
        )
        == missing
    )


def test_a_search_for_many_names_costs_no_more_than_its_limits() -> None:
    nobody = [f"nobody{number}" for number in range(MOST_NAMES)]
    assert find(", ".join(["pau", *nobody[1:]])) == [5]
    assert find(", ".join(["pau", *nobody])) == []  # read as one text
    wrong = nobody[: MOST_WITH_MISTAKES - 1]
    assert find(", ".join(["pau", *wrong, "muler"])) == [1, 5, 12]
    assert find(", ".join(["pau", *wrong, nobody[-1], "muler"])) == [5]


def test_a_player_without_a_number_is_not_called_none() -> None:
    found = find_lines(
        ["Late, Lara"], "None", text_of=lambda name: name, numbers_of=lambda name: (None,)
    )
    assert found == []


@given(st.text("abcd", min_size=4, max_size=8), st.data())
def test_every_single_mistake_is_forgiven(word: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(word) - 1))
    letter = data.draw(st.sampled_from("abcdx"))
    mistakes = [
        word[:at] + letter + word[at:],
        word[:at] + letter + word[at + 1 :],
        word[:at] + word[at + 1 : at + 2] + word[at : at + 1] + word[at + 2 :],
    ]
    if len(word) > 4:
        mistakes.append(word[:at] + word[at + 1 :])
    for typed in mistakes:
        assert nearly_begins([word], [typed]), (word, typed)


@given(st.text("ab", min_size=4, max_size=6), st.text("ab", min_size=4, max_size=7))
def test_only_single_mistakes_are_forgiven(word: str, typed: str) -> None:
    beginnings = [word[:end] for end in range(len(word) + 1)]
    assert nearly_begins([word], [typed]) == any(distance(b, typed) <= 1 for b in beginnings)


def distance(one: str, other: str) -> int:
    """Return the number of letters to add, remove, replace or exchange (neighbours)."""
    rows = [list(range(len(other) + 1))]
    for i, a in enumerate(one, start=1):
        row = [i]
        for j, b in enumerate(other, start=1):
            row.append(min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (a != b)))
            if i > 1 and j > 1 and (a, b) == (other[j - 2], one[i - 2]):
                row[-1] = min(row[-1], rows[-2][j - 2] + 1)
        rows.append(row)
    return rows[-1][-1]
