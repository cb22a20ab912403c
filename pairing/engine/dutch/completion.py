"""Test whether the round can still be completed [C4], and how low the bye can go [C5]."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import cached_property

from pairing.engine.errors import NoLegalPairingError
from pairing.engine.matching.cardinality import bits, is_perfect, maximum_matching, missable
from pairing.engine.model import Pairability, Points

from .field import Field


class Completion:
    """Tell whether a set of players can be paired among themselves.

    In an odd field a vertex ``bye`` (numbered one past the last rank) represents the
    pairing-allocated bye. It is joined to the players who may receive it and have the score
    ``bye_score``, the lowest score for which the whole field can be paired [C.04.3/2026 2.3.1].
    [C5] has priority over every quality criterion and this score can be reached, so every bracket
    must reach it; setting it first changes no pairing.

    The rules of 2017 ask for no score (*bye_at_any_score*): the bye is joined to everyone who may
    receive it [C.04.3/2017 C.2], and ``bye_score`` is None.

    The test joins any two players not yet paired, even two MDPs of the same bracket, although no
    bracket pairs MDPs. It is still exact (docs/rules, R13). If a completion used a pair of
    downfloaters of one bracket, that bracket could have paired the two and would have one pair
    more, against [C6]. If both were MDPs already, the same holds for the bracket they came from.

    Large sets need no search. By Dirac's theorem a graph of 2k ≥ 4 vertices, each joined to k
    others or more, has a Hamiltonian cycle, and every second edge of it is a perfect matching.
    (With two vertices joined to each other, the pair is the matching.) Nobody is barred from more
    than ``most_barred`` others.
    """

    def __init__(self, field: Field, *, bye_at_any_score: bool = False) -> None:
        """Raise :class:`NoLegalPairingError` if the field cannot be paired at all."""
        self.field = field
        size = len(field)
        self.bye: int | None = size if size % 2 else None
        self.bye_score: Points | None = None
        self.receivers = 0
        self.everybody = (1 << size) - 1
        self._mate: list[int] | None = None
        if self.bye is None:
            self.rows = field.may_meet
            if not self.completes(self.everybody):
                raise NoLegalPairingError
        elif bye_at_any_score:
            self.everybody |= 1 << self.bye
            if not self._completes_with(field.may_receive_pab, self.bye):
                raise NoLegalPairingError
        else:
            self._fix_bye_score(self.bye)

    def _fix_bye_score(self, bye: int) -> None:
        """Find the lowest score of the bye [C5], and join it to those who may receive it [C2]."""
        self.everybody |= 1 << bye
        for group in reversed(self.field.scoregroups):
            receivers = self.field.may_receive_pab & ((1 << group.stop) - (1 << group.start))
            if receivers and self._completes_with(receivers, bye):
                self.bye_score = self.field.scores[group.start]
                return
        raise NoLegalPairingError

    def _completes_with(self, receivers: int, bye: int) -> bool:
        """Tell whether the field can be paired if one of *receivers* has the *bye*."""
        self.receivers = receivers
        self.rows = [*self.field.may_meet, receivers]
        for rank in bits(receivers):
            self.rows[rank] |= 1 << bye
        self._mate = None
        return self.completes(self.everybody)

    @cached_property
    def without_bye(self) -> Completion:
        """Return the completion for the players left once the bye has been given."""
        settled = copy(self)
        settled.bye = settled.bye_score = settled._mate = None
        settled.receivers = 0
        settled.everybody = (1 << len(self.field)) - 1
        settled.rows = self.field.may_meet
        return settled

    def completes(self, vertices: int) -> bool:
        """Tell whether *vertices* can all be paired [C.04.3/2026 2.2.1].

        *vertices* is a bit set of ranks, with the bit of the bye if it has not been given yet.
        Cost: nothing for large sets; otherwise a matching that starts from the last one found.
        """
        if vertices.bit_count() % 2:
            return False
        if self.is_large(vertices):
            return True
        mate = maximum_matching(self.rows, vertices, self._mate)
        if not is_perfect(mate, vertices):
            return False
        self._remember(mate, vertices)
        return True

    def _remember(self, mate: list[int], vertices: int) -> None:
        """Keep *mate* for the next search, with the known pairs outside *vertices*."""
        if self._mate is not None:
            for vertex in bits(self.everybody & ~vertices):
                before = self._mate[vertex]
                if before >= 0 and not vertices >> before & 1:
                    mate[vertex] = before
        self._mate = mate

    def joining(self, below: int, candidates: int) -> int:
        """Find the *candidates* who can each complete *below*, an odd number of players.

        No candidate is in *below*; the bit of the bye is in it if it has not been given yet. The
        result are the candidates who may meet a player that some maximum matching of *below* leaves
        out alone (Gallai-Edmonds).
        """
        if not below:
            return 0
        if self.is_large(below, joining=1):
            return candidates
        mate = maximum_matching(self.rows, below, self._mate)
        exposed = [vertex for vertex in bits(below) if mate[vertex] < 0]
        if len(exposed) != 1:
            return 0
        outer = missable(self.rows, below, mate, exposed[0])
        return sum(1 << rank for rank in bits(candidates) if self.rows[rank] & outer)

    def bye_candidates(self) -> int:
        """Find the receivers without whom all others can be paired ([C2],
        and in 2026 the score of [C5]).

        Without the vertex of the bye, a perfect matching leaves only its mate free. One search
        finds the players who can be left free instead (``missable``). In a field so large that any
        even number of players can be completed, every receiver qualifies.
        """
        if self.bye is None:
            return 0
        players = self.everybody & ~(1 << self.bye)
        some = self.receivers & -self.receivers
        if self.is_large(players & ~some):
            return self.receivers
        mate = maximum_matching(self.rows, self.everybody)
        exposed = mate[self.bye]
        mate[exposed] = mate[self.bye] = -1
        return missable(self.rows, players, mate, exposed) & self.receivers

    def is_large(self, vertices: int, joining: int = 0) -> bool:
        """Tell whether *vertices* and *joining* more players, an even number,
        are enough to be completed without a search.

        If the bye is among them, it takes one of its receivers with it. False means that a search
        is needed.
        """
        count = vertices.bit_count() + joining
        if self.bye is not None and vertices >> self.bye & 1:
            if not vertices & self.receivers:
                return False
            count -= 2
        return 2 * (count - 1 - self.field.most_barred) >= count


def pairability(field: Field, complete: Callable[[], Completion]) -> Pairability:
    """Tell whether the round of *field* can be paired, and list those who may get the bye.

    *complete* makes the completion of the field by the rules of an edition. Quality criteria then
    choose among the players listed. Cost: in a small field one matching and one search.
    """
    try:
        completion = complete()
    except NoLegalPairingError:
        return Pairability(can_pair=False, bye_candidates=())
    candidates = sorted(field.tpns[rank] for rank in bits(completion.bye_candidates()))
    return Pairability(can_pair=True, bye_candidates=tuple(candidates))
