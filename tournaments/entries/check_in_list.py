"""The list at the check-in desk: everybody by name, with the state before the coming round, and the fees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from pairing.rounds.attendance import Attendance, attendance
from pairing.rounds.snapshot import takes_part
from pairing.rules.names import fold
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

    @property
    def to_pay(self) -> int:
        return max(0, self.fee_due - self.fee_paid)

    @property
    def search(self) -> str:
        """The words by which the player is found."""
        return fold(self.entry.name)


@dataclass(frozen=True, slots=True)
class CheckInList:
    """Everybody by name; ``seen`` has the counts of the coming round."""

    lines: tuple[DeskLine, ...]
    seen: Attendance
    fee: int
    """The entry fee of the tournament in cents."""

    @property
    def not_there(self) -> int:
        return len(self.seen.not_there)

    @property
    def due(self) -> int:
        return sum(line.fee_due for line in self.lines)

    @property
    def paid(self) -> int:
        return sum(line.fee_paid for line in self.lines)

    @property
    def to_pay(self) -> int:
        return sum(line.to_pay for line in self.lines)


def check_in_list(tournament: Tournament) -> CheckInList:
    """Return the list of *tournament* for its check-in desk. Eight queries, whatever the number of players."""
    seen = attendance(tournament)
    number = seen.round_number or tournament.total_rounds
    desk = CheckInDesk.objects.filter(tournament=tournament).first()
    fee = desk.fee if desk else 0
    data = {row.entry_id: row for row in DeskData.objects.filter(entry__tournament=tournament)}
    entries = sorted(Entry.objects.filter(tournament=tournament), key=lambda entry: fold(entry.name))
    return CheckInList(
        tuple(_line(entry, _presence(entry, number, seen.excused), data.get(entry.pk), fee) for entry in entries),
        seen,
        fee,
    )


def matches(lines: Sequence[DeskLine], search: str) -> list[DeskLine]:
    """Return the *lines* whose names have words that begin with the words of *search*; all for an empty one."""
    wanted = fold(search).replace("-", " ").replace(",", " ").replace("'", "").split()
    return [line for line in lines if all(any(part.startswith(word) for part in _parts(line)) for word in wanted)]


def _parts(line: DeskLine) -> list[str]:
    """Return the words of the name; O'Brien is found by "obrien", "o'brien" and "brien"."""
    words = line.search.replace("-", " ").replace(",", " ").split()
    return [part for word in words for part in (word.replace("'", ""), *word.split("'")[1:])]


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


def _line(entry: Entry, presence: Presence, data: DeskData | None, fee: int) -> DeskLine:
    if data is None:
        return DeskLine(entry, presence, fee_due=fee)
    due = fee if data.fee_due is None else data.fee_due
    return DeskLine(entry, presence, data.phone, data.note, due, data.fee_paid)
