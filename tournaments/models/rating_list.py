"""A rating list that was loaded, or is being loaded. Its rows are in a file of their own."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from .setting_choices import RateOfPlay
from .tournament import new_identity


class RatingListState(models.TextChoices):
    """Whether a list can be used."""

    LOADING = "loading", _("loading")
    LOADED = "loaded", _("loaded")
    FAILED = "failed", _("failed")
    CANCELLED = "cancelled", _("cancelled")
    WAITING = "waiting", _("waits for an answer")


class RatingList(models.Model):
    """One loading of a list, by FIDE (without ``federation``) or by a federation;
    ``problem`` says why it failed.

    At most one list is being loaded, and one is current for each federation and rate (empty: the
    list has all three). A list that is much smaller than the current one is read but waits until
    somebody decides.
    """

    key = models.CharField(max_length=32, default=new_identity, unique=True, editable=False)
    """The name of its files: the number of a row could come again after a backup is restored."""
    federation = models.CharField(_("federation"), max_length=3, blank=True)
    rate = models.CharField(
        _("rate of play"), max_length=10, blank=True, choices=RateOfPlay.choices
    )
    month = models.DateField(_("month"), null=True, blank=True)
    """The first day of the month for which the list is valid; None until it is known."""
    origin = models.CharField(_("file or address"), max_length=300)
    state = models.CharField(
        _("state"), max_length=10, choices=RatingListState.choices, default=RatingListState.LOADING
    )
    is_current = models.BooleanField(_("in use"), default=False)
    is_renewed = models.BooleanField(_("loaded again each month"), default=False, db_default=False)
    """The program loads it by itself from its address, once a month."""
    players = models.PositiveIntegerField(_("players"), default=0)
    left_out = models.PositiveSmallIntegerField(_("lines left out"), default=0)
    problem = models.JSONField(default=dict, blank=True)
    """The code, place and parameters of the problem, or of the first line left out;
    empty without one.

    ``also`` has the same of a remark on the list.
    """
    loaded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    begun_at = models.DateTimeField(_("begun"))
    progress_at = models.DateTimeField()
    """When the loading began or ended; for a list that was replaced, when that happened."""

    class Meta:
        verbose_name = _("rating list")
        verbose_name_plural = _("rating lists")
        ordering = ("-begun_at", "-pk")
        constraints = (
            models.UniqueConstraint(
                fields=("state",), condition=Q(state="loading"), name="rating_list_loaded_alone"
            ),
            models.UniqueConstraint(
                fields=("federation", "rate"),
                condition=Q(is_current=True),
                name="rating_list_current_once",
            ),
        )

    def __str__(self) -> str:
        month = f" {self.month:%Y-%m}" if self.month else ""
        return f"{self.federation or 'FIDE'}{month}"

    @property
    def path(self) -> Path:
        """The file with the rows."""
        return self._file("sqlite3")

    @property
    def upload(self) -> Path:
        """The file as it was uploaded or downloaded, until it is read."""
        return self._file("upload")

    def _file(self, suffix: str) -> Path:
        return Path(settings.RATING_LISTS_DIR) / f"{self.key}.{suffix}"

    def is_older_than(self, day: date) -> bool:
        """Return whether the list is of an earlier month than *day*."""
        return self.month is not None and self.month < day.replace(day=1)
