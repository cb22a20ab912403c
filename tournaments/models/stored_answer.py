"""Answers of the API to writes that had an ``Idempotency-Key``."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class StoredAnswer(models.Model):
    """The answer to one write of one account, so that its repetition saves nothing twice.

    ``key`` is the SHA-256 of address and key, ``digest`` that of the body. ``status`` 0: the
    request is being processed, in the transaction that wrote the row; nobody else sees that.
    """

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="stored_answers"
    )
    key = models.CharField(max_length=64)
    address = models.CharField(_("address"), max_length=255)
    """The path, without the query, so that the answers about one tournament can be deleted."""
    digest = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0, db_default=0)
    headers: models.JSONField[dict[str, str], dict[str, str]] = models.JSONField(default=dict)
    body = models.TextField(blank=True)
    """JSON."""
    at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name = _("stored answer")
        verbose_name_plural = _("stored answers")
        ordering = ("at",)
        constraints = [
            models.UniqueConstraint(fields=["account", "key"], name="one_answer_for_a_key")
        ]

    def __str__(self) -> str:
        return f"{self.status} {self.address}"
