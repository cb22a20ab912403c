"""The screens of a playing hall: what each shows, and how."""

from __future__ import annotations

from typing import Final

from django.core.validators import MaxValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from .tournament import Tournament

LONGEST_NAME: Final = 60
LONGEST_NOTICE: Final = 600
LONGEST_MESSAGE: Final = 160
MOST_SECONDS: Final = 600


class ScreenContent(models.TextChoices):
    """What a screen can show, in the order of its pages."""

    BOARDS = "boards", _("Pairings by board")
    NAMES = "names", _("Pairings by name")
    RESULTS = "results", _("Results")
    STANDINGS = "standings", _("Standings")
    MISSING = "missing", _("Missing at check-in")
    CLOCK = "clock", _("Clock and next round")
    NOTICE = "notice", _("Notice")
    PRIZES = "prizes", _("Prize ceremony")


class ScreenSize(models.TextChoices):
    """The smallest type of a screen; shorter lists get larger type."""

    AUTOMATIC = "auto", _("automatic: large for up to 30 boards, else normal")
    SMALL = "small", _("small: 60 boards on a page")
    NORMAL = "normal", _("normal: 40 boards on a page")
    LARGE = "large", _("large: 15 boards on a page")
    HUGE = "huge", _("very large: 10 boards on a page")


class Screen(models.Model):
    """A screen in the hall, which everybody with its address can open.

    Nothing about the event follows from it, so no line of the record has it. ``sections`` are the
    identities of the tournaments of the event that it shows, which stay the same in a copy and
    after a hand-over; empty: its own tournament. ``version`` grows with every change: it is in the
    key of the stored page.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="screens")
    code = models.CharField(max_length=12, unique=True)
    """In the address: random, so that nobody finds it by trying."""
    name = models.CharField(max_length=LONGEST_NAME)
    contents = models.JSONField(default=list)
    """Values of :class:`ScreenContent`."""
    sections = models.JSONField(default=list, blank=True)
    are_side_by_side = models.BooleanField(default=False)
    has_finder = models.BooleanField(default=False)
    size = models.CharField(max_length=6, choices=ScreenSize.choices, default=ScreenSize.AUTOMATIC)
    is_dark = models.BooleanField(default=True)
    seconds = models.PositiveSmallIntegerField(
        default=12, validators=[MaxValueValidator(MOST_SECONDS)]
    )
    """0: pages turn by a click or a key only."""
    language = models.CharField(max_length=10, default="en")
    notice = models.TextField(max_length=LONGEST_NOTICE, blank=True)
    shown_now = models.CharField(max_length=10, blank=True)
    """The only content that is shown for the moment; empty: all in turn."""
    page_now = models.PositiveSmallIntegerField(default=0, db_default=0)
    """The page of ``shown_now`` that stays until an arbiter turns it, from 1 on; 0: the pages turn
    by themselves."""
    message = models.CharField(max_length=LONGEST_MESSAGE, blank=True)
    """A line above every page, for the moment."""
    version = models.PositiveIntegerField(default=1)

    class Meta:
        verbose_name = _("hall screen")
        verbose_name_plural = _("hall screens")
        ordering = ("pk",)

    def __str__(self) -> str:
        return self.name
