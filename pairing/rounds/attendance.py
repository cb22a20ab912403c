"""The check-in before a round: players who are present, and players who are missing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q

from pairing.rounds.facts import round_facts
from pairing.rounds.snapshot import requested_byes, skipped, takes_part
from pairing.rules.check_in import CheckIn
from pairing.rules.names import fold
from pairing.rules.rounds import next_unpublished
from tournaments.core.actions import OpenAction
from tournaments.core.namesakes import disambiguate
from tournaments.models import ByeKind, Entry, MissingAnswer, Seat, Tournament
from tournaments.models.payload_data import CheckedIn
from tournaments.models.payloads import EntryCheckedIn


@dataclass(frozen=True, slots=True)
class Attendance:
    """The players ``due`` in ``round_number``, and those not checked in; all by name.

    ``missing`` are those about whom nobody has decided; about the ``coming`` the arbiter said that
    they are coming. The ``skipped`` are not due: the arbiter leaves them out until they are checked
    in.
    """

    round_number: int | None
    """None: all rounds are published."""
    due: int = 0
    missing: tuple[Entry, ...] = ()
    coming: tuple[Entry, ...] = ()
    skipped: tuple[Entry, ...] = ()
    excused: frozenset[int] = frozenset()
    """The entries with a bye in the round, the skipped ones included."""

    @property
    def expected(self) -> int:
        """The players of the round, the skipped ones included."""
        return self.due + len(self.skipped)

    @property
    def present(self) -> int:
        return self.due - len(self.missing) - len(self.coming)

    @property
    def not_there(self) -> tuple[Entry, ...]:
        """Everybody who is not checked in, the answered ones too."""
        return tuple(
            sorted((*self.missing, *self.coming, *self.skipped), key=lambda entry: fold(entry.name))
        )


def check_in_of(tournament: Tournament) -> CheckIn:
    """Return the check-in of *tournament* in the form that the policies read."""
    return CheckIn(round_number=tournament.check_in_round, is_open=tournament.check_in_open)


def check_in(action: OpenAction, entry: Entry, *, by_player: bool = False) -> None:
    """Check in *entry* of the open *action*, and end the arbiter's answer about it: one line of the
    record [C.04.2/2026 4.1]. If the answer was not to pair the player, a draft is out of date.
    """
    answer, entry.answer = entry.answer, ""
    entry.checked_in = True
    entry.save(update_fields=["checked_in", "answer"])
    after: CheckedIn = {"entry": entry.pk, "name": entry.name}
    if by_player:
        after["by_player"] = True
    action.record(
        EntryCheckedIn(before={"answer": answer} if answer else {}, after=after),
        article="C.04.2 4.1",
        changes_pairing=answer == MissingAnswer.SKIP,
        is_public=False,
    )


def check_in_skipped(action: OpenAction, playing: Iterable[Entry]) -> None:
    """Check in those of *playing* whom the arbiter leaves out until they are checked in: they are
    here, and the next round would be paired without them.
    """
    for entry in playing:
        if entry.answer == MissingAnswer.SKIP and not entry.checked_in:
            check_in(action, entry)


def attendance(tournament: Tournament) -> Attendance:
    """Return who is expected in the next round to be published, and who is not checked in.

    Five queries. Withdrawn players, late entries of a later round and players with a bye are not
    expected [C.04.2/2026 2.4, 3.2, 3.3].
    """
    number = next_unpublished(round_facts(tournament))
    if number is None:
        return Attendance(None)
    left_out = skipped(tournament, number)
    excused = requested_byes(tournament, number, left_out)
    everybody = list(Entry.objects.filter(tournament=tournament).order_by("pk"))
    disambiguate(everybody)
    entries = [
        entry
        for entry in everybody
        if takes_part(entry, number) and (entry.pk in left_out or entry.pk not in excused)
    ]
    entries.sort(key=lambda entry: fold(entry.real_name))
    due = [entry for entry in entries if entry.pk not in left_out]
    absent = [entry for entry in due if not entry.checked_in]
    return Attendance(
        number,
        len(due),
        missing=tuple(entry for entry in absent if entry.answer != MissingAnswer.COMING),
        coming=tuple(entry for entry in absent if entry.answer == MissingAnswer.COMING),
        skipped=tuple(entry for entry in entries if entry.pk in left_out),
        excused=frozenset(excused),
    )


def unconfirmed(tournament: Tournament, round_number: int) -> tuple[str, ...]:
    """Return the names of the players missing in *round_number* without a decision.

    Empty if the event had no check-in so far. Five queries; none without a check-in.
    """
    if tournament.check_in_round is None or tournament.check_in_round > round_number:
        return ()
    return tuple(entry.name for entry in attendance(tournament).missing)


def not_arrived(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Return late entries of *entries* never paired and not checked in [C.04.2/2026 2.4].

    One query if there are late entries who are not checked in, otherwise none.
    """
    late = [entry for entry in entries if entry.first_round > 1 and not entry.checked_in]
    if not late:
        return ()
    paired = Q(game__isnull=False) | Q(bye=ByeKind.PAIRING_ALLOCATED)
    there = set(Seat.objects.filter(paired, entry__in=late).values_list("entry_id", flat=True))
    return tuple(entry for entry in late if entry.pk not in there)
