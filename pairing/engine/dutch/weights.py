"""The criteria of a bracket as the cost of a matching.

A cost is a number in mixed radix: one digit for each count and for each value a list may hold, the higher the
priority the more significant. Every digit has room for the largest sum a candidate can have, so comparing two
costs is comparing the criteria in order, and a matching of least cost is a candidate that no other betters on
[C6]-[C21]. For a list, the digit of a value counts how often it occurs, larger values first: with equally many
items (which the criteria above it fix) that is the comparison "in descending order" [C.04.3/2026 2.4].
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import prod

from pairing.engine.model import Points

from .bracket import Bracket
from .criteria_2026 import AFTER_C9, C6, C7, C9, ONE_POINT, Criterion, View
from .field import RankedPlayer


def units(radices: Sequence[int]) -> list[int]:
    """The value of each digit of a mixed-radix number, most significant first, below them all one more: their
    range. ``units([3, 10]) == [10, 1]`` with digits 0-2 and 0-9."""
    values = [1]
    for radix in reversed(radices[1:]):
        values.append(values[-1] * radix)
    return values[::-1]


Digit = str | tuple[str, int]
"""A digit of a cost, named by its criterion; for a list with the value that it counts."""


class CriteriaCosts:
    """The cost of a pair or a downfloater as a mixed-radix number, from criteria and the digits they have.

    *digits* are all digits with their radices, most significant first; a criterion that has none of its own in them
    must give 0 or None throughout.
    """

    def __init__(
        self,
        view: View,
        digits: Sequence[tuple[Digit, int]],
        of_pairs: Sequence[Criterion],
        of_downfloaters: Sequence[Criterion],
    ) -> None:
        self.view = view
        self.unit = dict(zip([digit for digit, _ in digits], units([radix for _, radix in digits]), strict=True))
        self._of_pairs = of_pairs
        self._of_downfloaters = of_downfloaters
        self._pair_costs: dict[tuple[int, int], int] = {}

    def of_pair(self, higher: RankedPlayer, lower: RankedPlayer) -> int:
        """What pairing the two in this bracket costs; reckoned once for each two kinds of players."""
        kinds = (higher.kind, lower.kind)
        cost = self._pair_costs.get(kinds)
        if cost is None:
            cost = 0
            for criterion in self._of_pairs:
                value = criterion.of_pair(self.view, higher, lower)
                if value:
                    cost += self._term(criterion, value)
            self._pair_costs[kinds] = cost
        return cost

    def of_downfloater(self, player: RankedPlayer) -> int:
        """What leaving *player* unpaired in this bracket costs."""
        return sum(
            self._term(criterion, criterion.of_downfloater(self.view, player)) for criterion in self._of_downfloaters
        )

    def _term(self, criterion: Criterion, value: int | None) -> int:
        if value is None:
            return 0
        if criterion.is_list:
            # A score of 0 is an item like others: where decisions took points, there are lower ones.
            return self.unit[criterion.name, value]
        return value * self.unit[criterion.name]


class BracketCosts(CriteriaCosts):
    """What each pair and downfloater of one bracket costs by [C9]-[C21]; a candidate costs less than ``limit``.

    ``counts_bye`` says that [C9] applies: exactly one player floats, and receives the PAB (docs/rules, R3). A
    candidate with more downfloaters may then cost more than it should; it is worse by [C6] anyway.
    """

    def __init__(self, bracket: Bracket, *, counts_bye: bool) -> None:
        room = len(bracket.players) + 1
        later = [C9] if counts_bye else []
        later += _those_that_can_differ(bracket)
        differences = _differences(bracket)
        digits: list[tuple[Digit, int]] = []
        for criterion in later:
            if criterion.is_list:
                digits += _digits_of_list(criterion.name, differences)
            else:
                most = max(player.unplayed for player in bracket.players) + 1 if criterion is C9 else room
                digits.append((criterion.name, most))
        super().__init__(View(bracket, bracket.field.initial_colour), digits, later, later)
        self.limit = prod([radix for _, radix in digits])


class DownfloatCosts(CriteriaCosts):
    """What each downfloater of one bracket costs by [C6] and [C7], and each player left unpaired in the following one
    by [C8]; pairs cost nothing."""

    def __init__(self, bracket: Bracket) -> None:
        scores = [player.score for player in bracket.players]
        near = [*scores, *(player.score for player in bracket.following)]
        digits: list[tuple[Digit, int]] = [("C6", len(scores) + 1), *_digits_of_list("C7", scores)]
        digits += [("C8", len(near) + 1), *_digits_of_list("C8", near)]
        super().__init__(View(bracket, bracket.field.initial_colour), digits, (), (C6, C7))

    def of_following_downfloater(self, score: Points) -> int:
        """What a player with *score* left unpaired in the following bracket costs [C8]."""
        return self.unit["C8"] + self.unit["C8", score]


def _differences(bracket: Bracket) -> list[int]:
    """The score differences that lists may hold in *bracket*, as often as they may: they depend on the MDP's score
    alone, and on whether it is paired."""
    residents = bracket.resident_score
    paired = [player.score - residents for player in bracket.mdps]
    return [*paired, *[difference + ONE_POINT for difference in paired]]


def _digits_of_list(name: str, values: Iterable[int]) -> list[tuple[Digit, int]]:
    """The digits of a list: one for each of *values*, with room for as many as there are."""
    return [((name, value), often + 1) for value, often in sorted(Counter(values).items(), reverse=True)]


def digits_of(criterion: Criterion, values: Iterable[int], room: int) -> list[tuple[Digit, int]]:
    """The digits of *criterion*, each with *room* for so many: one, or of a list one for each of *values*."""
    if not criterion.is_list:
        return [(criterion.name, room)]
    return [((criterion.name, value), room) for value in sorted(values, reverse=True)]


def _those_that_can_differ(bracket: Bracket) -> list[Criterion]:
    """[C10]-[C21] without those that are 0 for every candidate of this bracket, to keep numbers short."""
    topscorers = any(player.is_topscorer for player in bracket.players)
    return [
        criterion
        for criterion in AFTER_C9
        if not (criterion.name in ("C10", "C11") and not topscorers)
        and not (criterion.name in ("C15", "C17", "C18", "C19", "C20", "C21") and not bracket.mdps)
    ]
