"""Test that the fast paths of the engine for the Dutch System before July
2017 pair as the whole search or the text.

Each test requires how often every path answered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random

import pytest

from pairing.engine.errors import NoLegalPairingError
from pairing.engine.model import TournamentState
from pairing.engine.systems import pair
from tests.engine.literal_dutch_pre2017 import Literal, pair_literally
from tests.engine.literal_dutch_pre2017_brackets import Bracket, Done, Ranks
from tests.engine.path_report import Report
from tests.engine.paths_pre2017 import PathsPre2017
from tests.engine.positions import random_state
from tests.engine.test_dutch_pre2017_literal import of_pre2017
from tests.examples import Examples

pytestmark = pytest.mark.costly


def test_c04_3_pre2017_a11_the_first_try_finds_the_same_as_the_whole_search() -> None:
    report = PathsPre2017().play(range(300))
    report.require(200, "round", left=15)
    report.require(10, "very first, heterogeneous", left=100)
    report.require(150, "very first, homogeneous", left=150)
    report.require(50, "very first, lowest", left=300)
    report.require(200, "no pairing", left=1_000)


def test_c04_3_pre2017_a11_the_first_try_finds_the_same_in_late_rounds() -> None:
    report = PathsPre2017().play_late(range(4))
    report.require(30, "round")
    report.require(15, "very first, homogeneous", left=20)
    report.require(5, "very first, heterogeneous", "very first, lowest", left=20)


class Steps(Literal):
    """The text, with the number of the steps by which it paired a bracket anew."""

    last: Steps

    def __init__(self, state: TournamentState) -> None:
        super().__init__(state)
        Steps.last = self
        self.steps: Counter[str] = Counter()
        self.tried: Done | None = None

    def c1(self, bracket: Bracket) -> tuple[Bracket, Ranks]:
        compatible, taken_out = super().c1(bracket)
        self.steps["C1"] += bool(taken_out)
        return compatible, taken_out

    def c12(self, bracket: Bracket, residents: Ranks, p1: int, m1: int) -> Done | None:
        other = super().c12(bracket, residents, p1, m1)
        self.steps["C12"] += other is not None
        return other

    def c14(self, bracket: Bracket, p0: int, p1: int, m1: int) -> tuple[int, int]:
        lower = super().c14(bracket, p0, p1, m1)
        self.steps["C14, fewer moved down" if lower[1] < m1 else "C14, fewer pairs"] += 1
        return lower

    def lowest_with_c12(self, lowest: Bracket) -> bool:
        before = self.done[-1:]
        is_paired = super().lowest_with_c12(lowest)
        if is_paired:
            self.steps["C12, lowest"] += self.done[-2:-1] != before
            self.steps["C13, joined"] += len(lowest.moved) > len(lowest.floating)
        return is_paired

    def penultimate_c13(self, previous: Done) -> Iterator[Done]:
        for self.tried in super().penultimate_c13(previous):
            yield self.tried

    def pair_lowest(self, lowest: Bracket) -> None:
        super().pair_lowest(lowest)
        self.steps["C13, penultimate"] += self.tried is not None and self.done[-2:-1] == [
            self.tried
        ]


WITH_C12 = (
    *(
        40_501,
        40_661,
        41_056,
        41_455,
        41_655,
        41_996,
        42_001,
        42_097,
        42_166,
        42_628,
        42_632,
        42_764,
        43_549,
        43_667,
    ),
    *(
        43_885,
        43_986,
        44_303,
        44_349,
        44_441,
        44_448,
        44_576,
        44_701,
        45_072,
        45_441,
        45_527,
        45_559,
        45_899,
        46_064,
    ),
)
"""Seeds of positions of 6 to 8 players in which C12 pairs a bracket above the lowest anew:
one in 200 has this.
"""


def play_by_the_text(seeds: Iterable[int]) -> Report:
    """Pair a random position for each of *seeds* by the text;
    the engine's answer counts for each step of the text.
    """
    report = Report()
    for seed in seeds:
        state = of_pre2017(random_state(Random(seed), players=(6, 8)))
        try:
            exact = pair_literally(state, Steps)
        except NoLegalPairingError:
            with pytest.raises(NoLegalPairingError):
                pair(state)
            continue
        found = pair(state)
        for step in ("round", *+Steps.last.steps):
            report.compare(step, found, exact)
    return report


def test_c04_3_pre2017_c1_c12_c13_c14_the_engine_goes_back_as_the_text_does(
    examples: Examples,
) -> None:
    report = play_by_the_text((*WITH_C12, *examples(range(30_000, 30_400), 280)))
    report.require(200, "round")
    report.require(len(WITH_C12), "C12")
    report.require(140, "C1")
    report.require(10, "C12, lowest", "C13, joined", "C13, penultimate")
    report.require(10, "C14, fewer moved down", "C14, fewer pairs")
