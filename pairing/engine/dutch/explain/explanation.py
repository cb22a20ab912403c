"""What an explanation of a round holds: every number that decided it, and no words.

Players are named by TPN, or by BSN where the text counts BSNs; points are in tenths. The words are in
``wording`` and ``sentences``, the JSON form in ``as_json``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from pairing.engine.basics.colours import Strength
from pairing.engine.dutch.colours import ColourRule
from pairing.engine.dutch.floats import Float
from pairing.engine.model import TPN, Colour, Pairing, Points

Value = tuple[int, ...]
"""The value of a criterion: smaller is better, as tuples compare. A count has one item, a list its items in
descending order; [C8] the number of downfloaters of the following bracket, then their scores. Empty: the criterion
says nothing here."""


class Measure(Enum):
    """What the items of a criterion's value are."""

    COUNT = "count"
    POINTS = "points"
    LOOK_AHEAD = "look_ahead"


@dataclass(frozen=True, slots=True)
class CriterionValue:
    """One criterion of Article 2 in the bracket as it was paired.

    ``best_alone`` is the least value it has in any candidate of the bracket: any with MaxPairs pairs
    [C.04.3/2026 3.1.2] that meets [C1]-[C5]; for 2017 ``bounds_2017`` says what is legal.
    ``held_by`` is the first criterion (or M1, in 2017) that has to become worse for that:
    while it and all above it are kept, this one cannot be at its best. None where ``best_alone`` is reached.
    """

    name: str
    article: str
    measure: Measure
    value: Value
    best_alone: Value
    held_by: str | None = None


@dataclass(frozen=True, slots=True)
class BracketPlayer:
    """A player of a bracket; ``bsn`` is the In-Bracket Sequence-Number [C.04.3/2026 4.1.1]."""

    tpn: TPN
    bsn: int
    score: Points


@dataclass(frozen=True, slots=True)
class MdpPairing:
    """How the moved-down players were paired [C.04.3/2026 3.3.3]; numbers are BSNs of the bracket.

    ``original_s1`` and ``original_limbo`` are the first set of pairable MDPs that complies with [C7]
    [C.04.3/2026 4.4], ``s1`` and ``limbo`` the set used. ``opponents`` are the partners in the order of ``s1``;
    the first transposition would begin with the lowest of ``s2`` [C.04.3/2026 4.2.2].
    """

    original_s1: tuple[int, ...]
    original_limbo: tuple[int, ...]
    s1: tuple[int, ...]
    limbo: tuple[int, ...]
    s2: tuple[int, ...]
    opponents: tuple[int, ...]

    @property
    def is_first_set(self) -> bool:
        """Whether the first set of pairable MDPs was used [C.04.3/2026 4.4.2]."""
        return self.s1 == self.original_s1

    @property
    def is_transposed(self) -> bool:
        """Whether S2 had to be transposed [C.04.3/2026 4.2]."""
        return self.opponents != self.s2[: len(self.opponents)]


@dataclass(frozen=True, slots=True)
class Subgroups:
    """How a homogeneous bracket or a remainder was paired [C.04.3/2026 3.6].

    ``players`` have BSNs of their own, from 1 (docs/rules, R6). S1 and S2 are BSNs: as the text starts
    [C.04.3/2026 3.2], the ``exchange`` made (BSNs moved to S2, BSNs moved to S1) [C.04.3/2026 4.3], and what was
    paired: ``s1`` in order with the first of ``s2``; what is left of ``s2`` floats.
    """

    players: tuple[BracketPlayer, ...]
    original_s1: tuple[int, ...]
    original_s2: tuple[int, ...]
    to_s2: tuple[int, ...]
    to_s1: tuple[int, ...]
    s1: tuple[int, ...]
    s2: tuple[int, ...]

    @property
    def is_exchanged(self) -> bool:
        return bool(self.to_s1)

    @property
    def is_transposed(self) -> bool:
        """Whether S2, after the exchange if one was made, had to be transposed [C.04.3/2026 4.2]."""
        partners = self.s2[: len(self.s1)]
        return partners != tuple(sorted(self.s2))[: len(self.s1)]


