"""The phones that get notifications, each for one tournament."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from .entry import Entry
from .tournament import Tournament


class PushSubscription(models.Model):
    """A browser that wants to be notified, about ``own`` and the entries ``players``.

    ``endpoint`` is the address of the browser at its push service; with ``public`` and ``secret``
    messages are encrypted for it, in base64url. Everything up to the line ``sequence`` of the
    record was sent; None: nothing yet, not even that notifications are on. After a failure the next
    attempt is ``due`` after ``tries``. There is no name and no account. The row is deleted when the
    standings are final, when the phone asks for it or its service knows it no more, and it is never
    in a copy of the site or in the file of an event.
    """

    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, related_name="push_subscriptions"
    )
    endpoint = models.CharField(max_length=1_000)
    public = models.CharField(max_length=100)
    secret = models.CharField(max_length=30)
    language = models.CharField(max_length=10)
    own = models.ForeignKey(Entry, on_delete=models.SET_NULL, null=True, related_name="+")
    players: models.JSONField[list[int], list[int]] = models.JSONField(default=list)
    sequence = models.PositiveIntegerField(null=True)
    tries = models.PositiveSmallIntegerField(default=0)
    due = models.DateTimeField(null=True)
    renewed_at = models.DateTimeField()

    class Meta:
        verbose_name = _("notifications of a phone")
        verbose_name_plural = _("notifications of phones")
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("tournament", "endpoint"), name="push_subscription_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.tournament} {self.pk}"
