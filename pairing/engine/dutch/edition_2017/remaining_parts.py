"""What those below a bracket need of it for a round to be completed, and no more of them (Gallai, Edmonds)."""

from __future__ import annotations

from dataclasses import dataclass

from pairing.engine.dutch.completion import Completion
from pairing.engine.matching.cardinality import FREE, bits, maximum_matching, missable, neighbours


@dataclass(frozen=True, slots=True)
class RestParts:
    """The *parts* of those who remain, each an odd number of whom any one can be the only one left over, as bit sets of
    ranks, the bye's bit among them; the *joints*, others who may meet somebody of a part, by rank; and how many are
    ``wanting``, the parts less the joints. Who belongs to neither is of no account.

    Proof. Let a set *D* of players from above complete the rest, no two of them paired with each other. The others, who
    belong to neither, are an even number who can be paired, and no part has an edge to them, nor to another part.
    A part, being odd, has a pair that leaves it, with a joint or with one of *D*; so *D* has as many as are wanting at
    least. If it has just so many, all of *D* and all joints are in such pairs, each with a part of its own. Conversely,
    if each part has one pair with a joint or one of *D*, whoever of it that is with, the part is paired but for that
    one, and the others among themselves. So such *D* are matched in the graph of *D*, parts, and joints alone.
    """

    parts: tuple[int, ...]
    joints: tuple[int, ...]

    @property
    def wanting(self) -> int:
        return len(self.parts) - len(self.joints)

    def met(self, completion: Completion) -> list[int]:
        """For each part who may meet somebody of it, by rank."""
        return [neighbours(completion.rows, part) for part in self.parts]


def rest_parts(completion: Completion, rest: int) -> RestParts:
    """The parts and joints of *rest* (a bit set of ranks, with the bye's bit where it is not given yet).

    Cost: one matching, one search for each who is left over, and a look at the row of each in a part.
    """
    rows = completion.rows
    mate = maximum_matching(rows, rest)
    outer = 0
    for rank in bits(rest):
        if mate[rank] == FREE:
            outer |= missable(rows, rest, mate, rank)
    parts, left = [], outer
    while left:
        part, waiting = 0, left & -left
        while waiting:
            part |= waiting
            waiting = neighbours(rows, waiting) & outer & ~part
        parts.append(part)
        left &= ~part
    return RestParts(tuple(parts), tuple(bits(neighbours(rows, outer) & rest & ~outer)))
