"""Rank the players of a round and derive from their records what the criteria need.

A set of players is a whole number used as a bit set: bit *r* is the player of rank *r* (Article
1.2, from 0).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from pairing.engine.basics.colours import ColourRecord, Strength
from pairing.engine.model import TPN, Colour, Points, TournamentState

from .floats import Float
from .player_records import FloatPlaces, PlayerRecords, RecordRules


@dataclass(frozen=True, slots=True, eq=False)
class RankedPlayer:
    """Describe a player for the round to pair.

    ``rank`` is the place in the order of Article 1.2, from 0; ``score`` the pairing score in
    tenths; ``number`` the number whose parity decides under 5.2.5. All criteria treat players of
    the same ``kind`` alike.
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


class FloatSets(NamedTuple):
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

    Lists have one item per rank. ``may_meet[r]`` is the set of players that *r* may be paired with
    under [C1], [C3] and the prohibited pairs. ``wants[colour, strength]`` is the set of players
    with that preference. ``most_barred`` is an upper bound for the number of opponents barred to
    any one player.
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

        The criteria look at the colours that two players would get, and at their colour histories,
        only if one of them is a topscorer [C.04.3/2026 2.4.5, 2.4.6]. In a field without topscorers
        the colour preferences are enough to define a kind.
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
    def from_state(cls, state: TournamentState, rules: RecordRules) -> Field:
        """Derive the field of *state* by *rules*. Cost: a pass over records, n rows of n bits."""
        return cls.ranked(PlayerRecords.from_state(state, rules), state)

    @classmethod
    def ranked(cls, records: PlayerRecords, state: TournamentState) -> Field:
        """Rank the players of *records*, those of *state*, by score and TPN [C.04.3/2026 1.2]."""
        order = _order(records)
        bits = [0] * len(order)
        for rank, place in enumerate(order):
            bits[place] = 1 << rank
        wants = {preference: _bits_of(places, bits) for preference, places in records.wants.items()}
        topscorers = _topscorers(records, bits, state)
        may_meet, most_barred = _may_meet(records, order, bits, wants, topscorers, state)
        return cls(
            tpns=[records.tpns[place] for place in order],
            scores=[records.scores[place] for place in order],
            numbers=[records.numbers[place] for place in order],
            colours=[records.colours[place] for place in order],
            unplayed=[records.unplayed[place] for place in order],
            may_meet=may_meet,
            most_barred=most_barred,
            wants=wants,
            topscorers=topscorers,
            may_receive_pab=_bits_of(records.may_receive_pab, bits),
            last_floats=_float_sets(records.last_floats, bits),
            floats_before_last=_float_sets(records.floats_before_last, bits),
            initial_colour=state.initial_colour,
        )


def _order(records: PlayerRecords) -> list[int]:
    """Return the places of the players in *records*, by rank.

    Among equal scores they stay in the order of TPN.
    """
    return sorted(range(len(records.tpns)), key=records.scores.__getitem__, reverse=True)


def _bits_of(places: Iterable[int], bits: Sequence[int]) -> int:
    """Return the set of the players at these different *places*; *bits* has the bit of each."""
    return sum(map(bits.__getitem__, places))


def _float_sets(places: FloatPlaces, bits: Sequence[int]) -> FloatSets:
    return FloatSets(_bits_of(places.down, bits), _bits_of(places.up, bits))


def _topscorers(records: PlayerRecords, bits: Sequence[int], state: TournamentState) -> int:
    """Find the players with over half of the maximum possible score,
    if the last round is paired [C.04.3/2026 1.8].

    The maximum is the score of a player who won every round, including rounds that this player
    missed (docs/rules, R11). Point adjustments are part of the score; virtual points are not.
    """
    if not state.is_last_round:
        return 0
    maximum = state.points.win * (state.round_number - 1)
    scores = zip(records.scores, records.virtual, strict=True)
    return sum(
        bits[place]
        for place, (score, virtual) in enumerate(scores)
        if 2 * (score - virtual) > maximum
    )


def _may_meet(
    records: PlayerRecords,
    order: Sequence[int],
    bits: Sequence[int],
    wants: Mapping[tuple[Colour, Strength], int],
    topscorers: int,
    state: TournamentState,
) -> tuple[list[int], int]:
    """Return who may meet whom, and an upper bound for the opponents barred to one player.

    Barred are opponents met before [C1], two non-topscorers with the same absolute colour
    preference [C3] [C.04.3/2026 2.1.1, 2.1.3], and the pairs that the Chief Arbiter has prohibited.
    """
    everybody = (1 << len(order)) - 1
    bit_of = dict.fromkeys(state.absent, 0) | dict(zip(records.tpns, bits, strict=True))
    bit, met = bit_of.__getitem__, records.met
    rows = [everybody ^ bits[place] ^ sum(map(bit, met[place])) for place in order]
    absolute = [wants[colour, Strength.ABSOLUTE] & ~topscorers for colour in Colour]
    for clashing in absolute:
        if clashing & (clashing - 1):
            for rank, row in enumerate(rows):
                if clashing >> rank & 1:
                    rows[rank] = row & ~clashing
    for first, second in state.prohibited:
        if bit_of[first] and bit_of[second]:
            rows[bit_of[first].bit_length() - 1] &= ~bit_of[second]
            rows[bit_of[second].bit_length() - 1] &= ~bit_of[first]
    most = max(map(len, met), default=0) + max(clashing.bit_count() for clashing in absolute)
    return rows, most + len(state.prohibited)
