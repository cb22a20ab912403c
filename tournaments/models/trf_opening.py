"""A large TRF file that a person opens: it is read, and later saved, by jobs."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from .tournament import Tournament


class OpeningState(models.TextChoices):
    """How far the opening of a file is. ``READING`` and ``SAVING`` are the work of a job."""

    READING = "reading", _("the file is being read")
    READ = "read", _("the file was read")
    SAVING = "saving", _("the tournament is being saved")
    SAVED = "saved", _("the tournament was saved")


class TrfOpening(models.Model):
    """A large file from its upload to its tournament; only ``person`` sees it.

    ``run`` counts its jobs: one that is no longer the newest saves nothing. ``content`` is the
    preview, or the problem, of a file that was read. Cancelling deletes the row. Once the
    tournament is saved, the file and the preview are emptied. The row is not part of the record.
    """

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="trf_openings"
    )
    data = models.BinaryField(_("file"))
    system = models.CharField(max_length=30, blank=True)
    tie_break_edition = models.CharField(max_length=30, blank=True)
    state = models.CharField(
        max_length=10, choices=OpeningState.choices, default=OpeningState.READING
    )
    run = models.PositiveIntegerField(default=1)
    content = models.JSONField(_("content"), null=True)
    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, null=True, related_name="trf_openings"
    )
    progress_at = models.DateTimeField()
    """When a person or a job last went on with it."""

    class Meta:
        verbose_name = _("file being opened")
        verbose_name_plural = _("files being opened")

    def __str__(self) -> str:
        return f"{self.person} {self.state}"
