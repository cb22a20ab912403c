"""Define the content of an explanation of a round: every number that decided it, without words.

Players are given by TPN, or by BSN where the text counts BSNs; points are in tenths. The words are
in ``wording`` and ``sentences``, the JSON form in ``as_json``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from pairing.engine.basics.colours import Strength
from pairing.engine.dutch.colours import ColourRule
from pairing.engine.dutch.floats import Float
from pairing.engine.model import TPN, Colour, Pairing, Points

Value = tuple[int, ...]
"""The value of a criterion: smaller is better, as tuples compare. A count has one item, a list its
items in descending order; [C8] has the number of downfloaters of the following bracket and their
scores. An empty value means that the criterion does not apply.
"""


class Measure(Enum):
    """Name the unit of the items of a criterion's value."""

    COUNT = "count"
    POINTS = "points"
    LOOK_AHEAD = "look_ahead"


@dataclass(frozen=True, slots=True)
class CriterionValue:
    """Describe one criterion of Article 2 in the bracket as it was paired.

    ``best_alone`` is the least value in any legal candidate of the bracket: one with MaxPairs pairs
    [C.04.3/2026 3.1.2] that meets [C1]-[C5] (for 2017 see ``bounds_2017``). ``held_by`` is the
    first criterion (or M1, in 2017) that must become worse to reach it: while it and all criteria
    above it are kept, this one cannot be at its best. None if ``best_alone`` is reached.
    """

    name: str
    article: str
    measure: Measure
    value: Value
    best_alone: Value
    held_by: str | None = None


@dataclass(frozen=True, slots=True)
class BracketPlayer:
    """A player of a bracket; ``bsn``: In-Bracket Sequence-Number [C.04.3/2026 4.1.1]."""

    tpn: TPN
    bsn: int
    score: Points


@dataclass(frozen=True, slots=True)
class MdpPairing:
    """The pairing of the moved-down players [C.04.3/2026 3.3.3]; numbers are BSNs.

    ``original_s1`` and ``original_limbo`` are the first set of pairable MDPs that complies with
    [C7] [C.04.3/2026 4.4], ``s1`` and ``limbo`` the set used. ``opponents`` are the partners in the
    order of ``s1``; the first transposition would begin with the lowest of ``s2``
    [C.04.3/2026 4.2.2].
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
    """Describe the pairing of a homogeneous bracket or a remainder [C.04.3/2026 3.6].

    ``players`` have BSNs of their own, from 1 (docs/rules, R6). S1 and S2 are BSNs. ``original_s1``
    and ``original_s2`` are the start [C.04.3/2026 3.2], ``to_s2`` and ``to_s1`` the BSNs exchanged
    [C.04.3/2026 4.3]. The result pairs ``s1`` in order with the first of ``s2``; the other players
    of ``s2`` float.
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
        """Whether S2 had to be transposed, after any exchange [C.04.3/2026 4.2]."""
        partners = self.s2[: len(self.s1)]
        return partners != tuple(sorted(self.s2))[: len(self.s1)]


@dataclass(frozen=True, slots=True)
class BracketExplanation:
    """Describe one bracket: its players, the start of the text, the alterations,
    and the value of every criterion.

    ``number`` counts from 1; ``score`` is that of the residents. ``mdp_pairing`` is None in a
    homogeneous bracket; ``subgroups`` are those of the remainder in a heterogeneous one. ``pairs``
    have the higher ranked player first.
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
    """Describe one player of a pair: the colours played, and the float that this pairing gives.

    ``history`` has the colours of the games played, oldest first, without unplayed rounds
    [C.04.2/2026 3.4]; ``difference`` is Whites minus Blacks. ``number`` is the number whose parity
    decides under 5.2.5 (docs/rules, R1).
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
    """One board: the bracket, both players, and the rule for the colours [C.04.3/2026 5.2].

    Between two absolute preferences ``is_by_difference`` tells whether the wider colour difference
    was granted.
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
        return (
            self.rule is ColourRule.STRONGER_PREFERENCE
            and self.white.strength is self.black.strength
        )


@dataclass(frozen=True, slots=True)
class ByeExplanation:
    """Describe the PAB: the player, and the lowest score for which the round can be paired [C5].

    It gives a downfloat [C.04.3/2026 1.4.3]. ``bracket`` is the last bracket of the player.
    """

    tpn: TPN
    score: Points
    unplayed: int
    bracket: int


@dataclass(frozen=True, slots=True)
class RoundExplanation:
    """Describe a round by the edition ``system``.

    It has the brackets from the top, the boards in publication order, and the PAB if there is one.
    """

    round_number: int
    pairing: Pairing
    brackets: tuple[BracketExplanation, ...]
    pairs: tuple[PairExplanation, ...]
    bye: ByeExplanation | None
    system: str = "dutch_2026"


class Outcome(Enum):
    """Name the reason why two players do not meet."""

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
    """Name the rule that decides which candidate is generated first [C.04.3/2026 Article 4]."""

    MDP_SET = "mdp_set"
    MDP_TRANSPOSITION = "mdp_transposition"
    EXCHANGE = "exchange"
    TRANSPOSITION = "transposition"


@dataclass(frozen=True, slots=True)
class WhyNot:
    """Describe the consequence of pairing two players with each other.

    ``absent`` are those of the two who are not present (ABSENT); ``met_in`` is the round they
    played (C1); ``colour`` is the colour both must have (C3). WORSE: in ``bracket`` (from 1, of
    ``score``) the criterion ``worse`` goes from its ``value`` to the ``forced`` one, while all
    criteria above it and all brackets before are equal. LATER: all are equal, but the text
    generates this candidate later, by ``order``. COLLAPSED: after ``bracket`` the round could not
    be completed [C.04.3/2017 A.9]. ``instead`` is the best round in which they meet.
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
