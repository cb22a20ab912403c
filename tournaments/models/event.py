"""An event of several tournaments: its sections, for example A, B and U12."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Value
from django.utils.translation import gettext_lazy as _

from .tournament import Tournament, new_identity


class Event(models.Model):
    """Several tournaments at one venue, with the same people, one entry list and one check-in."""

    identity = models.CharField(max_length=32, default=new_identity, editable=False)
    """What its mirror is known by: the number of a row is that of one database."""
    name = models.CharField(_("name"), max_length=100)
    slug = models.SlugField(max_length=80, unique=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="events_created"
    )
    created_at = models.DateTimeField(_("created"))
    prizes = models.JSONField(
        default=dict, db_default=Value({}, models.JSONField()), blank=True, editable=False
    )
    """The prizes over all sections, as in the lines of their records; empty: none."""

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        ordering = ("-created_at",)

    def __str__(self) -> str:
        return self.name


class Section(models.Model):
    """One tournament of an event, and the players for whom it is meant. Empty limits: everybody.

    Ratings and years of birth are from the first limit to the last, both included. The section with
    the lowest ``position`` comes first; sections with the same one are in the order in which they
    were added.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="sections")
    tournament = models.OneToOneField(Tournament, on_delete=models.CASCADE, related_name="section")
    label = models.CharField(_("name of the section"), max_length=20)
    position = models.PositiveSmallIntegerField(_("order"), default=10)
    rating_from = models.PositiveSmallIntegerField(_("rating from"), null=True, blank=True)
    rating_to = models.PositiveSmallIntegerField(_("rating up to"), null=True, blank=True)
    born_from = models.PositiveSmallIntegerField(_("born in or after"), null=True, blank=True)
    born_to = models.PositiveSmallIntegerField(_("born in or before"), null=True, blank=True)

    class Meta:
        verbose_name = _("section")
        verbose_name_plural = _("sections")
        ordering = ("position", "pk")
        constraints = (
            models.UniqueConstraint(fields=("event", "label"), name="section_label_once"),
        )

    def __str__(self) -> str:
        return f"{self.event} {self.label}"

    @property
    def own_name(self) -> str:
        """The name of the tournament without that of the event, for a page that has both."""
        return self.tournament.name.removeprefix(self.event.name).strip(" :,–-") or self.label
