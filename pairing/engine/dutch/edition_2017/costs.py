"""Turn the criteria of 2017 into the costs of a matching, as in ``solver.criteria_costs``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from pairing.engine.dutch.bracket import Bracket
from pairing.engine.dutch.field import RankedPlayer
from pairing.engine.dutch.solver.criteria_costs import CriteriaCosts, Digit, digits_of
from pairing.engine.dutch.solver.criterion import ONE_POINT, Criterion, View

from .criteria import C5, C6, COLOURS, FLOATS, M1, downfloater_difference, score_difference

IN_EVERY_BRACKET = ("C12", "C14")
"""The criteria on floats that can differ between candidates of a bracket with only one score."""


class BracketCosts2017(CriteriaCosts):
    """Give the cost of each pair and downfloater of a bracket and, if it *looks_ahead* [C.7],
    of the following one.

    A digit has room for every pair and downfloater of the bracket; the digits of [C.7] have room
    for both brackets together. Without *counts_differences* the caller adds [C.5] and [C.6];
    ``unit["C6"]`` is more than all the other costs together.
    """

    def __init__(
        self, bracket: Bracket, *, looks_ahead: bool = False, counts_differences: bool = True
    ) -> None:
        players = bracket.players
        room = len(players) + 1
        differences = _differences({player.score for player in players}, _resident_scores(bracket))
        digits: list[tuple[Digit, int]] = [("C6", room)]
        if counts_differences:
            digits = [*digits_of(C5, (), room), *digits_of(C6, differences, room)]
        digits += digits_of(M1, (), room)
        if looks_ahead:
            digits += _digits_of_c7(bracket)
        later = _those_that_can_differ(bracket)
        for criterion in later:
            digits += digits_of(criterion, differences, room)
        view = View(bracket, bracket.field.initial_colour)
        above_m1 = [C5, C6] if counts_differences else []
        super().__init__(view, digits, [*above_m1[1:], *later], [*above_m1, M1, *later])
        self._following = bracket.field.scores[bracket.following_ranks.start] if looks_ahead else 0

    def of_following_pair(self, higher: RankedPlayer, lower: RankedPlayer) -> int:
        """Return the cost of a pair of the following bracket: its score difference [C.7]."""
        difference = score_difference(higher, lower)
        return self.unit["C7", difference] if difference else 0

    def of_following_bye(self, player: RankedPlayer) -> int:
        """Return the cost of the PAB for *player* if the following bracket is the last [C.7]."""
        return self.unit["C7", downfloater_difference(player, self._following)]

    def of_following_downfloater(self, player: RankedPlayer) -> int:
        """Return the cost of a *player* unpaired in the next bracket: pair and difference [C.7]."""
        return self.unit["C7"] + self.of_following_bye(player)


class ChosenCosts2017(BracketCosts2017):
    """The cost of each pair and downfloater by [C.5] and *criteria*, in descending priority.

    None among *criteria* is [C.7]. These costs answer questions about single criteria; they do not
    pair.
    """

    def __init__(self, bracket: Bracket, criteria: Sequence[Criterion | None]) -> None:
        players = bracket.players
        room = len(players) + 1
        differences = _differences({player.score for player in players}, _resident_scores(bracket))
        digits = digits_of(C5, (), room)
        for criterion in criteria:
            digits += (
                _digits_of_c7(bracket)
                if criterion is None
                else digits_of(criterion, differences, room)
            )
        chosen = [criterion for criterion in criteria if criterion is not None]
        CriteriaCosts.__init__(
            self, View(bracket, bracket.field.initial_colour), digits, chosen, [C5, *chosen]
        )
        self._following = (
            bracket.field.scores[bracket.following_ranks.start] if None in criteria else 0
        )


class CollapsedCosts(CriteriaCosts):
    """Give the costs in a last bracket for which the score differences
    of the best candidates by [C.6] are known.

    *differences* are these score differences, including that of the bye; *low* are those of the
    lowest players (``collapsed_bracket``). The digits have room for these candidates; other
    candidates may get too high a cost.
    """

    def __init__(self, bracket: Bracket, differences: Sequence[int], low: Sequence[int]) -> None:
        self._occurring = frozenset(differences)
        room = len(bracket.players) + 1
        later = _those_that_can_differ(bracket)
        digits: list[tuple[Digit, int]] = [
            (("C6", value), room) for value in sorted(set(low), reverse=True)
        ]
        digits += [("C6", room), *digits_of(M1, (), room)]
        for criterion in later:
            if criterion.is_list:
                often = sorted(Counter(differences).items(), reverse=True)
                digits += [((criterion.name, value), count + 1) for value, count in often]
            else:
                digits += digits_of(
                    criterion, (), len(differences) + 1 if criterion in FLOATS else room
                )
        super().__init__(View(bracket, bracket.field.initial_colour), digits, later, [M1, *later])

    def above(self, difference: int, *, is_low: bool) -> int | None:
        """Return the cost of that score difference by [C.6]; None if no best candidate has it.

        If its lower player *is_low* the difference itself counts, otherwise only that the pair
        crosses a boundary.
        """
        if not difference:
            return 0
        if is_low:
            return self.unit.get(("C6", difference))
        return self.unit["C6"] if difference in self._occurring else None


class DifferenceCosts(CriteriaCosts):
    """Give what each pair and downfloater adds to the pairing score difference [C.6] alone."""

    def __init__(self, bracket: Bracket) -> None:
        players = bracket.players
        differences = _differences({player.score for player in players}, _resident_scores(bracket))
        view = View(bracket, bracket.field.initial_colour)
        super().__init__(view, digits_of(C6, differences, len(players) + 1), [C6], [C6])

    def of_pair(self, higher: RankedPlayer, lower: RankedPlayer) -> int:
        """Return the cost of pairing the two: the digit of their score difference."""
        difference = score_difference(higher, lower)
        return self.unit["C6", difference] if difference else 0


def _resident_scores(bracket: Bracket) -> set[int]:
    """Return the scores of the residents; only a collapsed last bracket has more than one."""
    residents = bracket.resident_ranks
    return set(bracket.field.scores[residents.start : residents.stop])


def _differences(scores: Iterable[int], resident_scores: set[int]) -> set[int]:
    """List the score differences that pairs and downfloaters of a bracket can have [A.8]."""
    lowest = min(resident_scores)
    pairs = {higher - lower for higher in scores for lower in resident_scores if higher > lower}
    return pairs | {score - lowest + ONE_POINT for score in scores}


def _digits_of_c7(bracket: Bracket) -> list[tuple[Digit, int]]:
    room = len(bracket.players) + len(bracket.following) + 1
    score = bracket.following[0].score
    differences = _differences({score, *(player.score for player in bracket.players)}, {score})
    return [("C7", room), *((("C7", value), room) for value in sorted(differences, reverse=True))]


def _those_that_can_differ(bracket: Bracket) -> list[Criterion]:
    """List [C.8]-[C.19] without those that are equal for all candidates that are best above them,
    to keep numbers short.

    Without topscorers [C.8] and [C.9] are 0. In a bracket with one score nobody floats up, and
    every downfloater has the same score difference, so [C.16] and [C.18] have as many items as
    [C.12] and [C.14] count.
    """
    colours = COLOURS if any(player.is_topscorer for player in bracket.players) else COLOURS[2:]
    field, residents = bracket.field, bracket.resident_ranks
    highest = bracket.mdp_ranks[0] if bracket.mdp_ranks else residents.start
    if field.scores[highest] != field.scores[residents.stop - 1]:
        return [*colours, *FLOATS]
    return [*colours, *(criterion for criterion in FLOATS if criterion.name in IN_EVERY_BRACKET)]
