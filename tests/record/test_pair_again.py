"""The rounds of a record are paired again by the engine, from what its lines say."""

from __future__ import annotations

from typing import Any, Final

from pairing.record.engine import pair_again
from tests.record.records import EVENT, NAMES, ROUND, SETTINGS, UnsignedLine, entry, lines_of

SIX: Final = (*NAMES, "Eriksen", "Fischer")


def event(
    *paired: UnsignedLine,
    settings: dict[str, Any] | None = None,
    then: tuple[UnsignedLine, ...] = (),
) -> tuple[UnsignedLine, ...]:
    """Return six numbered players, *then*, and the rounds *paired*."""
    players = [
        {**entry(1), "entry": 10 * n, "name": name, "rating": 2000 - n}
        for n, name in enumerate(SIX, start=1)
    ]
    numbers = {str(each["entry"]): n for n, each in enumerate(players, start=1)}
    names = {str(n): name for n, name in enumerate(SIX, start=1)}
    numbered = UnsignedLine(
        "numbers.assigned", {"tpn": dict.fromkeys(numbers)}, {"tpn": numbers, "names": names}
    )
    created = UnsignedLine(
        "tournament.created", {}, {**SETTINGS, "total_rounds": 5, **(settings or {})}
    )
    return (
        created,
        *(UnsignedLine("entry.added", {}, each) for each in players),
        numbered,
        *then,
        *paired,
    )


def paired(
    *pairs: list[int], number: int = 1, not_paired: tuple[int, ...] = (), bye: int | None = None
) -> UnsignedLine:
    return ROUND._replace(
        after={
            **ROUND.after,
            "pairs": [*pairs],
            "boards": [[10 * tpn for tpn in pair] for pair in pairs],
            "not_paired": [*not_paired],
            "pairing_allocated_bye": bye,
        },
        round_number=number,
    )


def over(number: int, *results: str) -> tuple[UnsignedLine, ...]:
    return (
        UnsignedLine(
            "pairings.published", {"state": "draft"}, {"state": "pairings_published"}, number
        ),
        *(
            UnsignedLine(
                "result.recorded",
                {"board": board, "result": ""},
                {"board": board, "result": result},
                number,
            )
            for board, result in enumerate(results, start=1)
        ),
        UnsignedLine(
            "results.published",
            {"state": "pairings_published"},
            {"state": "results_published"},
            number,
        ),
    )


def compared(*lines: UnsignedLine) -> tuple[int, list[str]]:
    found = pair_again(lines_of(lines))
    return found.compared, [str(each) for each in found.differences]


FIRST: Final = paired([1, 4], [5, 2], [3, 6])
OTHER: Final = "#9: the engine pairs round 1 differently."
"""Round 1 is line 9 of the six players."""


def test_rounds_that_the_engine_pairs_so_agree_and_others_are_named() -> None:
    assert compared(*event(FIRST)) == (1, [])
    assert compared(*event(paired([1, 4], [2, 5], [3, 6]))) == (1, [OTHER])
    assert compared(*EVENT) == (1, [])


def test_c04_1_3_the_allocated_bye_is_compared_too() -> None:
    without = UnsignedLine("entry.removed", {"entry": 60, "name": "Fischer"}, {})
    assert compared(*event(paired([1, 3], [4, 2], bye=5), then=(without,))) == (1, [])
    assert compared(*event(paired([1, 3], [5, 2], bye=4), then=(without,)))[0] == 1
    assert len(compared(*event(paired([1, 3], [5, 2], bye=4), then=(without,)))[1]) == 1


def test_c04_2_3_3_absent_players_are_left_out_and_others_are_not() -> None:
    bye = UnsignedLine("bye.requested", {"value": None}, {"entry": 60, "value": "H"}, 1)
    gone = UnsignedLine(
        "entry.withdrawn", {"value": None}, {"entry": 50, "tpn": 5, "name": "Eriksen", "value": 1}
    )
    lines = event(paired([1, 3], [4, 2], not_paired=(5, 6)), then=(bye, gone))
    assert compared(*lines) == (1, [])
    lines = event(paired([1, 3], [4, 2], not_paired=(5, 6)), then=(bye,))
    assert len(compared(*lines)[1]) == 1


