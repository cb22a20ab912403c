"""Define the requirements of a bracket's pairing, and the order in which
they are given up [C.04.3/pre2017 B, C3, C10].

The text begins with all requirements and gives up one after the other: C10.a drops B6 for
upfloaters; C10.b drops B5 for upfloaters and requires B6 again; and so on to C10.g. "A requirement
may be dropped only for the fewest pairs possible": each is a number of pairs (or players) for which
it does not hold. The text thus counts like an odometer, whose fastest wheel is B6 for upfloaters
and whose slowest is B2. It stops at the first reading ``v`` for which there is a pairing whose
numbers are nowhere above ``v``.

**That reading is the lexicographic minimum** ``c`` of the numbers of all pairings, slowest wheel
first. The odometer passes every reading up to it. At an earlier reading ``v`` every pairing is
above ``v`` somewhere, because a pairing that is nowhere above ``v`` is at most ``v``
lexicographically, less than ``c``. At ``v = c`` there is one, and every other such pairing has the
same numbers. X and Z begin at X1 and Z1 instead of 0, which are lower bounds for every pairing: a
pair with all preferences met has a player who prefers the rarer colour, or no preference; of X1 +
(P0 - X1) pairs at most P0 - X1 can have one. Decreasing P1 by one decreases X1 and Z1 by one (C14),
so they remain lower bounds.

So the numbers are digits of the cost of a matching, and the best pairings of a bracket are those of
least cost.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pairing.engine.basics.colours import Strength
from pairing.engine.dutch.floats import Float
from pairing.engine.dutch.solver.mixed_radix import units

from .bracket import Bracket
from .field import RankedPlayer, b2_clash

ONE_POINT = 10
"""In tenths."""


def b2_same_absolute_preference(higher: RankedPlayer, lower: RankedPlayer) -> int:
    """Two with one absolute preference, one a topscorer: only to spare a floater [B2, C10.g]."""
    return int(b2_clash(higher, lower))


def a7d_same_strong_preference(higher: RankedPlayer, lower: RankedPlayer) -> int:
    """In an odd round a strong preference is absolute as long as it can be [A7.d, C10.f]."""
    return int(z_strong_preference_refused(higher, lower) and not b2_clash(higher, lower))


def x_preference_refused(higher: RankedPlayer, lower: RankedPlayer) -> int:
    """A pair of which one cannot have the colour preferred [B4, A11, C10.e]."""
    preference = higher.colours.preference
    return int(preference is not None and preference is lower.colours.preference)


def z_strong_preference_refused(higher: RankedPlayer, lower: RankedPlayer) -> int:
    """In an even round, a pair of which one cannot have the colour strongly preferred; a mild
    preference yields [A7.e, C10.e]."""
    weaker = min(higher.colours.strength, lower.colours.strength)
    return int(x_preference_refused(higher, lower) and weaker >= Strength.STRONG)


def b5_downfloat(player: RankedPlayer) -> int:
    """A downfloater who had a downfloat in the last round [B5, C10.d]."""
    return int(player.last_float is Float.DOWN)


def b6_downfloat(player: RankedPlayer) -> int:
    """A downfloater who had a downfloat two rounds ago [B6, C10.c]."""
    return int(player.float_before_last is Float.DOWN)


def b5_upfloat(_higher: RankedPlayer, lower: RankedPlayer) -> int:
    """The opponent of somebody moved down who had an upfloat in the last round [B5, C10.b]."""
    return int(lower.last_float is Float.UP)


def b6_upfloat(_higher: RankedPlayer, lower: RankedPlayer) -> int:
    """The opponent of somebody moved down who had an upfloat two rounds ago [B6, C10.a]."""
    return int(lower.float_before_last is Float.UP)


OfPair = Callable[[RankedPlayer, RankedPlayer], int]
OfDownfloater = Callable[[RankedPlayer], int]


@dataclass(frozen=True, slots=True)
class Requirement:
    """One wheel of the odometer: what a pair, an upfloater's pair or a downfloater adds."""

    article: str
    of_pair: OfPair | None = None
    of_upfloat: OfPair | None = None
    of_downfloater: OfDownfloater | None = None


