"""The newest re-check of a large event."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from .tournament import Tournament


class RecheckRun(models.Model):
    """The answer of the newest re-check of a large tournament; a job made it.

    ``version`` is that of the tournament that was checked. The row is not part of the record; only
    arbiters see it.
    """

    tournament = models.OneToOneField(
        Tournament, on_delete=models.CASCADE, related_name="recheck_run"
    )
    version = models.PositiveIntegerField(default=0)
    content: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(_("content"))
    made_at = models.DateTimeField()

    class Meta:
        verbose_name = _("re-check")
        verbose_name_plural = _("re-checks")

    def __str__(self) -> str:
        return f"{self.tournament} {self.version}"
