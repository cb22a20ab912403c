"""The facts that ratings and norms are computed from: people, games and the event."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Final

from .conditions import State


class Rate(Enum):
    """The rate of play; each has its own rating list and K."""

    STANDARD = "standard"
    RAPID = "rapid"
    BLITZ = "blitz"


class Kind(Enum):
    """What happened in a round of a player."""

    PLAYED = "played"
    LESS_THAN_A_MOVE = "played_not_rated"
    """TRF ``W``, ``D`` and ``L``: not both players have made a move."""
    FORFEIT_WIN = "forfeit_win"
    FORFEIT_LOSS = "forfeit_loss"
    PAIRING_ALLOCATED_BYE = "pab"
    HALF_POINT_BYE = "hpb"
    FULL_POINT_BYE = "fpb"
    ZERO_POINT_BYE = "zpb"
    OPEN = "open"
    """A game without a result."""

    @property
    def is_at_board(self) -> bool:
        """Return whether the game was started over the board and has a result."""
        return self in (Kind.PLAYED, Kind.LESS_THAN_A_MOVE)


class System(Enum):
    """The kind of pairing that the title regulations know [B.01/2024 1.4.2e]."""

    SWISS = "swiss"
    ROUND_ROBIN = "round_robin"
    DOUBLE_ROUND_ROBIN = "double_round_robin"
    KNOCK_OUT = "knockout"
    OTHER = "other"

    @property
    def is_predetermined(self) -> bool:
        return self in (System.ROUND_ROBIN, System.DOUBLE_ROUND_ROBIN)


class EventKind(Enum):
    """The events that the title regulations treat differently."""

    ORDINARY = "ordinary"
    NATIONAL_FINAL = "national_final"
    """Final of a national championship [B.01/2024 1.4.3a]."""
    NATIONAL_TEAM = "national_team"
    """National team championship [B.01/2024 1.4.3b]."""
    ZONAL = "zonal"
    """Zonal and sub-zonal tournaments [B.01/2024 1.4.3c]."""
    TEAM_CHAMPIONSHIP = "team_championship"
    """World or Continental Team or Club Championship [B.01/2024 1.4.1b]."""
    WORLD_CUP = "world_cup"
    """World Cup or Women's World Cup [B.01/2024 1.4.1b]."""


NO_FEDERATION: Final = "FID"
"""Players who play under the flag of FIDE."""
NOT_OF_FIDE: Final = "NON"
"""Players of no member of FIDE [B.01/2024 1.4.2a]."""
WITHOUT_FEDERATION: Final = frozenset({"", NO_FEDERATION, NOT_OF_FIDE})
"""What a player can have in the place of a federation."""


@dataclass(frozen=True, slots=True)
class Person:
    """A player by the rating list in force when the event started.

    ``rating`` is that of the event's rate of play, None without one; ``standard`` may replace it in
    rapid and blitz [B.02R/2024 7.2.1]. ``norm_federation`` replaces ``federation`` for norms, for
    players shown as FID. ``no_points``: without a rating and without points against rated players
    [B.01/2024 1.4.2b].
    """

    rating: int | None = None
    standard: int | None = None
    titles: frozenset[str] = frozenset()
    federation: str = ""
    norm_federation: str = ""
    is_woman: bool = False
    k: int | None = None
    birth_year: int | None = None
    no_points: bool = False
    number: int = 0

    def used_rating(self, rate: Rate) -> int | None:
        """Return the rating used at *rate*; None: unrated."""
        if rate is Rate.STANDARD:
            return self.rating or None
        return self.rating or self.standard or None

    @property
    def flag(self) -> str:
        """Return the federation that counts for norms."""
        return (self.norm_federation or self.federation).upper()


@dataclass(frozen=True, slots=True)
class Game:
    """One round of a player, in half points, by 1, ½ and 0 with any point system.

    ``exclusion`` is the reason why a played game is not rated, as the arbiter or FIDE decided.
    """

    round: int
    kind: Kind
    halves: int = 0
    opponent: Person | None = None
    exclusion: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """The facts of an event. None means that nobody has recorded the fact.

    ``seconds`` is the time of each player for 60 moves. ``schedule`` is the number of rounds of
    each day. ``swiss_exemption`` is the answer of :func:`~.attendance.swiss_exemption`.
    ``is_approved`` is for a time control that the Qualification Commission approved for rating.
    ``confirmed`` has the codes of the conditions that the arbiter confirms.
    """

    rounds: int
    rate: Rate = Rate.STANDARD
    system: System = System.SWISS
    kind: EventKind = EventKind.ORDINARY
    host: str = ""
    start: date | None = None
    end: date | None = None
    seconds: int | None = None
    same_time: bool | None = None
    most_rounds_a_day: int | None = None
    schedule: tuple[int, ...] = ()
    is_approved: bool = False
    registered: date | None = None
    chief_arbiter_titles: frozenset[str] | None = None
    arbiters_playing: int | None = None
    pairings_by_hand: int | None = None
    players: int | None = None
    swiss_exemption: State | None = None
    confirmed: frozenset[str] = frozenset()
