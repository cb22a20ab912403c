"""Convert reports of matches both ways: two rounds of the report are one round.

A report has one column per game. In a system whose rounds are matches of two games [C.04.5/2026 0],
rounds 2k-1 and 2k of the report are the games of match k: the same opponent with the colours
reversed, or the same bye in both, because a bye is for the whole match. All other records with
rounds (142, 240, 250, 260, XXA) cover whole matches. The format does not describe this, and we know
no other program that reads it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pairing.engine.errors import Text, text as _
from pairing.engine.model import ABSENT, TPN, Points, Result
from pairing.engine.systems import games_a_round

from .document import (
    PlayerRecord,
    ProhibitedPairs,
    Record,
    RequestedByes,
    RoundCell,
    RoundCount,
    RoundDates,
    TrfDocument,
    VirtualPoints,
    VirtualPointsHistory,
)
from .errors import TrfError
from .fields import BAKU_SUFFIX, FIRST_ROUND_COLUMN, MAX_ROUNDS, ROUND_WIDTH, SYSTEM_CODES

GAMES = 2
_HALF_ROUNDS = _(
    "Rounds 1 and 2, 3 and 4, … are the two games of one match (C.04.5 0). A record must cover "
    "both games of a "
    "match: rounds %(first)s to %(last)s."
)
_HALF_POINTS = _(
    "Rounds 1 and 2, 3 and 4, … are the two games of one match (C.04.5 0). A record must cover "
    "both games of a "
    "match: the points of player %(tpn)s differ between them."
)
_ZERO_POINT_BYE = RoundCell(None, None, ABSENT.result)


def by_rounds_played(document: TrfDocument, system: str | None = None) -> TrfDocument:
    """Return *document* by matches if *system* (or record 192) pairs matches, else unchanged.

    Raise :class:`TrfError` as :func:`by_matches` does.
    """
    named = next(
        filter(None, document.texts("192")), ""
    )  # As in ``editions.decide_system``, an empty record names no system.
    code = system or SYSTEM_CODES.get(named.upper().removesuffix(BAKU_SUFFIX), "")
    return by_matches(document) if games_a_round(code) == GAMES else document


def by_matches(document: TrfDocument) -> TrfDocument:
    """Return *document* with every two rounds as one;
    each record keeps its place, so its line can still be found.

    Raise :class:`TrfError` with the article: ``trf.odd_rounds`` for an odd number of rounds, in the
    001 records or declared; ``trf.match_halves`` if two rounds of a player are not the two games of
    one match; ``trf.half_match`` if another record means only one game of a match.
    """
    _require_even(document)
    _require_whole_byes(document)
    return TrfDocument(
        tuple(_halved(document, record) for record in document.records), document.newline, GAMES
    )


def by_games(document: TrfDocument) -> TrfDocument:
    """Return a document by matches in its written form; the opposite of :func:`by_matches`.

    A report requests the bye of one match in two records, one for each game, and both are for the
    same match.
    """
    records: list[Record] = []
    requested: set[RequestedByes] = set()
    for game in (game for record in document.records for game in _doubled(record)):
        if isinstance(game, RequestedByes):
            if game in requested:
                continue
            requested.add(game)
        records.append(game)
    return TrfDocument(tuple(records), document.newline)


# -- two rounds as one -----------------------------------------------------------------------------


def _require_even(document: TrfDocument) -> None:
    players = document.players
    columns = max((len(player.rounds) for player in players), default=0)
    if columns % GAMES:
        player = next(player for player in players if len(player.rounds) == columns)
        raise TrfError(
            "trf.odd_rounds",
            _(
                "A match has two games, and each is one round of the report (C.04.5 0). This file has an odd "
                "number of rounds: %(rounds)s."
            ),
            line=document.line_of(player),
            column=FIRST_ROUND_COLUMN + ROUND_WIDTH * (columns - 1),
            rounds=columns,
        )
    for count in document.of(RoundCount):
        if count.rounds % GAMES:
            raise TrfError(
                "trf.odd_rounds",
                _(
                    "A match has two games, and each is one round of the report (C.04.5 0). The "
                    "declared number "
                    "of rounds is odd: %(rounds)s."
                ),
                line=document.line_of(count),
                column=5,
                rounds=count.rounds,
            )


def _require_whole_byes(document: TrfDocument) -> None:
    """Check that a bye for one game of a match is for the other too [C.04.5/2026 0]."""
    byes: dict[tuple[int, TPN], Result] = {}
    records = [record for record in document.of(RequestedByes) if record.round_number is not None]
    for record in records:
        byes |= {(record.round_number or 0, tpn): record.kind for tpn in record.players}
    for record in records:
        number = record.round_number or 0
        other = number + 1 if number % GAMES else number - 1
        for tpn in record.players:
            if byes.get((other, tpn)) is not record.kind:
                message = _(
                    "Rounds 1 and 2, 3 and 4, … are the two games of one match (C.04.5 0). A "
                    "record must cover "
                    "both games of a match: player %(tpn)s requests a bye in round %(round)s but "
                    "not in round "
                    "%(other)s."
                )
                raise _half_match(document, record, message, tpn=tpn, round=number, other=other)


def _halved(document: TrfDocument, record: Record) -> Record:
    match record:
        case PlayerRecord():
            pairs = range(0, len(record.rounds), GAMES)
            return replace(record, rounds=tuple(_match(document, record, index) for index in pairs))
        case RoundDates(dates=dates):
            return replace(record, dates=dates[::GAMES])
        case RoundCount(rounds=rounds):
            return replace(record, rounds=rounds // GAMES)
        case RequestedByes(round_number=int(number)):
            return replace(record, round_number=(number + 1) // GAMES)
        case VirtualPoints():
            if record.first_round % GAMES == 0 or record.last_round % GAMES:
                raise _half_match(
                    document, record, _HALF_ROUNDS, first=record.first_round, last=record.last_round
                )
            return replace(
                record,
                first_round=(record.first_round + 1) // GAMES,
                last_round=record.last_round // GAMES,
            )
        case VirtualPointsHistory(points=points):
            if _filled(points)[::GAMES] != _filled(points)[1::GAMES]:
                raise _half_match(document, record, _HALF_POINTS, tpn=record.tpn)
            return replace(record, points=points[::GAMES])
        case ProhibitedPairs(first_round=int(first), last_round=int(last)):
            if first % GAMES == 0 or (last % GAMES and last < MAX_ROUNDS):
                raise _half_match(document, record, _HALF_ROUNDS, first=first, last=last)
            return replace(record, first_round=(first + 1) // GAMES, last_round=(last + 1) // GAMES)
    return record


def _filled(points: Sequence[Points]) -> list[Points]:
    """Return *points* for whole matches; missing points are 0."""
    return [*points, *[Points(0)] * (len(points) % GAMES)]


def _match(document: TrfDocument, player: PlayerRecord, index: int) -> RoundCell | None:
    """Return the match whose first game is in the cell *index* of *player*."""
    first, second = player.rounds[index], player.cell(index + 2)
    if first is None and second is None:
        return None
    one, other = first or _ZERO_POINT_BYE, second or _ZERO_POINT_BYE
    if one.opponent == other.opponent:
        if one.opponent is None and one.result is other.result:
            return one
        colour = one.colour or (other.colour.opposite if other.colour else None)
        if one.opponent is not None and (other.colour is None or other.colour is not colour):
            return replace(one, colour=colour, second=other.result)
    raise TrfError(
        "trf.match_halves",
        _(
            "Rounds %(round)s and %(other)s are the two games of one match (C.04.5 0). Player "
            "%(tpn)s must have "
            "the same opponent in both, with reversed colours, or the same bye."
        ),
        line=document.line_of(player),
        column=FIRST_ROUND_COLUMN + ROUND_WIDTH * index,
        tpn=player.tpn,
        round=index + 1,
        other=index + 2,
    )


def _half_match(document: TrfDocument, record: Record, message: Text, **params: object) -> TrfError:
    return TrfError("trf.half_match", message, line=document.line_of(record), column=5, **params)


# -- one round as two ------------------------------------------------------------------------------


def _doubled(record: Record) -> Iterator[Record]:
    match record:
        case PlayerRecord(rounds=rounds):
            yield replace(record, rounds=tuple(game for cell in rounds for game in _games(cell)))
        case RoundDates(dates=dates):
            yield replace(record, dates=tuple(date for date in dates for _ in range(GAMES)))
        case RoundCount(rounds=number):
            yield replace(record, rounds=number * GAMES)
        case RequestedByes(round_number=int(number)):
            yield replace(record, round_number=number * GAMES - 1)
            yield replace(record, round_number=number * GAMES)
        case VirtualPoints(first_round=first, last_round=last):
            yield replace(record, first_round=first * GAMES - 1, last_round=last * GAMES)
        case VirtualPointsHistory(points=points):
            yield replace(record, points=tuple(value for value in points for _ in range(GAMES)))
        case ProhibitedPairs(first_round=int(first), last_round=int(last)):
            yield replace(record, first_round=first * GAMES - 1, last_round=last * GAMES)
        case _:
            yield record


def _games(cell: RoundCell | None) -> tuple[RoundCell | None, RoundCell | None]:
    if cell is None or cell.opponent is None:
        return cell, cell
    reversed_colour = cell.colour.opposite if cell.colour else None
    return replace(cell, second=None), RoundCell(cell.opponent, reversed_colour, cell.second)
