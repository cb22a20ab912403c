"""Rank the players of a round and derive from their records what the criteria need.

A set of players is a whole number used as a bit set: bit *r* is the player of rank *r* (Article 1.2, from 0).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from pairing.engine.basics.colours import ColourRecord, Strength, colour_record
from pairing.engine.basics.history import (
    History,
    histories,
    participation_numbers,
)
from pairing.engine.model import TPN, Colour, Player, Points, PointSystem, RoundRecord, TournamentState

from .floats import Float


@dataclass(frozen=True, slots=True)
class RecordRules:
    """Hold the rules by which an edition reads records: results that bar from the PAB, and floats."""

    bars_from_pab: Callable[[PointSystem], Sequence[bool]]
    float_of: Callable[[RoundRecord, int, int, int, int], Float]


@dataclass(frozen=True, slots=True, eq=False)
class RankedPlayer:
    """Describe a player for the round to pair.

    ``rank`` is the place in the order of Article 1.2, from 0; ``score`` the pairing score in tenths; ``number`` the
    number whose parity decides under 5.2.5. All criteria treat players of the same ``kind`` alike.
    """

    tpn: TPN
    rank: int
    kind: int
    score: Points
    number: int
    colours: ColourRecord
    is_topscorer: bool
    may_receive_pab: bool
    unplayed: int
    last_float: Float
    float_before_last: Float


@dataclass(frozen=True, slots=True)
class FloatSets:
    """Hold the players with a downfloat and those with an upfloat in one round."""

    down: int = 0
    up: int = 0

    def of(self, rank: int) -> Float:
        """Return the float of the player of *rank*."""
        if self.down >> rank & 1:
            return Float.DOWN
        return Float.UP if self.up >> rank & 1 else Float.NONE


@dataclass(frozen=True)
class Field:
    """Hold the players to pair, by rank [C.04.3/2026 1.2].

    Lists have one item per rank. ``may_meet[r]`` is the set of players that *r* may be paired with under [C1], [C3] and
    the prohibited pairs. ``wants[colour, strength]`` is the set of players with that preference. ``most_barred`` is an
    upper bound for the number of opponents barred to any one player.
    """

    tpns: list[TPN]
    scores: list[Points]
    numbers: list[int]
    colours: list[ColourRecord]
    unplayed: list[int]
    may_meet: list[int]
    most_barred: int
    wants: Mapping[tuple[Colour, Strength], int]
    topscorers: int
    may_receive_pab: int
    last_floats: FloatSets
    floats_before_last: FloatSets
    initial_colour: Colour

    def __len__(self) -> int:
        return len(self.tpns)

    @cached_property
    def players(self) -> tuple[RankedPlayer, ...]:
        """List the players with all their data, by rank.

        The criteria look at the colours that two players would get, and at their colour histories, only if one of them
        is a topscorer [C.04.3/2026 2.4.5, 2.4.6]. In a field without topscorers the colour preferences are enough to
        define a kind.
        """
        kinds: dict[tuple[object, ...], int] = {}
        players = []
        for rank, tpn in enumerate(self.tpns):
            score, number, colours = self.scores[rank], self.numbers[rank], self.colours[rank]
            is_topscorer = bool(self.topscorers >> rank & 1)
            floats = self.last_floats.of(rank), self.floats_before_last.of(rank)
            colour_traits: tuple[object, ...] = (colours.preference, colours.strength)
            if self.topscorers:
                colour_traits = (number % 2, colours, is_topscorer)
            traits = (score, *colour_traits, *floats)
            players.append(
                RankedPlayer(
                    tpn=tpn,
                    rank=rank,
                    kind=kinds.setdefault(traits, len(kinds)),
                    score=score,
                    number=number,
                    colours=colours,
                    is_topscorer=is_topscorer,
                    may_receive_pab=bool(self.may_receive_pab >> rank & 1),
                    unplayed=self.unplayed[rank],
                    last_float=floats[0],
                    float_before_last=floats[1],
                )
            )
        return tuple(players)

    @cached_property
    def scoregroups(self) -> list[range]:
        """List the ranks of each scoregroup, from the top [C.04.3/2026 1.3.1]."""
        groups, start = [], 0
        for _, group in groupby(self.scores):
            end = start + len(list(group))
            groups.append(range(start, end))
            start = end
        return groups

    @classmethod
    def of(cls, state: TournamentState, rules: RecordRules) -> Field:
        """Derive the field of *state* by the *rules* of an edition. Cost: one pass over the records, plus n rows of n
        bits.
        """
        read = histories(state, rules.bars_from_pab)
        number = state.round_number
        present = [player for player in state.players if player.tpn not in state.absent]
        score_of = {player.tpn: read[player.tpn].score + player.virtual_points_in(number) for player in present}
        present.sort(key=lambda player: (-score_of[player.tpn], player.tpn))
        tpns = [player.tpn for player in present]
        own = [read[tpn] for tpn in tpns]
        rank_of = {tpn: rank for rank, tpn in enumerate(tpns)}
        numbers = participation_numbers(read, frozenset(tpns))
        records: dict[str, ColourRecord] = {}
        colours = [_shared_record(history.colours, records) for history in own]
        wants = _wants(colours)
        topscorers = _topscorers(present, own, state)
        may_meet, most_barred = _may_meet(own, rank_of, wants, topscorers, state)
        return cls(
            tpns=tpns,
            scores=[Points(score_of[tpn]) for tpn in tpns],
            numbers=[numbers[tpn] for tpn in tpns],
            colours=colours,
            unplayed=[history.unplayed for history in own],
            may_meet=may_meet,
            most_barred=most_barred,
            wants=wants,
            topscorers=topscorers,
            may_receive_pab=sum(1 << rank for rank, history in enumerate(own) if history.may_receive_pab),
            last_floats=_float_sets(present, read, state, rules, rounds_ago=1),
            floats_before_last=_float_sets(present, read, state, rules, rounds_ago=2),
            initial_colour=state.initial_colour,
        )


def _shared_record(history: str, records: dict[str, ColourRecord]) -> ColourRecord:
    """Return the colour record of *history*, computed once for all players with that history."""
    record = records.get(history)
    if record is None:
        record = records[history] = colour_record(history)
    return record


def _wants(colours: Sequence[ColourRecord]) -> dict[tuple[Colour, Strength], int]:
    sets = {(colour, strength): 0 for colour in Colour for strength in Strength}
    by_record: dict[ColourRecord, int] = {}
    for rank, record in enumerate(colours):
        by_record[record] = by_record.get(record, 0) | 1 << rank
    for record, members in by_record.items():
        if record.preference is not None:
            sets[record.preference, record.strength] |= members
    return sets


def _topscorers(present: Sequence[Player], own: Sequence[History], state: TournamentState) -> int:
    """Find the players with over half of the maximum possible score, if the last round is paired [C.04.3/2026 1.8].

    The maximum is the score of a player who won every round, including rounds that this player missed (docs/rules,
    R11). *own* are the histories of the players *present*, by rank. Point adjustments are part of the score; virtual
    points are not.
    """
    if not state.is_last_round:
        return 0
    maximum = state.points.win * (state.round_number - 1)
    scores = (history.score + player.decided for player, history in zip(present, own, strict=True))
    return sum(1 << rank for rank, score in enumerate(scores) if 2 * score > maximum)


def _may_meet(
    own: Sequence[History],
    rank_of: Mapping[TPN, int],
    wants: Mapping[tuple[Colour, Strength], int],
    topscorers: int,
    state: TournamentState,
) -> tuple[list[int], int]:
    """Return who may meet whom, and an upper bound for the opponents barred to one player.

    Barred are opponents met before [C1], two non-topscorers with the same absolute colour preference [C3] [C.04.3/2026
    2.1.1, 2.1.3], and the pairs that the Chief Arbiter has prohibited.
    """
    everybody = (1 << len(own)) - 1
    absolute = [wants[colour, Strength.ABSOLUTE] & ~topscorers for colour in Colour]
    bit_of = {tpn: 1 << rank for tpn, rank in rank_of.items()}
    rows = []
    most = 0
    for rank, history in enumerate(own):
        barred = 1 << rank
        for tpn in history.met:
            barred |= bit_of.get(tpn, 0)
        rows.append(everybody & ~barred)
        if len(history.met) > most:
            most = len(history.met)
    for clashing in absolute:
        if clashing & (clashing - 1):
            for rank, row in enumerate(rows):
                if clashing >> rank & 1:
                    rows[rank] = row & ~clashing
    most += max(clashing.bit_count() for clashing in absolute)
    for pair in state.prohibited:
        first, second = pair
        if first in rank_of and second in rank_of:
            rows[rank_of[first]] &= ~bit_of[second]
            rows[rank_of[second]] &= ~bit_of[first]
    return rows, most + len(state.prohibited)


def _float_sets(
    present: Sequence[Player],
    read: Mapping[TPN, History],
    state: TournamentState,
    rules: RecordRules,
    *,
    rounds_ago: int,
) -> FloatSets:
    """Find the floats of the round *rounds_ago* (1 is the last one), by the scores with which it was paired."""
    round_number = state.round_number - rounds_ago
    if round_number < 1:
        return FloatSets()
    before = {
        tpn: history.score_before_last if rounds_ago == 1 else history.score_before_two for tpn, history in read.items()
    }
    for player in state.players:
        if player.virtual_points:
            before[player.tpn] += player.virtual_points_in(round_number)
    table, loss, float_of = state.points.table(), state.points.loss, rules.float_of
    down = up = 0
    for rank, player in enumerate(present):
        record = player.rounds[round_number - 1]
        own = before[player.tpn]
        theirs = own if record.opponent is None else before[record.opponent]
        if record.result.is_played and own == theirs:
            continue
        match float_of(record, table[record.result.place], loss, own, theirs):
            case Float.DOWN:
                down |= 1 << rank
            case Float.UP:
                up |= 1 << rank
            case Float.NONE:
                pass
    return FloatSets(down, up)
