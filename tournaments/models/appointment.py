"""The people of a tournament, each with a role."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from pairing.rules import powers

from .tournament import Tournament


class Role(models.TextChoices):
    """What a person does in a tournament."""

    CHIEF = "chief", _("Chief Arbiter")
    DEPUTY = "deputy", _("deputy")
    RESULT_DESK = "result_desk", _("result desk")
    CHECK_IN_DESK = "check_in_desk", _("check-in desk")
    READER = "reader", _("read-only")


class Appointment(models.Model):
    """A person with a role, from ``since`` until ``until``; None: still today.

    A person without a password signs in with a link and a PIN. Of both only a hash is kept:
    ``link`` is the SHA-256 of the secret in the link, ``pin`` a Django password hash.
    ``wrong_pins`` counts the wrong PINs of this link. A role that came with the file of an event
    for an account of this site counts once the account has ``accepted`` it.
    """

    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, related_name="appointments"
    )
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="appointments"
    )
    role = models.CharField(_("role"), max_length=15, choices=Role)
    since = models.DateTimeField(_("since"))
    until = models.DateTimeField(_("until"), null=True, blank=True)
    link = models.CharField(max_length=64, blank=True, db_index=True)
    pin = models.CharField(max_length=128, blank=True)
    wrong_pins = models.PositiveSmallIntegerField(default=0)
    accepted = models.BooleanField(default=True, db_default=True)

    class Meta:
        verbose_name = _("appointment")
        verbose_name_plural = _("appointments")
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("tournament", "person"),
                condition=Q(until=None),
                name="appointment_one_role_each",
            ),
            models.UniqueConstraint(
                fields=("tournament",),
                condition=Q(until=None, role="chief"),
                name="appointment_one_chief_arbiter",
            ),
        )

    def __str__(self) -> str:
        return f"{self.tournament}: {self.person} {self.role}"

    @property
    def may_end(self) -> bool:
        """Whether the role may end or be declined; that of the Chief Arbiter is handed over."""
        return powers.may_end(self.role)
