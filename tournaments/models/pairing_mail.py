"""The players who get their pairings by e-mail."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from .entry import Entry


class MailState(models.TextChoices):
    """What became of the last e-mail to a player."""

    NONE = "", "–"
    SENDING = "sending"
    SENT = "sent"
    FAILED = "failed"


class PairingMail(models.Model):
    """The address to which a player has agreed to get the own board, and the last e-mail to it.

    ``round_number`` and ``board`` say what that e-mail was about, so that nobody gets the same one
    twice. They are written before it is sent: after a process that died, ``SENDING`` means that
    nobody knows whether it left. The row is personal data: it is deleted with them and when the
    player ends the e-mails, and is in no copy without keys and in no file of an event.
    """

    entry = models.OneToOneField(Entry, on_delete=models.CASCADE, related_name="pairing_mail")
    email = models.EmailField(_("e-mail"))
    language = models.CharField(max_length=10)
    round_number = models.PositiveSmallIntegerField(default=0)
    board = models.CharField(max_length=60, blank=True)
    state = models.CharField(
        max_length=7, choices=MailState.choices, default=MailState.NONE, blank=True
    )

    class Meta:
        verbose_name = _("e-mails of pairings to a player")
        verbose_name_plural = _("e-mails of pairings to players")
        ordering = ("pk",)

    def __str__(self) -> str:
        return str(self.entry)
