"""Take over reports to the rating officer from a newer record, after an older backup was restored.

The backup does not know what was sent since. Without this the program would offer the same games
again.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.contrib.auth.models import User

from pairing.engine.errors import InputError
from pairing.record.chain import Line
from pairing.record.file import RecordFile, read
from pairing.record.verify import first_fault
from pairing.rules.verdict import Refused
from tournaments.core import signing
from tournaments.core.actions import open_action
from tournaments.core.errors import BadInput, RuleRefused
from tournaments.models import Action, Decision, Tournament
from tournaments.models.payload_game_data import SentReport
from tournaments.models.payloads import ReportSent
from tournaments.reports.sent_reports import game_of, games_sent, ledger

MAX_BYTES: Final = 16_000_000
"""The largest record file that is read: one with more than ten thousand lines."""


def reports_restore(*, tournament_id: int, file: bytes, actor: User, now: datetime) -> int:
    """Record the reports of the record *file* that this record does not know; return their number.

    The file belongs to this tournament, is consistent, and is signed with a key of this record or
    of the installation (:class:`BadInput`). Games that were reported here too are left out. Refused
    with ``report.nothing_to_restore`` if nothing is missing: a file sent twice does nothing. The
    file is read and verified before the lock.
    """
    record = _verified(Tournament.objects.get(pk=tournament_id), file)
    with open_action(actor=actor, now=now, pk=tournament_id, after_the_end=True) as action:
        known = _known(action.tournament)
        missing = [line for line in _sent_lines(record) if line.hash not in known]
        if not missing:
            raise RuleRefused(Refused("report.nothing_to_restore"))
        for line in missing:
            action.record(
                ReportSent(before={}, after=_restored(action.tournament, line)), is_public=False
            )
    return len(missing)


def _verified(tournament: Tournament, file: bytes) -> RecordFile:
    """Return the record in *file*, or raise :class:`BadInput` with what is wrong with it."""
    if len(file) > MAX_BYTES:
        raise BadInput("report.file_too_large", field="file", limit=MAX_BYTES // 1_000_000)
    try:
        record = read(file.splitlines(keepends=True))
    except InputError as error:
        raise BadInput("report.no_record", field="file") from error
    if record.header.tournament != tournament.identity:
        raise BadInput("report.other_record", field="file", name=record.header.name)
    keys = {
        signing.public_key(),
        *Decision.objects.filter(tournament=tournament).values_list("key", flat=True),
    }
    if fault := first_fault(record, keys=keys):
        raise BadInput("report.faulty_record", field="file", problem=str(fault))
    return record


def _sent_lines(record: RecordFile) -> list[Line]:
    """Return the lines of the reports that were sent and not withdrawn."""
    found: list[Line] = []
    for line in record.lines:
        if line.action == Action.REPORT_SENT:
            found.append(line)
        elif line.action == Action.REPORT_WITHDRAWN:
            found.pop()
    return found


def _known(tournament: Tournament) -> set[str]:
    """Return the fingerprints of the reports in the record, its own and those taken over."""
    rows = Decision.objects.filter(tournament=tournament, action=Action.REPORT_SENT)
    return {str(known) for row in rows for known in (row.hash, row.after.get("restored", row.hash))}


def _restored(tournament: Tournament, line: Line) -> SentReport:
    """Return the report of *line* with what is missing here."""
    here = ledger(tournament)
    sent = games_sent(here.reports)
    games = [game for game in line.after["games"] if game_of(game).key not in sent]
    corrected = [
        change
        for change in line.after["corrected"]
        if sent.get(game_of(change["before"]).key) == (change["report"], game_of(change["before"]))
    ]
    return {
        "number": max(line.after["number"], here.next_number),
        "sha256": line.after["sha256"],
        "until": line.after["until"],
        "games": games,
        "corrected": corrected,
        "restored": line.after.get("restored", line.hash),
        "sent_at": line.after.get("sent_at", line.at),
    }
