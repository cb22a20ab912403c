"""The check-in before a round: players who are present, and players who are missing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q

from pairing.rounds.facts import round_facts
from pairing.rounds.snapshot import requested_byes, takes_part
from pairing.rules.check_in import CheckIn
from pairing.rules.names import fold
from pairing.rules.rounds import next_unpublished
from tournaments.models import ByeKind, Entry, Seat, Tournament


@dataclass(frozen=True, slots=True)
class Attendance:
    """The players ``due`` to play in round ``round_number``, and those still ``missing``; both by name."""

    round_number: int | None
    """None: all rounds are published."""
    due: int = 0
    missing: tuple[Entry, ...] = ()

    @property
    def present(self) -> int:
        return self.due - len(self.missing)


def check_in_of(tournament: Tournament) -> CheckIn:
    """Return the check-in of *tournament* in the form that the policies read."""
    return CheckIn(round_number=tournament.check_in_round, is_open=tournament.check_in_open)


def attendance(tournament: Tournament) -> Attendance:
    """Return the players expected in the next round to be published, and those not checked in. Four queries.

    Withdrawn players, late entries of a later round and players with a bye are not expected
    [C.04.2/2026 2.4, 3.2, 3.3].
    """
    number = next_unpublished(round_facts(tournament))
    if number is None:
        return Attendance(None)
    excused = requested_byes(tournament, number)
    due = [
        entry
        for entry in Entry.objects.filter(tournament=tournament).order_by("pk")
        if entry.pk not in excused and takes_part(entry, number)
    ]
    due.sort(key=lambda entry: fold(entry.name))
    return Attendance(number, len(due), tuple(entry for entry in due if not entry.checked_in))


def unconfirmed(tournament: Tournament, round_number: int) -> tuple[str, ...]:
    """Return the names of the players missing at the check-in of round *round_number*; empty without a check-in.

    Four queries; none without a check-in.
    """
    if tournament.check_in_round != round_number:
        return ()
    return tuple(entry.name for entry in attendance(tournament).missing)


def not_arrived(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Return the late entries among *entries* who were never paired and are not checked in [C.04.2/2026 2.4].

    One query if there are late entries who are not checked in, otherwise none.
    """
    late = [entry for entry in entries if entry.first_round > 1 and not entry.checked_in]
    if not late:
        return ()
    paired = Q(game__isnull=False) | Q(bye=ByeKind.PAIRING_ALLOCATED)
    there = set(Seat.objects.filter(paired, entry__in=late).values_list("entry_id", flat=True))
    return tuple(entry for entry in late if entry.pk not in there)
