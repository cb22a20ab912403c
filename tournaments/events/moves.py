"""Move players from one section of an event to another, before round 1 of both."""

from __future__ import annotations

import copy
from bisect import bisect
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User

from pairing.rules.names import fold
from pairing.rules.verdict import Refused
from tournaments.core.actions import OpenAction, locked
from tournaments.core.errors import BadInput, Conflict, RuleRefused
from tournaments.entries.byes import bye_request
from tournaments.entries.desk_data import desk_data_set
from tournaments.entries.entries import Newcomer, admit, described, renumber
from tournaments.entries.ranking_changes import has_begun
from tournaments.models import (
    DeskData,
    Entry,
    MissingAnswer,
    PairingMail,
    ProhibitedPair,
    RatingSource,
    Registration,
    RequestedBye,
    Section,
    Tournament,
)
from tournaments.models.payloads import EntriesImported, EntryRemoved
from tournaments.models.regulations import pairs_of
from tournaments.setup.prohibited_pairs import prohibited_pairs_set


@dataclass(frozen=True, slots=True)
class Move:
    """A player who belongs to another section by rating and age."""

    entry: Entry
    source: Section
    to: Section


def section_for(entry: Entry, sections: Sequence[Section]) -> Section | None:
    """Return the first of *sections* that is meant for *entry*; None if there is none.

    See :func:`narrowest_first`.
    """
    born = _born(entry)
    return next(
        (each for each in narrowest_first(sections) if is_meant_for(entry.rating, born, each)), None
    )


def _born(entry: Entry) -> int:
    """Return the year of birth; 0 if it is unknown."""
    return int(entry.birth_date[:4] or 0)


def narrowest_first(sections: Sequence[Section]) -> list[Section]:
    """Return *sections* with those first that have limits of age,
    because a child usually fits into others too.

    Otherwise the order stays: among the sections without limits of age the first one wins.
    """
    return sorted(sections, key=lambda each: each.born_from is None and each.born_to is None)


def is_meant_for(rating: int, born: int, section: Section) -> bool:
    """Return whether the limits of *section* admit a player with this rating and year of birth.

    A player without a rating counts as 0. A player whose year of birth is unknown (0) belongs to no
    section with limits of age.
    """
    has_age = section.born_from is not None or section.born_to is not None
    return (
        (section.rating_from is None or rating >= section.rating_from)
        and (section.rating_to is None or rating <= section.rating_to)
        and (not has_age or born > 0)
        and (section.born_from is None or born >= section.born_from)
        and (section.born_to is None or born <= section.born_to)
    )


def misplaced(sections: Sequence[Section]) -> tuple[list[Move], list[Entry]]:
    """Return the players of *sections* who belong in another one, and those who fit in none,
    by name. One query.

    Players who fit in their own section stay there, even if they would fit in another one too.

    *sections* are those whose round 1 was never paired. Withdrawn players stay where they are.
    """
    there = {section.tournament_id: section for section in sections}
    entries = Entry.objects.filter(tournament__in=there, withdrawn_from=None)
    moves, lost = [], []
    for entry in sorted(entries, key=lambda entry: fold(entry.real_name)):
        source = there[entry.tournament_id]
        to = (
            source
            if is_meant_for(entry.rating, _born(entry), source)
            else section_for(entry, sections)
        )
        if to is None:
            lost.append(entry)
        elif to != source:
            moves.append(Move(entry, source, to))
    return moves, lost


def entries_move(*, moves: Mapping[int, int], event_id: int, actor: User, now: datetime) -> int:
    """Move players to other sections, all or none; return how many.

    *moves* has the id of the new tournament by entry. The record of the old section removes the
    player, and that of the new one enters the same data. Requested byes, the data of the check-in
    desk and the prohibited pairs between players who move together go with them. Only before round
    1 of both sections is paired, and not for withdrawn players. :class:`Conflict` if a player has
    left the event since the page was shown; a player who is there already stays. ``BadInput`` for a
    tournament of another event.
    """
    sections = set(Section.objects.filter(event=event_id).values_list("tournament_id", flat=True))
    if not sections.issuperset(moves.values()):
        raise BadInput("section.unknown", field="to")
    sources = dict(
        Entry.objects.filter(pk__in=moves, tournament__in=sections).values_list(
            "pk", "tournament_id"
        )
    )
    wanted = {pk: to for pk, to in moves.items() if sources.get(pk) != to}
    if not sources.keys() >= wanted.keys():
        raise Conflict("section.player_gone")
    if not wanted:
        return 0
    with locked(*wanted.values(), *(sources[pk] for pk in wanted), actor=actor, now=now) as actions:
        for action in actions.values():
            if has_begun(action.tournament):
                raise RuleRefused(
                    Refused("section.begun", "C.04.2 2.4", {"name": action.tournament.name})
                )
        leaving = _leaving({pk: sources[pk] for pk in wanted})
        followers = _RelatedRows.from_entries(leaving)
        arriving = _arriving(leaving, wanted)
        for pk, action in actions.items():
            _leave(action, [entry for entry in leaving if entry.tournament_id == pk])
        entered = {
            old: entry
            for pk, those in arriving.items()
            for old, entry in zip(those, _enter(actions[pk], list(those.values())), strict=True)
        }
        followers.follow(entered, actor=actor, now=now)
    return len(wanted)


