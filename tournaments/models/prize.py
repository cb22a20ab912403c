"""The prizes of a tournament."""

from __future__ import annotations

from django.db import models
from django.db.models import Value
from django.utils.translation import gettext_lazy as _

from .tournament import Tournament


class Eligible(models.TextChoices):
    """A condition for a category; all but the first four need a value.

    The age is that on the first day of the tournament.
    """

    EVERYBODY = "everybody"
    WOMEN = "women"
    MEN = "men"
    UNRATED = "unrated"
    BORN_FROM = "born_from"
    BORN_UNTIL = "born_until"
    AGE_FROM = "age_from"
    AGE_UNTIL = "age_until"
    RATING = "rating"
    CLUB = "club"
    FEDERATION = "federation"


class PrizeFund(models.Model):
    """The rules for all prizes of a tournament."""

    tournament = models.OneToOneField(
        Tournament, on_delete=models.CASCADE, related_name="prize_fund"
    )
    currency = models.CharField(_("currency"), max_length=10, blank=True)
    division = models.CharField(max_length=20)
    choice = models.CharField(max_length=20, default="in_order", db_default="in_order")
    most_each = models.PositiveSmallIntegerField(default=1, db_default=1)
    """The most prizes of money for one player; 0: no limit."""
    unit = models.PositiveIntegerField(default=1, db_default=1)
    """Amounts are rounded to whole units of so many cents."""
    cap = models.PositiveBigIntegerField(default=0, db_default=0)
    """The most cents for one player; 0: no cap."""
    minimum = models.PositiveBigIntegerField(default=0, db_default=0)
    """The fewest cents of a shared prize; 0: no minimum."""
    withdrawn_win = models.BooleanField(default=True, db_default=True)
    """Whether players who have withdrawn keep their prizes."""
    excluded = models.JSONField(default=list, db_default=Value([], models.JSONField()), blank=True)
    """The entries of the players who may not win."""
    event_winners = models.JSONField(
        default=list, db_default=Value([], models.JSONField()), blank=True
    )
    """The entries of the players who take a prize of money over all sections instead of one here.
    """

    def __str__(self) -> str:
        return f"{self.tournament}"


class PrizeCategory(models.Model):
    """The players who compete for some prizes; ``place`` is the order on the page, from 1.

    ``eligible`` with ``value`` and all conditions of ``also`` must be met. With a ``team_size`` the
    prizes are for clubs and their best players.
    """

    fund = models.ForeignKey(PrizeFund, on_delete=models.CASCADE, related_name="categories")
    place = models.PositiveSmallIntegerField()
    name = models.CharField(_("name"), max_length=100, blank=True)
    eligible = models.CharField(max_length=20, choices=Eligible.choices)
    value = models.CharField(max_length=100, blank=True)
    also = models.JSONField(default=list, db_default=Value([], models.JSONField()), blank=True)
    """Further conditions: pairs of a condition and its value."""
    team_size = models.PositiveSmallIntegerField(default=0, db_default=0)

    class Meta:
        ordering = ("place",)
        constraints = (
            models.UniqueConstraint(fields=("fund", "place"), name="prize_category_place"),
        )

    def __str__(self) -> str:
        return self.name


class Prize(models.Model):
    """The money for a ``place`` in a category, in cents, and the prize in kind."""

    category = models.ForeignKey(PrizeCategory, on_delete=models.CASCADE, related_name="prizes")
    place = models.PositiveSmallIntegerField(_("place"))
    amount = models.PositiveBigIntegerField(_("amount"))
    thing = models.CharField(max_length=60, blank=True, default="", db_default="")

    class Meta:
        ordering = ("place",)
        constraints = (models.UniqueConstraint(fields=("category", "place"), name="prize_place"),)

    def __str__(self) -> str:
        return f"{self.category} {self.place}: {self.amount}"
