"""Build the crosstable: the rounds of each player, the points of each round,
and the score used for the opponents.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from pairing.engine.changes import PointChanges
from pairing.engine.errors import InputError
from pairing.engine.model import TPN, Player, PointSystem, Result, RoundRecord

from .editions import TieBreakEdition
from .matches import rounds_of_matches
from .points import points_of
from .unplayed import Unplayed, kinds_of_unplayed
from .values import Part


class Row(NamedTuple):
    """One player: rounds, points of each (tenths), why not played (None: it was), two sums.

    ``score`` is the sum of all rounds, in tenths, with the ``bonuses`` and penalties of each.
    ``adjusted`` is the player's score in the tie-breaks of the opponents [C.07/2026 16.3].
    ``places_only`` is added to the score only for the places.
    """

    rounds: Sequence[RoundRecord]
    points: Sequence[int]
    kinds: Sequence[Unplayed | None]
    score: int
    adjusted: int
    bonuses: Sequence[int] = ()
    places_only: int = 0


@dataclass(frozen=True)
class Crosstable:
    """All players by TPN after ``rounds``, with what the tie-breaks use.

    During an event the values are those it would end with now, because the existing rounds count as
    all rounds. ``ratings`` has only rated players. ``unrated`` is the rating that the regulations
    give to the others; None if they do not mention them [C.07/2026 10]. ``opponents`` keeps what
    several columns need (:func:`~.buchholz.opponents`).
    """

    rows: Mapping[TPN, Row]
    rounds: int
    system: PointSystem
    edition: TieBreakEdition
    ratings: Mapping[TPN, int]
    unrated: int | None = None
    opponents: dict[bool, Mapping[TPN, list[Part]]] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    def rating(self, tpn: TPN) -> int | None:
        return self.ratings.get(tpn, self.unrated)

    @cached_property
    def with_last_round_drawn(self) -> Crosstable:
        """Return the crosstable of the fore tie-breaks [C.07/2026 8.3].

        Every paired game of the last round is a draw, forfeited games too; byes do not change. A
        player paired in the last round has not left the event before it, so an earlier bye counts
        with its own points.
        """
        if not self.rounds:
            return self
        rows = {}
        for tpn, row in self.rows.items():
            last = row.rounds[-1]
            if last.opponent is None:
                rows[tpn] = row
            else:
                drawn = RoundRecord(last.opponent, last.colour, Result.DRAW)
                points = (*row.points[:-1], self.system.draw)
                fore = _row((*row.rounds[:-1], drawn), points, self.system, row.bonuses)
                rows[tpn] = fore._replace(places_only=row.places_only)
        return replace(self, rows=rows)

    @property
    def without_rating(self) -> tuple[TPN, ...]:
        """Return who takes part without a rating, if they are given none [C.07/2026 10].

        A player who has played no game over the board is in no tie-break by rating, because only
        those games count there: such a player takes part in none of them (T13).
        """
        return tuple(
            sorted(
                tpn
                for tpn, row in self.rows.items()
                if self.rating(tpn) is None and any(record.is_played for record in row.rounds)
            )
        )


def crosstable(
    players: Sequence[Player],
    system: PointSystem,
    edition: TieBreakEdition,
    *,
    ratings: Mapping[TPN, int] | None = None,
    unrated: int | None = None,
    changes: Mapping[TPN, PointChanges] | None = None,
) -> Crosstable:
    """Return the crosstable of *players*, who all have the same number of rounds.

    *changes* are points outside the point system. A match counts as one round with one result
    (:func:`~.matches.rounds_of_matches`). Cost: one look at each round. Raise :class:`InputError`:
    ``standings.rounds`` if players have different numbers of rounds, ``standings.unknown_opponent``
    if an opponent is not among them.
    """
    rounds = len(players[0].rounds) if players else 0
    by_tpn = {player.tpn: player for player in players}
    for player in players:
        if len(player.rounds) != rounds:
            raise InputError(
                "standings.rounds",
                f"Player {player.tpn} has {len(player.rounds)} rounds, the first player {rounds}.",
                tpn=player.tpn,
            )
        for record in player.rounds:
            if record.opponent is not None and record.opponent not in by_tpn:
                raise InputError(
                    "standings.unknown_opponent",
                    f"Player {player.tpn} meets {record.opponent}, who is not another player.",
                    tpn=player.tpn,
                    opponent=record.opponent,
                )
    if system.games > 1:
        return _of_matches(
            by_tpn, Crosstable({}, rounds, system, edition, dict(ratings or {}), unrated)
        )
    table = system.table()
    rows = {
        tpn: _row(player.rounds, _points(player.rounds, system, table), system)
        for tpn, player in by_tpn.items()
    }
    for tpn, change in (changes or {}).items():
        given = [
            points + more for points, more in zip(rows[tpn].points, change.results, strict=True)
        ]
        row = _row(rows[tpn].rounds, given, system, change.bonuses)
        rows[tpn] = row._replace(places_only=change.places_only)
    return Crosstable(rows, rounds, system, edition, dict(ratings or {}), unrated)


def _of_matches(players: Mapping[TPN, Player], empty: Crosstable) -> Crosstable:
    """Return the crosstable of matches, with points of games and values of whole rounds."""
    system = empty.system.of_whole_rounds()
    rows = {
        tpn: _row(
            rounds_of_matches(player, players, empty.system),
            [points_of(record, empty.system) for record in player.rounds],
            system,
        )
        for tpn, player in players.items()
    }
    return replace(empty, rows=rows, system=system)


def _points(rounds: Sequence[RoundRecord], system: PointSystem, table: Sequence[int]) -> list[int]:
    """Return the points of each of *rounds* of one game; *table* has the values of *system*."""
    return [
        points_of(record, system) if record.result is Result.UNKNOWN else table[record.result.place]
        for record in rounds
    ]


def _row(
    rounds: Sequence[RoundRecord],
    points: Sequence[int],
    system: PointSystem,
    bonuses: Sequence[int] = (),
) -> Row:
    """Return the row of one player. For the opponents rounds count as scored, with one exception.

    A requested bye followed only by voluntarily unplayed rounds counts as a draw, so a player who
    leaves early does not lower the tie-breaks of the opponents [C.07/2026 16.3].
    """
    kinds = kinds_of_unplayed(rounds)
    score = adjusted = sum(points) + sum(bonuses)
    for kind, gave in zip(kinds, points, strict=True):
        if kind is Unplayed.REQUESTED_BYE_TO_THE_END:
            adjusted += system.draw - gave
    return Row(rounds, points, kinds, score, adjusted, bonuses)
