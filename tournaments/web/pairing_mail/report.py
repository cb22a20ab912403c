"""What the arbiter reads about the e-mails of a round: how many were sent, and which failed."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.core import jobs
from tournaments.models import MailState, PairingMail, Tournament
from tournaments.web.pairing_mail.available import why_no_pairing_mails
from tournaments.web.pairing_mail.sending import JOB


@dataclass(frozen=True, slots=True)
class MailReport:
    """The e-mails of one round. ``failed`` and ``unknown`` are names of players: of the latter
    nobody knows whether the e-mail left. ``players`` have agreed to get one.
    """

    players: int
    sent: int
    failed: tuple[str, ...]
    unknown: tuple[str, ...]
    is_sending: bool
    why_not: str

    @property
    def faults(self) -> int:
        return len(self.failed) + len(self.unknown)


def mail_report(tournament: Tournament, number: int) -> MailReport | None:
    """Return the report about round *number*; None if no player has agreed to e-mails.

    Two queries.
    """
    rows = PairingMail.objects.filter(entry__tournament=tournament).select_related("entry")
    mails = list(rows.order_by("entry__name", "pk"))
    if not mails:
        return None
    is_sending = jobs.is_active(JOB, str(tournament.pk))
    names = {
        state: tuple(
            each.entry.real_name
            for each in mails
            if (each.round_number, each.state) == (number, state)
        )
        for state in MailState
    }
    return MailReport(
        players=len(mails),
        sent=len(names[MailState.SENT]),
        failed=names[MailState.FAILED],
        unknown=() if is_sending else names[MailState.SENDING],
        is_sending=is_sending,
        why_not=why_no_pairing_mails(),
    )
