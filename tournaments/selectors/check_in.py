"""The check-in before a round: who is there, and who is missing."""

from __future__ import annotations

from dataclasses import dataclass

from pairing.rules.check_in import CheckIn
from pairing.rules.names import fold
from pairing.rules.rounds import next_unpublished
from tournaments import bridge
from tournaments.models import Entry, Tournament


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
    number = next_unpublished(bridge.round_facts(tournament))
    if number is None:
        return Attendance(None)
    excused = bridge.requested_byes(tournament, number)
    due = [
        entry
        for entry in Entry.objects.filter(tournament=tournament).order_by("pk")
        if entry.pk not in excused and bridge.takes_part(entry, number)
    ]
    due.sort(key=lambda entry: fold(entry.name))
    return Attendance(number, len(due), tuple(entry for entry in due if not entry.checked_in))
