"""The content of an explanation of a round of matches: every number that decided it, and no words.

Players are named by TPN; points are in tenths. The words are in ``wording`` and ``sentences``, JSON
in ``as_json``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from pairing.engine.double_swiss.colours import ColourRule
from pairing.engine.model import TPN, Pairing, Points

Value = tuple[int, ...]
"""The value of a criterion: smaller is better, as tuples compare. [C5] has the score differences in
tenths, the largest first; the others one count; empty where the criterion does not apply."""

ARTICLES = {"C4": "2.3.1", "C5": "2.3.2", "C6": "2.3.3", "C7": "2.3.4", "C8": "2.3.5"}


@dataclass(frozen=True, slots=True)
class ScoredPlayer:
    """A player with the score the round is paired with."""

    tpn: TPN
    score: Points


@dataclass(frozen=True, slots=True)
class MatchBracketExplanation:
    """One bracket, ``number`` from 1: the top-scoregroup, who moved up to it, its pairs.

    ``upfloaters`` are in the order of 3.5.3, ``pairs`` in that of the identifier, the top member
    first [C.04.5/2026 3.6.1]. ``values`` are those of [C4] to [C8] in their order.
    """

    number: int
    score: Points
    residents: tuple[TPN, ...]
    upfloaters: tuple[ScoredPlayer, ...]
    pairs: tuple[tuple[TPN, TPN], ...]
    values: tuple[tuple[str, Value], ...]

    @property
    def identifier(self) -> tuple[TPN, ...]:
        """The top members, then the bottom members [C.04.5/2026 3.6.2]."""
        return tuple(top for top, _ in self.pairs) + tuple(bottom for _, bottom in self.pairs)


@dataclass(frozen=True, slots=True)
class MatchSide:
    """One player of a board; ``colours`` are those of played first games, oldest first."""

    tpn: TPN
    score: Points
    colours: str


@dataclass(frozen=True, slots=True)
class MatchPairExplanation:
    """One board: its bracket, both sides, and the rule that gave colours [C.04.5/2026 4.3]."""

    board: int
    bracket: int
    white: MatchSide
    black: MatchSide
    higher: TPN
    rule: ColourRule

    @property
    def is_float(self) -> bool:
        """Whether both are floaters by it [C.04.5/2026 1.5]."""
        return self.white.score != self.black.score


@dataclass(frozen=True, slots=True)
class MatchByeExplanation:
    """Describe the PAB: the player, the matches played, and the players
    before in the order of 3.4 [C.04.5/2026 3.4].

    ``barred`` may not receive it [C2]; without any of ``needed`` the others cannot all be paired.
    """

    tpn: TPN
    score: Points
    matches: int
    barred: tuple[TPN, ...]
    needed: tuple[TPN, ...]


@dataclass(frozen=True, slots=True)
class MatchRoundExplanation:
    """A round: the PAB, decided first, the brackets from the top, the boards as published."""

    round_number: int
    pairing: Pairing
    bye: MatchByeExplanation | None
    brackets: tuple[MatchBracketExplanation, ...]
    boards: tuple[MatchPairExplanation, ...]


class MatchOutcome(Enum):
    """The reason why two players do not meet."""

    PAIRED = "paired"
    ABSENT = "absent"
    C1 = "C1"
    PROHIBITED = "prohibited"
    C3 = "C3"
    BYE = "bye"
    WORSE = "worse"
    LATER_SET = "later_set"
    LATER_PAIRING = "later_pairing"


@dataclass(frozen=True, slots=True)
class MatchWhyNot:
    """Describe the consequence of pairing two players with each other.

    ``absent`` are those of the two who are not present; ``met_in`` is the round they played (C1).
    BYE: the bye would go to ``bye``, later by 3.4. WORSE: in ``bracket`` (from 1, of ``score``) the
    criterion ``worse`` goes from ``value`` to ``forced``, while all criteria above it and all
    brackets before are equal. LATER_SET, LATER_PAIRING: all are equal, but the set of upfloaters
    [C.04.5/2026 3.5.4] or the identifier [C.04.5/2026 3.6.3] comes later. ``instead`` is the round
    in which they meet.
    """

    first: TPN
    second: TPN
    outcome: MatchOutcome
    absent: tuple[TPN, ...] = ()
    met_in: int | None = None
    bye: TPN | None = None
    bracket: int | None = None
    score: Points | None = None
    worse: str | None = None
    value: Value = ()
    forced: Value = ()
    instead: Pairing | None = None
