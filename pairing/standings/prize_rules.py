"""Define the rules of the prizes, the players and the categories. Money is in whole cents."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from pairing.engine.model import TPN, Points


class Division(Enum):
    """The method for dividing the prizes of several places."""

    BY_RANK = "by_rank"
    """By the place after all tie-breaks; only players who share a place share its prizes."""
    EQUAL = "equal"
    """Players with the same points share the prizes of all their places equally."""
    HORT = "hort"
    """One half by the place after all tie-breaks, the other half equally
    among the players with the same points.
    """


class Choice(Enum):
    """Which prize a player gets who could win more than the limit allows."""

    IN_ORDER = "in_order"
    """That of the first category in the order of the categories."""
    MOST_VALUABLE = "most_valuable"
    """The one that pays most; of equal ones, that of the first category."""


@dataclass(frozen=True, slots=True)
class PrizeRules:
    """The rules for all prizes of a tournament, in cents; 0: no limit, no cap, no minimum.

    ``most_each`` prizes of money at most go to one player. Amounts are rounded to whole ``unit``.
    One player gets at most ``cap`` in all. The last prizes are shared by as many players as get
    the ``minimum``, the best by rank.
    """

    division: Division = Division.EQUAL
    choice: Choice = Choice.MOST_VALUABLE
    most_each: int = 1
    unit: int = 1
    cap: int = 0
    minimum: int = 0


@dataclass(frozen=True, slots=True)
class Placed:
    """A player with the rank in the standings.

    Players equal in everything have the same ``rank``. Points are tenths.
    """

    tpn: TPN
    rank: int
    points: Points


@dataclass(frozen=True, slots=True)
class Team:
    """The best players of a club: the sum of their points (tenths) and of their ranks."""

    name: str
    points: int
    ranks: int
    members: tuple[TPN, ...]


@dataclass(frozen=True, slots=True)
class Category:
    """A list of prizes in cents, the first place first, for ``members``; None: for all players.

    ``things`` are prizes in kind, the first place first. With ``teams`` the prizes are theirs.
    ``unpaid`` are members who get no money here, only prizes in kind.
    """

    name: str
    amounts: tuple[int, ...]
    members: frozenset[TPN] | None = None
    things: tuple[str, ...] = ()
    teams: tuple[Team, ...] | None = None
    unpaid: frozenset[TPN] = frozenset()

    def admits(self, tpn: TPN) -> bool:
        """Return whether the player competes for the prizes of players."""
        return self.teams is None and (self.members is None or tpn in self.members)

    def pays(self, tpn: TPN) -> bool:
        """Return whether the player competes for the prizes of money."""
        return self.admits(tpn) and tpn not in self.unpaid


def in_order_of_rank(field: Sequence[Placed]) -> list[Placed]:
    """Return *field* by rank; players equal in everything by TPN."""
    return sorted(field, key=lambda player: (player.rank, player.tpn))


def best_teams(field: Sequence[Placed], clubs: Mapping[TPN, str], size: int) -> tuple[Team, ...]:
    """Return the best *size* players of each club, the best team first.

    More points first, then the smaller sum of ranks. A club with fewer players has no team.
    """
    of_club: defaultdict[str, list[Placed]] = defaultdict(list)
    for player in in_order_of_rank(field):
        if club := clubs.get(player.tpn):
            of_club[club].append(player)
    teams = [
        Team(
            club,
            sum(player.points for player in best),
            sum(player.rank for player in best),
            tuple(player.tpn for player in best),
        )
        for club, players in of_club.items()
        if len(best := players[:size]) == size
    ]
    return tuple(sorted(teams, key=lambda team: (-team.points, team.ranks, team.name)))
