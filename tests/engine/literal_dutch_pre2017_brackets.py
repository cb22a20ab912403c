"""Brackets, their pairings and the exchanges of D2: for the literal Dutch System before 2017."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

Rank = int
"""A player by place in the order of A2, from 0."""
Ranks = tuple[Rank, ...]
Pairs = tuple[tuple[Rank, Rank], ...]


@dataclass(frozen=True)
class Candidate:
    """The pairs, with the heterogeneous part first and its size, and the unpaired players."""

    pairs: Pairs
    heterogeneous: int
    left: Ranks


@dataclass(frozen=True)
class Bracket:
    """``moved`` are the moved-down players; ``floating`` those of them
    that the bracket before has left over.
    """

    moved: Ranks
    residents: Ranks
    floating: Ranks = ()
    is_lowest: bool = False

    @property
    def everybody(self) -> Ranks:
        return tuple(sorted(self.moved + self.residents))


@dataclass(frozen=True)
class Done:
    """A paired bracket, the players C1 took out of it, and its P1 and M1 (M1 = 0: homogeneous)."""

    bracket: Bracket
    taken_out: Ranks
    candidate: Candidate
    p1: int
    m1: int

    @property
    def floaters(self) -> Ranks:
        return tuple(sorted(self.candidate.left + self.taken_out))


def exchanges_d2(size: int, count: int) -> Iterator[tuple[int, ...]]:
    """The S1 (places from 0) of each exchange, none first: the exact procedure of D2."""
    s1, s2 = range(1, count + 1), range(count + 1, size + 1)
    yield tuple(range(count))
    for many in range(1, min(len(s1), len(s2)) + 1):
        s1_list = sorted((tuple(reversed(group)) for group in combinations(s1, many)), reverse=True)
        s2_list = sorted(combinations(s2, many))
        lowest = sum(s2_list[0]) - sum(s1_list[0])
        highest = sum(s2_list[-1]) - sum(s1_list[-1])
        for delta in range(lowest, highest + 1):
            for leaving in s1_list:
                for entering in s2_list:
                    if sum(entering) - sum(leaving) == delta:
                        kept = [place for place in s1 if place not in leaving]
                        yield tuple(place - 1 for place in sorted([*kept, *entering]))


def left_over(players: Ranks, pairs: Pairs) -> Ranks:
    paired = {rank for pair in pairs for rank in pair}
    return tuple(rank for rank in players if rank not in paired)


def with_floaters(lowest: Bracket, floaters: Ranks) -> Bracket:
    """Return *lowest* with another set from the bracket before."""
    others = tuple(rank for rank in lowest.moved if rank not in lowest.floating)
    return Bracket(tuple(sorted(floaters + others)), lowest.residents, floaters, is_lowest=True)