B2 = Requirement("B2", of_pair=b2_same_absolute_preference)
A7D = Requirement("A7.d", of_pair=a7d_same_strong_preference)
X = Requirement("B4 (X)", of_pair=x_preference_refused)
Z = Requirement("A7.e (Z)", of_pair=z_strong_preference_refused)
FLOATS = (
    Requirement("B5, downfloaters", of_downfloater=b5_downfloat),
    Requirement("B6, downfloaters", of_downfloater=b6_downfloat),
    Requirement("B5, upfloaters", of_upfloat=b5_upfloat),
    Requirement("B6, upfloaters", of_upfloat=b6_upfloat),
)


def requirements_of(bracket: Bracket) -> tuple[Requirement, ...]:
    """The requirements in the order of priority: C10 gives them up from the last to the first."""
    colours = (A7D, X) if bracket.field.is_odd_round else (X, Z)
    return (B2, *colours, *FLOATS)


class Costs:
    """The cost of every pair and downfloater of *bracket*, one digit per requirement.

    Above the requirements stand three more digits, whose values are, from the highest,
    ``one_less_moved_down`` (M1 is one lower), ``one_less_pair`` (P1 is), and ``below``: one player
    fewer of those moved down to the lowest bracket meets a resident there, which is of interest
    when the bracket before is paired anew for it (C12). *as_heterogeneous*: those moved down are
    paired first, and their opponents are upfloaters.

    In the lowest bracket the B3 factor stands above the requirements: the sum of the squared score
    differences, the bye being an opponent with one point less than the last player
    [C.04.3/pre2017 D4] (docs/rules, P6).
    """

    def __init__(self, bracket: Bracket, *, as_heterogeneous: bool) -> None:
        players = bracket.players
        self.as_heterogeneous = as_heterogeneous
        self._moved_down = frozenset(bracket.moved_down) if as_heterogeneous else frozenset()
        self._requirements = requirements_of(bracket)
        self._bye_score = players[-1].score - ONE_POINT if bracket.is_lowest and players else None
        room = len(players) + 1
        widest = players[0].score - self._bye_score + 1 if self._bye_score is not None else 1
        radices = [
            2 * room,
            room,
            len(bracket.field) + 1,
            widest * widest * room,
            *[room] * len(self._requirements),
        ]
        self.one_less_moved_down, self.one_less_pair, self.below, self._squares, *self._units = (
            units(radices)
        )

    def of_pair(self, higher: RankedPlayer, lower: RankedPlayer) -> int:
        """Return the cost of a pair; in one of two moved-down players neither meets a resident."""
        is_upfloat = False
        cost = 0
        if higher.rank in self._moved_down:
            is_upfloat = lower.rank not in self._moved_down
            cost = 0 if is_upfloat else 2 * self.one_less_moved_down
        if self._bye_score is not None:
            cost += (higher.score - lower.score) ** 2 * self._squares
        for requirement, unit in zip(self._requirements, self._units, strict=True):
            if requirement.of_pair is not None:
                cost += requirement.of_pair(higher, lower) * unit
            if requirement.of_upfloat is not None and is_upfloat:
                cost += requirement.of_upfloat(higher, lower) * unit
        return cost

    def of_downfloater(self, player: RankedPlayer) -> int:
        """Return the cost of leaving *player* unpaired, including the lost pair."""
        cost = self.one_less_pair
        if player.rank in self._moved_down:
            cost += self.one_less_moved_down
        if self._bye_score is not None:
            cost += (player.score - self._bye_score) ** 2 * self._squares
        for requirement, unit in zip(self._requirements, self._units, strict=True):
            if requirement.of_downfloater is not None:
                cost += requirement.of_downfloater(player) * unit
        return cost
