"""What players report about their own game, beside the results: a report is not a result."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .game import Game, GameResult
from .tournament import Tournament


class TableCodes(models.Model):
    """The codes in the links of the tables and of the kiosk,
    and whether players may report results.

    All codes follow from ``secret``; empty: there are none yet. ``reports`` grows with every
    players' report, so that open pages see that there are new ones.
    """

    tournament = models.OneToOneField(
        Tournament, on_delete=models.CASCADE, related_name="table_codes"
    )
    secret = models.CharField(max_length=64, blank=True)
    takes_reports = models.BooleanField(_("players report results"), default=False)
    reports = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("codes of the tables")
        verbose_name_plural = _("codes of the tables")
        ordering = ("tournament",)

    def __str__(self) -> str:
        return str(self.tournament)


class PlayersReport(models.Model):
    """The result of a game as the player of one side reported it.

    It is deleted when the results are published.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="players_reports")
    side = models.CharField(
        _("colour"), max_length=1, choices=[("w", _("White")), ("b", _("Black"))]
    )
    """The colour in this game."""
    result = models.CharField(_("result"), max_length=2, choices=GameResult.choices)
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("players' report")
        verbose_name_plural = _("players' reports")
        ordering = ("game", "-side")
        constraints = (
            models.UniqueConstraint(fields=("game", "side"), name="players_report_once_per_side"),
            models.CheckConstraint(
                condition=Q(side__in=["w", "b"]), name="players_report_side_known"
            ),
            models.CheckConstraint(
                condition=Q(result__in=["10", "==", "01"]), name="players_report_result_known"
            ),
        )

    def __str__(self) -> str:
        return f"{self.game} {self.side} {self.result}"
