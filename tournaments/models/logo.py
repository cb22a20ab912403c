"""The logo of a tournament, as a file."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from .tournament import Tournament


class Logo(models.Model):
    """The bytes of a logo; ``Tournament.logo`` is its name, with fingerprint and size.

    The record has the name, so that everybody can see when it was changed; the bytes belong to no
    proof.
    """

    tournament = models.OneToOneField(
        Tournament, on_delete=models.CASCADE, related_name="logo_file"
    )
    data = models.BinaryField(_("file"))

    class Meta:
        verbose_name = _("logo")
        verbose_name_plural = _("logos")

    def __str__(self) -> str:
        return f"{self.tournament} {self.tournament.logo}"
