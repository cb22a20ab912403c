"""Turn the criteria of a bracket into the cost of a matching.

A cost is a number in mixed radix: one digit for each count, and one for each value that a list may
hold. A digit of higher priority is more significant, and has room for the largest sum that a
candidate can have. Comparing two costs is then comparing the criteria in order, and a matching of
least cost is a best candidate. In a list, the digit of a value counts how often it occurs, larger
values first. The lists compared have equally many items, because criteria of higher priority fix
that number, so this is the comparison "in descending order" [C.04.3/2026 2.4].
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from pairing.engine.dutch.bracket import Bracket
from pairing.engine.dutch.field import RankedPlayer

from .criterion import Criterion, View
from .mixed_radix import units

Digit = str | tuple[str, int]
"""Name a digit of a cost by its criterion, and in a list also by the value that it counts."""


class CriteriaCosts:
    """The cost of a pair or downfloater as a mixed-radix number, from criteria and digits.

    *digits* are all digits with their radices, most significant first. A criterion without a digit
    must always give 0 or None.
    """

    def __init__(
        self,
        view: View,
        digits: Sequence[tuple[Digit, int]],
        of_pairs: Sequence[Criterion],
        of_downfloaters: Sequence[Criterion],
    ) -> None:
        self.view = view
        self.unit = dict(
            zip([digit for digit, _ in digits], units([radix for _, radix in digits]), strict=True)
        )
        self._of_pairs = of_pairs
        self._of_downfloaters = of_downfloaters
        self._pair_costs: dict[tuple[int, int], int] = {}

    def of_pair(self, higher: RankedPlayer, lower: RankedPlayer) -> int:
        """Return the cost of pairing the two here; computed once for each two kinds of players."""
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
        """Return the cost of leaving *player* unpaired in this bracket."""
        return sum(
            self._term(criterion, criterion.of_downfloater(self.view, player))
            for criterion in self._of_downfloaters
        )

    def _term(self, criterion: Criterion, value: int | None) -> int:
        if value is None:
            return 0
        if criterion.is_list:
            # A score of 0 is an item like others: where decisions took points, there are lower
            # ones.
            return self.unit[criterion.name, value]
        return value * self.unit[criterion.name]


def digits_of_list(name: str, values: Iterable[int]) -> list[tuple[Digit, int]]:
    """Return the digits of a list: one for each of *values*, with room for every occurrence."""
    return [
        ((name, value), often + 1) for value, often in sorted(Counter(values).items(), reverse=True)
    ]


def digits_of(criterion: Criterion, values: Iterable[int], room: int) -> list[tuple[Digit, int]]:
    """Return the digits of *criterion*, each with the given *room*.

    There is one, or for a list one for each of *values*.
    """
    if not criterion.is_list:
        return [(criterion.name, room)]
    return [((criterion.name, value), room) for value in sorted(values, reverse=True)]


CostsOf = Callable[[Bracket], CriteriaCosts]
"""Make the costs of a bracket by the criteria of an edition."""
