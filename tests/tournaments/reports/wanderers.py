"""Random tournaments whose record is verified at the end,
and the manipulations that the verifier must find.
"""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any, Final

from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.models import F, QuerySet

from pairing.record import signatures
from pairing.record.chain import EMPTY, Line, fingerprint
from pairing.record.file import RecordFile, Seal, read, sealed, write
from pairing.record.verify import FileFault, first_fault
from tests.plugins.empty_tables import guard_lifted
from tests.tournaments.core.test_random_arbiters import Arbiters
from tournaments.core import record, signing
from tournaments.core.frame import tournament_frame
from tournaments.models import (
    Appointment,
    Correction,
    Decision,
    Entry,
    Game,
    PublishedList,
    RequestedBye,
    Round,
    Seat,
    Tournament,
)
from tournaments.reports.record_file import record_file

FOREIGN: Final = "17" * 32
"""The private key of somebody else."""


class Wanderers(Arbiters):
    """Random events without the checks after every action; the end is verified in their place."""

    at_the_end: Callable[[Tournament], None]

    def require_agreement(self) -> None:
        pass

    def hand_over(self) -> None:
        """Verify the event that ends."""
        if hasattr(self, "tournament"):
            self.at_the_end(self.tournament)


def verified(tournament: Tournament) -> str:
    """Return what ``verify_record`` finds: nothing, or its first line."""
    out = io.StringIO()
    try:
        call_command("verify_record", tournament.slug, stdout=out)
    except CommandError:
        return out.getvalue().splitlines()[0]
    return ""


def exported(tournament: Tournament, *, runs: bool) -> list[bytes]:
    """Return the lines of the file for arbiters (*runs*) or for visitors."""
    tournament.refresh_from_db()
    return [line.encode() for line in record_file(tournament_frame(tournament, runs=runs))]


def checked(lines: Iterable[bytes]) -> FileFault | None:
    """Return what the verifier finds in a file, for a reader
    who knows the key of the installation.
    """
    return first_fault(read(lines), keys=[signing.public_key()])


# In the database


def pick(dice: random.Random, tournament: Tournament) -> Decision:
    return dice.choice(list(tournament.decisions.order_by("sequence")))


def altered(dice: random.Random, row: Decision) -> dict[str, object]:
    """Return another value for one random column of *row*."""
    leaf = other_leaf(dice, row.after) if row.after else {"more": 1}
    return dice.choice(
        [
            {"reason": f"{row.reason}!"},
            {"actor_name": f"{row.actor_name} Jr"},
            {"article": "C.04.2 9.9"},
            {"at": row.at.replace(microsecond=(row.at.microsecond + 1) % 1_000_000)},
            {"round_number": (row.round_number or 0) + 1},
            {"is_public": not row.is_public},
            {"action": "entry.added" if row.action != "entry.added" else "entry.removed"},
            {"before": {**row.before, "more": 1}},
            {"after": leaf},
        ]
    )


def other_leaf(dice: random.Random, value: Any) -> Any:
    """Return *value* with one random leaf changed."""
    if isinstance(value, dict) and value:
        name = dice.choice(sorted(value))
        return {**value, name: other_leaf(dice, value[name])}
    if isinstance(value, list) and value:
        place = dice.randrange(len(value))
        return [*value[:place], other_leaf(dice, value[place]), *value[place + 1 :]]
    return {str: lambda: f"{value}x", bool: lambda: not value, int: lambda: value + 1}.get(
        type(value), lambda: 7
    )()


def row_changed(dice: random.Random, tournament: Tournament) -> bool:
    row = pick(dice, tournament)
    Decision.objects.filter(pk=row.pk).update(**altered(dice, row))
    return True


def row_replaced(dice: random.Random, tournament: Tournament) -> bool:
    """Another line in its place, with the right fingerprint."""
    row, other = pick(dice, tournament), pick(dice, tournament)
    if row.pk == other.pk:
        return False
    for name in ("action", "before", "after", "reason", "article", "round_number"):
        setattr(row, name, getattr(other, name))
    row.reason += " again"
    row.hash = record.fingerprint(row)
    return write_row(row)


def write_row(row: Decision) -> bool:
    names = [field.attname for field in Decision._meta.concrete_fields if not field.primary_key]
    return bool(
        Decision.objects.filter(pk=row.pk).update(**{name: getattr(row, name) for name in names})
    )


def row_removed(dice: random.Random, tournament: Tournament) -> bool:
    remove(Decision.objects.filter(pk=pick(dice, tournament).pk))
    return True


