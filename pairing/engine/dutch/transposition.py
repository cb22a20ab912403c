"""The first transposition of S2 that fits [C.04.3/2026 4.2.2], among bipartite perfect matchings.

The text tries the transpositions in lexicographic order. The first that fits gives each S1 player in turn the lowest
S2 partner that still leaves a perfect matching; so it is found player by player, without trying any.
"""

from __future__ import annotations

from collections.abc import Sequence

from pairing.engine.matching.cardinality import bits

FREE = -1


def first_transposition(rows: Sequence[int]) -> list[int] | None:
    """For each S1 player in order the S2 partner; None if they cannot all have one.

    ``rows[i]`` is the set of S2 players that the *i*-th of S1 may be paired with. S2 has as many players as
    there are rows: where one floats, its vertex stands for a further S1 player after all others.

    Where nobody is refused the lowest partner left, that is the answer. Otherwise a matching is completed first,
    and then improved player by player: from the partner a player has, the alternating paths over later players
    reach exactly the partners it could have instead, and the lowest of these is taken.
    """
    partners = _greedy(rows)
    if FREE not in partners:
        return partners
    match = _Matching(rows, partners)
    for i, partner in enumerate(partners):
        if partner == FREE and not match.augment(i):
            return None
    for i in range(len(rows)):
        match.take_lowest(i)
    return match.partners


def _greedy(rows: Sequence[int]) -> list[int]:
    """The lowest partner left for each in turn; FREE for who finds none."""
    taken = 0
    partners = []
    for row in rows:
        left = row & ~taken
        if left:
            low = left & -left
            taken |= low
            partners.append(low.bit_length() - 1)
        else:
            partners.append(FREE)
    return partners


class _Matching:
    """A matching of S1 into S2, with the S1 players in order, improved from the first on."""

    def __init__(self, rows: Sequence[int], partners: list[int]) -> None:
        self.rows = rows
        self.partners = partners
        self.holder = {partner: i for i, partner in enumerate(partners) if partner != FREE}
        self.columns: dict[int, int] = {}
        for i, row in enumerate(rows):
            for v in bits(row):
                self.columns[v] = self.columns.get(v, 0) | 1 << i

    def augment(self, i: int) -> bool:
        """Give *i*, who has none, a partner, letting others change theirs; whether it can be done."""
        before: dict[int, int] = {}  # S2 player: the S1 player it was reached from
        queue = [i]
        reached = 0
        for j in queue:
            for v in bits(self.rows[j] & ~reached):
                reached |= 1 << v
                before[v] = j
                if v not in self.holder:
                    self._shift(v, before)
                    return True
                queue.append(self.holder[v])
        return False

    def _shift(self, v: int, before: dict[int, int]) -> None:
        while v != FREE:
            j = before[v]
            following = self.partners[j]
            self.partners[j] = v
            self.holder[v] = j
            v = following

    def take_lowest(self, i: int) -> None:
        """Give *i* the lowest partner that leaves all later players one; earlier ones keep theirs."""
        own = self.partners[i]
        later = -1 << (i + 1)
        if not self.rows[i] & ((1 << own) - 1):
            return
        taker: dict[int, int] = {}  # S1 player: the S2 player it would take in exchange for its own
        reached = 1 << own
        queue = [own]
        seen = 0
        for v in queue:
            for j in bits(self.columns[v] & later & ~seen):
                seen |= 1 << j
                taker[j] = v
                held = self.partners[j]
                reached |= 1 << held
                queue.append(held)
        best = self.rows[i] & reached
        v = (best & -best).bit_length() - 1
        giver = i
        while v != own:
            j = self.holder[v]
            self.partners[giver], self.holder[v] = v, giver
            giver, v = j, taker[j]
        self.partners[giver], self.holder[own] = own, giver
