"""Create a tournament from a TRF file: its participants and its rounds."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from pairing.engine.model import TPN, Result
from pairing.rules.fide_mode import may_import
from pairing.rules.kept_records import without_contact_data
from pairing.standings.codes import format_list
from pairing.trf.abnormal import by_decision
from pairing.trf.consistency import points_of
from pairing.trf.convert import initial_colour, prohibited_pairs
from pairing.trf.crosstable import expelled_players
from pairing.trf.document import InitialColour, PlayerRecord, TrfDocument
from pairing.trf.editions import RulesUsed
from pairing.trf.rounds import requested_byes_by_round
from tournaments.core import permissions
from tournaments.core.actions import OpenAction, require
from tournaments.core.errors import BadInput
from tournaments.core.record import Prepared
from tournaments.lists.imports.taken_over import DescribedPlayers, expelled_take_over, taken_over
from tournaments.lists.imports.trf_entries import NewPlayers
from tournaments.lists.imports.trf_fide_mode import fide_mode_of
from tournaments.lists.imports.trf_fields import (
    day_of,
    federation_of,
    method_of,
    name_of,
    title_of,
    usable_rating,
)
from tournaments.lists.imports.trf_opened import Opened, boards_open, next_round, trf_open
from tournaments.lists.imports.trf_remarks import import_remarks
from tournaments.lists.imports.trf_rounds import NewRounds, taken_round
from tournaments.lists.imports.trf_unused import is_time_control, kept_records
from tournaments.models import (
    AccelerationMethod,
    Action,
    Decision,
    Entry,
    InitialColourMethod,
    PointAdjustment,
    RequestedBye,
    Tournament,
)
from tournaments.models.payloads import TournamentImported
from tournaments.reports.recheck import ReadRound
from tournaments.setup.prohibited_pairs import prohibit
from tournaments.setup.tournaments import TWICE, establish

STEPS_OF_READING: Final = 3
"""Read the file; check its rounds, and pair them again; compute the ranks again."""
STEPS_OF_SAVING: Final = 3
"""Read the file; check its rounds; make the rows. Then they are saved."""


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
    """The number of rounds of the file that were paired again:
    all, or none if a warning says so.
    """
    differences: tuple[ReadRound, ...]
    """The rounds with a different pairing."""
    left_fide_mode: int | None = None
    """The round in which FIDE mode was left, 0 for the start; None: the event is in it."""
    leaves_fide_mode: bool = False
    """Whether the import leaves FIDE mode, which has to be confirmed:
    the file does not say that it was left.
    """


def trf_preview(
    data: bytes,
    *,
    system: str = "",
    tie_break_edition: str = "",
    progress: Callable[[], None] = lambda: None,
) -> TrfPreview:
    """Preview a TRF file. Saves nothing. *system* and *tie_break_edition* override the file.

    Raises :class:`BadInput` with line and column if the file cannot be read, contradicts itself, or
    cannot be continued here. *progress* is called after each of :data:`STEPS_OF_READING`. Cost:
    pairing every round of the file again.
    """
    opened = trf_open(data, system, tie_break_edition, progress)
    document = opened.document
    fide_mode = fide_mode_of(opened, day_of(document, "042").day or timezone.localdate())
    preview = TrfPreview(
        name=_name(document),
        city=without_contact_data(document.text("022")),
        federation=federation_of(document.text("032")),
        start_date=day_of(document, "042").day,
        end_date=day_of(document, "052").day,
        system=opened.system,
        tie_break_edition=opened.tie_break_edition,
        accelerated=opened.group_a_last is not None,
        total_rounds=opened.total_rounds,
        rounds_played=opened.played,
        boards_open=boards_open(opened),
        players=tuple(_preview_player(player, opened) for player in opened.players),
        warnings=(
            *fide_mode.remarks(opened),
            *import_remarks(
                document,
                following=next_round(opened),
                total_rounds=opened.total_rounds,
                is_paired_again=opened.differences is not None,
                system=opened.system,
                ties=opened.ties,
                tie_break_edition=opened.tie_break_edition,
                unknown_results=opened.unknown_results,
            ),
        ),
        rounds_compared=opened.played if opened.differences is not None else 0,
        differences=opened.differences or (),
        left_fide_mode=fide_mode.left,
        leaves_fide_mode=fide_mode.must_be_confirmed,
    )
    progress()
    return preview


def tournament_import_trf(
    *,
    actor: User,
    now: datetime,
    data: bytes,
    system: str = "",
    tie_break_edition: str = "",
    is_form: bool = False,
    leave_fide_mode: bool = False,
    progress: Callable[[], None] = lambda: None,
    at_the_end: Callable[[Tournament], None] = lambda tournament: None,
) -> Tournament:
    """Create a tournament from a TRF file, with numbers and all its rounds, or nothing.

    *system* and *tie_break_edition* override the file.

    Rounds with all results become rounds with published results; a last round with missing results
    has only its pairings published. Announced byes for later rounds become requested byes. The
    record lists the rounds that the engine pairs differently. Raises :class:`BadInput` like
    :func:`trf_preview`. A file whose rules or rounds leave FIDE mode needs *leave_fide_mode*
    (:func:`~pairing.rules.fide_mode.may_import`), unless it says itself that it was left.

    *is_form*: the same form sent twice within five minutes opens the tournament that it made.
    *progress* is called after each of :data:`STEPS_OF_SAVING` before the lock, *at_the_end* inside
    the transaction.
    """
    permissions.require_may_create(actor)
    opened = trf_open(data, system, tie_break_edition, progress)
    fide_mode = fide_mode_of(opened, day_of(opened.document, "042").day or now.date())
    require(may_import(confirmed=leave_fide_mode, **fide_mode.reasons))
    new = _New.from_opened(opened, now)
    entries = new.players.entries
    sha256 = hashlib.sha256(data).hexdigest()
    progress()
    with transaction.atomic():
        if is_form and (there := _just_made(actor, now, sha256, opened)) is not None:
            at_the_end(there)
            return there
        tournament = establish(new.fields, actor=actor, now=now, left=fide_mode.left)
        new.players.save(tournament)
        expelled = expelled_take_over(tournament, expelled_players(opened.document), entries)
        _save_what_is_agreed(tournament, opened, entries)
        new.rounds.save(tournament, now)
        _save_requested_byes(opened, entries)
        after = taken_over(
            tournament,
            new.described,
            new.rounds.described,
            system=opened.system.code,
            paired_otherwise=[found.number for found in opened.differences or ()],
            sha256=sha256,
            expelled_from=expelled,
        )
        OpenAction(tournament, actor, now).record(
            TournamentImported(before={}, after=after), changes_pairing=True, prepared=new.prepared
        )
        at_the_end(tournament)
    return tournament


@dataclass(frozen=True, slots=True)
class _New:
    """All that can be made before the transaction: nobody else can save on SQLite then."""

    fields: dict[str, object]
    players: NewPlayers
    rounds: NewRounds
    described: DescribedPlayers
    prepared: Prepared

    @classmethod
    def from_opened(cls, opened: Opened, now: datetime) -> _New:
        players = NewPlayers.from_document(opened.document, now)
        played = [
            taken_round(each, opened.document, number)
            for number, each in enumerate(opened.pairings, start=1)
        ]
        rounds = NewRounds.from_taken(played, players.entries)
        described = DescribedPlayers.from_entries(players.entries.values())
        prepared = Prepared.from_values(
            TournamentImported.action, entries=described.entries, played=rounds.described
        )
        return cls(_fields(opened), players, rounds, described, prepared)


def _just_made(actor: User, now: datetime, sha256: str, opened: Opened) -> Tournament | None:
    """Return the tournament that *actor* has just made from the same file by the same rules,
    with no action since.

    Inside the transaction: another import of *actor* waits until its end.
    """
    User.objects.select_for_update().get(pk=actor.pk)
    lines = Decision.objects.filter(
        action=Action.TOURNAMENT_IMPORTED,
        actor=actor,
        at__gte=now - TWICE,
        after__sha256=sha256,
        tournament__version=1,
        tournament__system=opened.system.code,
        tournament__tie_break_edition=opened.ties.edition.code,
    )
    return Tournament.objects.filter(pk__in=lines.values("tournament")).first()


def _fields(opened: Opened) -> dict[str, object]:
    document, points = opened.document, opened.points
    code = document.text("222")
    return {
        "name": _name(document),
        "city": without_contact_data(document.text("022"))[:100],
        "federation": federation_of(document.text("032")),
        "start_date": day_of(document, "042").day,
        "end_date": day_of(document, "052").day,
        "chief_arbiter": without_contact_data(document.text("102"))[:200],
        "deputy_arbiters": "\n".join(
            filter(None, map(without_contact_data, document.texts("112")))
        ),
        "time_control": without_contact_data(document.text("122"))[:100],
        "encoded_time_control": code if is_time_control(code) else "",
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


def _save_what_is_agreed(tournament: Tournament, opened: Opened, entries: dict[TPN, Entry]) -> None:
    """Save an initial colour known from the file, prohibited pairs, and kept records."""
    document = opened.document
    if opened.played or any(record.colour for record in document.of(InitialColour)):
        tournament.initial_colour = initial_colour(document).value
        tournament.initial_colour_method = InitialColourMethod.IMPORTED
    if opened.played and opened.group_a_last is not None:
        tournament.group_a_last = entries[opened.group_a_last]
    pairs = prohibited_pairs(document, next_round(opened), frozenset(entries))
    prohibit(tournament, ([entries[tpn].pk for tpn in pair] for pair in pairs))
    tournament.trf_extras = [line for _number, line in kept_records(opened.file)]
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
        update_fields=[
            "initial_colour",
            "initial_colour_method",
            "trf_extras",
            "group_a_last",
            "lots_seed",
        ]
    )


def _keys(players: Iterable[TPN], entries: Mapping[TPN, Entry]) -> list[int]:
    return [entries[tpn].pk for tpn in players]


def _save_requested_byes(opened: Opened, entries: dict[TPN, Entry]) -> None:
    """Save the byes announced by records 240 and XXZ, or in the columns after the last round."""
    byes: dict[tuple[TPN, int], Result] = {}
    for number, kinds in requested_byes_by_round(opened.document).items():
        byes |= {(tpn, number): kind for tpn, kind in kinds.items()}
    for player in opened.players:
        for number, cell in enumerate(player.rounds[opened.played :], start=next_round(opened)):
            if cell is not None and cell.result is not None:
                byes[player.tpn, number] = cell.result
    RequestedBye.objects.bulk_create(
        RequestedBye(entry=entries[tpn], round_number=number, kind=kind.value)
        for (tpn, number), kind in byes.items()
        if tpn in entries and opened.played < number <= opened.total_rounds
    )


def _preview_player(player: PlayerRecord, opened: Opened) -> TrfPlayer:
    points = points_of(player.rounds[: opened.played], opened.played, opened.points)
    change = opened.changes.get(player.tpn)
    points += change.total if change else 0
    return TrfPlayer(
        tpn=player.tpn,
        name=name_of(player),
        title=title_of(player),
        rating=usable_rating(player.rating),
        federation=federation_of(player.federation),
        points=points,
    )


def _name(document: TrfDocument) -> str:
    return without_contact_data(document.text("012")).strip()[:200] or gettext(
        "Imported tournament"
    )
