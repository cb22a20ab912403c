"""The prizes of a tournament."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from .tournament import Tournament


class Eligible(models.TextChoices):
    """The condition for a category; all but the first three need a value."""

    EVERYBODY = "everybody", _("everybody")
    WOMEN = "women", _("women")
    UNRATED = "unrated", _("players without a rating")
    BORN_FROM = "born_from", _("born in this year or later")
    BORN_UNTIL = "born_until", _("born in this year or earlier")
    RATING = "rating", _("rating from – to (1600-1999)")
    CLUB = "club", _("club")
    FEDERATION = "federation", _("federation")


class PrizeFund(models.Model):
    """The rules for all prizes of a tournament."""

    tournament = models.OneToOneField(
        Tournament, on_delete=models.CASCADE, related_name="prize_fund"
    )
    currency = models.CharField(_("currency"), max_length=10, blank=True)
    division = models.CharField(max_length=20)
    one_each = models.BooleanField()

    def __str__(self) -> str:
        return f"{self.tournament}"


class PrizeCategory(models.Model):
    """The players who compete for some prizes; ``place`` is the order on the page, from 1."""

    fund = models.ForeignKey(PrizeFund, on_delete=models.CASCADE, related_name="categories")
    place = models.PositiveSmallIntegerField()
    name = models.CharField(_("name"), max_length=100)
    eligible = models.CharField(max_length=20, choices=Eligible.choices)
    value = models.CharField(max_length=100, blank=True)

    class Meta:
        ordering = ("place",)
        constraints = (
            models.UniqueConstraint(fields=("fund", "place"), name="prize_category_place"),
        )

    def __str__(self) -> str:
        return self.name


class Prize(models.Model):
    """The money for a ``place`` in a category, in cents."""

    category = models.ForeignKey(PrizeCategory, on_delete=models.CASCADE, related_name="prizes")
    place = models.PositiveSmallIntegerField(_("place"))
    amount = models.PositiveBigIntegerField(_("amount"))

    class Meta:
        ordering = ("place",)
        constraints = (models.UniqueConstraint(fields=("category", "place"), name="prize_place"),)

    def __str__(self) -> str:
        return f"{self.category} {self.place}: {self.amount}"
