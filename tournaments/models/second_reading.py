"""The second reading of results, in a table of its own: nobody who enters a result sees it."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .game import Game, GameResult


class SecondReading(models.Model):
    """The result that a second person has read for a game, without seeing the first;
    empty if it was cleared.

    ``decided`` is the result for which an arbiter has decided after a difference; None without one.
    ``version`` grows with each change.
    """

    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="second_reading")
    reader = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    result = models.CharField(_("result"), max_length=2, blank=True, choices=GameResult.choices)
    decided = models.CharField(_("decided result"), max_length=2, null=True, blank=True)  # noqa: DJ001 empty is a result
    version = models.PositiveIntegerField(default=1)

    class Meta:
        verbose_name = _("second reading")
        verbose_name_plural = _("second readings")
        ordering = ("game",)
        constraints = (
            models.CheckConstraint(
                condition=Q(result__in=GameResult.values), name="second_reading_result_known"
            ),
        )

    def __str__(self) -> str:
        return f"{self.game} {self.result}"
