"""The criteria of a bracket by the rules of 2017 as the cost of a matching (``solver.criteria_costs`` says how)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from pairing.engine.dutch.bracket import Bracket
from pairing.engine.dutch.field import RankedPlayer
from pairing.engine.dutch.solver.criteria_costs import CriteriaCosts, Digit, digits_of
from pairing.engine.dutch.solver.criterion import ONE_POINT, Criterion, View

from .criteria import C5, C6, COLOURS, FLOATS, M1, downfloater_difference, score_difference

IN_EVERY_BRACKET = ("C12", "C14")
"""Of the criteria on floats, those that can differ between candidates of a bracket with one score only."""


class BracketCosts2017(CriteriaCosts):
    """What each pair and downfloater costs in one bracket and, if it *looks_ahead* [C.7], in the following one.

    A digit has room for every pair and downfloater of the bracket, those of [C.7] for both brackets together. If not
    *counts_differences*, [C.5] and [C.6] are left to whoever asks: ``unit["C6"]`` is more than all the rest can be.
    """

    def __init__(self, bracket: Bracket, *, looks_ahead: bool = False, counts_differences: bool = True) -> None:
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
        """What a pair of the following bracket costs: its score difference [C.7]."""
        difference = score_difference(higher, lower)
        return self.unit["C7", difference] if difference else 0

    def of_following_bye(self, player: RankedPlayer) -> int:
        """What it costs that *player* has the PAB from the following bracket, where that is the last [C.7]."""
        return self.unit["C7", downfloater_difference(player, self._following)]

    def of_following_downfloater(self, player: RankedPlayer) -> int:
        """What leaving *player* unpaired in the following bracket costs: a pair, and a score difference [C.7]."""
        return self.unit["C7"] + self.of_following_bye(player)


class ChosenCosts2017(BracketCosts2017):
    """What each pair and downfloater costs by [C.5] and the *criteria* chosen, in descending priority; None among them
    is [C.7]. Questions about single criteria are asked with it, not pairings."""

    def __init__(self, bracket: Bracket, criteria: Sequence[Criterion | None]) -> None:
        players = bracket.players
        room = len(players) + 1
        differences = _differences({player.score for player in players}, _resident_scores(bracket))
        digits = digits_of(C5, (), room)
        for criterion in criteria:
            digits += _digits_of_c7(bracket) if criterion is None else digits_of(criterion, differences, room)
        chosen = [criterion for criterion in criteria if criterion is not None]
        CriteriaCosts.__init__(self, View(bracket, bracket.field.initial_colour), digits, chosen, [C5, *chosen])
        self._following = bracket.field.scores[bracket.following_ranks.start] if None in criteria else 0


class CollapsedCosts(CriteriaCosts):
    """What each pair and downfloater costs in a last bracket of which it is known which score differences the best
    candidates by [C.6] have: *differences*, the bye's among them, and of these *low* far down (``collapsed_bracket``).

    The digits have room for those candidates; others may cost more than they should.
    """

    def __init__(self, bracket: Bracket, differences: Sequence[int], low: Sequence[int]) -> None:
        self._occurring = frozenset(differences)
        room = len(bracket.players) + 1
        later = _those_that_can_differ(bracket)
        digits: list[tuple[Digit, int]] = [(("C6", value), room) for value in sorted(set(low), reverse=True)]
        digits += [("C6", room), *digits_of(M1, (), room)]
        for criterion in later:
            if criterion.is_list:
                often = sorted(Counter(differences).items(), reverse=True)
                digits += [((criterion.name, value), count + 1) for value, count in often]
            else:
                digits += digits_of(criterion, (), len(differences) + 1 if criterion in FLOATS else room)
        super().__init__(View(bracket, bracket.field.initial_colour), digits, later, [M1, *later])

    def above(self, difference: int, *, is_low: bool) -> int | None:
        """What a pair of that score difference costs by [C.6]: as such if its lower player *is_low*, as one across a
        boundary if not; None if no best candidate has it."""
        if not difference:
            return 0
        if is_low:
            return self.unit.get(("C6", difference))
        return self.unit["C6"] if difference in self._occurring else None


class DifferenceCosts(CriteriaCosts):
    """What each pair and downfloater adds to the pairing score difference [C.6], and nothing else."""

    def __init__(self, bracket: Bracket) -> None:
        players = bracket.players
        differences = _differences({player.score for player in players}, _resident_scores(bracket))
        view = View(bracket, bracket.field.initial_colour)
        super().__init__(view, digits_of(C6, differences, len(players) + 1), [C6], [C6])

    def of_pair(self, higher: RankedPlayer, lower: RankedPlayer) -> int:
        """What pairing the two costs: the digit of their score difference."""
        difference = score_difference(higher, lower)
        return self.unit["C6", difference] if difference else 0


def _resident_scores(bracket: Bracket) -> set[int]:
    """More than one in a collapsed last bracket alone."""
    residents = bracket.resident_ranks
    return set(bracket.field.scores[residents.start : residents.stop])


def _differences(scores: Iterable[int], resident_scores: set[int]) -> set[int]:
    """The score differences that pairs and downfloaters of a bracket can have [A.8]."""
    lowest = min(resident_scores)
    pairs = {higher - lower for higher in scores for lower in resident_scores if higher > lower}
    return pairs | {score - lowest + ONE_POINT for score in scores}


def _digits_of_c7(bracket: Bracket) -> list[tuple[Digit, int]]:
    room = len(bracket.players) + len(bracket.following) + 1
    score = bracket.following[0].score
    differences = _differences({score, *(player.score for player in bracket.players)}, {score})
    return [("C7", room), *((("C7", value), room) for value in sorted(differences, reverse=True))]


def _those_that_can_differ(bracket: Bracket) -> list[Criterion]:
    """[C.8]-[C.19] without those that are the same for every candidate that is best above them, for short numbers.

    Without topscorers [C.8] and [C.9] count nobody. In a bracket with one score nobody floats up, and every
    downfloater has the same score difference, so that [C.16] and [C.18] hold as many as [C.12] and [C.14] count.
    """
    colours = COLOURS if any(player.is_topscorer for player in bracket.players) else COLOURS[2:]
    field, residents = bracket.field, bracket.resident_ranks
    highest = bracket.mdp_ranks[0] if bracket.mdp_ranks else residents.start
    if field.scores[highest] != field.scores[residents.stop - 1]:
        return [*colours, *FLOATS]
    return [*colours, *(criterion for criterion in FLOATS if criterion.name in IN_EVERY_BRACKET)]
