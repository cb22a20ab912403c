"""Send the link of a registration by e-mail, if the site has a mail server."""

from __future__ import annotations

import logging
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import EmailMessage
from django.utils.translation import gettext as _

from tournaments.models import Registration

log = logging.getLogger(__name__)


def mail_is_on() -> bool:
    """Return whether the site can send e-mail."""
    return bool(settings.EMAIL_HOST)


def send_link(registration: Registration, address: str) -> bool:
    """Send the link *address* to the visitor, and return whether the mail server took it.

    The text contains nothing that the visitor has typed: the form cannot be used to send somebody
    else a message.
    """
    name = registration.tournament.name
    text = _(
        "Somebody has registered with this e-mail address for the chess tournament "
        "%(tournament)s.\n\n"
        "Confirm the registration here within %(hours)s hours:\n%(address)s\n\n"
        "The same link shows the state of the registration. If it was not you, do nothing: it "
        "will be deleted."
    ) % {
        "tournament": name,
        "hours": registration.tournament.registration_settings.hours,
        "address": address,
    }
    subject = " ".join((_("Registration for %(tournament)s") % {"tournament": name}).split())
    try:
        sent = EmailMessage(subject=subject, body=text, to=[registration.email]).send()
    except (SMTPException, OSError, ValueError) as error:
        # ValueError: the address passes as one, but cannot be written in a header, such as a long
        # domain with accents.
        log.warning("The link of a registration could not be sent: %s", type(error).__name__)
        return False
    return sent == 1