def test_the_second_round_is_paired_from_the_results_and_the_byes_of_the_first() -> None:
    bye = UnsignedLine("bye.requested", {"value": None}, {"entry": 60, "value": "H"}, 1)
    first = (bye, paired([1, 3], [4, 2], not_paired=(6,), bye=5), *over(1, "10", "=="))
    second = paired([5, 1], [2, 6], [3, 4], number=2)
    found = compared(*event(*first, second))
    assert found == (2, [])
    lines = event(*first, paired([1, 5], [2, 6], [3, 4], number=2))
    assert compared(*lines) == (2, [f"#{len(lines)}: the engine pairs round 2 differently."])


def test_c04_2_2_4_a_late_entry_is_paired_without_an_earlier_round() -> None:
    late = UnsignedLine(
        "entry.added", {}, {**entry(1), "entry": 70, "name": "Gray", "tpn": 7, "first_round": 2}
    )
    first = (FIRST, *over(1, "10", "10", "10"), late)
    second = paired([3, 1], [4, 5], [2, 7], number=2, bye=6)
    assert compared(*event(*first, second)) == (2, [])
    without = paired([3, 1], [4, 5], [2, 6], number=2, not_paired=(7,))
    assert len(compared(*event(*first, without))[1]) == 1


def test_c04_2_1_5_a_round_that_nobody_can_pair_differs() -> None:
    """A prohibition that ended before the round does not count."""
    pairs = [[10, number] for number in (20, 30, 40, 50, 60)]
    for last, differences in (
        ((), [OTHER.replace("9", "10")]),
        ((1,), [OTHER.replace("9", "10")]),
        ((0,), []),
    ):
        prohibited = UnsignedLine(
            "prohibited_pairs.set", {"pairs": []}, {"pairs": [[*pair, *last] for pair in pairs]}
        )
        assert compared(*event(FIRST, then=(prohibited,))) == (1, differences), last


def test_scores_with_point_adjustments_are_not_compared() -> None:
    adjusted = UnsignedLine(
        "points.adjusted", {}, {"entry": 10, "name": "Abara", "points": -5}, 1, "a decision"
    )
    second = paired([2, 1], [4, 3], [6, 5], number=2)
    assert compared(*event(FIRST, *over(1, "10", "10", "10"), adjusted, second)) == (1, [])


BAKU: Final = {"acceleration": "baku", "total_rounds": 9}


def test_c04_7_an_accelerated_round_is_paired_with_the_virtual_points_of_group_a() -> None:
    """Group A has four of six players: each half of the field is paired by itself."""
    first = paired([1, 3], [4, 2], [5, 6])
    assert compared(*event(first, settings=BAKU)) == (1, [])
    assert compared(*event(FIRST, settings=BAKU)) == (1, [OTHER])
    results = over(1, "10", "10", "10")
    second = paired([4, 1], [2, 5], [3, 6], number=2)
    assert compared(*event(first, *results, second, settings=BAKU)) == (2, [])
    without = event(paired([1, 4], [5, 2], [3, 6]), *results, second)
    assert len(compared(*without)[1]) == 1


def test_c04_7_an_accelerated_round_of_a_file_is_not_compared() -> None:
    """A report file does not say who is in group A."""
    players = [
        {**entry(1), "entry": 10 * n, "name": name, "tpn": n} for n, name in enumerate(SIX, start=1)
    ]
    file = {
        "settings": {**SETTINGS, **BAKU, "initial_colour": "w"}, "entries": players,
        "expelled_from": {}, "national_federations": {},
        "played": {"1": {
            "state": "results_published",
            "boards": {"1": [10, 40, "10"], "2": [50, 20, "10"], "3": [30, 60, "10"]}, "byes": {},
        }},
        "byes": [], "prohibited_pairs": [], "adjustments": [],
    }  # fmt: skip
    imported = UnsignedLine("tournament.imported", {}, file)
    assert compared(imported, paired([2, 1], [3, 5], [4, 6], number=2)) == (0, [])
    plain = imported._replace(after={**file, "settings": {**SETTINGS, "initial_colour": "w"}})
    assert compared(plain, paired([2, 1], [3, 5], [4, 6], number=2))[0] == 1
