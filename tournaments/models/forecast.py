"""The newest forecast of a tournament."""

from __future__ import annotations

from typing import TypedDict

from django.db import models
from django.utils.translation import gettext_lazy as _

from .tournament import Tournament


class ForecastOfPlayer(TypedDict):
    """The chances of a player, in ten-thousandths.

    ``opponents`` are the most likely ones in the next round to pair, as entry and chance; entry
    None: the pairing-allocated bye. ``first``, ``best_three``, ``money``: to finish first, among
    the best three, and with money. ``places`` are the ranks within which eight simulations of ten
    end, ``points`` the middle of the points (tenths).
    """

    entry: int
    opponents: list[tuple[int | None, int]]
    first: int
    best_three: int
    money: int
    places: tuple[int, int]
    points: int


class ForecastContent(TypedDict):
    """The players in the order of their chances; ``has_money``: there are prizes."""

    has_money: bool
    players: list[ForecastOfPlayer]


class Forecast(models.Model):
    """The newest forecast, for one ``state`` of a tournament as visitors see it
    (:func:`~.core.frame.state_key`).

    It is computed from public data and not part of the record. ``next_round`` is the round of the
    opponents, None if they are not forecast; ``after_round`` is the last round with published
    results; ``unpairable`` more simulations than the ``simulations`` came to a round without a
    legal pairing.
    """

    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="forecast")
    state = models.CharField(max_length=40)
    after_round = models.PositiveSmallIntegerField(_("round"))
    next_round = models.PositiveSmallIntegerField(null=True)
    simulations = models.PositiveIntegerField()
    unpairable = models.PositiveIntegerField()
    content: models.JSONField[ForecastContent, ForecastContent] = models.JSONField(_("content"))
    made_at = models.DateTimeField()

    class Meta:
        verbose_name = _("forecast")
        verbose_name_plural = _("forecasts")

    def __str__(self) -> str:
        return f"{self.tournament} {self.after_round}"
