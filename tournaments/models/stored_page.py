"""Public pages as bytes, stored when they were published."""

from __future__ import annotations

import gzip

from django.db import models
from django.utils.translation import gettext_lazy as _

from .tournament import Tournament


class StoredPage(models.Model):
    """A public page of one version of a tournament, with the bytes that every visitor gets.

    ``key`` is the version and the state of reports (``core.frame.news_key``), ``version`` the number in it; ``build``
    is the build of the program that made the page. ``path`` is the address with its normalised parameters;
    ``language`` is empty for a file without words. ``is_part``: what htmx asks for, instead of the whole page.
    ``title`` is only there for a part from which the whole page can be put together, with the shell that all such pages
    have in common (``is_shell``; its ``path`` is that of their folder): see ``core.stored_pages``.
    ``round_number`` is the newest round with public pairings at that time, 0 before the first. ``sha256`` is that of
    the bytes before compression. A row is never changed: another version has rows of its own.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="stored_pages")
    key = models.CharField(max_length=40)
    version = models.PositiveIntegerField()
    build = models.CharField(max_length=8)
    path = models.CharField(_("address"), max_length=255)
    language = models.CharField(_("language"), max_length=7, blank=True)
    is_part = models.BooleanField()
    is_shell = models.BooleanField(default=False)
    title = models.CharField(max_length=200, blank=True)
    round_number = models.PositiveSmallIntegerField(_("round"))
    headers: models.JSONField[dict[str, str], dict[str, str]] = models.JSONField()
    gzip = models.BinaryField()
    brotli = models.BinaryField()
    sha256 = models.CharField(_("fingerprint"), max_length=64)
    stored_at = models.DateTimeField()

    class Meta:
        verbose_name = _("stored page")
        verbose_name_plural = _("stored pages")
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("tournament", "key", "build", "path", "language", "is_part"), name="stored_page_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.path} {self.language} {self.key}"

    @property
    def body(self) -> bytes:
        """The page before compression."""
        return gzip.decompress(bytes(self.gzip))
