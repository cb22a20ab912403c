"""Select the upfloaters that complete the bracket of the top-scoregroup [C.04.5/2026 3.5].

Of all sets of players with lower scores the text takes the best on [C4], [C5], [C6] and [C7] and,
of equal sets, the one first in the order of 3.5.4. A perfect matching of everybody not yet paired
contains the pairs inside the scoregroup, its pairs with lower players, and a completion of the
others. The criteria count sums over its pairs:

* [C4] the pairs of a resident with a lower player, as many as there are upfloaters;
* [C5] the same pairs by score, the lowest score first;
* [C6] the pairs of a player of the following scoregroup with a lower player, the upfloaters that
  its bracket will need (as few as possible; if the whole group moves up, there are none);
* [C7] the pairs of a resident with a lower player who floated;
* 3.5.4: sets that are equal on [C5] have as many players of each score, so the earlier of two
  contains the highest ranked player that is in only one of them: powers of two.

With these counts as the digits of the cost, the perfect matching of least cost gives the set. Two
upfloaters never meet: without them the set would be smaller, and they could still be paired. Bounds
and a relaxation usually avoid the search among everybody: see :func:`no_upfloater`,
:func:`one_upfloater` and :func:`from_nearest`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from pairing.engine.errors import InvariantError
from pairing.engine.matching.cardinality import bits, maximum_matching, missable
from pairing.engine.matching.weighted import minimum_cost_perfect_matching

from .field import MatchField

NEAREST = 24
"""How many lower players at least are looked at before everybody is."""


@dataclass(frozen=True)
class Search:
    """The state of the pairing, as sets of ranks.

    ``residents`` are the top-scoregroup, ``groups`` the scoregroups after it, the ``following`` one
    first. ``mate`` is a maximum matching of the residents, and ``exposed`` the residents without a
    partner in it.
    """

    field: MatchField
    residents: int
    groups: Sequence[int]

    @classmethod
    def from_field(cls, field: MatchField, unpaired: int) -> Search:
        """Return the state in which the players *unpaired* (a set of ranks) are left."""
        residents, *groups = field.scoregroups(unpaired)
        return cls(field, residents, groups)

    @cached_property
    def mate(self) -> list[int]:
        return maximum_matching(self.field.may_meet, self.residents)

    @cached_property
    def exposed(self) -> list[int]:
        return [rank for rank in bits(self.residents) if self.mate[rank] < 0]

    @property
    def lower(self) -> int:
        return sum(self.groups)

    @property
    def following(self) -> int:
        return self.groups[0] if self.groups else 0

    @property
    def below(self) -> int:
        """Everybody after the following scoregroup."""
        return sum(self.groups[1:])


def select_upfloaters(field: MatchField, unpaired: int) -> tuple[int, int]:
    """The top-scoregroup of those *unpaired*, and the upfloaters that complete it (sets of ranks).

    *unpaired* can be completed. Cost: one matching of the scoregroup and some of the following one
    as a rule, else a weighted matching of the scoregroup and those near it, at worst of everybody
    unpaired.
    """
    search = Search.from_field(field, unpaired)
    for path in (no_upfloater, one_upfloater, from_nearest):
        found = path(search)
        if found is not None:
            return search.residents, found
    return search.residents, from_everybody(search)


def no_upfloater(search: Search) -> int | None:
    """The empty set if the residents can all be paired and the others too; else None.

    It is the only set with the least [C4].
    """
    return 0 if not search.exposed and search.field.completes(search.lower) else None


def one_upfloater(search: Search) -> int | None:
    """The one upfloater of the following scoregroup at the bounds of [C4]-[C6]; else None.

    If a maximum matching leaves one resident over, the scoregroup is odd, so one upfloater is the
    least [C4] and a player of the following scoregroup the best [C5]. He completes the bracket if
    he may meet a resident whom some maximum matching of the scoregroup leaves out alone
    (``missable``). What remains of his group needs no upfloater if it is even, and one if it is
    odd, or more [C6]. So whoever reaches that bound and did not float [C7] is in a best set, and
    the first of them by TPN is the first set; if all who reach it floated, the first of those is.
    """
    if len(search.exposed) != 1:
        return None
    field = search.field
    open_residents = missable(field.may_meet, search.residents, search.mate, search.exposed[0])
    candidates = sum(
        1 << rank for rank in bits(search.following) if field.may_meet[rank] & open_residents
    )
    for rank in (*bits(candidates & ~field.floated), *bits(candidates & field.floated)):
        if _leaves_ideal_rest(search, rank):
            return 1 << rank
    return None


def _leaves_ideal_rest(search: Search, upfloater: int) -> bool:
    """Whether the rest completes with as few of the next group paired below as parity allows."""
    field = search.field
    rest = search.following & ~(1 << upfloater)
    below = search.below
    if rest.bit_count() % 2 == 0:
        return field.completes(rest) and field.completes(below)
    mate = maximum_matching(field.may_meet, rest)
    exposed = [rank for rank in bits(rest) if mate[rank] < 0]
    if len(exposed) != 1:
        return False
    candidates = missable(field.may_meet, rest, mate, exposed[0])
    return any(field.completes(below | 1 << rank) for rank in bits(candidates))


def from_nearest(search: Search, nearest: int = NEAREST) -> int | None:
    """Select the upfloaters by a matching of the top-scoregroup and the nearest players;
    None if that does not decide.

    It looks at *nearest* lower players or more, in whole scoregroups from the top. The number of
    residents that every pairing of the scoregroup alone leaves over is the bound of [C4]. The
    players further down, the *far* ones, have placeholder vertices, and every near player except a
    resident is assumed to be able to meet them. So it is a relaxation: every completion whose
    upfloaters are all near is one of its matchings, at the same cost. If the bound of [C4] is
    reached, a set with a far player is worse on [C5], because its largest difference is larger. So
    if the optimum can be completed, no set is better, and no equal set comes earlier.
    """
    if not search.exposed:
        return None
    field = search.field
    near_groups = 1
    while (
        near_groups < len(search.groups) and sum(search.groups[:near_groups]).bit_count() < nearest
    ):
        near_groups += 1
    if near_groups >= len(search.groups):
        return None
    lower, far = sum(search.groups[:near_groups]), sum(search.groups[near_groups:])
    ranks = list(bits(search.residents | lower))
    mate = minimum_cost_perfect_matching(_with_far_vertices(search, ranks))
    if mate is None:
        return None
    chosen = _upfloaters_of(search, ranks, mate[: len(ranks)])
    onward = sum(
        1 << rank for rank, partner in zip(ranks, mate, strict=False) if partner >= len(ranks)
    )
    return (
        chosen
        if chosen.bit_count() == len(search.exposed) and field.completes(far | onward)
        else None
    )


def _with_far_vertices(search: Search, ranks: Sequence[int]) -> list[dict[int, int]]:
    """The graph of *ranks*, with as many vertices more as partners further down could need."""
    costs = _costs(search, ranks)
    paired_below = _Digits.from_search(search).paired_below
    to_far = {
        vertex: paired_below if search.following >> rank & 1 else 0
        for vertex, rank in enumerate(ranks)
        if not search.residents >> rank & 1
    }
    far = range(len(ranks), len(ranks) + len(to_far) + (len(ranks) + len(to_far)) % 2)
    for vertex, cost in to_far.items():
        costs[vertex] |= dict.fromkeys(far, cost)
    costs += [{**to_far, **{other: 0 for other in far if other != vertex}} for vertex in far]
    return costs


def from_everybody(search: Search) -> int:
    """The upfloaters by a matching of everybody unpaired, which leaves nothing open."""
    ranks = list(bits(search.residents | search.lower))
    mate = minimum_cost_perfect_matching(_costs(search, ranks))
    if mate is None:
        raise InvariantError("a bracket could not be completed although the field could")
    return _upfloaters_of(search, ranks, mate)


def _upfloaters_of(search: Search, ranks: Sequence[int], mate: Iterable[int]) -> int:
    """The lower players whom the matching *mate* of the first *ranks* pairs with a resident."""
    chosen = 0
    for rank, partner in zip(ranks, mate, strict=True):
        if (
            search.lower >> rank & 1
            and partner < len(ranks)
            and search.residents >> ranks[partner] & 1
        ):
            chosen |= 1 << rank
    return chosen


@dataclass(frozen=True, slots=True)
class _Digits:
    """The cost of a pair, with one digit of a whole number for each criterion.

    A place holds every sum that can occur below the next: no more pairs than there are residents,
    or players in the following scoregroup.
    """

    order: int
    floated: int
    paired_below: int
    by_group: tuple[int, ...]
    upfloater: int

    @classmethod
    def from_search(cls, search: Search) -> _Digits:
        most = search.residents.bit_count() + 1
        order = 1 << max(search.lower.bit_length() - 1, 0)
        floated = 2 * order * most
        paired_below = floated * most
        place = paired_below * (search.following.bit_count() + 1)
        by_group = []
        for _ in search.groups:
            by_group.append(place)
            place *= most
        return cls(order, floated, paired_below, tuple(by_group), place)


def _costs(search: Search, ranks: Sequence[int]) -> list[dict[int, int]]:
    """The graph of *ranks*: for each the vertices it may be matched with, at their cost."""
    field, digits = search.field, _Digits.from_search(search)
    vertex_of = {rank: vertex for vertex, rank in enumerate(ranks)}
    members = sum(1 << rank for rank in ranks)
    residents, following, below = search.residents, search.following, search.below
    upfloating = _cost_of_upfloating(search, digits)
    costs: list[dict[int, int]] = []
    for rank in ranks:
        row: dict[int, int] = {}
        for other in bits(field.may_meet[rank] & members):
            higher, lower = min(rank, other), max(rank, other)
            if residents >> higher & 1:
                cost = upfloating.get(lower, 0)
            elif following >> higher & 1 and below >> lower & 1:
                cost = digits.paired_below
            else:
                cost = 0
            row[vertex_of[other]] = cost
        costs.append(row)
    return costs


def _cost_of_upfloating(search: Search, digits: _Digits) -> dict[int, int]:
    """Return the cost of each lower player as an upfloater."""
    costs = {}
    for group, place in zip(search.groups, digits.by_group, strict=True):
        for rank in bits(group):
            floated = digits.floated if search.field.floated >> rank & 1 else 0
            # The sum of 2^-r over the ranks of a set is the larger, the earlier the set comes.
            order = 2 * digits.order - (2 * digits.order >> (rank + 1))
            costs[rank] = digits.upfloater + place + floated + order
    return costs