def _leaving(sources: Mapping[int, int]) -> list[Entry]:
    """Return the entries with their tournaments in *sources*, which are locked. One query.

    :class:`Conflict` if one has left its tournament, :class:`RuleRefused` for a withdrawn player.
    """
    entries = list(Entry.objects.filter(pk__in=sources).order_by("pk"))
    if {entry.pk: entry.tournament_id for entry in entries} != sources:
        raise Conflict("section.player_gone")
    for entry in entries:
        if entry.withdrawn_from is not None:
            raise RuleRefused(Refused("section.withdrawn", "C.04.2 3.2", {"name": entry.real_name}))
    return entries


@dataclass(frozen=True, slots=True)
class _RelatedRows:
    """The data about players that are kept beside their entries."""

    byes: list[RequestedBye]
    desk: list[DeskData]
    mails: list[PairingMail]
    pairs: list[ProhibitedPair]
    registrations: list[Registration]

    @classmethod
    def from_entries(cls, entries: Sequence[Entry]) -> _RelatedRows:
        """Read everything about *entries*. Five queries."""
        return cls(
            byes=list(RequestedBye.objects.filter(entry__in=entries).order_by("pk")),
            desk=list(DeskData.objects.filter(entry__in=entries).order_by("pk")),
            mails=list(PairingMail.objects.filter(entry__in=entries).order_by("pk")),
            pairs=list(ProhibitedPair.objects.filter(one__in=entries, other__in=entries)),
            registrations=list(Registration.objects.filter(entry__in=entries)),
        )

    def follow(self, entered: Mapping[int, Entry], *, actor: User, now: datetime) -> None:
        """Save the same for the new entries *entered*, by the old id."""
        by: dict[str, Any] = {"actor": actor, "now": now}
        for bye in self.byes:
            bye_request(
                entry_id=entered[bye.entry_id].pk,
                round_number=bye.round_number,
                kind=bye.kind,
                **by,
            )
        for data in self.desk:
            desk_data_set(
                entry_id=entered[data.entry_id].pk,
                phone=data.phone,
                note=data.note,
                fee_due=data.fee_due,
                fee_paid=data.fee_paid,
                **by,
            )
        for mail in self.mails:  # with the same number: the link to end the e-mails stays
            mail.entry = entered[mail.entry_id]
            mail.save(force_insert=True)
        for registration in self.registrations:
            assert registration.entry_id is not None
            Registration.objects.filter(pk=registration.pk).update(
                entry=entered[registration.entry_id]
            )
        together: dict[int, list[list[int]]] = defaultdict(list)
        for pair in self.pairs:
            one, other = entered[pair.one_id], entered[pair.other_id]
            if one.tournament_id == other.tournament_id:
                last = [] if pair.last_round is None else [pair.last_round]
                together[one.tournament_id].append([one.pk, other.pk, *last])
        for pk, pairs in together.items():
            there = pairs_of(Tournament.objects.get(pk=pk))
            prohibited_pairs_set(tournament_id=pk, pairs=[*there, *pairs], **by)


def _arriving(
    leaving: Iterable[Entry], wanted: Mapping[int, int]
) -> dict[int, dict[int, Newcomer]]:
    """Return the same players, not saved yet, by their new tournament and their old id."""
    arriving: dict[int, dict[int, Newcomer]] = defaultdict(dict)
    for entry in leaving:
        new = copy.copy(entry)
        new.pk, new.tpn, new.answer = None, None, MissingAnswer.NONE
        new._state = copy.copy(entry._state)
        new._state.adding = True
        arriving[wanted[entry.pk]][entry.pk] = Newcomer(
            new, 1, takes_rating=entry.rating_source != RatingSource.ESTIMATE
        )
    return arriving


def _leave(action: OpenAction, leaving: Sequence[Entry]) -> None:
    """Remove *leaving*; the players below move up after each, as if removed one by one."""
    gone: list[int] = []
    for entry in leaving:
        if entry.tpn is not None:
            above = bisect(gone, entry.tpn)
            gone.insert(above, entry.tpn)
            entry.tpn -= above
        action.record(EntryRemoved(before=described(entry), after={}), changes_pairing=True)
    Entry.objects.filter(pk__in=[entry.pk for entry in leaving]).delete()
    numbered = Entry.objects.filter(tournament=action.tournament, tpn__isnull=False).order_by("tpn")
    renumber(action.tournament, list(numbered))


def _enter(action: OpenAction, newcomers: Sequence[Newcomer]) -> list[Entry]:
    entries = admit(action.tournament, newcomers)
    payloads = [described(entry) for entry in entries]
    action.record(
        EntriesImported(before={}, after={"source": "section", "entries": payloads}),
        changes_pairing=True,
    )
    return entries
