"""Convert a report to the state that the engine pairs, and a pairing to cells of a report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations

from pairing.engine.basics.validation import are_points_possible
from pairing.engine.errors import Text, text as _
from pairing.engine.model import (
    ABSENT,
    TPN,
    Colour,
    Pairing,
    Player,
    Points,
    PointSystem,
    Result,
    RoundRecord,
    TournamentState,
)
from pairing.engine.systems import SYSTEMS, games_a_round

from .abnormal import pairing_changes
from .acceleration import declares_baku, implied_baku, virtual_points
from .consistency import points_of
from .document import (
    AbnormalPoints,
    InitialColour,
    PlayerRecord,
    PointValues,
    ProhibitedPairs,
    RoundCell,
    RoundCount,
    TextRecord,
    TrfDocument,
    VirtualPoints,
    VirtualPointsHistory,
)
from .editions import decide_system
from .errors import TrfError
from .fields import FIRST_ROUND_COLUMN, RESULT_OFFSET, ROUND_WIDTH
from .rounds import played_rounds, requested_byes
from .scoring import point_system

MAX_PROHIBITED_PAIRS = 200_000
_CODES_OF_ACCELERATION = {VirtualPoints: "250", VirtualPointsHistory: "XXA", TextRecord: "192"}


def state_before_round(
    document: TrfDocument, round_number: int, *, system: str | None = None
) -> TournamentState:
    """Return the data of *document* that decide the pairing of *round_number*.

    A document of matches must be converted to matches first (``matches.by_rounds_played``; else
    ValueError), and *round_number* counts matches. The state has the rounds before *round_number*;
    a blank is an absence. If the file has that round paired, the absent players are those with a
    bye or a blank in it. Otherwise they are the players with a bye in its column and those in
    records 240 and XXZ. *system* overrides record 192 (see :func:`system_of`).

    Raise :class:`TrfError` for a round that is neither in the file nor the next one
    (``trf.round_unknown``), for an earlier game without a result (``trf.result_missing``), and for
    data that no engine here can pair: ``trf.rank_order``, ``trf.points_by_colour``,
    ``trf.points_changed`` (299, see ``abnormal``), ``trf.points_impossible``,
    ``trf.acceleration_unsaid``, ``trf.acceleration_forbidden``, ``trf.system_unknown``.
    """
    system = system or system_of(document)
    if games_a_round(system) != document.games:
        raise ValueError(f"a document of {document.games} game(s) a round is not one of {system}")
    players = document.players
    played = played_rounds(players)
    _check_round(round_number, played)
    _check_supported(document, system)
    numbers = frozenset(player.tpn for player in players)
    total, points = total_rounds(document, at_least=round_number), point_system(document)
    accelerations = virtual_points(document, numbers, round_number)
    played_by = [
        Player(player.tpn, history(document, player, round_number - 1)) for player in players
    ]
    changed = pairing_changes(document.numbered(AbnormalPoints), played_by, points)
    for tpn, changes in changed.items():
        virtual = accelerations.get(tpn, (Points(0),) * round_number)
        accelerations[tpn] = tuple(Points(sum(both)) for both in zip(virtual, changes, strict=True))
    return TournamentState(
        round_number=round_number,
        total_rounds=total,
        players=tuple(
            replace(
                player,
                virtual_points=accelerations[player.tpn],
                decided=changed[player.tpn][-1] if player.tpn in changed else Points(0),
            )
            if player.tpn in accelerations
            else player
            for player in played_by
        ),
        initial_colour=initial_colour(document),
        points=points,
        absent=_absent(document, players, round_number, played) & numbers,
        prohibited=prohibited_pairs(document, round_number, numbers),
        system=system,
    )


def round_of(document: TrfDocument, round_number: int) -> Pairing:
    """Return the pairing of *round_number* in *document*, in file order of the White players;
    forfeits count as paired.

    A forfeited game without colours (:func:`colourless_pairs`) has the smaller number first. Raise
    ``trf.round_unknown`` for a round that was not paired, and ``trf.bye_twice`` if two players have
    the pairing-allocated bye.
    """
    players = document.players
    if not 1 <= round_number <= played_rounds(players):
        raise TrfError(
            "trf.round_unknown",
            _("Round %(round)s is not paired in this file."),
            round=round_number,
        )
    by_tpn = {player.tpn: player for player in players}
    pairs: list[tuple[TPN, TPN]] = []
    bye: TPN | None = None
    for player in players:
        cell = player.cell(round_number)
        if cell is None or not cell.is_pairing:
            continue
        if cell.opponent is None:
            if bye is not None:
                raise _at_round(
                    document,
                    player,
                    round_number,
                    "trf.bye_twice",
                    _(
                        "Round %(round)s: players %(other)s and %(tpn)s both have the "
                        "pairing-allocated bye."
                    ),
                    other=bye,
                )
            bye = player.tpn
        elif _has_white(player, cell, by_tpn[cell.opponent].cell(round_number)):
            pairs.append((player.tpn, cell.opponent))
    return Pairing(tuple(pairs), bye)


def refuse_second_byes(document: TrfDocument) -> None:
    """Raise ``trf.bye_twice`` if two players have the PAB in a round [C.04.1/2026 3]."""
    for number in range(1, played_rounds(document.players) + 1):
        round_of(document, number)


def _has_white(player: PlayerRecord, cell: RoundCell, theirs: RoundCell | None) -> bool:
    """Return whether *player* has White, by *cell* or *theirs*, else by the smaller number."""
    if cell.colour is not None:
        return cell.colour is Colour.WHITE
    if theirs is not None and theirs.colour is not None:
        return theirs.colour is Colour.BLACK
    return cell.opponent is not None and player.tpn < cell.opponent


def colourless_pairs(document: TrfDocument, round_number: int) -> frozenset[tuple[TPN, TPN]]:
    """Return the pairs of *round_number* without colours, the smaller number first:
    forfeited games of older files.

    A forfeited game gives no colour [C.04.2/2026 3.4], so these pairs only matter for the order of
    the two names.
    """
    without = {
        (player.tpn, cell.opponent)
        for player in document.players
        if (cell := player.cell(round_number)) is not None
        and cell.opponent is not None
        and cell.colour is None
    }
    return frozenset(
        (one, other) for one, other in without if one < other and (other, one) in without
    )


def total_rounds(document: TrfDocument, *, at_least: int = 0) -> int:
    """Return the declared number of rounds (142, else XXR), or those of the file or *at_least*."""
    counts = {record.code: record.rounds for record in reversed(document.of(RoundCount))}
    declared = counts.get("142") or counts.get("XXR")
    return declared or max(at_least, played_rounds(document.players))


def system_of(document: TrfDocument) -> str:
    """Return our code of the system of *document*; raise as :func:`~.editions.decide_system`."""
    return decide_system(document).code


def initial_colour(document: TrfDocument) -> Colour:
    """Return the initial colour: record 152, else XXC, else inferred, else White.

    It is inferred from the first round with a game by [C.04.3/2026 5.2.5]: the highest ranked
    player with a game got the initial colour if their number is odd. Numbers are counted among the
    players who took part in a pairing up to then (reading R1). In a document by matches the number
    is the one on the list [C.04.5/2026 4.3.1].
    """
    drawn = {record.code: record.colour for record in document.of(InitialColour) if record.colour}
    if drawn:
        return drawn.get("152") or drawn["XXC"]
    players = sorted(document.players, key=lambda player: player.tpn)
    for round_number in range(1, played_rounds(players) + 1):
        number = 0
        for player in players:
            cell = player.cell(round_number)
            number += any(
                cell is not None and cell.is_pairing for cell in player.rounds[:round_number]
            )
            if cell is not None and cell.colour is not None:
                counted = number if document.games == 1 else player.tpn
                return cell.colour if counted % 2 else cell.colour.opposite
    return Colour.WHITE


def prohibited_pairs(
    document: TrfDocument, round_number: int, numbers: frozenset[TPN]
) -> frozenset[frozenset[TPN]]:
    """Return the pairs of players in *numbers* that records 260 and XXP prohibit in *round_number*.

    A repeated list adds nothing; the pairs of different lists are added up. Cost: the length of the
    records and at most :data:`MAX_PROHIBITED_PAIRS`; beyond that ``trf.too_many_prohibited`` is
    raised.
    """
    lists: set[frozenset[TPN]] = set()
    pairs: set[frozenset[TPN]] = set()
    counted = 0
    for line, record in document.numbered(ProhibitedPairs):
        if (record.first_round or 1) <= round_number <= (record.last_round or round_number):
            listed = numbers.intersection(record.players)
            if listed in lists:
                continue
            lists.add(listed)
            counted += len(listed) * (len(listed) - 1) // 2
            if counted > MAX_PROHIBITED_PAIRS:
                raise TrfError(
                    "trf.too_many_prohibited",
                    _("More than %(most)s prohibited pairs are not possible."),
                    line=line,
                    column=5,
                    most=f"{MAX_PROHIBITED_PAIRS:,}",
                )
            pairs.update(map(frozenset, combinations(listed, 2)))
    return frozenset(pairs)


def points_total(cells: Sequence[RoundCell | None], system: PointSystem) -> Points:
    """Return the points column of record 001: all *cells*, with byes of the next round.

    As in the standings, an adjourned game has not given any points yet: it is a draw for pairing
    only [C.04.2/2026 3.1].
    """
    letters = [
        letter for cell in cells if cell is not None for letter in (cell.result, cell.second)
    ]
    adjourned = letters.count(Result.UNKNOWN)
    return Points(points_of(cells, len(cells), system) - adjourned * system.unknown)


def history(document: TrfDocument, player: PlayerRecord, rounds: int) -> tuple[RoundRecord, ...]:
    """Return the first *rounds* of *player*, blanks as absences; ``trf.result_missing`` if open."""
    records: list[RoundRecord] = []
    for index, cell in enumerate(player.rounds[:rounds]):
        if cell is None:
            records.append(ABSENT)
        elif cell.result is None or (
            document.games > 1 and cell.opponent is not None and cell.second is None
        ):
            raise _at_round(
                document,
                player,
                index + 1,
                "trf.result_missing",
                _("Round %(round)s: the game %(tpn)s - %(opponent)s has no result yet."),
                opponent=cell.opponent,
            )
        else:
            records.append(RoundRecord(cell.opponent, cell.colour, cell.result, cell.second))
    return (*records, *[ABSENT] * (rounds - len(records)))


def _absent(
    document: TrfDocument, players: Iterable[PlayerRecord], round_number: int, played: int
) -> frozenset[TPN]:
    if round_number <= played:
        cells = ((player.tpn, player.cell(round_number)) for player in players)
        return frozenset(tpn for tpn, cell in cells if cell is None or not cell.is_pairing)
    announced = {player.tpn for player in players if player.cell(round_number) is not None}
    return frozenset(announced | requested_byes(document, round_number).keys())


def _check_round(round_number: int, played: int) -> None:
    if not 1 <= round_number <= played + 1:
        raise TrfError(
            "trf.round_unknown",
            _("Round %(round)s cannot be paired from this file: its next round is %(next)s."),
            round=round_number,
            next=played + 1,
        )


def _check_supported(document: TrfDocument, system: str) -> None:
    """Refuse records that change the pairing and that no engine, or not *system*, knows."""
    _check_points(document)
    for record in document.of(InitialColour):
        if record.by_rank:
            raise TrfError(
                "trf.rank_order",
                _(
                    "XXC rank asks for pairing by the rank column, but this program orders "
                    "players by pairing "
                    "number only."
                ),
                line=document.line_of(record),
                column=5,
            )
    declared = (
        [text for text in document.of(TextRecord) if text.code == "192"]
        if declares_baku(document)
        else []
    )
    virtual = [
        record
        for record in document.records
        if isinstance(record, VirtualPoints | VirtualPointsHistory)
    ]
    accelerating = [*virtual, *declared]
    if accelerating and system in SYSTEMS and not SYSTEMS[system].is_accelerated:
        raise TrfError(
            "trf.acceleration_forbidden",
            _(
                "Record %(record)s accelerates the tournament, but %(system)s does not allow "
                "acceleration [C.04.2 1.1]."
            ),
            line=document.line_of(accelerating[0]),
            column=5,
            record=_CODES_OF_ACCELERATION[type(accelerating[0])],
            system=system,
        )
    if declared and not virtual and not implied_baku(document):
        raise TrfError(
            "trf.acceleration_unsaid",
            _(
                "No record 250 gives the virtual points, and Baku acceleration (C.04.7) cannot "
                "supply them: it "
                "needs the number of rounds (142), a win worth two draws and a loss worth nothing."
            ),
            line=document.line_of(declared[0]),
            column=5,
        )


def _check_points(document: TrfDocument) -> None:
    """Refuse points by which no system pairs, with the line of the record."""
    records = document.of(PointValues)
    if records and not are_points_possible(point_system(document)):
        raise TrfError(
            "trf.points_impossible",
            _(
                "Record %(record)s: two draws cannot be worth more than a win and a loss, and a "
                "draw cannot be "
                "worth less than a loss."
            ),
            line=document.line_of(records[-1]),
            column=5,
            record=records[-1].code,
        )


def _at_round(
    document: TrfDocument,
    player: PlayerRecord,
    round_number: int,
    code: str,
    message: Text,
    **params: object,
) -> TrfError:
    return TrfError(
        code,
        message,
        line=document.line_of(player),
        column=FIRST_ROUND_COLUMN
        + ROUND_WIDTH * document.games * (round_number - 1)
        + RESULT_OFFSET,
        tpn=player.tpn,
        round=round_number,
        **params,
    )
