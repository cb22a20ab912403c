"""Create a tournament from a TRF file: its participants and its rounds."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext

from pairing.engine.basics.board_order import publication_order
from pairing.engine.changes import PointChanges
from pairing.engine.errors import InputError
from pairing.engine.model import TPN, Pairing, Points, PointSystem, Result
from pairing.recheck import players_so_far
from pairing.rules.regulations import ACCELERATED_SYSTEMS
from pairing.standings.codes import format_list
from pairing.standings.matches import default_list, require_usable
from pairing.standings.ranking import Rules
from pairing.standings_recheck import decide_tie_break_edition, rules_of
from pairing.trf.abnormal import by_decision
from pairing.trf.acceleration import implied_baku
from pairing.trf.baku import last_of_baku
from pairing.trf.consistency import points_of
from pairing.trf.convert import initial_colour, prohibited_pairs, round_of, state_before_round, total_rounds
from pairing.trf.crosstable import (
    changes,
    expelled_players,
    is_edition_remark,
    is_expelled_remark,
    is_lots_remark,
    is_rating_remark,
    tie_break_list,
)
from pairing.trf.dates import read_date
from pairing.trf.document import (
    InitialColour,
    PlayerRecord,
    RoundDates,
    TextRecord,
    TrfDocument,
    VirtualPoints,
    VirtualPointsHistory,
)
from pairing.trf.editions import RulesUsed, decide_system
from pairing.trf.errors import TrfError
from pairing.trf.matches import by_rounds_played
from pairing.trf.reader import read
from pairing.trf.rounds import played_rounds, requested_byes_by_round
from pairing.trf.scoring import point_system
from pairing.trf.unknown_results import UnknownResult, with_unknown_results
from tournaments.core import permissions
from tournaments.core.actions import OpenAction
from tournaments.core.errors import BadInput, unreadable
from tournaments.imports.taken_over import expelled_take_over, taken_over
from tournaments.imports.trf_entries import NewPlayers
from tournaments.imports.trf_fields import day_of, federation_of, fide_id_of, method_of, title_of
from tournaments.imports.trf_remarks import import_remarks
from tournaments.imports.trf_rounds import rounds_take_over, taken_round
from tournaments.models import (
    AccelerationMethod,
    Entry,
    InitialColourMethod,
    PointAdjustment,
    RequestedBye,
    Tournament,
)
from tournaments.models.payloads import TournamentImported
from tournaments.reports.recheck import RoundSeen, rounds_paired_otherwise
from tournaments.setup.prohibited_pairs import prohibit
from tournaments.setup.tournaments import establish
from tournaments.standings.lots import is_seed

USED_TEXTS: Final = frozenset({"", "012", "022", "032", "042", "052", "102", "112", "122", "192", "202", "212"})
"""Text records that become fields of the tournament."""
DERIVED_TEXTS: Final = frozenset({"062", "072", "092", "182"})
"""Text records that an export computes again."""


@dataclass(frozen=True, slots=True)
class TrfPlayer:
    """A participant from the file; ``points`` are tenths, from the rounds in the file."""

    tpn: int
    name: str
    title: str
    rating: int | None
    federation: str
    points: int


@dataclass(frozen=True, slots=True)
class TrfPreview:
    """The tournament that an import would create."""

    name: str
    city: str
    federation: str
    start_date: date | None
    end_date: date | None
    system: RulesUsed
    tie_break_edition: RulesUsed
    accelerated: bool
    total_rounds: int
    rounds_played: int
    boards_open: int
    """Boards of the last round without a result."""
    players: tuple[TrfPlayer, ...]
    warnings: tuple[BadInput, ...]
    """``str()`` of each is its sentence."""
    rounds_compared: int
    """The number of rounds of the file that were paired again: all, or none if a warning says so."""
    differences: tuple[RoundSeen, ...]
    """The rounds with a different pairing."""


@dataclass(frozen=True, slots=True)
class _Opened:
    """A document that was read and can be continued here.

    ``document`` is by rounds played: if a round is a match, two rounds of the ``file`` are one [C.04.5/2026 0].
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
    differences: tuple[RoundSeen, ...] | None
    """See :func:`rounds_paired_otherwise`."""
    unknown_results: tuple[UnknownResult, ...]


def trf_preview(data: bytes, *, system: str = "", tie_break_edition: str = "") -> TrfPreview:
    """Preview a TRF file. Saves nothing. *system* and *tie_break_edition* override the file.

    Raises :class:`BadInput` with line and column if the file cannot be read, contradicts itself, or cannot be continued
    here. Cost: pairing every round of the file again.
    """
    opened = _open(data, system, tie_break_edition)
    document = opened.document
    return TrfPreview(
        name=_name(document),
        city=document.text("022"),
        federation=federation_of(document.text("032")),
        start_date=day_of(document, "042").day,
        end_date=day_of(document, "052").day,
        system=opened.system,
        tie_break_edition=opened.tie_break_edition,
        accelerated=opened.group_a_last is not None,
        total_rounds=opened.total_rounds,
        rounds_played=opened.played,
        boards_open=_boards_open(opened),
        players=tuple(_preview_player(player, opened) for player in opened.players),
        warnings=tuple(
            import_remarks(
                document,
                following=_next_round(opened),
                total_rounds=opened.total_rounds,
                is_paired_again=opened.differences is not None,
                system=opened.system,
                ties=opened.ties,
                tie_break_edition=opened.tie_break_edition,
                unknown_results=opened.unknown_results,
            )
        ),
        rounds_compared=opened.played if opened.differences is not None else 0,
        differences=opened.differences or (),
    )