def remove(lines: QuerySet[Decision]) -> None:
    """Remove *lines* with the lists that they published, which would keep them,
    and those with the same content.
    """
    pks = [line.pk for line in lines]
    PublishedList.objects.filter(same_as__decision__in=pks).delete()
    PublishedList.objects.filter(decision__in=pks).delete()
    lines.delete()


def end_removed(dice: random.Random, tournament: Tournament) -> bool:
    last = tournament.version
    remove(tournament.decisions.filter(sequence__gt=last - dice.randint(1, max(1, last // 3))))
    return True


def rows_reordered(dice: random.Random, tournament: Tournament) -> bool:
    row, other = pick(dice, tournament), pick(dice, tournament)
    Decision.objects.filter(pk=row.pk).update(sequence=1_000_000)
    Decision.objects.filter(pk=other.pk).update(sequence=row.sequence)
    Decision.objects.filter(pk=row.pk).update(sequence=other.sequence)
    return row.pk != other.pk


def result_changed(dice: random.Random, tournament: Tournament) -> bool:
    games = list(Game.objects.filter(round__tournament=tournament))
    game = dice.choice(games) if games else None
    return game is not None and bool(
        Game.objects.filter(pk=game.pk).update(result="01" if game.result != "01" else "10")
    )


def bye_changed(dice: random.Random, tournament: Tournament) -> bool:
    seats = list(Seat.objects.filter(round__tournament=tournament).exclude(bye__in=("", "U")))
    if not seats:
        return False
    seat = dice.choice(seats)
    return bool(Seat.objects.filter(pk=seat.pk).update(bye="F" if seat.bye != "F" else "H"))


def requested_bye_changed(dice: random.Random, tournament: Tournament) -> bool:
    entry = dice.choice(list(tournament.entries.all()))
    number = dice.randint(1, tournament.total_rounds)
    there = RequestedBye.objects.filter(entry=entry, round_number=number)
    if there.exists():
        return bool(there.delete())
    return RequestedBye.objects.create(entry=entry, round_number=number, kind="F") is not None


def name_changed(dice: random.Random, tournament: Tournament) -> bool:
    entry = dice.choice(list(tournament.entries.all()))
    return bool(Entry.objects.filter(pk=entry.pk).update(name=f"{entry.name} Senior"))


def rating_changed(dice: random.Random, tournament: Tournament) -> bool:
    entry = dice.choice(list(tournament.entries.all()))
    column = dice.choice(["rating", "fide_rating", "national_rating"])
    return bool(
        Entry.objects.filter(pk=entry.pk).update(**{column: (getattr(entry, column) or 1000) + 1})
    )


TIMES: Final = ("starts_at", "results_due_at", "paired_at", "published_at", "results_published_at")


def time_changed(dice: random.Random, tournament: Tournament) -> bool:
    """One of the times of a round, set or moved."""
    row, name = dice.choice(list(tournament.rounds.all())), dice.choice(TIMES)
    moved = (getattr(row, name) or row.tournament.created_at) + timedelta(minutes=1)
    return bool(Round.objects.filter(pk=row.pk).update(**{name: moved}))


def correction_changed(dice: random.Random, tournament: Tournament) -> bool:
    rows = list(Correction.objects.filter(tournament=tournament))
    if not rows:
        return False
    row = dice.choice(rows)
    changes: list[dict[str, object]] = [
        {"reported_at": row.reported_at - timedelta(minutes=1)},
        {"entered_at": row.entered_at + timedelta(seconds=1)},
        {"reason": f"{row.reason}!"},
        {"effect": "rating_only" if row.effect != "rating_only" else "next_round"},
        {"waiting": not row.waiting},
        {"before": {**row.before, "more": 1}},
        {"after": other_leaf(dice, row.after)},
    ]
    return bool(Correction.objects.filter(pk=row.pk).update(**dice.choice(changes)))


def correction_removed(dice: random.Random, tournament: Tournament) -> bool:
    rows = list(Correction.objects.filter(tournament=tournament))
    return bool(rows and dice.choice(rows).delete())


def appointment_changed(dice: random.Random, tournament: Tournament) -> bool:
    """Another person, role or time in an appointment, or a role that has ended holds again."""
    row = dice.choice(list(tournament.appointments.all()))
    stranger = User.objects.exclude(appointments__tournament=tournament).first()
    changes: list[dict[str, object]] = [
        {"role": "reader"},
        {"since": row.since + timedelta(minutes=1)},
        {"until": None if row.until else tournament.created_at},
        {"person": stranger} if stranger else {"role": "result_desk"},
    ]
    return bool(Appointment.objects.filter(pk=row.pk).update(**dice.choice(changes)))


def appointment_made(dice: random.Random, tournament: Tournament) -> bool:
    stranger = User.objects.exclude(appointments__tournament=tournament).first()
    if stranger is None:
        return False
    since = tournament.created_at
    return bool(
        Appointment.objects.create(
            tournament=tournament, person=stranger, role="deputy", since=since
        )
    )


def deadline_changed(dice: random.Random, tournament: Tournament) -> bool:
    until = (tournament.corrections_until or tournament.created_at) + timedelta(minutes=1)
    return bool(Tournament.objects.filter(pk=tournament.pk).update(corrections_until=until))


def group_a_changed(dice: random.Random, tournament: Tournament) -> bool:
    other = tournament.entries.exclude(pk=tournament.group_a_last_id).order_by("pk").first()
    return bool(Tournament.objects.filter(pk=tournament.pk).update(group_a_last=other))


def creator_changed(dice: random.Random, tournament: Tournament) -> bool:
    other = User.objects.exclude(pk=tournament.created_by_id).first()
    return other is not None and bool(
        Tournament.objects.filter(pk=tournament.pk).update(created_by=other)
    )


def table_changed(dice: random.Random, tournament: Tournament) -> bool:
    games = list(Game.objects.filter(round__tournament=tournament, first=None))
    return bool(games) and bool(Game.objects.filter(pk=dice.choice(games).pk).update(table=99))


def list_removed(dice: random.Random, tournament: Tournament) -> bool:
    rows = list(tournament.published_lists.all())
    if not rows:
        return False
    row = dice.choice(rows)
    PublishedList.objects.filter(same_as=row).update(same_as=None, content=row.content)
    return bool(PublishedList.objects.filter(pk=row.pk).delete())


def chain_recomputed(dice: random.Random, tournament: Tournament, private: str = "") -> bool:
    """A line altered, every later fingerprint computed again,
    and the tournament's copies of the last replaced.

    The signatures stay, or are made with the key of somebody else (*private*).
    """
    rows = list(tournament.decisions.order_by("sequence"))
    first = dice.randrange(len(rows))
    row = rows[first]
    rows[first].reason = f"{row.reason}, as agreed"
    previous = rows[first - 1].hash if first else EMPTY
    for row in rows[first:]:
        row.previous_hash = previous
        row.key = signatures.public_key(private) if private else row.key
        row.hash = previous = record.fingerprint(row)
        row.signature = signatures.sign(private, row.hash) if private else row.signature
        write_row(row)
    shown = [row.hash for row in rows if row.is_public][-1]
    return bool(
        Tournament.objects.filter(pk=tournament.pk).update(
            fingerprint=previous, public_fingerprint=shown
        )
    )


def chain_signed_again(dice: random.Random, tournament: Tournament) -> bool:
    return chain_recomputed(dice, tournament, FOREIGN)


def account_changed(dice: random.Random, tournament: Tournament) -> bool:
    row = pick(dice, tournament)
    return bool(Decision.objects.filter(pk=row.pk).update(actor=None if row.actor_id else F("pk")))


IN_THE_DATABASE: Final[dict[str, Callable[[random.Random, Tournament], bool]]] = {
    "a row changed": row_changed,
    "a row replaced": row_replaced,
    "a row removed": row_removed,
    "the end removed": end_removed,
    "rows reordered": rows_reordered,
    "the account of a row changed": account_changed,
    "a result changed in the tables": result_changed,
    "a bye changed in the tables": bye_changed,
    "a requested bye changed in the tables": requested_bye_changed,
    "a name changed in the tables": name_changed,
    "a rating changed in the tables": rating_changed,
    "a time of a round changed": time_changed,
    "a correction changed": correction_changed,
    "a correction removed": correction_removed,
    "an appointment changed": appointment_changed,
    "an appointment made": appointment_made,
    "the deadline changed": deadline_changed,
    "group A changed": group_a_changed,
    "the creator changed": creator_changed,
    "the table of a board changed": table_changed,
    "a published list removed": list_removed,
    "the chain computed again": chain_recomputed,
    "the chain computed and signed again": chain_signed_again,
}
"""Each changes something and returns True, or finds nothing of its kind and returns False."""


def found_in_database(kind: str, dice: random.Random, tournament: Tournament) -> str | None:
    """Return what the verifier finds after a manipulation, which is rolled back;
    None if there was nothing to do.
    """
    try:
        with transaction.atomic():
            with guard_lifted(connection):
                done = IN_THE_DATABASE[kind](dice, tournament)
            raise _BackError(verified(tournament) if done else None)
    except _BackError as back:
        tournament.refresh_from_db()
        return back.found


class _BackError(Exception):
    def __init__(self, found: str | None) -> None:
        super().__init__(found)
        self.found = found


# In the file


def again(file: RecordFile, lines: list[Line], private: str = "") -> list[bytes]:
    """Return the file with *lines*, the chain computed again;
    signed by somebody else if *private*.
    """
    previous, linked = EMPTY, []
    for number, line in enumerate(lines, start=1):
        values = {name: getattr(line, name) for name in Line.__dataclass_fields__}
        key = signatures.public_key(private) if private else line.key
        values |= {"sequence": number, "previous": previous, "key": key}
        previous = fingerprint(file.header.tournament, Line(**values))
        signature = signatures.sign(private, previous) if private else line.signature
        linked.append(Line(**{**values, "hash": previous, "signature": signature}))
    header = type(file.header)(**{
        **{name: getattr(file.header, name) for name in type(file.header).__dataclass_fields__}, "lines": len(lines),
        "keys": (signatures.public_key(private),) if private else file.header.keys,
    })  # fmt: skip
    assert file.seal is not None
    seal = Seal(previous, file.seal.key, file.seal.signature)
    if private:
        seal = Seal(
            previous,
            signatures.public_key(private),
            signatures.sign(private, sealed(header, previous)),
        )
    return [line.encode() for line in write(header, linked, seal)]


def line_changed(dice: random.Random, lines: list[bytes]) -> list[bytes]:
    place = dice.randrange(1, len(lines) - 1)
    values = json.loads(lines[place])
    lines[place] = json.dumps(other_leaf(dice, values)).encode()
    return lines


def line_replaced(dice: random.Random, lines: list[bytes]) -> list[bytes]:
    place, other = dice.sample(range(1, len(lines) - 1), 2)
    lines[place] = lines[other]
    return lines


def line_removed(dice: random.Random, lines: list[bytes]) -> list[bytes]:
    del lines[dice.randrange(1, len(lines) - 1)]
    return lines


def lines_reordered(dice: random.Random, lines: list[bytes]) -> list[bytes]:
    place, other = dice.sample(range(1, len(lines) - 1), 2)
    lines[place], lines[other] = lines[other], lines[place]
    return lines


def file_cut_off(dice: random.Random, lines: list[bytes]) -> list[bytes]:
    return lines[: dice.randrange(2, len(lines))]


def header_changed(dice: random.Random, lines: list[bytes]) -> list[bytes]:
    values = json.loads(lines[0])
    name = dice.choice(["name", "tournament", "system", "edition", "program", "lines", "complete"])
    lines[0] = json.dumps({**values, name: other_leaf(dice, values[name])}).encode()
    return lines


def file_computed_again(dice: random.Random, lines: list[bytes]) -> list[bytes]:
    """A line removed, and everything after it computed again."""
    file = read(lines)
    kept = list(file.lines)
    del kept[dice.randrange(1, len(kept))]
    return again(file, kept)


def file_signed_again(dice: random.Random, lines: list[bytes]) -> list[bytes]:
    file = read(lines)
    kept = list(file.lines)
    del kept[dice.randrange(1, len(kept))]
    return again(file, kept, FOREIGN)


def line_withheld(dice: random.Random, lines: list[bytes]) -> list[bytes]:
    """The content of a line left out, as if it was not published yet."""
    place = dice.randrange(1, len(lines) - 1)
    values = json.loads(lines[place])
    names = ("sequence", "key", "previous", "hash", "signature")
    lines[place] = json.dumps({name: values[name] for name in names}).encode()
    if dice.random() < 0.5:
        header = json.loads(lines[0])
        lines[0] = json.dumps({**header, "withheld": [values["sequence"]]}).encode()
    return lines


IN_THE_FILE: Final[dict[str, Callable[[random.Random, list[bytes]], list[bytes]]]] = {
    "a line changed": line_changed,
    "a line replaced": line_replaced,
    "a line removed": line_removed,
    "lines reordered": lines_reordered,
    "the file cut off": file_cut_off,
    "the header changed": header_changed,
    "the content of a line withheld": line_withheld,
    "the chain computed again": file_computed_again,
    "the chain computed and signed again": file_signed_again,
}
