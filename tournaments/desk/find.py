"""Find a player, a board of the newest published round, or a page, by what somebody types."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.db.models import Case, F, Q, When
from django.utils.translation import gettext as _

from pairing.rules.name_search import nearly_begins
from pairing.rules.names import begins, fold, namesakes, search_words, words_of
from tournaments.core.frame import Frame
from tournaments.core.namesakes import disambiguate
from tournaments.desk.navigation import Destination, destinations
from tournaments.models import Entry, Role, Seat, Tournament

MOST: Final = 12
"""So many players are shown; the others need one more letter."""
LEAST_LETTERS: Final = 3
"""So many letters are the beginning of another word for a page, or of a verb."""
LEAST_DIGITS: Final = 4
"""So many digits are the beginning of a FIDE ID; fewer are a pairing number or a board."""


@dataclass(frozen=True, slots=True)
class FoundPlayer:
    """A player, with the board of the newest published round; None without a game.

    ``apart`` is what distinguishes players of the tournament with the same name; in an event the
    pairing number alone. ``has_left`` is a withdrawal.
    """

    entry_id: int
    tpn: int | None
    title: str
    name: str
    board: int | None
    apart: str = ""
    has_left: bool = False


@dataclass(frozen=True, slots=True)
class FoundBoard:
    """A board of the newest published round, with its players."""

    number: int
    white: str
    black: str


@dataclass(frozen=True, slots=True)
class Found:
    """What fits, in the order of the page; ``players_in_all`` counts the hidden ones too."""

    boards: tuple[FoundBoard, ...] = ()
    players: tuple[FoundPlayer, ...] = ()
    players_in_all: int = 0
    destinations: tuple[Destination, ...] = ()

    @property
    def count(self) -> int:
        """How many lines there are to choose from."""
        return len(self.boards) + len(self.players) + len(self.destinations)


def find(frame: Frame, role: Role, typed: str, *, forgives: bool = True) -> Found:
    """Return what fits *typed*; the pages with letters if it is empty.

    Words are the beginnings of words of a name or of a page's title, in any order and without
    accents; a number is a board, a pairing number or a FIDE ID. If nothing fits and it *forgives*,
    each word may have one mistake. Nothing comes from a draft, because the record names everybody
    who has seen one. Two queries, however many players there are, three if a namesake fits; none if
    *typed* is empty.
    """
    wanted = search_words(typed)
    open_destinations = destinations(frame, role)
    if not wanted:
        return Found(destinations=tuple(place for place in open_destinations if place.letter))
    pages = tuple(place for place in open_destinations if _is_page(place, wanted))
    entries = list(
        Entry.objects.filter(tournament=frame.tournament)
        .order_by("tpn", "name")
        .annotate(real=Case(When(full_name="", then=F("name")), default=F("full_name")))
        .values_list("pk", "tpn", "title", "real", "fide_id", "withdrawn_from")
    )
    seats = _seats(frame)
    fits = [row for row in entries if _is_player(row[:5], wanted)]
    if forgives and not fits and not pages and wanted[0].isalpha():
        fits = [row for row in entries if nearly_begins(words_of(row[3]), wanted)]
        pages = tuple(
            place for place in open_destinations if nearly_begins(words_of(place.label), wanted)
        )
    board_of = {entry_id: board for entry_id, board, _ in seats}
    players = [
        FoundPlayer(*row[:4], board=board_of.get(row[0]), has_left=row[5] is not None)
        for row in _exact_first(fits, wanted)[:MOST]
    ]
    shared = namesakes({row[0]: row[3] for row in entries})
    if any(player.entry_id in shared for player in players):
        alike = list(Entry.objects.filter(pk__in=shared))
        disambiguate(alike)
        apart = {entry.pk: entry.apart for entry in alike}
        players = [replace(each, apart=apart.get(each.entry_id, "")) for each in players]
    names = {
        row[0]: f"{row[1]} {row[3]}" if row[0] in shared and row[1] else row[3] for row in entries
    }
    return Found(_boards(seats, names, wanted), tuple(players), len(fits), pages)


def find_in_event(
    tournaments: Sequence[Tournament], typed: str, *, own: Collection[int]
) -> tuple[list[tuple[int, FoundPlayer]], int]:
    """Return the players of all *tournaments* who fit *typed*, each with the id of the tournament,
    and how many fit.

    A player who is shown with initials has the whole name and is found by it and by the FIDE ID
    only in *own*, the tournaments in which the reader has a role. One query; none if *typed* is
    empty.
    """
    wanted = search_words(typed)
    if not wanted:
        return [], 0
    hidden = ~Q(full_name="") & ~Q(tournament__in=own)
    entries = (
        Entry.objects.filter(tournament__in=tournaments)
        .order_by("name", "tpn")
        .annotate(
            shown=Case(When(hidden | Q(full_name=""), then=F("name")), default=F("full_name"))
        )
        .annotate(number=Case(When(hidden, then=None), default=F("fide_id")))
    )
    rows = list(
        entries.values_list(
            "tournament_id", "pk", "tpn", "title", "shown", "number", "withdrawn_from"
        )
    )
    shared = namesakes({row[1]: f"{row[0]} {row[4]}" for row in rows})  # in one tournament
    fits = [(row[1:], row[0]) for row in rows if _is_player(row[1:6], wanted)]
    typed_name = " ".join(wanted)
    fits.sort(key=lambda pair: not fold(pair[0][3]).startswith(typed_name))
    players = []
    for row, at in fits[:MOST]:
        apart = tpn_words(row[1]) if row[0] in shared else ""
        players.append((at, FoundPlayer(*row[:4], None, apart, has_left=row[5] is not None)))
    return players, len(fits)


def tpn_words(tpn: int | None) -> str:
    """Return the pairing number as the finder shows it; empty without one."""
    return _("No. %(n)d") % {"n": tpn} if tpn else ""


_Row = tuple[int, int | None, str, str, int | None]
_RowOfPlayer = tuple[int, int | None, str, str, int | None, int | None]


def _seats(frame: Frame) -> list[tuple[int, int, str]]:
    """Return player, board and colour in the newest published round."""
    number = frame.latest_published
    if number is None:
        return []
    seats = Seat.objects.filter(
        round__tournament=frame.tournament, round__number=number, game__isnull=False
    )
    return list(seats.values_list("entry_id", "game__board", "colour"))


def _is_player(row: _Row, wanted: Sequence[str]) -> bool:
    _, tpn, _, name, fide_id = row
    if len(wanted) == 1 and wanted[0].isdecimal():
        number = wanted[0]
        return number == str(tpn) or (
            len(number) >= LEAST_DIGITS and str(fide_id or "").startswith(number)
        )
    return begins(words_of(name), wanted)


def _is_page(place: Destination, wanted: Sequence[str]) -> bool:
    """Return whether *wanted* are the beginnings of words of the title or of the other words.

    The beginning of one of the other words has at least :data:`LEAST_LETTERS` letters.
    """
    other = [
        word
        for word in place.words
        if word in wanted
        or any(len(each) >= LEAST_LETTERS and word.startswith(each) for each in wanted)
    ]
    return begins([*words_of(place.label), *other], wanted)


def _exact_first(rows: list[_RowOfPlayer], wanted: Sequence[str]) -> list[_RowOfPlayer]:
    """Put a name that begins as typed before one that only contains the words."""
    typed = " ".join(wanted)
    return sorted(rows, key=lambda row: not fold(row[3]).startswith(typed))


def _boards(
    seats: Sequence[tuple[int, int, str]], names: dict[int, str], wanted: Sequence[str]
) -> tuple[FoundBoard, ...]:
    """Return the board whose number is typed."""
    at_it = {
        colour: names[entry_id] for entry_id, board, colour in seats if list(wanted) == [str(board)]
    }
    return (FoundBoard(int(wanted[0]), at_it["w"], at_it["b"]),) if len(at_it) == 2 else ()
