"""What players report about a wrong result, until an arbiter has dealt with it."""

from __future__ import annotations

from typing import Final

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .entry import Entry
from .game import Game, GameResult

COLOURS: Final = "colours"
"""The answer that the players had the other colours."""
ANSWERS: Final = (GameResult.WHITE_WINS, GameResult.DRAW, GameResult.BLACK_WINS, COLOURS)


class MistakeReport(models.Model):
    """A mistake in the result of a game, as a player has reported it [C.04.2/2026 4.3].

    ``right`` is the right result, or ``colours``. ``at_table``: reported with the code of the
    table; otherwise on *My board*, where anybody can choose a name. It is not a line of the record
    and changes nothing: the correction of an arbiter does. ``settled_at`` and ``settled_by`` say
    that an arbiter has dealt with it otherwise.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="mistake_reports")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    right = models.CharField(max_length=7)
    at = models.DateTimeField(_("time"))
    at_table = models.BooleanField(default=False)
    settled_at = models.DateTimeField(null=True)
    settled_by = models.CharField(max_length=150, blank=True)

    class Meta:
        verbose_name = _("report of a mistake")
        verbose_name_plural = _("reports of mistakes")
        ordering = ("at", "pk")
        constraints = (
            models.UniqueConstraint(fields=("game", "entry"), name="mistake_report_once"),
            models.CheckConstraint(
                condition=Q(right__in=["10", "==", "01", COLOURS]), name="mistake_report_known"
            ),
        )

    def __str__(self) -> str:
        return f"{self.game} {self.entry} {self.right}"
