"""Move players from one section of an event to another, before round 1 of both."""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from pairing.rules.names import fold
from pairing.rules.verdict import Refused
from tournaments.core.actions import OpenAction
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.entries.entries import Newcomer, admit, bye_request, described, renumber
from tournaments.entries.ranking_changes import has_begun
from tournaments.events.sections import locked
from tournaments.models import Entry, RatingSource, RequestedBye, Section, Tournament
from tournaments.models.payloads import EntriesImported, EntryRemoved


@dataclass(frozen=True, slots=True)
class Move:
    """A player who belongs to another section by rating and age."""

    entry: Entry
    to: Section


def section_for(entry: Entry, sections: Sequence[Section]) -> Section | None:
    """Return the first of *sections* that is meant for *entry*; None if there is none.

    A player without a rating counts as 0. A player whose year of birth is unknown belongs to no section with limits of
    age.
    """
    born = int(entry.birth_date[:4] or 0)
    return next((each for each in sections if _fits(entry.rating, born, each)), None)


def _fits(rating: int, born: int, section: Section) -> bool:
    has_age = section.born_from is not None or section.born_to is not None
    return (
        (section.rating_from is None or rating >= section.rating_from)
        and (section.rating_to is None or rating <= section.rating_to)
        and (not has_age or born > 0)
        and (section.born_from is None or born >= section.born_from)
        and (section.born_to is None or born <= section.born_to)
    )


def misplaced(sections: Sequence[Section]) -> tuple[list[Move], list[Entry]]:
    """Return the players of *sections* who belong to another one, and those who belong to none, by name. One query.

    A section whose round 1 was paired keeps its players and takes no others.
    """
    open_ = [section for section in sections if not has_begun(section.tournament)]
    entries = Entry.objects.filter(tournament__in=[section.tournament_id for section in open_])
    moves, lost = [], []
    for entry in sorted(entries, key=lambda entry: fold(entry.name)):
        to = section_for(entry, open_)
        if to is None:
            lost.append(entry)
        elif to.tournament_id != entry.tournament_id:
            moves.append(Move(entry, to))
    return moves, lost


def entries_move(*, moves: Mapping[int, int], event_id: int, actor: User, now: datetime) -> int:
    """Move players to other sections, all or none; return how many. *moves*: the id of the tournament by entry.

    The record of the old section removes the player, and that of the new one enters the same data, with the requested
    byes. Only before round 1 of both sections is paired. :class:`Conflict` if a player has left the event since the
    page was shown; a player who is there already stays. ``BadInput`` for a tournament that is no section of the event.
    """
    sections = set(Section.objects.filter(event=event_id).values_list("tournament_id", flat=True))
    if not sections.issuperset(moves.values()):
        raise BadInput("section.unknown", field="to")
    with transaction.atomic():
        rows = Entry.objects.filter(pk__in=moves, tournament__in=sections)
        sources = dict(rows.values_list("pk", "tournament_id"))
        wanted = {pk: to for pk, to in moves.items() if sources.get(pk) != to}
        if not wanted:
            return 0
        if not sources.keys() >= wanted.keys():
            raise Conflict("section.player_gone")
        concerned = {*wanted.values(), *(sources[pk] for pk in wanted)}
        with locked(*concerned, actor=actor, now=now) as actions:
            for action in actions.values():
                if has_begun(action.tournament):
                    raise RuleRefused(Refused("section.begun", "C.04.2 2.4", {"name": action.tournament.name}))
            leaving = {entry.pk: entry for entry in rows.filter(pk__in=wanted).order_by("pk")}
            if {pk: entry.tournament_id for pk, entry in leaving.items()} != {pk: sources[pk] for pk in wanted}:
                raise Conflict("section.player_gone")
            byes = list(RequestedBye.objects.filter(entry__in=leaving).order_by("pk"))
            arriving = _arriving(leaving.values(), wanted)
            for pk, action in actions.items():
                _leave(action, [entry for entry in leaving.values() if entry.tournament_id == pk])
            entered = {
                old: entry
                for pk, those in arriving.items()
                for old, entry in zip(those, _enter(actions[pk], list(those.values())), strict=True)
            }
            for bye in byes:
                bye_request(
                    entry_id=entered[bye.entry_id].pk,
                    actor=actor,
                    now=now,
                    round_number=bye.round_number,
                    kind=bye.kind,
                )
    return len(wanted)


def _arriving(leaving: Iterable[Entry], wanted: Mapping[int, int]) -> dict[int, dict[int, Newcomer]]:
    """Return the same players, not saved yet, by their new tournament and their old id."""
    arriving: dict[int, dict[int, Newcomer]] = defaultdict(dict)
    for entry in leaving:
        new = copy.copy(entry)
        new.pk, new.tpn = None, None
        new._state = copy.copy(entry._state)
        new._state.adding = True
        arriving[wanted[entry.pk]][entry.pk] = Newcomer(
            new, 1, takes_rating=entry.rating_source != RatingSource.ESTIMATE
        )
    return arriving


def _leave(action: OpenAction, leaving: Sequence[Entry]) -> None:
    """Remove *leaving*; the players below move up after each of them, as if they were removed one by one."""
    tournament: Tournament = action.tournament
    numbered = list(Entry.objects.filter(tournament=tournament, tpn__isnull=False).order_by("tpn"))
    for entry in leaving:
        if entry.tpn is not None:
            place = next(i for i, each in enumerate(numbered) if each.pk == entry.pk)
            del numbered[place]
            entry.tpn = place + 1
        action.record(EntryRemoved(before=described(entry), after={}), changes_pairing=True)
    Entry.objects.filter(pk__in=[entry.pk for entry in leaving]).delete()
    renumber(tournament, numbered)


def _enter(action: OpenAction, newcomers: Sequence[Newcomer]) -> list[Entry]:
    entries = admit(action.tournament, newcomers)
    told = [described(entry) for entry in entries]
    action.record(EntriesImported(before={}, after={"source": "section", "entries": told}), changes_pairing=True)
    return entries
