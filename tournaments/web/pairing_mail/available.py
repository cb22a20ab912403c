"""Whether the site can send pairings by e-mail."""

from __future__ import annotations

from django.utils.translation import gettext as _

from tournaments.core.public_address import printed_address
from tournaments.web.registration.mail import mail_is_on


def why_no_pairing_mails() -> str:
    """Return the sentence why players cannot get their pairings by e-mail; empty if they can."""
    if not mail_is_on():
        return _("Players cannot get their pairings by e-mail: this site has no mail server.")
    if printed_address("/") is None:
        return _(
            "Players cannot get their pairings by e-mail: the address of this site for links, "
            "SWISS_PUBLIC_ADDRESS, is not set."
        )
    return ""
