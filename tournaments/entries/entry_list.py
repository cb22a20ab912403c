"""The list of participants, for the arbiter and for the public."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from django.db.models import Exists, F, OuterRef, QuerySet

from pairing.rules.name_search import find_lines
from pairing.rules.names import fold
from pairing.rules.rounds import PUBLIC_STATES
from tournaments.core.namesakes import disambiguate
from tournaments.models import ByeKind, Entry, RequestedBye, Seat, Tournament


class EntryFilter(Enum):
    """The part of the list that the arbiter wants to see."""

    ALL = "all"
    CHECKED_IN = "checked-in"
    NOT_CHECKED_IN = "not-checked-in"
    BYES = "byes"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class ByeWish:
    """A requested bye in one round."""

    round_number: int
    kind: ByeKind


@dataclass(frozen=True, slots=True)
class EntryLine:
    """One participant with the data of the arbiter's list. Ratings are whole numbers."""

    entry_id: int
    tpn: int | None
    name: str
    title: str
    federation: str
    club: str
    fide_id: int | None
    rating: int
    rating_source: str
    checked_in: bool
    first_round: int
    withdrawn_from: int | None
    byes: tuple[ByeWish, ...] = ()
    has_played: bool = False
    apart: str = ""
    """What tells the player apart from a namesake; empty for everybody else."""

    @property
    def is_withdrawn(self) -> bool:
        return self.withdrawn_from is not None

    @property
    def is_late(self) -> bool:
        return self.first_round > 1


@dataclass(frozen=True, slots=True)
class EntryList:
    """The lines that match the search, and counts of all participants."""

    lines: tuple[EntryLine, ...]
    counts: dict[EntryFilter, int]
    without_number: int

    @property
    def total(self) -> int:
        return self.counts[EntryFilter.ALL]


def entry_list(
    tournament: Tournament,
    *,
    search: str = "",
    shown: EntryFilter = EntryFilter.ALL,
    for_arbiters: bool = False,
) -> EntryList:
    """Return the participants by TPN, those without one last by rating. Two queries.

    *search* matches the beginnings of the words of name, club and federation, a TPN or a FIDE ID.
    Only *for_arbiters* these are the whole name and the FIDE ID of players who are shown with
    initials.
    """
    everybody = _lines(tournament, for_arbiters=for_arbiters)
    counts = Counter(kind for line in everybody for kind in EntryFilter if _is_in(line, kind))
    return EntryList(
        lines=tuple(find_entries((line for line in everybody if _is_in(line, shown)), search)),
        counts={kind: counts[kind] for kind in EntryFilter},
        without_number=sum(line.tpn is None for line in everybody),
    )


def granted_byes(**of: object) -> QuerySet[RequestedBye]:
    """Return requested byes with the fields *of* that no published game has replaced.

    Two players without an opponent may get a game after the publication [C.04.2/2026 4.4.3]. The
    request stays in the table, because the record has granted it; but the bye was not used, so it
    is not listed, and no limit counts it.
    """
    games = Seat.objects.filter(
        entry=OuterRef("entry"),
        game__round__number=OuterRef("round_number"),
        game__round__state__in=PUBLIC_STATES,
    )
    return RequestedBye.objects.filter(~Exists(games), **of).order_by("round_number")


def entry_line(entry: Entry) -> EntryLine:
    """Return one participant as a line of the list. Two queries."""
    return _line(
        entry,
        [ByeWish(bye.round_number, ByeKind(bye.kind)) for bye in granted_byes(entry=entry)],
        has_played=entry.seats.exists(),
        for_arbiters=True,
    )


def starting_order(lines: Iterable[EntryLine]) -> Sequence[EntryLine]:
    """Return the lines by TPN, for the public list of participants."""
    return sorted(
        lines, key=lambda line: (line.tpn is None, line.tpn or 0, -line.rating, fold(line.name))
    )


def _lines(tournament: Tournament, *, for_arbiters: bool) -> list[EntryLine]:
    wishes: dict[int, list[ByeWish]] = {}
    rows = granted_byes(entry__tournament=tournament)
    for entry_id, round_number, kind in rows.values_list("entry_id", "round_number", "kind"):
        wishes.setdefault(entry_id, []).append(ByeWish(round_number, ByeKind(kind)))
    entries = list(
        Entry.objects.filter(tournament=tournament)
        .annotate(has_played=Exists(Seat.objects.filter(entry=OuterRef("pk"))))
        .order_by(F("tpn").asc(nulls_last=True), "-rating", "name")
    )
    if for_arbiters:
        disambiguate(entries)
    return [
        _line(
            entry, wishes.get(entry.pk, []), has_played=entry.has_played, for_arbiters=for_arbiters
        )
        for entry in entries
    ]


def _line(
    entry: Entry, byes: Iterable[ByeWish], *, has_played: bool, for_arbiters: bool
) -> EntryLine:
    return EntryLine(
        entry_id=entry.pk,
        tpn=entry.tpn,
        name=entry.real_name if for_arbiters else entry.name,
        title=entry.title,
        federation=entry.federation,
        club=entry.club,
        fide_id=entry.fide_id if for_arbiters else entry.public_fide_id,
        rating=entry.rating,
        rating_source=entry.rating_source,
        checked_in=entry.checked_in,
        first_round=entry.first_round,
        withdrawn_from=entry.withdrawn_from,
        byes=tuple(byes),
        has_played=has_played,
        apart=entry.apart,
    )


def _is_in(line: EntryLine, kind: EntryFilter) -> bool:
    match kind:
        case EntryFilter.ALL:
            return True
        case EntryFilter.CHECKED_IN:
            return line.checked_in and not line.is_withdrawn
        case EntryFilter.NOT_CHECKED_IN:
            return not line.checked_in and not line.is_withdrawn
        case EntryFilter.BYES:
            return bool(line.byes) and not line.is_withdrawn
        case EntryFilter.WITHDRAWN:
            return line.is_withdrawn


def find_entries(lines: Iterable[EntryLine], search: str) -> list[EntryLine]:
    """Return the *lines* whose name, club, federation, TPN or FIDE ID fits *search*."""
    return find_lines(
        lines,
        search,
        text_of=lambda line: f"{line.name} {line.club} {line.federation}",
        numbers_of=lambda line: (line.tpn, line.fide_id),
    )
