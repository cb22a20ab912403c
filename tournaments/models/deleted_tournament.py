"""The tournaments that were deleted: the log of the site, because their records went with them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class DeletedTournament(models.Model):
    """One deleted tournament; never changed, never removed.

    The database lets the lines of a record go only if the tournament is here. ``tournament`` is its
    former id, ``lines`` and ``fingerprint`` are the end of its record, which proves that an
    exported file is of this tournament.
    """

    tournament = models.PositiveBigIntegerField(unique=True)
    identity = models.CharField(max_length=32)
    slug = models.CharField(_("address"), max_length=80)
    name = models.CharField(_("name"), max_length=200)
    lines = models.PositiveIntegerField(_("lines of the record"))
    fingerprint = models.CharField(_("fingerprint"), max_length=64, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    by_name = models.CharField(_("by"), max_length=150)
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name = _("deleted tournament")
        verbose_name_plural = _("deleted tournaments")
        ordering = ("-at",)

    def __str__(self) -> str:
        return f"{self.name} ({self.slug})"
