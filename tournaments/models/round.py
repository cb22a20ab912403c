"""A round, its state, and the people who viewed its draft."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from pairing.rules.rounds import RoundState

from .tournament import Tournament

ROUND_STATE_LABELS = {
    RoundState.PLANNED: _("planned"),
    RoundState.DRAFT: _("draft"),
    RoundState.PAIRINGS_PUBLISHED: _("pairings published"),
    RoundState.RESULTS_PUBLISHED: _("results published"),
}


class Round(models.Model):
    """One round, created with the tournament so that its schedule
    can be declared [C.04.2/2026 4.2].

    Only arbiters see a draft. ``paired_from_version`` is the tournament's ``pairing_version`` from
    which the pairing was computed.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField(_("round"), validators=[MinValueValidator(1)])
    state = models.CharField(
        _("state"), max_length=20, choices=ROUND_STATE_LABELS, default=RoundState.PLANNED
    )
    starts_at = models.DateTimeField(_("start of play"), null=True, blank=True)
    results_due_at = models.DateTimeField(_("results announced for"), null=True, blank=True)
    paired_at = models.DateTimeField(_("paired"), null=True, blank=True)
    paired_from_version = models.PositiveIntegerField(null=True, blank=True)
    published_at = models.DateTimeField(_("pairings published"), null=True, blank=True)
    results_published_at = models.DateTimeField(_("results published"), null=True, blank=True)

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=("tournament", "number"), name="round_number_once"),
        )

    def __str__(self) -> str:
        return f"{self.tournament} R{self.number}"

    @property
    def is_imported(self) -> bool:
        """Whether the pairings came from a file, imported at ``published_at``."""
        return self.published_at is not None and self.paired_at is None

    @property
    def has_imported_results(self) -> bool:
        """Whether the results came from a file too, imported at ``results_published_at``."""
        return self.is_imported and self.results_published_at == self.published_at


class DraftView(models.Model):
    """The first time that a person opened the draft of ``round`` paired at ``paired_at``."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="draft_views")
    paired_at = models.DateTimeField(_("paired"))
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="draft_views"
    )
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("view of a draft")
        verbose_name_plural = _("views of drafts")
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("round", "paired_at", "person"), name="draft_view_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.round} {self.person}"
