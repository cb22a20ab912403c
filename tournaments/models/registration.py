"""Public registration: what arbiters ask for, registrations, and how often one asks."""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from .entry import Entry
from .tournament import Tournament


class RegistrationSettings(models.Model):
    """Whether visitors can register for a tournament, until when, and how many."""

    tournament = models.OneToOneField(
        Tournament, on_delete=models.CASCADE, related_name="registration_settings"
    )
    is_open = models.BooleanField(_("registration is open"), default=False)
    closes_at = models.DateTimeField(_("closes"), null=True, blank=True)
    most = models.PositiveSmallIntegerField(
        _("places"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(5_000)],
    )
    """The number of players, those who are entered included; None: no limit."""
    waiting_list = models.BooleanField(_("waiting list"), default=True)
    """Whether visitors can still register when all places are taken."""
    hours = models.PositiveSmallIntegerField(
        _("hours to confirm"), default=48, validators=[MinValueValidator(1), MaxValueValidator(720)]
    )
    """After so many hours a registration that nobody has confirmed is deleted."""
    offers_byes = models.BooleanField(_("half-point byes on the form"), default=False)
    text = models.TextField(_("text above the form"), max_length=2_000, blank=True)
    consent = models.CharField(_("consent"), max_length=500, blank=True)
    """The sentence that a visitor has to agree to; empty: none."""

    class Meta:
        verbose_name = _("settings of the registration")
        verbose_name_plural = _("settings of the registration")
        ordering = ("tournament",)

    def __str__(self) -> str:
        return str(self.tournament)


class RegistrationState(models.TextChoices):
    """The state of a registration."""

    RECEIVED = "received", _("not confirmed yet")
    CONFIRMED = "confirmed", _("confirmed")
    ACCEPTED = "accepted", _("accepted")
    REFUSED = "refused", _("refused")
    WITHDRAWN = "withdrawn", _("withdrawn by the visitor")


class Registration(models.Model):
    """What a visitor has sent. Only arbiters and the person with the link see it,
    and no line of the record has it.

    ``fields`` has the texts by the names of :mod:`tournaments.entries.cells`, and ``national_id``;
    ``listed`` says whether they come from a rating list (None: no list to search). ``link`` is the
    SHA-256 of the secret in the link. ``version`` grows with every change. A withdrawn registration
    keeps no personal data.
    """

    tournament = models.ForeignKey(
        Tournament, on_delete=models.CASCADE, related_name="registrations"
    )
    link = models.CharField(max_length=64, unique=True)
    state = models.CharField(
        _("state"),
        max_length=9,
        choices=RegistrationState.choices,
        default=RegistrationState.RECEIVED,
    )
    fields = models.JSONField(_("fields"))
    listed = models.BooleanField(_("in the rating list"), null=True)
    byes = models.JSONField(_("requested half-point byes"), default=list)
    """The numbers of the rounds."""
    email = models.EmailField(_("e-mail"), blank=True)
    phone = models.CharField(_("phone number"), max_length=40, blank=True)
    consent = models.CharField(_("consent"), max_length=500, blank=True)
    """The sentence to which the visitor has agreed."""
    mails = models.BooleanField(_("pairings by e-mail"), default=False, db_default=False)
    """Whether the player wants the own board by e-mail, in ``language``."""
    language = models.CharField(max_length=10, blank=True, default="", db_default="")
    reason = models.CharField(_("reason"), max_length=500, blank=True)
    """Why it was refused."""
    entry = models.ForeignKey(
        Entry, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created_at = models.DateTimeField(_("received"))
    confirmed_at = models.DateTimeField(_("confirmed"), null=True, blank=True)
    version = models.PositiveIntegerField(default=1)

    class Meta:
        verbose_name = _("registration")
        verbose_name_plural = _("registrations")
        ordering = ("pk",)

    def __str__(self) -> str:
        return str(self.fields.get("name", ""))


class RequestCount(models.Model):
    """How often one address has asked for a thing since ``since``; ``key`` is a keyed hash."""

    key = models.CharField(max_length=64, unique=True)
    since = models.DateTimeField(db_index=True)
    count = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name = _("count of requests")
        verbose_name_plural = _("counts of requests")
        ordering = ("since",)

    def __str__(self) -> str:
        return f"{self.key[:8]} {self.count}"
