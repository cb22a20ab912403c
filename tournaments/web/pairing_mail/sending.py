"""Send each player who agreed to it the own board by e-mail, as a job: nothing waits for it.

Each e-mail is noted before it leaves, so that a process that dies sends nobody the same e-mail
twice; of one e-mail nobody knows then whether it left.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum
from smtplib import (
    SMTPException,
    SMTPNotSupportedError,
    SMTPRecipientsRefused,
    SMTPResponseException,
)
from typing import Final

from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import QuerySet
from django.utils import timezone

from pairing.rounds.round_page import NameLine
from tournaments.core import jobs
from tournaments.core.actions import OpenAction
from tournaments.core.frame import tournament_frame
from tournaments.core.jobs import Work
from tournaments.models import Action, Decision, MailState, PairingMail, Round, Tournament
from tournaments.web.events.followed import Followed, followed_players
from tournaments.web.pairing_mail.available import why_no_pairing_mails
from tournaments.web.pairing_mail.texts import message_to

logger = logging.getLogger(__name__)

JOB: Final = "pairing_mail"
NEWS: Final = frozenset({Action.PAIRINGS_PUBLISHED, Action.ROUND_CHANGED})
"""After these actions e-mails are sent."""
ENDS: Final = NEWS | {Action.RESULTS_PUBLISHED}
"""After these a job that is still sending ends: what it has read is no longer so."""
WAITS: Final = (60, 300, 900, 1800)
"""Seconds before each new attempt."""
MOST_FAULTS: Final = 3
"""After so many e-mails in a row without a clear answer the server is left alone for a while."""


class Outcome(Enum):
    """The answer of the mail server to one e-mail."""

    SENT = "sent"
    REFUSED = "refused"
    LATER = "later"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Due:
    """An e-mail to be sent; ``board`` is the text with which the row remembers it."""

    mail: PairingMail
    card: Followed
    board: str

    @property
    def is_changed(self) -> bool:
        """Whether the player has got another board of the same round."""
        return self.mail.round_number == self.card.round_number

    def take(self, state: MailState) -> bool:
        """Write that this e-mail is sent or has failed; False if the player has ended the e-mails,
        or somebody else sends it.
        """
        return bool(
            self._row(self.mail).update(
                round_number=self.card.round_number, board=self.board, state=state
            )
        )

    def end(self, outcome: Outcome) -> None:
        """Write how the taken e-mail ended; one for later is as before."""
        row = PairingMail.objects.filter(pk=self.mail.pk, board=self.board)
        row = row.filter(round_number=self.card.round_number)
        if outcome is Outcome.SENT:
            row.update(state=MailState.SENT)
        elif outcome is Outcome.REFUSED:
            row.update(state=MailState.FAILED)
        elif outcome is Outcome.LATER:
            before = self.mail
            row.update(round_number=before.round_number, board=before.board, state=before.state)

    @staticmethod
    def _row(mail: PairingMail) -> QuerySet[PairingMail]:
        return PairingMail.objects.filter(
            pk=mail.pk, round_number=mail.round_number, board=mail.board
        )


def follow(action: OpenAction) -> None:
    """Let players get their board by e-mail once *action* is committed.

    After a publication or a change of the pairings one query, and one statement if somebody has
    agreed to e-mails. A copy that was handed over sends nothing.
    """
    tournament = action.tournament
    if not {line.action for line in action.lines} & NEWS or tournament.handed_over_at is not None:
        return
    if PairingMail.objects.filter(entry__tournament=tournament).exists():
        jobs.enqueue(JOB, str(tournament.pk))


def mail_job(work: Work) -> None:
    """Send each player the e-mail that is due; what the server does not take now is tried again."""
    tournament = Tournament.objects.filter(pk=work.key).first()
    if tournament is None or tournament.handed_over_at is not None or why_no_pairing_mails():
        return
    newest = _newest(tournament)
    found = due_mails(tournament)
    if not found:
        return
    is_complete = _send(work, tournament, newest, found)
    if is_complete or _newest(tournament) != newest:
        return
    tries = int(work.arguments.get("tries", 0))
    if tries < len(WAITS):
        due = timezone.now() + timedelta(seconds=WAITS[tries])
        jobs.enqueue(JOB, work.key, {"tries": tries + 1}, due=due)
        return
    for each in due_mails(tournament):
        each.take(MailState.FAILED)


def due_mails(tournament: Tournament) -> list[Due]:
    """Return the e-mails that are due now: to players whose board in the round that is being played
    is another one than in the last e-mail. About ten queries.
    """
    frame = tournament_frame(tournament, runs=False)
    number = frame.latest_published
    if number is None or number <= frame.latest_results:
        return []
    mails = {
        each.entry_id: each for each in PairingMail.objects.filter(entry__tournament=tournament)
    }
    found = []
    for card in followed_players(tournament, mails) if mails else ():
        mail, gone = mails[card.entry.pk], card.entry.withdrawn_from
        if card.seat is None or (gone is not None and gone <= number):
            continue
        board = _board(card.seat)
        if (mail.round_number, mail.board) != (number, board):
            found.append(Due(mail, card, board))
    return found


def _board(seat: NameLine) -> str:
    if seat.opponent is None:
        return str(seat.bye)
    return f"{seat.board} {seat.table} {seat.colour} {seat.opponent.entry_id}"


def _newest(tournament: Tournament) -> int:
    lines = Decision.objects.filter(tournament=tournament, action__in=ENDS).order_by("-sequence")
    return lines.values_list("sequence", flat=True).first() or 0


def _send(work: Work, tournament: Tournament, newest: int, found: list[Due]) -> bool:
    """Send the e-mails *found*, and return whether the server gave an answer to each of them."""
    starts_at = Round.objects.get(
        tournament=tournament, number=found[0].card.round_number
    ).starts_at
    connection = get_connection()
    later, faults = 0, 0
    try:
        for place, due in enumerate(found):
            work.progress(done=place, of=len(found))
            if _newest(tournament) != newest:
                return True
            if faults >= MOST_FAULTS or not _open(connection):
                return False
            message = message_to(due.mail, due.card, starts_at, is_changed=due.is_changed)
            if not due.take(MailState.SENDING):
                continue
            outcome = _outcome(connection, message)
            due.end(outcome)
            later += outcome is Outcome.LATER
            faults = faults + 1 if outcome in (Outcome.LATER, Outcome.UNKNOWN) else 0
    finally:
        _close(connection)
    return not later


def _open(connection: BaseEmailBackend) -> bool:
    try:
        connection.open()
    except (SMTPException, OSError) as error:
        logger.warning("The mail server could not be reached: %s", type(error).__name__)
        return False
    return True


def _close(connection: BaseEmailBackend) -> None:
    try:
        connection.close()
    except (SMTPException, OSError):
        logger.info("The mail server had gone before the end")


def _outcome(connection: BaseEmailBackend, message: EmailMessage) -> Outcome:
    """Send *message*, and return what became of it; the log names the fault, not the address."""
    try:
        connection.send_messages([message])
        return Outcome.SENT
    except SMTPRecipientsRefused as error:
        codes = [code for code, _text in error.recipients.values()]
        outcome, fault = _by_code(min(codes, default=500)), str(codes)
    except SMTPResponseException as error:
        outcome, fault = _by_code(error.smtp_code), str(error.smtp_code)
    except (ValueError, SMTPNotSupportedError) as error:  # an address that no header can hold
        outcome, fault = Outcome.REFUSED, type(error).__name__
    except (SMTPException, OSError) as error:
        outcome, fault = Outcome.UNKNOWN, type(error).__name__
    logger.warning("An e-mail with pairings was not taken (%s): %s", outcome.value, fault)
    _close(connection)
    return outcome


def _by_code(code: int) -> Outcome:
    return Outcome.LATER if 400 <= code < 500 else Outcome.REFUSED
