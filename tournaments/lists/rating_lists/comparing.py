"""Compare entries with the rating lists, and take over the differences ticked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from django.contrib.auth.models import User
from django.db import transaction

from tournaments.core.actions import open_action
from tournaments.core.errors import BadInput, Conflict, ServiceError
from tournaments.core.namesakes import disambiguate
from tournaments.core.rating import chosen_rating
from tournaments.entries.entries import RATINGS, entry_update
from tournaments.entries.ranking_changes import has_begun
from tournaments.lists.rating_lists.list_file import words
from tournaments.lists.rating_lists.search import Listed, OpenLists, lists_in_use, national_order
from tournaments.models import Entry, RatingList, RatingSource, Tournament

COMPARED: Final = (
    "fide_rating",
    "national_rating",
    "second_rating",
    "title",
    "women_title",
    "k_factor",
    "federation",
    "name",
    "birth_date",
    "fide_id",
    "sex",
)
"""The fields that are compared, in the order of the page."""

AFTER_THE_START: Final = tuple(name for name in COMPARED if name not in ("women_title", "k_factor"))
"""Without those for the change of the rating and norms, which are those of the start."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A field of an entry that is different in the list; ``key`` names it with both values.

    ``further`` are the values that are taken over with it: a rating or K with its list and games.
    """

    entry_id: int
    field: str
    old: str | int | None
    new: str | int | None
    further: tuple[tuple[str, Any], ...] = ()

    @property
    def key(self) -> str:
        """What a ticked box sends: a page that shows other values sends another key."""
        return f"{self.entry_id}/{self.field}/{self.old or ''}/{self.new or ''}"

    @property
    def is_ticked(self) -> bool:
        """Whether its box is ticked from the start: a rating that is in the list."""
        return self.field in (*RATINGS, "k_factor") and bool(self.new)


@dataclass(frozen=True, slots=True)
class Compared:
    """One entry with its differences; ``by_name``: found by name and year, without a FIDE ID."""

    entry: Entry
    differences: tuple[Difference, ...]
    by_name: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """The lists used, the federations of the order without a list, the entries that differ, those
    that are in no list, and the number of those that agree.
    """

    lists: Sequence[RatingList]
    not_loaded: Sequence[str]
    different: Sequence[Compared]
    not_found: Sequence[Entry]
    same: int


def compare(tournament: Tournament) -> Comparison:
    """Compare all entries with the lists: by FIDE ID, else by name and year of birth.

    Once the event has begun, K and the title of women are those of its start [B.02/2024 8.3.3,
    B.01/2024 1.4.6]: lists of a later month are not compared for them.
    """
    entries = list(Entry.objects.filter(tournament=tournament))
    disambiguate(entries)
    different: list[Compared] = []
    not_found: list[Entry] = []
    with OpenLists(tournament) as lists:
        known = lists.by_fide_ids([entry.fide_id for entry in entries if entry.fide_id])
        fields = COMPARED if _is_of_the_start(tournament, lists.lists) else AFTER_THE_START
        for entry in entries:
            listed = known.get(entry.fide_id) if entry.fide_id else _by_name(lists, entry)
            if listed is None:
                not_found.append(entry)
            elif found := tuple(_differences(entry, listed, fields)):
                different.append(Compared(entry, found, by_name=not entry.fide_id))
        used = lists.lists
    federations = {each.federation for each in used}
    not_loaded = [each for each in national_order(tournament) if each not in federations]
    return Comparison(
        used, not_loaded, different, not_found, len(entries) - len(different) - len(not_found)
    )


def _by_name(lists: OpenLists, entry: Entry) -> Listed | None:
    """Return the only listed player of the name, and year of birth if both have one.

    In several national lists of an order it is one player, of the first list with a rating among
    those in which only one has that name and year.
    """
    found = list(lists.by_name(entry.real_name))
    year = entry.birth_date[:4]
    if year:
        found = [listed for listed in found if listed.row.birth[:4] in ("", year)]
        if lists.is_ordered and all(each.fide is None and each.row.birth for each in found):
            players = Counter(each.federation for each in found)
            alone = [each for each in found if players[each.federation] == 1]
            found = ([each for each in alone if each.national_rating] or alone)[:1]
    return found[0] if len(found) == 1 else None


def _is_of_the_start(tournament: Tournament, lists: Sequence[RatingList]) -> bool:
    """Return whether *tournament* has not begun, or no list is newer than its first day."""
    if not has_begun(tournament):
        return True
    first = tournament.start_date
    return first is not None and all(each.month and each.month <= first for each in lists)


def _differences(entry: Entry, listed: Listed, fields: Sequence[str]) -> Iterator[Difference]:
    values = listed.values
    origin = (("rating_list", listed.list_names), ("list_games", values.get("list_games")))
    for name in fields:
        old, new = entry.real_name if name == "name" else getattr(entry, name), values.get(name)
        if new is None and listed.fide is not None and name in ("fide_rating", "title"):
            new = (
                "" if name == "title" else None
            )  # FIDE's list has a rating and a title, or there is none.
        elif new is None:
            continue
        if name == "birth_date":
            new = _birth(str(new), str(old))
        if name == "name" and words(str(old)) == words(str(new)):
            continue
        if (old or None) != (new or None):
            further = origin if name in ("fide_rating", "k_factor") else ()
            yield Difference(entry.pk, name, old, new, further)


def _birth(new: str, old: str) -> str:
    """Return the date of the list as an entry has it; a year alone agrees with every date in it."""
    if len(new) == 4:
        return old if old.startswith(new) else f"{new}/00/00"
    return new


def refresh(
    *, tournament_id: int, actor: User, now: datetime, keys: Collection[str], reason: str = ""
) -> int:
    """Take over the differences *keys*, all or none; return the number of entries.

    Each entry is one line of the record, under the rules of
    :func:`~tournaments.entries.entries.entry_update`: after round 1 was paired the Chief Arbiter
    needs a *reason*, and after results were published a rating changes only by a correction.
    ``Conflict`` if a key is no longer among the differences, because the entry or the list has
    changed; the refusal of an entry names the player.
    """
    with transaction.atomic():
        with open_action(actor=actor, now=now, pk=tournament_id) as action:
            tournament = action.tournament
        if not keys:
            raise BadInput("rating_list.nothing_ticked")
        offered = {
            each.key: (one, each)
            for one in compare(tournament).different
            for each in one.differences
        }
        if not offered.keys() >= set(keys):
            raise Conflict("rating_list.differences_moved")
        wanted: dict[int, dict[str, Any]] = {}
        entries: dict[int, Entry] = {}
        for key, (one, each) in offered.items():
            if key in keys:
                wanted.setdefault(each.entry_id, {}).update(
                    {each.field: each.new, **dict(each.further)}
                )
                entries[each.entry_id] = one.entry
        for entry_id, fields in wanted.items():
            if entries[entry_id].rating_source == RatingSource.ESTIMATE and not RATINGS.isdisjoint(
                fields
            ):
                fields |= _rated(entries[entry_id], fields, tournament)
            try:
                entry_update(entry_id=entry_id, actor=actor, now=now, reason=reason, **fields)
            except ServiceError as error:
                raise BadInput(
                    "rating_list.entry_refused", name=entries[entry_id].name, problem=str(error)
                ) from error
    return len(wanted)


def _rated(entry: Entry, fields: dict[str, Any], tournament: Tournament) -> dict[str, Any]:
    """Return the rating that replaces the estimate of *entry* once rated [C.04.2/2026 2.1]."""
    ratings = {name: fields.get(name, getattr(entry, name)) for name in RATINGS}
    source, rating = chosen_rating(
        tournament, ratings["fide_rating"], ratings["national_rating"], ratings["second_rating"]
    )
    return {"rating": rating, "rating_source": source} if rating else {}


def outdated_list(tournament: Tournament, today: date) -> RatingList | None:
    """Return the newest list of FIDE in use, else of the federation,
    if it is older than the month of the first day.

    Without a first day it is compared with *today*. None if no list is loaded: not every site uses
    one. One query.
    """
    lists = lists_in_use(tournament)
    lists = [each for each in lists if not each.federation] or lists
    if not lists:
        return None
    newest = max(lists, key=lambda each: each.month or date.min)
    return newest if newest.is_older_than(tournament.start_date or today) else None
