"""A re-check of a large event: one that runs in a process of its own, or the newest one."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from .tournament import Tournament


class RecheckRun(models.Model):
    """The newest re-check of a large tournament; ``content`` None: it is running, or was interrupted.

    Cancelling deletes the row. ``version`` is that of the tournament that was checked. The row is not part of the
    record; only arbiters see it.
    """

    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="recheck_run")
    version = models.PositiveIntegerField(default=0)
    rounds = models.PositiveSmallIntegerField(default=0)
    rounds_done = models.PositiveSmallIntegerField(default=0)
    content = models.JSONField(_("content"), null=True)
    progress_at = models.DateTimeField()
    """When the re-check last said that it goes on; in the end, when it was finished."""

    class Meta:
        verbose_name = _("re-check")
        verbose_name_plural = _("re-checks")

    def __str__(self) -> str:
        return f"{self.tournament} {self.version}"