@dataclass(frozen=True, slots=True)
class BracketExplanation:
    """One bracket: who was in it, how the text begins, what was altered, and what every criterion says.

    ``number`` counts from 1; ``score`` is that of the residents. ``mdp_pairing`` is None in a homogeneous bracket;
    ``subgroups`` are the remainder's in a heterogeneous one. ``pairs`` have the higher ranked player first.
    """

    number: int
    score: Points
    mdps: tuple[BracketPlayer, ...]
    residents: tuple[BracketPlayer, ...]
    max_pairs: int
    mdp_pairing: MdpPairing | None
    subgroups: Subgroups
    pairs: tuple[tuple[TPN, TPN], ...]
    downfloaters: tuple[BracketPlayer, ...]
    criteria: tuple[CriterionValue, ...]

    @property
    def players(self) -> tuple[BracketPlayer, ...]:
        return self.mdps + self.residents


@dataclass(frozen=True, slots=True)
class Side:
    """One player of a pair: what the colours played say, and the float this pairing gives.

    ``history`` has the colours of the games played, oldest first, unplayed rounds left out [C.04.2/2026 3.4];
    ``difference`` is Whites minus Blacks. ``number`` is what 5.2.5 takes the parity of (docs/rules, R1).
    """

    tpn: TPN
    score: Points
    history: str
    difference: int
    preference: Colour | None
    strength: Strength
    is_topscorer: bool
    number: int
    received_float: Float


@dataclass(frozen=True, slots=True)
class PairExplanation:
    """One board: the bracket it was paired in, both sides, and the rule that gave the colours [C.04.3/2026 5.2].

    ``rule`` says of two absolute preferences ``is_by_difference`` where the wider colour difference was granted.
    """

    board: int
    bracket: int
    white: Side
    black: Side
    higher: TPN
    rule: ColourRule
    article: str

    @property
    def is_by_difference(self) -> bool:
        return self.rule is ColourRule.STRONGER_PREFERENCE and self.white.strength is self.black.strength


@dataclass(frozen=True, slots=True)
class ByeExplanation:
    """Who has the PAB: the score is the lowest for which the round can be paired [C5]; it gives a downfloat
    [C.04.3/2026 1.4.3]. ``bracket`` is the one the player floated from last."""

    tpn: TPN
    score: Points
    unplayed: int
    bracket: int


@dataclass(frozen=True, slots=True)
class RoundExplanation:
    """A round by the edition ``system``:
    its brackets from the top, its boards in publication order, and the PAB if there is one."""

    round_number: int
    pairing: Pairing
    brackets: tuple[BracketExplanation, ...]
    pairs: tuple[PairExplanation, ...]
    bye: ByeExplanation | None
    system: str = "dutch_2026"


class Outcome(Enum):
    """What keeps two players apart."""

    PAIRED = "paired"
    ABSENT = "absent"
    C1 = "C1"
    PROHIBITED = "prohibited"
    C3 = "C3"
    C4 = "C4"
    COLLAPSED = "collapsed"
    WORSE = "worse"
    LATER = "later"


class Order(Enum):
    """What decides which of two candidates is generated first [C.04.3/2026 Article 4]."""

    MDP_SET = "mdp_set"
    MDP_TRANSPOSITION = "mdp_transposition"
    EXCHANGE = "exchange"
    TRANSPOSITION = "transposition"


@dataclass(frozen=True, slots=True)
class WhyNot:
    """What happens if two players are made to meet.

    ``absent`` are those of the two who are not there (ABSENT); ``met_in`` the round they played (C1);
    ``colour`` what both must have (C3). WORSE: in ``bracket`` (from 1, of ``score``) the criterion ``worse`` goes
    from its ``value`` to the ``forced`` one, all above it and all brackets before being equal. LATER: all equal,
    but the text generates this candidate later, by ``order``. COLLAPSED: after ``bracket`` the round could not be
    completed [C.04.3/2017 A.9]. ``instead`` is the best round in which they meet.
    """

    first: TPN
    second: TPN
    outcome: Outcome
    absent: tuple[TPN, ...] = ()
    met_in: int | None = None
    colour: Colour | None = None
    bracket: int | None = None
    score: Points | None = None
    worse: str | None = None
    article: str | None = None
    measure: Measure | None = None
    value: Value = ()
    forced: Value = ()
    order: Order | None = None
    instead: Pairing | None = None
    system: str = "dutch_2026"
