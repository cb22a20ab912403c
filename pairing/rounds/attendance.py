"""The check-in before a round: who is there, and who is missing."""

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
    """Those ``due`` to play in round ``round_number`` who have ``missing`` to confirm; both by name."""

    round_number: int | None
    """None: no round is left to be published."""
    due: int = 0
    missing: tuple[Entry, ...] = ()

    @property
    def present(self) -> int:
        return self.due - len(self.missing)


def check_in_of(tournament: Tournament) -> CheckIn:
    """The check-in of *tournament* as the policies look at it."""
    return CheckIn(round_number=tournament.check_in_round, is_open=tournament.check_in_open)


def attendance(tournament: Tournament) -> Attendance:
    """Who is expected in the next round to be published, and has not confirmed. Four queries.

    Not expected are the withdrawn, late entries of a later round, and who has a bye there [C.04.2/2026 2.4, 3.2, 3.3].
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
    """The names of those missing at the check-in of round *round_number*. Four queries; none where none is held."""
    if tournament.check_in_round != round_number:
        return ()
    return tuple(entry.name for entry in attendance(tournament).missing)


def not_arrived(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Those of *entries* who are late entries, were never paired, and are not ticked as there [C.04.2/2026 2.4].

    One query, where there are late entries without a tick.
    """
    late = [entry for entry in entries if entry.first_round > 1 and not entry.checked_in]
    if not late:
        return ()
    paired = Q(game__isnull=False) | Q(bye=ByeKind.PAIRING_ALLOCATED)
    there = set(Seat.objects.filter(paired, entry__in=late).values_list("entry_id", flat=True))
    return tuple(entry for entry in late if entry.pk not in there)
