"""The Dutch System before July 2017 with one more rule left out: see
:mod:`tests.engine.test_dutch_pre2017_decisive`.

An order is left out by taking the last of equals instead of the first.
"""

from collections.abc import Iterator
from itertools import combinations, permutations

from pairing.engine.checker.records import PlayerRecord
from pairing.engine.errors import NoLegalPairingError
from pairing.engine.model import Colour, Pairing, TournamentState

from .literal_dutch_pre2017 import Literal, pair_literally
from .literal_dutch_pre2017_brackets import (
    Bracket,
    Candidate,
    Done,
    Pairs,
    Rank,
    Ranks,
    exchanges_d2,
    left_over,
)


class WithoutB1a(Literal):
    def may_meet(self, one: Rank, other: Rank) -> bool:
        a, b = self.players[one], self.players[other]
        if frozenset((a.tpn, b.tpn)) in self.state.prohibited:
            return False
        return a.is_topscorer or b.is_topscorer or not self.breaks_b2(one, other)


class WithoutB1b(Literal):
    """Everybody may have the bye."""

    def bye_allowed(self, rank: Rank) -> bool:
        return True


class WithoutB2(Literal):
    """Two players with the same absolute preference may meet in any round."""

    def may_meet(self, one: Rank, other: Rank) -> bool:
        a, b = self.players[one], self.players[other]
        return b.tpn not in a.met and frozenset((a.tpn, b.tpn)) not in self.state.prohibited


class WithoutA10(Literal):
    """Nobody is a topscorer."""

    def may_meet(self, one: Rank, other: Rank) -> bool:
        return super().may_meet(one, other) and not self.breaks_b2(one, other)


class WithoutC13Joined(Literal):
    """The lowest bracket is never joined with the one before."""

    def pair_lowest(self, lowest: Bracket) -> None:
        if any(rank not in lowest.floating for rank in lowest.moved):
            raise NoLegalPairingError
        super().pair_lowest(lowest)

    def penultimate_c13(self, previous: Done) -> Iterator[Done]:
        yield from super().penultimate_c13(previous)
        raise NoLegalPairingError


class WithoutC14b2(Literal):
    """P1 is lowered even if the remainder was never reached."""

    def c14(self, bracket: Bracket, p0: int, p1: int, m1: int) -> tuple[int, int]:
        return p1 - 1, m1


class WithoutD1(Literal):
    """The transpositions of a homogeneous bracket or a remainder
    [D1.1] from the last to the first.
    """

    def homogeneous(self, players: Ranks, count: int) -> Iterator[Pairs]:
        if count == 0:
            yield ()
            return
        for s1 in exchanges_d2(len(players), count):
            top = [players[place] for place in s1]
            rest = [player for player in players if player not in top]
            for partners in reversed(list(permutations(rest, count))):
                pairs = tuple((min(pair), max(pair)) for pair in zip(top, partners, strict=True))
                if all(self.may_meet(*pair) for pair in pairs):
                    yield pairs


class WithoutD2(Literal):
    """The exchanges from the last to the first."""

    def homogeneous(self, players: Ranks, count: int) -> Iterator[Pairs]:
        if count == 0:
            yield ()
            return
        for s1 in reversed(list(exchanges_d2(len(players), count))):
            top = [players[place] for place in s1]
            rest = [player for player in players if player not in top]
            for partners in permutations(rest, count):
                pairs = tuple((min(pair), max(pair)) for pair in zip(top, partners, strict=True))
                if all(self.may_meet(*pair) for pair in pairs):
                    yield pairs


class WithoutD3(Literal):
    """The sets of moved-down players from the last to the first."""

    def _generated(self, bracket: Bracket, p1: int, m1: int) -> Iterator[Candidate]:
        if not m1:
            yield from super()._generated(bracket, p1, m1)
            return
        for s1 in reversed(list(combinations(bracket.moved, m1))):
            for partners in permutations(bracket.residents, m1):
                first = tuple(zip(s1, partners, strict=True))
                if p1 < m1 or not all(self.may_meet(*pair) for pair in first):
                    continue
                remainder = tuple(rank for rank in bracket.everybody if rank not in s1 + partners)
                for pairs in self.homogeneous(remainder, p1 - m1):
                    yield Candidate(first + pairs, m1, left_over(remainder, pairs))


class WithoutE1(Literal):
    """Two different preferences are treated as the preference of the
    higher ranked player against the same one.
    """

    def colour_of_higher(self, higher: PlayerRecord, lower: PlayerRecord) -> Colour:
        mine, theirs = higher.preference, lower.preference
        if mine.colour is None or theirs.colour is None or mine.colour is theirs.colour:
            return super().colour_of_higher(higher, lower)
        if mine.strength is not theirs.strength:
            return mine.colour if mine.strength > theirs.strength else theirs.colour
        for own, other in zip(higher.colours[::-1], lower.colours[::-1], strict=False):
            if own is not other:
                return own.opposite
        return mine.colour


class WithoutE2(Literal):
    def colour_of_higher(self, higher: PlayerRecord, lower: PlayerRecord) -> Colour:
        mine, theirs = higher.preference, lower.preference
        if mine.colour is None or mine.colour is not theirs.colour:
            return super().colour_of_higher(higher, lower)
        for own, other in zip(higher.colours[::-1], lower.colours[::-1], strict=False):
            if own is not other:
                return own.opposite
        return mine.colour


class WithoutE3(Literal):
    def colour_of_higher(self, higher: PlayerRecord, lower: PlayerRecord) -> Colour:
        mine, theirs = higher.preference, lower.preference
        if mine.colour is None or mine != theirs:
            return super().colour_of_higher(higher, lower)
        return mine.colour


class WithoutE4(Literal):
    """The lower ranked player has the colour that both prefer."""

    def colour_of_higher(self, higher: PlayerRecord, lower: PlayerRecord) -> Colour:
        colour = super().colour_of_higher(higher, lower)
        different = any(
            own is not other
            for own, other in zip(higher.colours[::-1], lower.colours[::-1], strict=False)
        )
        equal = higher.preference == lower.preference and higher.preference.colour is not None
        return colour.opposite if equal and not different else colour


class WithoutE5(Literal):
    """The higher ranked player has the initial colour, whatever the number."""

    def colour_of_higher(self, higher: PlayerRecord, lower: PlayerRecord) -> Colour:
        if higher.preference.colour is None and lower.preference.colour is None:
            return self.state.initial_colour
        return super().colour_of_higher(higher, lower)


WITHOUT: dict[str, type[Literal]] = {
    "A10": WithoutA10,
    "B1.a": WithoutB1a,
    "B1.b": WithoutB1b,
    "B2": WithoutB2,
    "C13, joined": WithoutC13Joined,
    "C14.b2": WithoutC14b2,
    "D1.1": WithoutD1,
    "D2": WithoutD2,
    "D3": WithoutD3,
    "E1": WithoutE1,
    "E2": WithoutE2,
    "E3": WithoutE3,
    "E4": WithoutE4,
    "E5": WithoutE5,
}


def pair_without(article: str, state: TournamentState) -> Pairing | None:
    """Return the pairing of *state* by the text without *article*; None if it has no pairing."""
    try:
        return pair_literally(state, WITHOUT[article])
    except NoLegalPairingError:
        return None
