"""Read from the players' records what the pairing needs, before the players are ranked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from pairing.engine.basics.colours import ColourRecord, Strength, colour_record
from pairing.engine.basics.history import History, histories, participation_numbers
from pairing.engine.model import (
    TPN,
    Colour,
    Player,
    Points,
    PointSystem,
    RoundRecord,
    TournamentState,
)

from .floats import Float


class RecordRules(NamedTuple):
    """The rules by which an edition reads records: what bars from the PAB, and floats."""

    bars_from_pab: Callable[[PointSystem], Sequence[bool]]
    float_of: Callable[[RoundRecord, int, int, int, int], Float]


class FloatPlaces(NamedTuple):
    """The places of the players with a downfloat, and with an upfloat, in one round."""

    down: tuple[int, ...] = ()
    up: tuple[int, ...] = ()


class PlayerRecords(NamedTuple):
    """Hold what the records of the players to be paired say.

    Lists have one item for each place, in the order of TPN. ``scores`` are pairing scores;
    ``virtual`` is the part of them that does not count for topscorers. ``met`` are the opponents
    met, each once. ``wants[colour, strength]`` are the places of the players with that preference.
    """

    tpns: list[TPN]
    scores: list[Points]
    virtual: list[int]
    numbers: list[int]
    colours: list[ColourRecord]
    unplayed: list[int]
    met: list[Sequence[TPN]]
    wants: Mapping[tuple[Colour, Strength], list[int]]
    may_receive_pab: list[int]
    last_floats: FloatPlaces
    floats_before_last: FloatPlaces

    @classmethod
    def from_state(cls, state: TournamentState, rules: RecordRules) -> PlayerRecords:
        """Read the records of *state* by the *rules* of an edition.

        Cost: one pass over the records.
        """
        read = histories(state, rules.bars_from_pab)
        present = sorted(
            [player for player in state.players if player.tpn not in state.absent], key=_tpn
        )
        tpns = [player.tpn for player in present]
        own = [read[tpn] for tpn in tpns]
        numbers = participation_numbers(read, frozenset(tpns))
        shared: dict[str, ColourRecord] = {}
        colours = [_shared_record(history.colours, shared) for history in own]
        points = [player.virtual_points_in(state.round_number) for player in present]
        return cls(
            tpns=tpns,
            scores=[
                Points(history.score + more) for history, more in zip(own, points, strict=True)
            ],
            virtual=[more - player.decided for player, more in zip(present, points, strict=True)],
            numbers=[numbers[tpn] for tpn in tpns],
            colours=colours,
            unplayed=[history.unplayed for history in own],
            met=[_each_once(history.met) for history in own],
            wants=_wants(colours),
            may_receive_pab=[place for place, history in enumerate(own) if history.may_receive_pab],
            last_floats=_float_places(present, read, state, rules, rounds_ago=1),
            floats_before_last=_float_places(present, read, state, rules, rounds_ago=2),
        )


def _each_once(met: Sequence[TPN]) -> Sequence[TPN]:
    different = set(met)
    return met if len(different) == len(met) else tuple(different)


def _tpn(player: Player) -> TPN:
    return player.tpn


def _shared_record(history: str, records: dict[str, ColourRecord]) -> ColourRecord:
    """Return the colour record of *history*, computed once for all players with that history."""
    record = records.get(history)
    if record is None:
        record = records[history] = colour_record(history)
    return record


def _wants(colours: Sequence[ColourRecord]) -> dict[tuple[Colour, Strength], list[int]]:
    places: dict[tuple[Colour, Strength], list[int]] = {
        (colour, strength): [] for colour in Colour for strength in Strength
    }
    for place, record in enumerate(colours):
        if record.preference is not None:
            places[record.preference, record.strength].append(place)
    return places


def _float_places(
    present: Sequence[Player],
    read: Mapping[TPN, History],
    state: TournamentState,
    rules: RecordRules,
    *,
    rounds_ago: int,
) -> FloatPlaces:
    """Find the floats *rounds_ago* (1 is the last round), by the scores it was paired with."""
    round_number = state.round_number - rounds_ago
    if round_number < 1:
        return FloatPlaces()
    before = {
        tpn: history.score_before_last if rounds_ago == 1 else history.score_before_two
        for tpn, history in read.items()
    }
    for player in state.players:
        if player.virtual_points:
            before[player.tpn] += player.virtual_points_in(round_number)
    table, loss, float_of = state.points.table(), state.points.loss, rules.float_of
    down: list[int] = []
    up: list[int] = []
    for place, player in enumerate(present):
        record = player.rounds[round_number - 1]
        own = before[player.tpn]
        theirs = own if record.opponent is None else before[record.opponent]
        if record.result.is_played and own == theirs:
            continue
        match float_of(record, table[record.result.place], loss, own, theirs):
            case Float.DOWN:
                down.append(place)
            case Float.UP:
                up.append(place)
            case Float.NONE:
                pass
    return FloatPlaces(tuple(down), tuple(up))
