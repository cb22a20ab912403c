"""The record as a file that anybody can verify (docs/developer/record-format.md).

Arbiters get every line. Visitors get the lines up to the first that is not published: the actions
of a round until its pairings are public, its results and absences until they are, an imported event
until all of its file is. Of check-ins, protests, deleted personal data, and byes in coming rounds,
which are often early in a record, they get only the fingerprint; the lines after them follow.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import Final

from django.conf import settings

from pairing.record.chain import EMPTY, Line
from pairing.record.file import Header, Seal, sealed, write
from pairing.record.private import has_lost_open_records
from pairing.rules.check_in import Consequence
from pairing.rules.kept_records import records_in_the_open
from pairing.rules.rounds import RoundState
from tournaments.core import signing
from tournaments.core.frame import Frame
from tournaments.core.record import lines_of
from tournaments.models import Action
from tournaments.reports.record_page import ANNOUNCEMENTS

_WITH_RESULTS: Final = frozenset(
    {
        Action.RESULT_RECORDED.value,
        Action.RESULT_UNDONE.value,
        Action.RESULT_READ.value,
        Action.READING_DECIDED.value,
        Action.RESULT_CONFIRMED.value,
        Action.GAMES_ADJOURNED.value,
        Action.ABSENCE_EXPLAINED.value,  # of a forfeit
        Action.ABSENCE_WITHDRAWN.value,
        Action.ABSENCE_LIFTED.value,
    }
)
_BYES: Final = frozenset({Action.BYE_REQUESTED.value, Action.BYE_CANCELLED.value})
_PROTESTS: Final = frozenset(
    {
        Action.PROTEST_LODGED.value,
        Action.PROTEST_DECIDED.value,
        Action.PROTEST_APPEALED.value,
        Action.APPEAL_DECIDED.value,
    }
)
_FOR_ARBITERS: Final = frozenset(
    {
        Action.ENTRY_CHECKED_IN.value,
        Action.ENTRY_CHECKED_OUT.value,
        Action.ENTRIES_CHECKED_IN.value,
        Action.CHECK_IN_OPENED.value,
        Action.CHECK_IN_CLOSED.value,
        Action.CHECK_IN_ANSWERED.value,
        Action.DESK_DATA_CHANGED.value,
        Action.FEE_SET.value,
        Action.SELF_CHECK_IN_OPENED.value,
        Action.SELF_CHECK_IN_CLOSED.value,
        Action.REGISTRATION_REFUSED.value,
        Action.DATA_DELETED.value,
    }
)


def record_file(frame: Frame) -> Iterator[str]:
    """Yield the lines of the file for the reader of *frame*. One query."""
    lines = list(lines_of(frame.tournament, private=False))
    if not frame.runs:
        lines = _public(frame, lines)
    tournament, last = frame.tournament, lines[-1].hash if lines else EMPTY
    key = signing.public_key()
    header = Header(
        name=tournament.name,
        tournament=tournament.identity,
        system=tournament.system,
        edition=tournament.handling_edition,
        program=settings.VERSION,
        keys=tuple(dict.fromkeys([*(line.key for line in lines), key])),
        lines=len(lines),
        is_complete=frame.runs,
        withheld=tuple(line.sequence for line in lines if line.is_withheld),
    )
    return write(header, lines, Seal(last, key, signing.sign(sealed(header, last))))


def _public(frame: Frame, lines: list[Line]) -> list[Line]:
    """Return the beginning of *lines* in which nothing is unpublished."""
    newest = next(
        (
            n
            for n, line in enumerate(lines, start=1)
            if line.hash == frame.tournament.public_fingerprint
        ),
        0,
    )
    public = {tab.number for tab in frame.rounds if tab.is_public}
    over = {tab.number for tab in frame.rounds if tab.state == RoundState.RESULTS_PUBLISHED}
    beginning = [
        without_content(line) if _is_withheld(line, public) else line for line in lines[:newest]
    ]
    return list(
        takewhile(lambda line: line.is_withheld or _is_public(line, public, over), beginning)
    )


def without_content(line: Line) -> Line:
    """Return *line* with its fingerprint alone."""
    return Line.withheld(
        sequence=line.sequence,
        key=line.key,
        previous=line.previous,
        hash=line.hash,
        signature=line.signature,
    )


def _done(line: Line) -> str:
    """Return the action of *line*; of an undo, the undone action."""
    return str(line.after["action"]) if line.action == Action.ACTION_UNDONE else line.action


def _is_withheld(line: Line, public: set[int]) -> bool:
    """Return whether visitors may not read *line*, or not before its round is published.

    Nothing public needs it.
    """
    action = _done(line)
    if action == Action.CHECK_IN_SETTLED:
        settled = line.after if action == line.action else line.before
        excluded = (
            settled["consequence"] == Consequence.EXCLUDED.value
        )  # a withdrawal, which everybody sees
        paired = settled["consequence"] == Consequence.PAIRED.value
        return paired or not (excluded or settled["for_round"] in public)
    return action in _FOR_ARBITERS | _PROTESTS or (
        action in _BYES and line.round_number not in public
    )


def _is_public(line: Line, public: set[int], over: set[int]) -> bool:
    """Return whether everything in *line* is published."""
    if _done(line) in ANNOUNCEMENTS:
        return True
    if line.action == Action.TOURNAMENT_IMPORTED:
        # Its last round may be in play, and it may have byes of coming rounds. A line from before
        # 28 November 2026 may have private records of the file in the open; without them only the
        # withheld line of the deletion proves it.
        if records_in_the_open(line.action, line.after) or has_lost_open_records(line):
            return False
        return over.issuperset(map(int, line.after["played"])) and all(
            bye["round"] in public for bye in line.after["byes"]
        )
    if line.action in _WITH_RESULTS:
        return line.round_number in over
    return line.round_number is None or line.round_number in public
