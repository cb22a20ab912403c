"""Turn the criteria of 2026 into the costs of a matching, as in ``solver.criteria_costs``."""

from __future__ import annotations

from math import prod

from pairing.engine.dutch.bracket import Bracket
from pairing.engine.dutch.solver.criteria_costs import CriteriaCosts, Digit, digits_of_list
from pairing.engine.dutch.solver.criterion import ONE_POINT, Criterion, View
from pairing.engine.model import Points

from .criteria import AFTER_C9, C6, C7, C9


class BracketCosts(CriteriaCosts):
    """Give the cost of each pair and downfloater of a bracket by [C9]-[C21];
    a candidate costs less than ``limit``.

    ``counts_bye`` applies [C9]: exactly one player floats and receives the PAB (docs/rules, R3). A
    candidate with more downfloaters may then have too high a cost, but it is worse by [C6] anyway.
    """

    def __init__(self, bracket: Bracket, *, counts_bye: bool = False) -> None:
        room = len(bracket.players) + 1
        later = [C9] if counts_bye else []
        later += _those_that_can_differ(bracket)
        differences = _differences(bracket)
        digits: list[tuple[Digit, int]] = []
        for criterion in later:
            if criterion.is_list:
                digits += digits_of_list(criterion.name, differences)
            else:
                most = (
                    max(player.unplayed for player in bracket.players) + 1
                    if criterion is C9
                    else room
                )
                digits.append((criterion.name, most))
        super().__init__(View(bracket, bracket.field.initial_colour), digits, later, later)
        self.limit = prod([radix for _, radix in digits])


class DownfloatCosts(CriteriaCosts):
    """Give the cost of each downfloater by [C6] and [C7], and of each player
    unpaired in the following bracket by [C8].

    Pairs cost nothing.
    """

    def __init__(self, bracket: Bracket) -> None:
        scores = [player.score for player in bracket.players]
        near = [*scores, *(player.score for player in bracket.following)]
        digits: list[tuple[Digit, int]] = [("C6", len(scores) + 1), *digits_of_list("C7", scores)]
        digits += [("C8", len(near) + 1), *digits_of_list("C8", near)]
        super().__init__(View(bracket, bracket.field.initial_colour), digits, (), (C6, C7))

    def of_following_downfloater(self, score: Points) -> int:
        """Return the cost of leaving a player with *score* unpaired in the next bracket [C8]."""
        return self.unit["C8"] + self.unit["C8", score]


def _differences(bracket: Bracket) -> list[int]:
    """List the score differences that lists may hold in *bracket*, each as often as it can occur.

    They depend only on the score of the MDP and on whether it is paired.
    """
    residents = bracket.resident_score
    paired = [player.score - residents for player in bracket.mdps]
    return [*paired, *[difference + ONE_POINT for difference in paired]]


def _those_that_can_differ(bracket: Bracket) -> list[Criterion]:
    """List [C10]-[C21] without those that are 0 for every candidate, to keep numbers short."""
    topscorers = any(player.is_topscorer for player in bracket.players)
    return [
        criterion
        for criterion in AFTER_C9
        if not (criterion.name in ("C10", "C11") and not topscorers)
        and not (criterion.name in ("C15", "C17", "C18", "C19", "C20", "C21") and not bracket.mdps)
    ]
