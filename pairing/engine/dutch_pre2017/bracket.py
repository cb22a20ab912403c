"""A score bracket, and the numbers computed before pairing it [C.04.3/pre2017 A3, A6, A8]."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from pairing.engine.basics.colours import Strength
from pairing.engine.matching.cardinality import FREE, maximum_matching
from pairing.engine.model import Colour

from .field import FieldBefore2017, RankedPlayer


@dataclass(frozen=True)
class Bracket:
    """Hold players to be paired together, by rank.

    ``came_down`` were moved down from the bracket before. ``joined`` are the players of the bracket
    that C13 has added last to the lowest one; they count as moved down too. ``residents`` are the
    others. ``is_lowest`` means that this is the last bracket, so that a player left over has the
    bye.
    """

    field: FieldBefore2017
    came_down: tuple[int, ...]
    residents: tuple[int, ...]
    joined: tuple[int, ...] = ()
    is_lowest: bool = False

    @cached_property
    def moved_down(self) -> tuple[int, ...]:
        """S1 of a heterogeneous bracket."""
        return tuple(sorted(self.came_down + self.joined))

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        """Everybody in the order of A2; the place from 1 is the number D1-D3 speak of."""
        return self.moved_down + self.residents

    @cached_property
    def players(self) -> tuple[RankedPlayer, ...]:
        return tuple(self.field.players[rank] for rank in self.ranks)

    @property
    def p0(self) -> int:
        """The most pairs there can be [C.04.3/pre2017 A6.b]."""
        return len(self.ranks) // 2

    @property
    def m0(self) -> int:
        """The players moved down [C.04.3/pre2017 A6.c]."""
        return len(self.moved_down)

    @cached_property
    def is_homogeneous(self) -> bool:
        """Tell whether nobody was moved down, or half of the bracket or more, so that it counts as
        homogeneous [C.04.3/pre2017 A3].
        """
        return self.m0 == 0 or 2 * self.m0 >= len(self.ranks)

    @cached_property
    def x1(self) -> int:
        """The fewest pairs, of P0, that cannot have all colour preferences [C.04.3/pre2017 A8.a].

        w and b, of even rounds, add to W and B what these leave out there: the sum is all who
        prefer the colour.
        """
        white, black, none = (self._count(colour, Strength.MILD) for colour in (*Colour, None))
        return max(0, self.p0 - min(white, black) - none)

    @cached_property
    def z1(self) -> int:
        """The fewest pairs, of P0, that cannot have all strong preferences,
        in an even round [C.04.3/pre2017 A8.b].
        """
        white, black = (self._count(colour, Strength.STRONG) for colour in Colour)
        return max(0, self.p0 - min(white, black) - (len(self.ranks) - white - black))

    def _count(self, colour: Colour | None, least: Strength) -> int:
        return sum(
            player.colours.preference is colour
            and (colour is None or player.colours.strength >= least)
            for player in self.players
        )

    @cached_property
    def most_moved_down_paired(self) -> int:
        """How many of those moved down can meet residents at once: M1 as C14.b2 leaves it."""
        return _pairs(_rows(self.field, self.moved_down, self.residents), self.ranks)

    @cached_property
    def most_pairs(self) -> int:
        """How many pairs can be made: P1 as C14 leaves it."""
        return _pairs(self.field.may_meet, self.ranks)

    def without_incompatible(self) -> tuple[Bracket, tuple[int, ...]]:
        """C1: the bracket without the residents who can meet nobody in it, and these.

        No other player loses an opponent when they move, because they were nobody's opponent.
        [C.04.3/pre2017 C1]
        """
        everybody = bit_set(self.ranks)
        alone = tuple(rank for rank in self.residents if not self.field.may_meet[rank] & everybody)
        stay = tuple(rank for rank in self.residents if rank not in alone)
        return Bracket(self.field, self.came_down, stay, self.joined, self.is_lowest), alone

    def first_incompatible(self) -> int | None:
        """The highest of the lowest bracket with neither opponent nor bye [C.04.3/pre2017 C1]."""
        everybody = bit_set(self.ranks)
        for player in self.players:
            has_bye = self.field.has_bye and player.may_have_bye
            if not has_bye and not self.field.may_meet[player.rank] & everybody:
                return player.rank
        return None


def bit_set(ranks: Sequence[int]) -> int:
    """*ranks* as a bit set."""
    return sum(1 << rank for rank in ranks)


def _rows(field: FieldBefore2017, ones: Sequence[int], others: Sequence[int]) -> list[int]:
    """Return the pairs of *ones* and *others* that may meet, by either player."""
    one_set, other_set = bit_set(ones), bit_set(others)
    rows = [0] * len(field)
    for rank in ones:
        rows[rank] = field.may_meet[rank] & other_set
    for rank in others:
        rows[rank] = field.may_meet[rank] & one_set
    return rows


def _pairs(rows: Sequence[int], ranks: Sequence[int]) -> int:
    mate = maximum_matching(rows, bit_set(ranks))
    return sum(mate[rank] != FREE for rank in ranks) // 2
