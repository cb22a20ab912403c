"""Write a generated tournament as a report from which every round is paired the same again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from pairing.engine.generator import GeneratedEvent
from pairing.engine.model import TPN, Player
from pairing.engine.systems import games_a_round, system_by_code

from .baku import baku_records
from .convert import points_total
from .document import (
    InitialColour,
    PlayerRecord,
    ProhibitedPairs,
    Record,
    RoundCell,
    RoundCount,
    TextRecord,
    TrfDocument,
)
from .fields import BAKU_SUFFIX
from .matches import by_games
from .scoring import point_values

NO_RANKS: Final[Mapping[TPN, int]] = MappingProxyType({})


def document_of(
    event: GeneratedEvent,
    *,
    name: str,
    ranking: Sequence[TextRecord] = (),
    ranks: Mapping[TPN, int] = NO_RANKS,
) -> TrfDocument:
    """Return the report of *event* (012 is *name*): its rounds,
    and the known byes in the column of the next round.

    All players have an entry in every played round; an absent player has a zero-point bye. A match
    is two rounds. *ranking* are the records that describe how the *ranks* were made; without them
    the ranking is by points and number.
    """
    games = games_a_round(event.state.system)
    records = (TextRecord("012", name), *_directives(event), *ranking, *_players(event, ranks))
    document = TrfDocument(records, games=games)
    return document if games == 1 else by_games(document)


def _directives(event: GeneratedEvent) -> Iterator[Record]:
    state = event.state
    yield TextRecord("062", str(len(state.players)))
    yield RoundCount("142", state.total_rounds)
    yield InitialColour("152", state.initial_colour)
    points = point_values(state.points, games=games_a_round(state.system))
    if points is not None:
        yield points
    yield TextRecord(
        "192", system_by_code(state.system).trf_code + (BAKU_SUFFIX if event.accelerations else "")
    )
    yield from baku_records(event.accelerations, state.players[0].tpn)
    for group in event.prohibitions:
        yield ProhibitedPairs("260", group.players, group.first_round, group.last_round)


def _players(event: GeneratedEvent, given: Mapping[TPN, int]) -> Iterator[PlayerRecord]:
    state = event.state
    cells = {player.tpn: _cells(event, player) for player in state.players}
    points = {tpn: points_total(own, state.points) for tpn, own in cells.items()}
    order = sorted(points, key=lambda tpn: (-points[tpn], tpn))
    ranks = given or {tpn: rank for rank, tpn in enumerate(order, 1)}
    for player, rating in zip(state.players, event.ratings, strict=True):
        tpn = player.tpn
        yield PlayerRecord(
            tpn=tpn,
            name=f"Player {tpn}",
            rating=rating,
            points=points[tpn],
            rank=ranks[tpn],
            rounds=cells[tpn],
        )


def _cells(event: GeneratedEvent, player: Player) -> tuple[RoundCell, ...]:
    cells = [
        RoundCell(record.opponent, record.colour, record.result, record.second)
        for record in player.rounds
    ]
    if player.tpn in event.byes:
        cells.append(RoundCell(None, None, event.byes[player.tpn]))
    return tuple(cells)
