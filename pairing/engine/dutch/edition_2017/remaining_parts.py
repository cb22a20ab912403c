"""Find the downfloaters that the remaining players need to complete a round (Gallai, Edmonds)."""

from __future__ import annotations

from dataclasses import dataclass

from pairing.engine.dutch.completion import Completion
from pairing.engine.matching.cardinality import FREE, bits, maximum_matching, missable, neighbours


@dataclass(frozen=True, slots=True)
class RemainingParts:
    """Hold the *parts* and *joints* of the remaining players.

    Each part is an odd number of players, any one of which can be the only one left over, as a bit
    set of ranks that may contain the bit of the bye. Joints are other players who may meet a member
    of a part, by rank. ``wanting`` is the number of parts less the number of joints. The players in
    neither do not matter.

    Proof. Let a set *D* of players from above complete the round, no two of them paired with each
    other. The players in neither are an even number who can be paired, and no part has an edge to
    them or to another part. A part is odd, so it has a pair that leaves it, with a joint or a
    member of *D*. So *D* has at least ``wanting`` members. If it has exactly that many, all of *D*
    and all joints are in such pairs, each with a part of its own. Conversely, if each part has one
    pair with a joint or a member of *D*, the other players of the part can be paired with each
    other, whichever player is in that pair. So the graph of *D*, the parts and the joints alone
    decides.
    """

    parts: tuple[int, ...]
    joints: tuple[int, ...]

    @property
    def wanting(self) -> int:
        """Count the downfloaters needed."""
        return len(self.parts) - len(self.joints)

    def met(self, completion: Completion) -> list[int]:
        """Return for each part the players (by rank) who may meet a member of it."""
        return [neighbours(completion.rows, part) for part in self.parts]


def remaining_parts(completion: Completion, rest: int) -> RemainingParts:
    """Find the parts and joints of *rest* (a bit set of ranks,
    with the bit of the bye if it has not been given yet).

    Cost: one matching, one search for each player left over, and one step for each member of a
    part.
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
    return RemainingParts(tuple(parts), tuple(bits(neighbours(rows, outer) & rest & ~outer)))
