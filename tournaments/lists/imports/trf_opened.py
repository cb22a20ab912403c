"""Read a TRF file of a whole event, with everything needed to continue it here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pairing.engine.basics.board_order import publication_order
from pairing.engine.changes import PointChanges
from pairing.engine.errors import InputError
from pairing.engine.model import TPN, Pairing, Points, PointSystem
from pairing.recheck import players_so_far
from pairing.rules.regulations import ACCELERATED_SYSTEMS
from pairing.standings.codes import default_list, require_usable
from pairing.standings.ranking import Rules
from pairing.standings_recheck import decide_tie_break_edition, rules_of
from pairing.trf.acceleration import implied_baku
from pairing.trf.baku import last_of_baku
from pairing.trf.convert import round_of, state_before_round, total_rounds
from pairing.trf.crosstable import changes, tie_break_list
from pairing.trf.document import PlayerRecord, TrfDocument, VirtualPoints, VirtualPointsHistory
from pairing.trf.editions import RulesUsed, decide_system
from pairing.trf.errors import TrfError
from pairing.trf.matches import by_rounds_played
from pairing.trf.reader import read
from pairing.trf.rounds import played_rounds
from pairing.trf.scoring import point_system
from pairing.trf.unknown_results import UnknownResult, with_unknown_results
from tournaments.core.errors import BadInput, unreadable
from tournaments.lists.imports.trf_fields import fide_id_of
from tournaments.reports.recheck import ReadRound, rounds_paired_otherwise


@dataclass(frozen=True, slots=True)
class Opened:
    """A document that was read and can be continued here.

    ``document`` is by rounds played: if a round is a match, two rounds of the ``file`` are one
    [C.04.5/2026 0].
    """

    file: TrfDocument
    document: TrfDocument
    players: tuple[PlayerRecord, ...]
    played: int
    total_rounds: int
    system: RulesUsed
    tie_break_edition: RulesUsed
    points: PointSystem
    group_a_last: TPN | None
    """The last player of group A; None: not accelerated."""
    pairings: tuple[Pairing, ...]
    """By round, in publication order."""
    ties: Rules
    changes: Mapping[TPN, PointChanges]
    """The points of records 299, added or subtracted."""
    differences: tuple[ReadRound, ...] | None
    """See :func:`rounds_paired_otherwise`."""
    unknown_results: tuple[UnknownResult, ...]


def trf_open(
    data: bytes, system: str, tie_break_edition: str, progress: Callable[[], None] = lambda: None
) -> Opened:
    """Read *data* and everything needed from it; every error becomes a :class:`BadInput`.

    *progress* is called twice: when the file was read, and at the end.
    """
    try:
        known, unknown_results = with_unknown_results(data)
        # A symbol that we do not know may have counted in the points of the file.
        document = file = read(known, system=system or None, check_points=not unknown_results)
        progress()
        decided = decide_system(file, system)
        document = by_rounds_played(file, decided.code)
        players = document.players
        played = played_rounds(players)
        _refuse_what_cannot_be_kept(file)
        declared = total_rounds(document, at_least=max(played, 1))
        if declared < played:
            raise BadInput("trf.more_rounds_than_declared", declared=declared, played=played)
        edition = decide_tie_break_edition(document, tie_break_edition)
        opened = Opened(
            file=file,
            document=document,
            players=players,
            played=played,
            total_rounds=declared,
            system=decided,
            tie_break_edition=edition,
            points=point_system(document),
            group_a_last=_group_a_last(document, decided.code, declared),
            pairings=_published(document, played, decided.code),
            ties=_ties(document, edition.code),
            changes=changes(document, players_so_far(document)),
            differences=rounds_paired_otherwise(document, system=decided.code),
            unknown_results=unknown_results,
        )
    except TrfError as error:
        raise unreadable(error) from error
    except InputError as error:
        raise unreadable(error) from error
    if _standard(opened.points) != opened.points:
        raise BadInput("trf.points_unsupported")
    _refuse_same_fide_id(opened)
    _refuse_early_lots(opened)
    progress()
    return opened


def _ties(document: TrfDocument, edition: str) -> Rules:
    """Return the list of *document*, or the default, by *edition*.

    Refuse one that does not fit, with its line.
    """
    record = tie_break_list(document)
    ours = ",".join(default_list(document.games))
    rules = rules_of(document, tie_breaks=None if record else ours, edition=edition)
    try:
        require_usable(rules.codes, document.games)
    except InputError as error:
        line = document.line_of(record) if record else None
        raise BadInput("trf.invalid", line=line, column=5, problem=error) from error
    return rules


def _refuse_what_cannot_be_kept(document: TrfDocument) -> None:
    """Refuse the one character that databases cannot store."""
    for line, record in enumerate(document.records, start=1):
        if "\0" in (record.source or ""):
            raise BadInput("file.nul", line=line, column=(record.source or "").index("\0") + 1)


def _group_a_last(document: TrfDocument, system: str, total_rounds: int) -> TPN | None:
    """Return the last player of group A of an accelerated file; None without acceleration.

    Refuse others than Baku.
    """
    lines = [
        line
        for kind in (VirtualPoints, VirtualPointsHistory)
        for line, _ in document.numbered(kind)
    ]
    if not lines and not implied_baku(document):
        return None
    last = last_of_baku(document, total_rounds=total_rounds, points=point_system(document))
    if last is None or system not in ACCELERATED_SYSTEMS:
        raise BadInput("trf.acceleration", line=min(lines, default=None), column=1)
    return last


def _refuse_same_fide_id(opened: Opened) -> None:
    first_of: dict[int, tuple[int, PlayerRecord]] = {}
    for line, player in opened.document.numbered(PlayerRecord):
        fide_id = fide_id_of(player)
        if fide_id is None:
            continue
        first_line, first = first_of.setdefault(fide_id, (line, player))
        if first is not player:
            raise BadInput(
                "csv.fide_id_twice",
                line=line,
                column=58,
                fide_id=fide_id,
                first=first_line,
                name=first.name,
            )


def _refuse_early_lots(opened: Opened) -> None:
    """Refuse lots before the event is over [C.07/2026 4.2]."""
    seed = opened.ties.lots
    if seed is not None and (opened.played < opened.total_rounds or boards_open(opened)):
        raise BadInput("trf.lots_too_early")


def _published(document: TrfDocument, played: int, system: str) -> tuple[Pairing, ...]:
    """Return the pairings of the rounds *played*, each in publication order.

    The state before the last round has the points before every round: those before it, and the
    virtual points of each. Raises as :func:`state_before_round` and :func:`round_of`.
    """
    if not played:
        return ()
    state = state_before_round(document, played, system=system)
    scores: list[dict[TPN, Points]] = [{} for _ in range(played)]
    for player in state.players:
        total = 0
        for number, before in enumerate(scores, start=1):
            before[player.tpn] = Points(total + player.virtual_points_in(number))
            if number < played:
                total += state.points.worth(player.rounds[number - 1])
    pairings = (round_of(document, number) for number in range(1, played + 1))
    return tuple(
        Pairing(pairs=publication_order(pairing.pairs, before), bye=pairing.bye)
        for pairing, before in zip(pairings, scores, strict=True)
    )


def _standard(points: PointSystem) -> PointSystem:
    """Return the nearest point system to *points* that the fields can store."""
    system = PointSystem.from_values(
        win=points.win,
        draw=points.draw,
        loss=points.loss,
        absence=points.zero_point_bye // points.games,
        pairing_allocated_bye=points.pairing_allocated_bye,
    )
    return system if points.games == 1 else system.for_matches(points.pairing_allocated_bye)


def boards_open(opened: Opened) -> int:
    """Return the number of boards of the last round that lack a result of a game."""
    cells = [player.cell(opened.played) for player in opened.players] if opened.played else []
    is_open = (
        cell.result is None or (opened.document.games > 1 and cell.second is None)
        for cell in cells
        if cell is not None and cell.opponent is not None
    )
    return sum(is_open) // 2


def next_round(opened: Opened) -> int:
    """Return the number of the first round that the file does not have."""
    return opened.played + 1
