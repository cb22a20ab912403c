"""The text of an e-mail with the board of one player, in the language of the registration."""

from __future__ import annotations

from datetime import datetime

from django.core.mail import EmailMessage
from django.urls import reverse
from django.utils import translation
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from tournaments.core.public_address import printed_address
from tournaments.models import PairingMail
from tournaments.web.events.followed import Followed
from tournaments.web.pairing_mail.links import end_path
from tournaments.web.push.texts import board_of
from tournaments.web.templatetags.numbers import moment


def message_to(
    mail: PairingMail, card: Followed, starts_at: datetime | None, *, is_changed: bool
) -> EmailMessage:
    """Return the e-mail to the player of *card*, as visitors read the pairings.

    Mail programs show a button that ends the e-mails (RFC 2369, RFC 8058).
    """
    tournament = card.frame.tournament
    end = printed_address(end_path(mail)) or ""
    own = printed_address(f"{reverse('me', args=[tournament.slug])}#{card.entry.pk}")
    with translation.override(mail.language):
        board = board_of(card)
        if is_changed:
            board = _("Changed: %(board)s") % {"board": board}
        lines = [tournament.name, board]
        if starts_at is not None:
            lines.append(_("Play begins %(at)s") % {"at": moment(localtime(starts_at))})
        lines += ["", f"{_('My board')}{_(':')} {own}", "", ""]
        lines.append(
            _("You get this e-mail because you asked for it when you registered. End the e-mails:")
        )
        lines.append(end)
        number = _("Pairings of round %(n)s") % {"n": card.round_number}
        subject = " ".join(f"{tournament.name}{_(':')} {number}".split())
    headers = {"Auto-Submitted": "auto-generated", "List-Unsubscribe": f"<{end}>"}
    if end.startswith("https:"):
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    body = "\n".join(lines) + "\n"
    return EmailMessage(subject=subject, body=body, to=[mail.email], headers=headers)
