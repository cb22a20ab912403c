"""The list at the check-in desk: everybody by name, with state and fees.

A desk is for one tournament, or for several sections of an event.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from pairing.rounds.attendance import Attendance, attendance, check_in_of
from pairing.rounds.snapshot import takes_part
from pairing.rules.names import begins, fold, search_words, words_of
from tournaments.core.namesakes import disambiguate
from tournaments.models import CheckInDesk, DeskData, Entry, MissingAnswer, Tournament


class Presence(Enum):
    """The state of a player before the coming round."""

    THERE = "there"
    MISSING = "missing"
    COMING = "coming"
    SKIPPED = "skipped"
    BYE = "bye"
    WITHDRAWN = "withdrawn"
    LATER = "later"

    @property
    def can_arrive(self) -> bool:
        """Return whether the player is expected, or held back until checked in."""
        return self in (Presence.MISSING, Presence.COMING, Presence.SKIPPED)


@dataclass(frozen=True, slots=True)
class DeskLine:
    """One player. Money is in cents; phone, note and money are for the desk only."""

    entry: Entry
    presence: Presence
    phone: str = ""
    note: str = ""
    fee_due: int = 0
    fee_paid: int = 0
    is_closed: bool = False
    """Whether the check-in of the player's tournament is closed."""

    @property
    def to_pay(self) -> int:
        return max(0, self.fee_due - self.fee_paid)

    @property
    def search(self) -> str:
        """The words by which the player is found."""
        return fold(self.entry.real_name)


@dataclass(frozen=True, slots=True)
class DeskPart:
    """One tournament at the desk; ``seen``: counts of its coming round, ``fee`` in cents."""

    tournament: Tournament
    seen: Attendance
    fee: int
    is_open: bool
    is_closed: bool

    @property
    def not_there(self) -> int:
        return len(self.seen.not_there)

    @property
    def missing_ids(self) -> str:
        """The missing players for one hidden field: their ids with blanks between them."""
        return " ".join(str(entry.pk) for entry in self.seen.missing)


@dataclass(frozen=True, slots=True)
class CheckInList:
    """Everybody of all tournaments by name, with the counts and the money of all of them."""

    lines: tuple[DeskLine, ...]
    parts: tuple[DeskPart, ...]

    @property
    def coming(self) -> tuple[DeskLine, ...]:
        """The lines of the tournaments that still have a round to come."""
        over = {part.tournament.pk for part in self.parts if part.seen.round_number is None}
        return (
            tuple(line for line in self.lines if line.entry.tournament_id not in over)
            if over
            else self.lines
        )

    @property
    def not_there(self) -> int:
        return sum(part.not_there for part in self.parts)

    @property
    def present(self) -> int:
        return sum(part.seen.present for part in self.parts)

    @property
    def expected(self) -> int:
        return sum(part.seen.expected for part in self.parts)

    @property
    def due(self) -> int:
        return sum(line.fee_due for line in self.lines)

    @property
    def paid(self) -> int:
        return sum(line.fee_paid for line in self.lines)

    @property
    def to_pay(self) -> int:
        return sum(line.to_pay for line in self.lines)


def check_in_list(*tournaments: Tournament) -> CheckInList:
    """Return the list of *tournaments* for their check-in desk.

    Eight queries for each, however many players it has.
    """
    read = [_part(tournament) for tournament in tournaments]
    lines = [line for _, those in read for line in those]
    lines.sort(key=lambda line: line.search)
    return CheckInList(tuple(lines), tuple(part for part, _ in read))


def _part(tournament: Tournament) -> tuple[DeskPart, list[DeskLine]]:
    seen, state = attendance(tournament), check_in_of(tournament)
    number = seen.round_number or tournament.total_rounds
    is_closed = state.is_closed and state.round_number == seen.round_number
    desk = CheckInDesk.objects.filter(tournament=tournament).first()
    fee = desk.fee if desk else 0
    data = {row.entry_id: row for row in DeskData.objects.filter(entry__tournament=tournament)}
    lines = []
    entries = list(Entry.objects.filter(tournament=tournament).order_by("pk"))
    disambiguate(entries)
    for entry in entries:
        entry.tournament = tournament
        presence = _presence(entry, number, seen.excused)
        lines.append(_line(entry, presence, data.get(entry.pk), fee, is_closed=is_closed))
    is_open = state.is_open and state.round_number == seen.round_number
    return DeskPart(tournament, seen, fee, is_open, is_closed), lines


def matches(lines: Sequence[DeskLine], search: str) -> list[DeskLine]:
    """Return the *lines* whose names have words that begin as *search*; all if it is empty."""
    wanted = search_words(search)
    return [line for line in lines if begins(words_of(line.entry.real_name), wanted)]


def _presence(entry: Entry, number: int, excused: frozenset[int]) -> Presence:
    if entry.withdrawn_from is not None and entry.withdrawn_from <= number:
        return Presence.WITHDRAWN
    if not takes_part(entry, number):
        return Presence.LATER
    if entry.checked_in:
        return Presence.BYE if entry.pk in excused else Presence.THERE
    if entry.answer == MissingAnswer.SKIP and entry.pk in excused:
        return Presence.SKIPPED
    if entry.pk in excused:
        return Presence.BYE
    return Presence.COMING if entry.answer == MissingAnswer.COMING else Presence.MISSING


def _line(
    entry: Entry, presence: Presence, data: DeskData | None, fee: int, *, is_closed: bool
) -> DeskLine:
    if data is None:
        return DeskLine(entry, presence, fee_due=fee, is_closed=is_closed)
    due = fee if data.fee_due is None else data.fee_due
    return DeskLine(entry, presence, data.phone, data.note, due, data.fee_paid, is_closed)
