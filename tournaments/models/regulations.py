"""Decisions of regulations and Chief Arbiter on players: prohibited pairs, point adjustments."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from .entry import Entry
from .tournament import Tournament


class ProhibitedPair(models.Model):
    """Two players whom the regulations keep apart [C.04.2/2026 1.5]; ``one`` has the smaller id.

    ``last_round`` is the last round in which they are kept apart; None: in all rounds.
    """

    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, related_name="prohibited_pairs"
    )
    one = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="+")
    last_round = models.PositiveSmallIntegerField(_("until round"), null=True, blank=True)

    class Meta:
        verbose_name = _("prohibited pair")
        verbose_name_plural = _("prohibited pairs")
        ordering = ("one_id", "other_id")
        constraints = (
            models.CheckConstraint(
                condition=Q(one__lt=F("other")), name="prohibited_pair_in_order"
            ),
            models.UniqueConstraint(fields=("one", "other"), name="prohibited_pair_once"),
        )

    def __str__(self) -> str:
        return f"{self.one_id} – {self.other_id}"


class PointAdjustment(models.Model):
    """Points given to a player or taken, by decision of the Chief
    Arbiter or by record 299 of an imported file.

    ``points`` are tenths. With a ``result`` letter they are not added: they are the worth of that
    result. Only imported adjustments have a ``result``, no ``round_number`` (all rounds), no
    ``entry`` (all players with that result), or round 999 (for the standings only).
    """

    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, related_name="point_adjustments"
    )
    entry = models.ForeignKey(
        Entry, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    round_number = models.PositiveSmallIntegerField(_("round"), null=True, blank=True)
    points = models.SmallIntegerField(_("points"))
    result = models.CharField(_("result"), max_length=1, blank=True, default="")

    class Meta:
        verbose_name = _("point adjustment")
        verbose_name_plural = _("point adjustments")
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{self.entry_id} R{self.round_number} {self.points:+}"


def pairs_of(tournament: Tournament) -> list[list[int]]:
    """Return the prohibited pairs by entry id, in order, with the last round if there is one.

    One query.
    """
    rows = tournament.prohibited_pairs.values_list("one_id", "other_id", "last_round")
    return [[one, other] if last is None else [one, other, last] for one, other, last in rows]
