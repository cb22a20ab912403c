"""Passkeys of accounts, a second step of the log-in."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _
from django_otp.models import Device, ThrottlingMixin, TimestampMixin


class Passkey(TimestampMixin, ThrottlingMixin, Device):  # type: ignore[misc]  # django-otp has no types
    """A key pair on a phone, a computer or a security key; the private half never leaves it.

    ``host`` is the name of the site for which it was made: browsers use it for no other.
    ``credential`` names the key (base64url), ``data`` holds its public half as WebAuthn writes it.
    ``counter`` is what the device counted at its last use; many always say 0. ``answered`` is the
    last question that was answered, so that no answer works twice.
    """

    host: models.CharField[str, str] = models.CharField(max_length=253)
    credential: models.CharField[str, str] = models.CharField(
        max_length=1364, unique=True
    )  # at most 1023 bytes
    data: models.BinaryField[bytes, bytes] = models.BinaryField()
    counter: models.PositiveBigIntegerField[int, int] = models.PositiveBigIntegerField(default=0)
    answered: models.CharField[str, str] = models.CharField(max_length=43, blank=True)

    class Meta:
        verbose_name = _("passkey")
        verbose_name_plural = _("passkeys")
        ordering = ("pk",)

    def get_throttle_factor(self) -> int:
        """Return the first pause in seconds after a wrong answer; the next ones double."""
        return 1
