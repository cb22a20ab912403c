"""The link that ends the e-mails of one player."""

from __future__ import annotations

from django.core.signing import BadSignature, Signer
from django.urls import reverse

from tournaments.models import PairingMail

_SIGNER = Signer(salt="tournaments.pairing_mail")


def end_path(mail: PairingMail) -> str:
    """Return the path that ends *mail*; only who has the key of the site can make it."""
    return reverse("pairing-mail", args=[_SIGNER.sign(str(mail.pk))])


def mail_of(token: str) -> PairingMail | None:
    """Return the e-mails that the link with *token* ends; None if there are none any more."""
    try:
        number = _SIGNER.unsign(token)
    except BadSignature:
        return None
    found = PairingMail.objects.select_related("entry__tournament").filter(pk=number)
    return found.first()
