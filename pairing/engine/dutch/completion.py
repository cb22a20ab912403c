"""Can the round still be completed, and how low can the bye go [C4], [C5]?"""

from __future__ import annotations

from pairing.engine.errors import NoLegalPairingError
from pairing.engine.matching.cardinality import bits, is_perfect, maximum_matching
from pairing.engine.model import Points

from .field import Field


class Completion:
    """Answers whether a set of players not yet paired can be paired among themselves.

    In an odd field a vertex ``bye`` (its number is one past the last rank) stands for the pairing-allocated
    bye; it is joined to those who may receive it and have the score ``bye_score``, the lowest for which the
    whole field can be paired [C.04.3/2026 2.3.1]. Because [C5] stands above every quality criterion and can
    be met at this score, every bracket has to meet it there, so fixing it first changes no answer.

    The test joins any two players not yet paired, two MDPs of the same bracket included, though those are
    never paired there. It is exact all the same (docs/rules.md, R13): if a completion used a pair of
    downfloaters of one bracket, pairing the two in that bracket would have given it one pair more, against
    [C6]; and if both were MDPs already, the same holds for the bracket they came from.
    """

    def __init__(self, field: Field) -> None:
        """Raises :class:`NoLegalPairingError` if the field cannot be paired at all."""
        self.field = field
        size = len(field.players)
        self.bye: int | None = size if size % 2 else None
        self.bye_score: Points | None = None
        self.rows = [*field.may_meet]
        self.everybody = (1 << size) - 1
        if self.bye is None:
            self._mate = maximum_matching(self.rows, self.everybody)
            if not is_perfect(self._mate, self.everybody):
                raise NoLegalPairingError
        else:
            self.rows.append(0)
            self.everybody |= 1 << size
            self._fix_bye_score(self.bye)

    def _fix_bye_score(self, bye: int) -> None:
        """Find the lowest score that the bye can have [C5] and join the bye to the players it may go to [C2]."""
        plain = [*self.rows]
        candidates = [player for player in self.field.players if player.may_receive_pab]
        for score in sorted({player.score for player in candidates}):
            receivers = sum(1 << player.rank for player in candidates if player.score == score)
            self.rows = [row | (receivers >> rank & 1) << bye for rank, row in enumerate(plain)]
            self.rows[bye] = receivers
            self._mate = maximum_matching(self.rows, self.everybody)
            if is_perfect(self._mate, self.everybody):
                self.bye_score = score
                return
        raise NoLegalPairingError

    def completes(self, vertices: int) -> bool:
        """Whether *vertices* (a bit set of ranks, the bye's bit among them where it is not given yet) can all be
        paired [C.04.3/2026 2.2.1]. Cost: a matching, begun from the one of the whole field."""
        return is_perfect(maximum_matching(self.rows, vertices, self._mate), vertices)

    def joined(self, rank: int) -> list[int]:
        """The vertices *rank* may be matched with, ascending, the bye last."""
        return list(bits(self.rows[rank]))
