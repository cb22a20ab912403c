"""The Dutch texts of 2026 and 2017 with one of the criteria left out
that every round must keep, and [C5] of 2026.
"""

from collections.abc import Callable
from dataclasses import replace

from pairing.engine.errors import NoLegalPairingError
from pairing.engine.model import Pairing, TournamentState

from .literal_dutch import Bracket, Candidate, Group, LiteralDutch, Rank, Scores
from .literal_dutch_2017 import LiteralDutch2017


def pair_without_c1(text: LiteralDutch) -> Pairing:
    """Players may meet again."""
    text.records = [replace(record, met=frozenset()) for record in text.records]
    return round_of(text)


def pair_without_c2(text: LiteralDutch) -> Pairing:
    """Everybody may have the bye."""
    text.records = [replace(record, pab_barred=False) for record in text.records]
    return round_of(text)


def round_of(text: LiteralDutch) -> Pairing:
    return (
        text.round_pairing_a_9() if isinstance(text, LiteralDutch2017) else text.round_pairing_1_9()
    )


class Without2026C3(LiteralDutch):
    """Two players with the same absolute preference may meet."""

    def _allowed(self, one: Rank, other: Rank) -> bool:
        return are_strangers(self, one, other)


class Without2017C3(LiteralDutch2017):
    """Two players with the same absolute preference may meet."""

    def _allowed(self, one: Rank, other: Rank) -> bool:
        return are_strangers(self, one, other)


def are_strangers(text: LiteralDutch, one: Rank, other: Rank) -> bool:
    first, second = text.records[one], text.records[other]
    return (
        second.tpn not in first.met
        and frozenset((first.tpn, second.tpn)) not in text.state.prohibited
    )


class Without2026C4(LiteralDutch):
    """Downfloaters need not complete the round;
    the bracket after which it cannot be completed ends it.
    """

    def c4_c5(self, bracket: Bracket, downfloaters: Group) -> int | None:
        if not bracket.following and len(downfloaters) > 1:
            return None
        found = super().c4_c5(bracket, downfloaters)
        return 0 if found is None else found

    def _best_c5_c6_c7(self, bracket: Bracket) -> tuple[tuple[int, int, Scores], tuple[Group, ...]]:
        if not any(self.c4_c5(bracket, one) is not None for one in self.downfloater_sets(bracket)):
            return (0, len(self.records), ()), ()
        return super()._best_c5_c6_c7(bracket)

    def bracket_pairing_3(self, bracket: Bracket) -> Candidate:
        chosen = super().bracket_pairing_3(bracket)
        if self.completion(frozenset(chosen.downfloaters + bracket.not_reached)) is None:
            raise NoLegalPairingError
        return chosen


class Without2026C5(LiteralDutch):
    """The bye may have any score."""

    def c4_c5(self, bracket: Bracket, downfloaters: Group) -> int | None:
        return None if super().c4_c5(bracket, downfloaters) is None else 0

    def c9(self, bracket: Bracket, downfloaters: Group) -> int:
        lowest = super().c4_c5(bracket, downfloaters)
        is_bye = len(downfloaters) == 1 and self.scores[downfloaters[0]] == lowest
        return self.unplayed[downfloaters[0]] if is_bye else 0


class Without2017C4(LiteralDutch2017):
    """The penultimate bracket need not complete the round."""

    def completes_a_9(self, players: frozenset[Rank]) -> bool:
        return True

    def last_bracket(self, bracket: Bracket) -> Candidate:
        if not super().completes_a_9(frozenset(bracket.players)):
            raise NoLegalPairingError("C.04.3 A.9")
        return super().last_bracket(bracket)


WITHOUT: dict[str, tuple[type[LiteralDutch], Callable[[LiteralDutch], Pairing]]] = {
    "2026 C1": (LiteralDutch, pair_without_c1),
    "2026 C2": (LiteralDutch, pair_without_c2),
    "2026 C3": (Without2026C3, round_of),
    "2026 C4": (Without2026C4, round_of),
    "2026 C5": (Without2026C5, round_of),
    "2017 C.1": (LiteralDutch2017, pair_without_c1),
    "2017 C.2": (LiteralDutch2017, pair_without_c2),
    "2017 C.3": (Without2017C3, round_of),
    "2017 C.4": (Without2017C4, round_of),
}


def pair_without(article: str, state: TournamentState) -> Pairing | None:
    """Return the pairing of *state* by the text without *article*; None if it has no pairing."""
    read, pair_round = WITHOUT[article]
    try:
        return pair_round(read(state))
    except NoLegalPairingError:
        return None