def tournament_import_trf(
    *, actor: User, now: datetime, data: bytes, system: str = "", tie_break_edition: str = ""
) -> Tournament:
    """Create a tournament from a TRF file: participants with their numbers, and every round in it, or nothing.

    *system* and *tie_break_edition* override the file.

    Rounds with all results become rounds with published results; a last round with missing results has only its
    pairings published. Announced byes for later rounds become requested byes. The record lists the rounds that the
    engine pairs differently. Raises :class:`BadInput` like :func:`trf_preview`.
    """
    permissions.require_may_create(actor)
    opened = _open(data, system, tie_break_edition)
    # Everything that can be made before the transaction, because nobody else can save on SQLite until its end.
    fields, players = _fields(opened), NewPlayers.of(opened.document, now)
    played = [taken_round(each, opened.document, number) for number, each in enumerate(opened.pairings, start=1)]
    with transaction.atomic():
        tournament = establish(fields, actor=actor, now=now)
        entries = players.save(tournament)
        expelled = expelled_take_over(tournament, expelled_players(opened.document), entries)
        _save_what_is_agreed(tournament, opened, entries)
        rounds_take_over(tournament, played, entries, now=now)
        _save_requested_byes(opened, entries)
        OpenAction(tournament, actor, now).record(
            TournamentImported(
                before={},
                after=taken_over(
                    tournament,
                    entries.values(),
                    system=opened.system.code,
                    paired_otherwise=[found.number for found in opened.differences or ()],
                    sha256=hashlib.sha256(data).hexdigest(),
                    expelled_from=expelled,
                ),
            ),
            changes_pairing=True,
        )
    return tournament


