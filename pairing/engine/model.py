"""The engine's vocabulary: players, their rounds, the tournament before a round, and a pairing.

Everything here is immutable and speaks chess only: no database, no clock, no chance. Points are
whole numbers in tenths, as the TRF writes them (one point is 10, a half point is 5).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache
from typing import NewType

TPN = NewType("TPN", int)
"""Tournament Pairing Number, from 1 [C.04.2/2026 2.3]."""

Points = NewType("Points", int)
"""Points in tenths."""


class Colour(Enum):
    """A colour, valued as the TRF writes it."""

    WHITE = "w"
    BLACK = "b"

    letter: str

    def __init__(self, letter: str) -> None:
        self.letter = letter

    __hash__ = object.__hash__
    """Colours are keys everywhere in a bracket, and the hash of an
    enumeration is reckoned from the name each time.
    """

    @property
    def opposite(self) -> Colour:
        return Colour.BLACK if self is Colour.WHITE else Colour.WHITE


class Result(Enum):
    """The result of one player in one round, with its TRF letter as value.

    ``is_played``: a game took place; such a game is a meeting and gives a colour
    [C.04.2/2026 3.4, 3.5]. A game whose result is not known yet (adjourned) is being played.
    ``is_bye``: the player had no opponent. ``place`` is the place in :meth:`PointSystem.table`. All
    three are plain attributes, because a round is read record by record.
    """

    WIN = ("1", "played")
    DRAW = ("=", "played")
    LOSS = ("0", "played")
    UNRATED_WIN = ("W", "played")
    UNRATED_DRAW = ("D", "played")
    UNRATED_LOSS = ("L", "played")
    FORFEIT_WIN = ("+", "forfeited")
    FORFEIT_LOSS = ("-", "forfeited")
    FULL_POINT_BYE = ("F", "bye")
    HALF_POINT_BYE = ("H", "bye")
    ZERO_POINT_BYE = ("Z", "bye")
    PAIRING_ALLOCATED_BYE = ("U", "bye")
    UNKNOWN = ("?", "played")

    is_played: bool
    is_bye: bool
    place: int

    def __new__(cls, letter: str, kind: str) -> Result:
        member = object.__new__(cls)
        member._value_ = letter
        member.is_played = kind == "played"
        member.is_bye = kind == "bye"
        member.place = len(cls.__members__)
        return member


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """Record one player's round: the scheduled opponent and colour (None for a bye) and the result.

    A forfeited game keeps its scheduled opponent and colour, as the TRF does; it counts neither as
    a meeting nor as a colour [C.04.2/2026 3.4, 3.5].

    A round of the Double-Swiss system is a match of two games: ``colour`` and ``result`` are those
    of the first, ``second`` is the result of the second, which is played with the colours reversed
    [C.04.5/2026 0, 4.4]. ``second`` is None for a bye, which covers the whole match, and in every
    other system.
    """

    opponent: TPN | None
    colour: Colour | None
    result: Result
    second: Result | None = None

    @property
    def is_played(self) -> bool:
        return self.result.is_played


ABSENT = RoundRecord(opponent=None, colour=None, result=Result.ZERO_POINT_BYE)
"""The round of an absent player."""


@dataclass(frozen=True, slots=True)
class PointSystem:
    """The value of each result in tenths; the defaults are 1, ½, 0 with a full point for the PAB.

    ``unknown`` is what an adjourned game counts for pairing: a draw [C.04.2/2026 3.1].
    """

    win: Points = Points(10)
    draw: Points = Points(5)
    loss: Points = Points(0)
    forfeit_win: Points = Points(10)
    forfeit_loss: Points = Points(0)
    pairing_allocated_bye: Points = Points(10)
    full_point_bye: Points = Points(10)
    half_point_bye: Points = Points(5)
    zero_point_bye: Points = Points(0)
    unknown: Points = Points(5)
    games: int = 1
    """How many games a round is; where it is a match of two,
    byes are worth what is said here for the whole match.
    """

    @classmethod
    def from_values(
        cls,
        *,
        win: int = 10,
        draw: int = 5,
        loss: int = 0,
        absence: int = 0,
        pairing_allocated_bye: int | None = None,
        unknown: int | None = None,
    ) -> PointSystem:
        """A point system from the values a TRF 162 record names.

        A forfeit win and a full-point bye are worth a win, a half-point bye a draw, a forfeit loss
        and a zero-point bye the value of an absence, an unknown result a draw unless given; the PAB
        a win unless given [C.04.1/2026 3].
        """
        return cls(
            win=Points(win),
            draw=Points(draw),
            loss=Points(loss),
            forfeit_win=Points(win),
            forfeit_loss=Points(absence),
            pairing_allocated_bye=Points(
                win if pairing_allocated_bye is None else pairing_allocated_bye
            ),
            full_point_bye=Points(win),
            half_point_bye=Points(draw),
            zero_point_bye=Points(absence),
            unknown=Points(draw if unknown is None else unknown),
        )

    def for_matches(self, pairing_allocated_bye: int | None = None) -> PointSystem:
        """Return these points per game, for rounds that are matches of two games,
        in which a bye covers the whole match.

        A full-point bye is worth two wins, a half-point bye two draws, a zero-point bye two
        absences, and the PAB a win and a draw unless given [C.04.5/2026 1.4].
        """
        bye = self.win + self.draw if pairing_allocated_bye is None else pairing_allocated_bye
        return replace(
            self,
            pairing_allocated_bye=Points(bye),
            full_point_bye=Points(2 * self.win),
            half_point_bye=Points(2 * self.draw),
            zero_point_bye=Points(2 * self.zero_point_bye),
            games=2,
        )

    def of_whole_rounds(self) -> PointSystem:
        """What a round of all games won, drawn, lost, forfeited or unknown brings; byes stay."""
        return replace(
            self,
            win=Points(self.games * self.win),
            draw=Points(self.games * self.draw),
            loss=Points(self.games * self.loss),
            forfeit_win=Points(self.games * self.forfeit_win),
            forfeit_loss=Points(self.games * self.forfeit_loss),
            unknown=Points(self.games * self.unknown),
            games=1,
        )

    def worth(self, record: RoundRecord) -> Points:
        """Return the points of *record* in tenths: a game, both games of a match, or a bye."""
        if record.second is None:
            return self.value(record.result)
        return Points(self.value(record.result) + self.value(record.second))

    def table(self) -> tuple[Points, ...]:
        """The value of every result in tenths, by ``Result.place``."""
        return _table(self)

    def value(self, result: Result) -> Points:
        """Return the value of *result* in tenths."""
        match result:
            case Result.WIN | Result.UNRATED_WIN:
                return self.win
            case Result.DRAW | Result.UNRATED_DRAW:
                return self.draw
            case Result.LOSS | Result.UNRATED_LOSS:
                return self.loss
            case Result.FORFEIT_WIN:
                return self.forfeit_win
            case Result.FORFEIT_LOSS:
                return self.forfeit_loss
            case Result.PAIRING_ALLOCATED_BYE:
                return self.pairing_allocated_bye
            case Result.FULL_POINT_BYE:
                return self.full_point_bye
            case Result.HALF_POINT_BYE:
                return self.half_point_bye
            case Result.ZERO_POINT_BYE:
                return self.zero_point_bye
            case Result.UNKNOWN:
                return self.unknown


@lru_cache
def _table(points: PointSystem) -> tuple[Points, ...]:
    return tuple(points.value(result) for result in Result)


@dataclass(frozen=True, slots=True)
class Player:
    """A player with the rounds before the one to pair, oldest first.

    ``virtual_points`` are the points an acceleration adds for pairing only, one value (tenths) per
    round from round 1, the round to pair included; rounds beyond its end have none.

    ``decided`` is what decisions gave in all these rounds (tenths), below zero what they took.
    Unlike virtual points it is part of the score, and counts in who is a topscorer
    [C.04.3/2026 1.8]; for pairing it is in ``virtual_points`` too, by the rounds in which it
    counts.
    """

    tpn: TPN
    rounds: tuple[RoundRecord, ...] = ()
    virtual_points: tuple[Points, ...] = ()
    decided: Points = Points(0)

    def virtual_points_in(self, round_number: int) -> Points:
        """The virtual points of round *round_number* (from 1)."""
        if round_number <= len(self.virtual_points):
            return self.virtual_points[round_number - 1]
        return Points(0)


@dataclass(frozen=True, slots=True)
class TournamentState:
    """Everything that decides the pairing of round ``round_number``, and nothing else.

    ``players`` is every participant on the list, each with ``round_number - 1`` round records (a
    late entry has :data:`ABSENT` for the rounds missed); ``absent`` are those not paired in this
    round; ``prohibited`` pairs shall not meet in this round. The order of ``players`` does not
    matter.
    """

    round_number: int
    total_rounds: int
    players: tuple[Player, ...]
    initial_colour: Colour = Colour.WHITE
    points: PointSystem = field(default_factory=PointSystem)
    absent: frozenset[TPN] = frozenset()
    prohibited: frozenset[frozenset[TPN]] = frozenset()
    system: str = "dutch_2026"

    @property
    def is_last_round(self) -> bool:
        """Whether the round to pair is the last one declared [C.04.1/2026 1]."""
        return self.round_number == self.total_rounds

    def by_tpn(self) -> Mapping[TPN, Player]:
        """The players by TPN. Builds the mapping: call it once."""
        return {player.tpn: player for player in self.players}


@dataclass(frozen=True, slots=True)
class Pairing:
    """A paired round: (white, black) in publication order [C.04.2/2026 3.6], and any PAB."""

    pairs: tuple[tuple[TPN, TPN], ...]
    bye: TPN | None = None


@dataclass(frozen=True, slots=True)
class Pairability:
    """Tell whether a round can be paired, and list who may receive the PAB, by TPN.

    In an even field nobody may.
    """

    can_pair: bool
    bye_candidates: tuple[TPN, ...]
