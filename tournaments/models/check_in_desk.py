"""What only the check-in desk knows: no public page, file or API reads these tables."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from .entry import Entry
from .tournament import Tournament


class DeskData(models.Model):
    """Phone number, note and fee of one entry. Money is in cents."""

    entry = models.OneToOneField(Entry, on_delete=models.CASCADE, related_name="desk_data")
    phone = models.CharField(_("phone number"), max_length=40, blank=True)
    note = models.CharField(_("note"), max_length=500, blank=True)
    fee_due = models.PositiveIntegerField(_("fee"), null=True, blank=True)
    """None: the fee of the tournament."""
    fee_paid = models.PositiveIntegerField(_("paid"), default=0)
    wrong_codes = models.PositiveSmallIntegerField(default=0)
    """Wrong codes in a row at the self check-in."""

    class Meta:
        verbose_name = _("data of the check-in desk")
        verbose_name_plural = _("data of the check-in desk")
        ordering = ("entry",)

    def __str__(self) -> str:
        return str(self.entry)


class CheckInDesk(models.Model):
    """The entry fee of a tournament, and its self check-in.

    ``link`` is the SHA-256 of the secret in the link of the self check-in; empty: it is switched
    off. With ``asks_code`` every player needs a code, which follows from ``code_secret``. The
    record names ``opened_by`` for self check-ins. ``tries`` and ``tries_since`` are not used any
    more.
    """

    tournament = models.OneToOneField(
        Tournament, on_delete=models.CASCADE, related_name="check_in_desk"
    )
    fee = models.PositiveIntegerField(_("entry fee"), default=0)
    link = models.CharField(max_length=64, blank=True, db_index=True)
    asks_code = models.BooleanField(default=True)
    code_secret = models.CharField(max_length=64, blank=True)
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    tries = models.PositiveSmallIntegerField(default=0)
    tries_since = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("check-in desk")
        verbose_name_plural = _("check-in desks")
        ordering = ("tournament",)

    def __str__(self) -> str:
        return str(self.tournament)