def _open(data: bytes, system: str, tie_break_edition: str) -> _Opened:
    """Read *data* and everything needed from it; every error becomes a :class:`BadInput`."""
    try:
        known, unknown_results = with_unknown_results(data)
        # A symbol that we do not know may have counted in the points of the file.
        document = file = read(known, system=system or None, check_points=not unknown_results)
        decided = decide_system(file, system)
        document = by_rounds_played(file, decided.code)
        players = document.players
        played = played_rounds(players)
        _refuse_what_cannot_be_kept(file)
        declared = total_rounds(document, at_least=max(played, 1))
        if declared < played:
            raise BadInput("trf.more_rounds_than_declared", declared=declared, played=played)
        edition = decide_tie_break_edition(document, tie_break_edition)
        opened = _Opened(
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
    return opened


def _ties(document: TrfDocument, edition: str) -> Rules:
    """Return the list of *document*, or the default, by *edition*. Refuse one that does not fit, with its line."""
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
    """Return the last player of group A of an accelerated file; None without acceleration. Refuse others than Baku."""
    lines = [line for kind in (VirtualPoints, VirtualPointsHistory) for line, _ in document.numbered(kind)]
    if not lines and not implied_baku(document):
        return None
    last = last_of_baku(document, total_rounds=total_rounds, points=point_system(document))
    if last is None or system not in ACCELERATED_SYSTEMS:
        raise BadInput("trf.acceleration", line=min(lines, default=None), column=1)
    return last


def _refuse_same_fide_id(opened: _Opened) -> None:
    first_of: dict[int, tuple[int, PlayerRecord]] = {}
    for line, player in opened.document.numbered(PlayerRecord):
        fide_id = fide_id_of(player)
        if fide_id is None:
            continue
        first_line, first = first_of.setdefault(fide_id, (line, player))
        if first is not player:
            raise BadInput(
                "csv.fide_id_twice", line=line, column=58, fide_id=fide_id, first=first_line, name=first.name
            )


def _refuse_early_lots(opened: _Opened) -> None:
    """Refuse lots before the event is over [C.07/2026 4.2], and seeds that our own actions do not accept."""
    seed = opened.ties.lots
    if seed is not None and (opened.played < opened.total_rounds or _boards_open(opened)):
        raise BadInput("trf.lots_too_early")
    if seed is not None and not is_seed(seed):
        raise BadInput("lots.seed")


def _published(document: TrfDocument, played: int, system: str) -> tuple[Pairing, ...]:
    """Return the pairings of the rounds *played*, each in publication order.

    The state before the last round has the points before every round: those before it, and the virtual points of each.
    Raises as :func:`state_before_round` and :func:`round_of`.
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
    system = PointSystem.of(
        win=points.win,
        draw=points.draw,
        loss=points.loss,
        absence=points.zero_point_bye // points.games,
        pairing_allocated_bye=points.pairing_allocated_bye,
    )
    return system if points.games == 1 else system.for_matches(points.pairing_allocated_bye)


def _fields(opened: _Opened) -> dict[str, object]:
    document, points = opened.document, opened.points
    return {
        "name": _name(document),
        "city": document.text("022")[:100],
        "federation": federation_of(document.text("032")),
        "start_date": day_of(document, "042").day,
        "end_date": day_of(document, "052").day,
        "chief_arbiter": document.text("102")[:200],
        "deputy_arbiters": "\n".join(document.texts("112")),
        "time_control": document.text("122")[:100],
        "total_rounds": opened.total_rounds,
        "system": opened.system.code,
        "rating_method": method_of(document),
        "acceleration": AccelerationMethod.BAKU if opened.group_a_last else AccelerationMethod.NONE,
        "tie_breaks": format_list(opened.ties.codes),
        "tie_break_edition": opened.ties.edition.code,
        "points_win": points.win,
        "points_draw": points.draw,
        "points_loss": points.loss,
        "points_absence": points.zero_point_bye // points.games,
        "points_pab": points.pairing_allocated_bye,
    }


def _save_what_is_agreed(tournament: Tournament, opened: _Opened, entries: dict[TPN, Entry]) -> None:
    """Save the initial colour if the file contains or shows it, prohibited pairs, and the records only kept."""
    document = opened.document
    if opened.played or any(record.colour for record in document.of(InitialColour)):
        tournament.initial_colour = initial_colour(document).value
        tournament.initial_colour_method = InitialColourMethod.IMPORTED
    if opened.played and opened.group_a_last is not None:
        tournament.group_a_last = entries[opened.group_a_last]
    pairs = prohibited_pairs(document, _next_round(opened), frozenset(entries))
    prohibit(tournament, ([entries[tpn].pk for tpn in pair] for pair in pairs))
    tournament.trf_extras = [
        record.source.rstrip("\r\n")
        for record in opened.file.records
        if record.source is not None and _is_extra(record)
    ]
    tournament.lots_seed = opened.ties.lots or ""
    PointAdjustment.objects.bulk_create(
        PointAdjustment(
            tournament=tournament,
            entry=entries[tpn] if tpn is not None else None,
            round_number=record.round_number,
            points=record.points,
            result=record.kind.value if record.kind else "",
        )
        for _, record in by_decision(document)
        for tpn in record.players or (None,)
    )
    tournament.save(
        update_fields=["initial_colour", "initial_colour_method", "trf_extras", "group_a_last", "lots_seed"]
    )


def _keys(players: Iterable[TPN], entries: Mapping[TPN, Entry]) -> list[int]:
    return [entries[tpn].pk for tpn in players]


def _is_extra(record: object) -> bool:
    if isinstance(record, TextRecord):
        if record.code in ("042", "052"):  # a date that cannot be read is kept unchanged
            return bool(record.text) and read_date(record.text).day is None
        is_ours = any(
            test(record) for test in (is_lots_remark, is_edition_remark, is_rating_remark, is_expelled_remark)
        )
        return record.code not in USED_TEXTS | DERIVED_TEXTS and not is_ours
    return isinstance(record, RoundDates)


def _save_requested_byes(opened: _Opened, entries: dict[TPN, Entry]) -> None:
    """Save the byes announced by records 240 and XXZ, or in the column after the last round."""
    byes: dict[tuple[TPN, int], Result] = {}
    following = _next_round(opened)
    for number, kinds in requested_byes_by_round(opened.document).items():
        byes |= {(tpn, number): kind for tpn, kind in kinds.items()}
    for player in opened.players:
        cell = player.cell(following)
        if cell is not None and cell.result is not None:
            byes[player.tpn, following] = cell.result
    RequestedBye.objects.bulk_create(
        RequestedBye(entry=entries[tpn], round_number=number, kind=kind.value)
        for (tpn, number), kind in byes.items()
        if tpn in entries and opened.played < number <= opened.total_rounds
    )


def _boards_open(opened: _Opened) -> int:
    cells = [player.cell(opened.played) for player in opened.players] if opened.played else []
    is_open = (
        cell.result is None or (opened.document.games > 1 and cell.second is None)
        for cell in cells
        if cell is not None and cell.opponent is not None
    )
    return sum(is_open) // 2


def _preview_player(player: PlayerRecord, opened: _Opened) -> TrfPlayer:
    points = points_of(player.rounds[: opened.played], opened.played, opened.points)
    change = opened.changes.get(player.tpn)
    points += change.total if change else 0
    return TrfPlayer(
        tpn=player.tpn,
        name=player.name or f"#{player.tpn}",
        title=title_of(player),
        rating=player.rating or None,
        federation=federation_of(player.federation),
        points=points,
    )


def _next_round(opened: _Opened) -> int:
    return opened.played + 1


def _name(document: TrfDocument) -> str:
    return document.text("012").strip()[:200] or gettext("Imported tournament")
