"""The ordinary actions that restore the values before another action, for its undo.

Each is called with all its checks; :func:`~tournaments.core.actions.as_undo_of` refuses it unless
it restores exactly these values.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Final, cast

from pairing.record.player_fields import RECORDED
from pairing.rounds.arrange import Pairings, pairings_of, round_arrange
from pairing.rounds.published_round import published
from pairing.rules.undo_between import changed_by
from tournaments.core.actions import OpenAction
from tournaments.core.errors import Conflict
from tournaments.core.undone import done
from tournaments.entries.desk_data import desk_data_set, fee_set
from tournaments.entries.entries import (
    Newcomer,
    admit,
    described,
    entry_remove,
    entry_update,
    renumber,
)
from tournaments.models import Action, Appointment, Decision, Entry, Round, Tournament
from tournaments.models.payload_data import EntryData
from tournaments.models.payload_round_data import Places
from tournaments.models.payloads import (
    DeskDataChanged,
    EntryAdded,
    EntryRatingChanged,
    EntryRemoved,
    EntryUpdated,
    FeeSet,
    PersonAppointed,
    PrizesSet,
    ProhibitedPairsSet,
    RoundArranged,
    RoundScheduled,
    TournamentArchived,
    TournamentListed,
    TournamentRestored,
    TournamentUnlisted,
    TournamentUpdated,
)
from tournaments.people.people import person_remove
from tournaments.setup.prohibited_pairs import prohibited_pairs_set
from tournaments.setup.schedule import round_schedule
from tournaments.setup.tournaments import LEFT, tournament_update
from tournaments.setup.visibility import tournament_archive, tournament_list_set
from tournaments.standings.prize_plan import plan_from
from tournaments.standings.prizes import prizes_set

DATES: Final = ("start_date", "end_date")
"""The settings that the record keeps as texts."""
HARMLESS: Final = frozenset(
    {
        Action.ENTRY_ADDED, Action.ENTRY_UPDATED, Action.ENTRIES_IMPORTED, Action.NUMBERS_ASSIGNED,
        Action.ENTRY_CHECKED_IN, Action.ENTRY_CHECKED_OUT, Action.ENTRIES_CHECKED_IN,
    }
)  # fmt: skip
"""The actions on a player whose effect is in the data of a removed entry."""


def do_opposite(action: OpenAction, line: Decision) -> None:
    """Do the ordinary action that restores the values before *line*, as the user of *action*.

    The reason, where one is needed, is that of the undone action.
    """
    payload, reason = line.payload, line.reason
    by: Any = {"actor": action.actor, "now": action.now}
    of: Any = {"tournament_id": action.tournament.pk, **by}
    match payload:
        case EntryAdded(after=added):
            entry_remove(entry_id=added["entry"], reason=reason, **by)
        case EntryRemoved(before=removed):
            _enter_again(action, line, removed)
        case EntryUpdated(before=old) | EntryRatingChanged(before=old):
            _change_back(old, line, reason, by)
        case DeskDataChanged(before=kept):
            fields = {name: value for name, value in kept.items() if name != "name"}
            desk_data_set(entry_id=cast(int, fields.pop("entry")), **cast(Any, fields), **by)
        case FeeSet(before=fee):
            fee_set(fee=fee["fee"], **of)
        case TournamentUpdated(before=settings):
            tournament_update(reason=reason, **_with_dates(settings), **of)
        case ProhibitedPairsSet(before=pairs):
            prohibited_pairs_set(pairs=pairs["pairs"], reason=reason, **of)
        case PrizesSet(before=prizes):
            prizes_set(plan=plan_from(prizes), **of)
        case RoundScheduled(before=times):
            round_ = Round.objects.get(tournament=action.tournament, number=line.round_number or 0)
            starts_at, due_at = _moment(times["starts_at"]), _moment(times["results_due_at"])
            round_schedule(
                round_id=round_.pk, starts_at=starts_at, results_due_at=due_at, reason=reason, **by
            )
        case TournamentListed(before=listing) | TournamentUnlisted(before=listing):
            tournament_list_set(listed=listing["listed"], **of)
        case TournamentArchived(before=shelf) | TournamentRestored(before=shelf):
            tournament_archive(archived=shelf["archived"], **of)
        case RoundArranged(before=left, after=taken):
            round_ = Round.objects.get(tournament=action.tournament, number=line.round_number or 0)
            places = _seated_again(round_, left, taken)
            round_arrange(round_id=round_.pk, pairings=places, reason=reason, **by)
        case PersonAppointed(after=person):
            there = Appointment.objects.get(
                tournament=action.tournament, person=person["person"], until=None
            )
            person_remove(appointment_id=there.pk, **by)
        case _:
            raise AssertionError(line.action)


def _change_back(old: Mapping[str, object], line: Decision, reason: str, by: Any) -> None:
    """Give an entry its old data.

    A check-in ended the answer about the player, which the line does not have.
    """
    if "checked_in" in line.after:
        raise Conflict("undo.not_the_same")
    fields = {name: value for name, value in old.items() if name in RECORDED}
    entry_id = cast(int, line.after["entry"])
    if "rating" in fields:
        fields.setdefault("rating_source", Entry.objects.get(pk=entry_id).rating_source)
    entry_update(entry_id=entry_id, reason=reason, **cast(Any, fields), **by)


def _seated_again(round_: Round, left: Places, taken: Places) -> Pairings:
    """Return the places in *round_* with those *left* instead of those *taken*."""
    facts, _state, entries = published(round_.tournament, round_)
    now = pairings_of(facts.now, entries)
    boards = {
        board: pair for board, pair in now.boards.items() if str(board) not in taken["boards"]
    }
    byes = {entry: letter for entry, letter in now.byes.items() if str(entry) not in taken["byes"]}
    boards |= {int(board): (white, black) for board, (white, black) in left["boards"].items()}
    return Pairings(boards, byes | {int(entry): letter for entry, letter in left["byes"].items()})


def _enter_again(action: OpenAction, line: Decision, removed: EntryData) -> None:
    """Enter a removed player again under the same id.

    Refused if more than these data went with the entry.
    """
    tournament, entry_id = action.tournament, removed["entry"]
    _require_nothing_lost(tournament, line, entry_id)
    newcomer = Newcomer.from_fields(
        {name: value for name, value in removed.items() if name in RECORDED}, now=action.now
    )
    newcomer.entry.pk = entry_id
    (entry,) = admit(tournament, [newcomer])
    if removed["tpn"] is not None:
        others = list(
            Entry.objects.filter(tournament=tournament, tpn__isnull=False).order_by("tpn")
        )
        others.insert(removed["tpn"] - 1, entry)
        renumber(tournament, others)
        entry.refresh_from_db()
    action.record(EntryAdded(before={}, after=described(entry)), changes_pairing=True)


def _require_nothing_lost(tournament: Tournament, line: Decision, entry_id: int) -> None:
    """Raise :class:`Conflict` if the entry had byes, prohibited pairs, a withdrawal,
    data of the desk or an answer.
    """
    about = {("entry", entry_id), ("desk", entry_id), ("present", entry_id)}
    before = Decision.objects.filter(tournament=tournament, sequence__lt=line.sequence)
    for row in before.exclude(action__in=HARMLESS):
        if row.action == Action.TOURNAMENT_IMPORTED or not about.isdisjoint(changed_by(done(row))):
            raise Conflict("undo.entry_had_more")


def _with_dates(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return *settings* with dates for texts, without FIDE mode, into which nothing leads back."""
    return {
        name: date.fromisoformat(value) if name in DATES and value else value
        for name, value in settings.items()
        if name != LEFT
    }


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
