"""Rows of an import that wait, because they are doubtful, before somebody enters them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from .tournament import Tournament


class WaitingEntry(models.Model):
    """A player who is not entered yet. Only arbiters see the row, and it is not in the record.

    ``fields`` has the texts of the fields as they were typed; ``problems`` the reasons for waiting,
    each with its ``code``, ``field`` and ``params``. ``line`` is the line in the file of an import.
    """

    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, related_name="waiting_entries"
    )
    line = models.PositiveIntegerField(_("line"), null=True, blank=True)
    fields = models.JSONField(_("fields"))
    problems = models.JSONField(_("problems"), default=list)
    created_at = models.DateTimeField(_("entered"))
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        verbose_name = _("waiting entry")
        verbose_name_plural = _("waiting entries")
        ordering = ("pk",)

    def __str__(self) -> str:
        return str(self.fields.get("name", ""))
