"""The first perfect matching of a bipartite graph in lexicographic order:
the first transposition that fits.

S1 and S2 are its two sides, as the pairing systems call them: the Dutch tries the transpositions of
S2 in this order [C.04.3/2026 4.2.2], the Double-Swiss the bottom members of its pairs
[C.04.5/2026 3.6.3]. The first that fits gives each S1 player in turn the lowest S2 partner that
still leaves a perfect matching; so it is found player by player, without trying any.
"""

from __future__ import annotations

from collections.abc import Sequence

FREE = -1


def first_transposition(rows: Sequence[int]) -> list[int] | None:
    """Return for each S1 player in order the S2 partner; None if they cannot all have one.

    ``rows[i]`` is the set of S2 players that the *i*-th of S1 may be paired with. S2 has as many
    players as there are rows; the vertex of a floater counts as one more S1 player after all
    others.

    If taking the lowest partner left never fails, that is the result. Otherwise a matching is
    completed first and then improved player by player: the alternating paths from the partner of a
    player over later players reach exactly the partners it could have instead, and it takes the
    lowest.
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
    """A matching of S1 into S2, with the S1 players in order, improved from the first on.

    ``holder[v]`` is the S1 player who has *v*. Sets are bit sets of S2 players: ``unheld`` has
    nobody, ``left`` those held by players who have not had their turn. Searches look at a row at a
    time and at no player one by one.

    ``closed`` sets were found by searches that came to an end: their holders can take nobody else
    who is left. As many players as there are in such a set need all of it, now and after every
    later change; so it is barred to all others, and no search goes there twice.
    """

    def __init__(self, rows: Sequence[int], partners: list[int]) -> None:
        self.rows = rows
        self.partners = partners
        self.holder = {partner: i for i, partner in enumerate(partners) if partner != FREE}
        self.left = 0
        for row in rows:
            self.left |= row
        self.unheld = self.left & ~sum(1 << partner for partner in self.holder)
        self.closed: list[int] = []

    def augment(self, i: int) -> bool:
        """Find a partner for *i*, and let others change theirs; tell whether there is one."""
        search = _Search(self, self.left)
        found = search.reach(i, self.unheld)
        while found == FREE and search.frontier:
            found = search.reach(self.holder[search.next()], self.unheld)
        if found == FREE:
            return False
        self.unheld &= ~(1 << found)
        search.exchange(i, found)
        return True

    def take_lowest(self, i: int) -> None:
        """Give *i* the lowest partner that leaves all later ones one; earlier ones keep theirs."""
        own = self.partners[i]
        lower = self.rows[i] & self.left & ((1 << own) - 1)
        if lower:
            allowed = self.left
            for closed in self.closed:
                if not closed >> own & 1:
                    allowed &= ~closed
            lower &= allowed
        while lower:
            search = _Search(self, allowed)
            search.begin(i, lower & -lower)
            found = FREE
            while found == FREE and search.frontier:
                found = search.reach(self.holder[search.next()], 1 << own)
            if found != FREE:
                search.exchange(i, found)
                break
            self.closed.append(search.reached)
            allowed &= ~search.reached
            lower &= allowed
        self.left &= ~(1 << self.partners[i])


class _Search:
    """Search for a chain of players that each take the partner of the next."""

    def __init__(self, match: _Matching, allowed: int) -> None:
        self.match = match
        self.allowed = allowed
        self.reached = 0
        self.frontier = 0
        self.steps: list[tuple[int, int]] = []
        """Each S1 player who was looked at, with the S2 players first reached from him."""

    def begin(self, i: int, wanted: int) -> None:
        """Reach from *i* those of *wanted* only."""
        self.steps.append((i, wanted))
        self.reached = self.frontier = wanted

    def reach(self, j: int, goal: int) -> int:
        """Look at *j*: the lowest of *goal* in reach, or FREE; then all in reach are reached."""
        row = self.match.rows[j] & self.allowed & ~self.reached
        self.steps.append((j, row))
        met = row & goal
        if met:
            return (met & -met).bit_length() - 1
        self.reached |= row
        self.frontier |= row
        return FREE

    def next(self) -> int:
        """Somebody reached whose holder has not been looked at."""
        low = self.frontier & -self.frontier
        self.frontier ^= low
        return low.bit_length() - 1

    def exchange(self, i: int, found: int) -> None:
        """Let all on the chain from *i* to *found*, just met, take the next one's partner."""
        partners, holder = self.match.partners, self.match.holder
        taken = found
        for j, row in reversed(self.steps):
            if row >> taken & 1:
                given = partners[j]
                partners[j], holder[taken] = taken, j
                if j == i:
                    return
                taken = given
