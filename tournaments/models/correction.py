"""Reported mistakes and their corrections."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from pairing.rules.corrections import CorrectionEffect, CorrectionKind

from .entry import Entry
from .game import Game
from .tournament import Tournament

CORRECTION_KIND_LABELS = {
    CorrectionKind.RESULT: _("a result"),
    CorrectionKind.COLOURS: _("the colours of a game"),
    CorrectionKind.RATING: _("a rating"),
}

CORRECTION_EFFECT_LABELS = {
    CorrectionEffect.NEXT_ROUND: _("standings and next pairing"),
    CorrectionEffect.NEXT_PAIRING: _("standings and the pairing after the published one"),
    CorrectionEffect.RATING_ONLY: _("rating report only"),
}


class Correction(models.Model):
    """One reported mistake. ``before`` are the wrong values, ``after`` the right ones.

    With the effect *rating only* this row is the whole correction: no game and no entry changes,
    and neither standings nor pairings read this table. ``waiting``: the correction is decided and
    will be done when the pairings of the next round are published.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="corrections")
    kind = models.CharField(_("mistake"), max_length=10, choices=CORRECTION_KIND_LABELS)
    round_number = models.PositiveSmallIntegerField(_("round"))
    game = models.ForeignKey(
        Game, on_delete=models.RESTRICT, null=True, blank=True, related_name="corrections"
    )
    entry = models.ForeignKey(
        Entry, on_delete=models.RESTRICT, null=True, blank=True, related_name="corrections"
    )
    reported_at = models.DateTimeField(_("reported"))
    entered_at = models.DateTimeField(_("entered"))
    effect = models.CharField(_("effect"), max_length=15, choices=CORRECTION_EFFECT_LABELS)
    waiting = models.BooleanField(_("waiting for the next publication"), default=False)
    before = models.JSONField(_("before"))
    after = models.JSONField(_("after"))
    reason = models.TextField(_("reason"))

    class Meta:
        verbose_name = _("correction")
        verbose_name_plural = _("corrections")
        ordering = ("pk",)
        constraints = (
            models.CheckConstraint(
                condition=models.Q(kind="rating", entry__isnull=False, game__isnull=True)
                | models.Q(kind__in=["result", "colours"], game__isnull=False, entry__isnull=True),
                name="correction_of_a_game_or_a_player",
            ),
        )

    def __str__(self) -> str:
        return f"{self.tournament} R{self.round_number} {self.kind}"
