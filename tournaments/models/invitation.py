"""Invitations of people with an account to a role in a tournament."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from .appointment import Role
from .tournament import Tournament


class Invitation(models.Model):
    """A role that the Chief Arbiter ``by`` offers to the account ``username``.

    ``person`` is that account; None: there is none, or its owner has declined. The Chief Arbiter
    sees ``username`` alone, as it was typed, and so does not learn which accounts there are. An
    invitation gives no power and is not in the record: the acceptance writes the line of the
    appointment.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="invitations")
    username = models.CharField(max_length=150)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="invitations",
    )
    role = models.CharField(_("role"), max_length=15, choices=Role)
    everywhere = models.BooleanField(default=False)
    """Also in the other sections of the event."""
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField()

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("tournament", "username"), name="invitation_once_for_a_name"
            ),
        )

    def __str__(self) -> str:
        return f"{self.tournament}: {self.username} {self.role}"
