"""A participant of a tournament, and the byes requested in advance."""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from .game import ByeKind
from .tournament import Tournament


class Title(models.TextChoices):
    """FIDE titles in the order of [C.04.2/2026 2.2.2]."""

    GM = "GM", "GM"
    IM = "IM", "IM"
    WGM = "WGM", "WGM"
    FM = "FM", "FM"
    WIM = "WIM", "WIM"
    CM = "CM", "CM"
    WFM = "WFM", "WFM"
    WCM = "WCM", "WCM"
    NONE = "", _("no title")


class WomenTitle(models.TextChoices):
    """The titles that only women hold."""

    WGM = "WGM", "WGM"
    WIM = "WIM", "WIM"
    WFM = "WFM", "WFM"
    WCM = "WCM", "WCM"
    NONE = "", _("no title")


class Sex(models.TextChoices):
    MAN = "m", _("man")
    WOMAN = "w", _("woman")
    UNSAID = "", _("not given")


class RatingSource(models.TextChoices):
    """The source of the rating that orders a player [C.04.2/2026 2.1]."""

    FIDE = "fide", _("FIDE rating")
    NATIONAL = "national", _("national rating")
    SECOND = "second", _("second rating")
    ESTIMATE = "estimate", _("arbiter’s estimate")
    NONE = "", _("none")


class MissingAnswer(models.TextChoices):
    """The arbiter's answer at *Pair* about a missing player; a withdrawal is kept as such."""

    NONE = "", _("no answer")
    SKIP = "skip", _("not paired until checked in")
    COMING = "coming", _("is coming")


class Entry(models.Model):
    """One participant. ``tpn`` is empty until numbers are assigned.

    ``first_round`` is greater than 1 for a late entry [C.04.2/2026 2.4]; ``withdrawn_from`` is the
    first round in which the player is no longer paired [C.04.2/2026 3.2].
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entries")
    name = models.CharField(_("name"), max_length=120)
    """What everybody may read: the whole name, or the initials of a player who asked for that."""
    full_name = models.CharField(_("whole name"), max_length=120, blank=True)
    """The whole name of a player who is shown with initials, for arbiters and reports; empty:
    it is :attr:`name`.
    """
    fide_id = models.PositiveBigIntegerField(_("FIDE ID"), null=True, blank=True)
    national_id = models.CharField(
        _("national ID"), max_length=20, blank=True, default="", db_default=""
    )
    """The number of the player in the federation whose rating counts: a licence, a membership.

    Not for visitors.
    """
    federation = models.CharField(_("federation"), max_length=3, blank=True)
    club = models.CharField(_("club"), max_length=100, blank=True)
    sex = models.CharField(_("sex"), max_length=1, blank=True, choices=Sex.choices)
    title = models.CharField(_("title"), max_length=3, blank=True, choices=Title.choices)
    women_title = models.CharField(
        _("women’s title"),
        max_length=3,
        blank=True,
        choices=WomenTitle.choices,
        default="",
        db_default="",
    )
    """The title that only women hold, such as WGM of a player whose ``title`` is IM."""
    k_factor = models.PositiveSmallIntegerField(
        _("K"), null=True, blank=True, validators=[MaxValueValidator(40)]
    )
    """K of the rate of play in the list of the start [B.02/2024 8.3.3]; None: not known."""
    list_games = models.PositiveSmallIntegerField(
        _("rated games"), null=True, blank=True, validators=[MaxValueValidator(999)]
    )
    """The games that were rated for the list, at the rate of play."""
    rating_list = models.CharField(
        _("rating list"), max_length=40, blank=True, default="", db_default=""
    )
    """The list of rating, K and games, with its month: ``FIDE 2026-11``."""
    birth_date = models.CharField(_("birth date"), max_length=10, blank=True)
    """``YYYY/MM/DD`` as the TRF writes it; unknown parts are 00."""
    fide_rating = models.PositiveSmallIntegerField(_("FIDE rating"), null=True, blank=True)
    national_rating = models.PositiveSmallIntegerField(_("national rating"), null=True, blank=True)
    national_federation = models.CharField(
        _("federation of the national rating"), max_length=3, blank=True
    )
    """Whose rating the national one is; empty: that of the tournament's federation,
    else of the player's own.
    """
    second_rating = models.PositiveSmallIntegerField(_("second rating"), null=True, blank=True)
    """The rating by the second method of the tournament;
    it counts only where the first method gives none.
    """
    rating = models.PositiveSmallIntegerField(_("rating"), default=0)
    rating_source = models.CharField(
        _("source of the rating"), max_length=10, blank=True, choices=RatingSource.choices
    )

    tpn = models.PositiveSmallIntegerField(_("TPN"), null=True, blank=True)
    fixed_table = models.PositiveSmallIntegerField(
        _("fixed table"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(9999)],
    )
    """The player's table in every round, whatever the board number [C.04.2/2026 3.6];
    None: no fixed table.
    """
    no_byes_with_points = models.BooleanField(_("not entitled to byes with points"), default=False)
    """The player gets no half- or full-point byes, whatever the
    regulations allow [C.04.2/2026 3.3].
    """
    checked_in = models.BooleanField(_("checked in"), default=False)
    answer = models.CharField(
        _("answer about a missing player"),
        max_length=6,
        blank=True,
        choices=MissingAnswer.choices,
        default=MissingAnswer.NONE,
    )
    """Holds in every round until the player is checked in [C.04.2/2026 4.1]."""
    first_round = models.PositiveSmallIntegerField(
        _("first round"), default=1, validators=[MinValueValidator(1)]
    )
    withdrawn_from = models.PositiveSmallIntegerField(
        _("withdrawn from round"), null=True, blank=True
    )
    created_at = models.DateTimeField(_("entered"))
    is_namesake = False
    """Whether another player of the tournament has the same name: pages then show the number with
    the name. No column: :func:`tournaments.core.namesakes.mark_namesakes` sets it where all players
    are read.
    """

    apart = ""
    """What tells the player apart from a namesake; no column:
    :func:`tournaments.core.namesakes.disambiguate` sets it.
    """

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        ordering = (F("tpn").asc(nulls_last=True), "-rating", "name")
        constraints = (
            models.UniqueConstraint(fields=("tournament", "tpn"), name="entry_tpn_once"),
            models.UniqueConstraint(
                fields=("tournament", "fide_id"),
                condition=Q(fide_id__isnull=False),
                name="entry_fide_id_once",
            ),
            models.CheckConstraint(
                condition=Q(tpn__isnull=True) | Q(tpn__gte=1), name="entry_tpn_from_one"
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def real_name(self) -> str:
        """The whole name, for arbiters, reports, and the order of the players."""
        return self.full_name or self.name

    @property
    def name_apart(self) -> str:
        """The whole name for arbiters, with what tells the player apart from a namesake."""
        return f"{self.real_name} ({self.apart})" if self.apart else self.real_name

    @property
    def public_fide_id(self) -> int | None:
        """The FIDE ID that everybody may read: with it, everybody finds the name of a player."""
        return None if self.full_name else self.fide_id


class RequestedBye(models.Model):
    """A round for which the player requested a bye in advance [C.04.2/2026 3.3]."""

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="requested_byes")
    round_number = models.PositiveSmallIntegerField(_("round"), validators=[MinValueValidator(1)])
    kind = models.CharField(
        _("kind"),
        max_length=1,
        choices=[choice for choice in ByeKind.choices if choice[0] != "U"],
        default=ByeKind.ZERO_POINT,
    )

    class Meta:
        verbose_name = _("requested bye")
        verbose_name_plural = _("requested byes")
        ordering = ("round_number",)
        constraints = (
            models.UniqueConstraint(fields=("entry", "round_number"), name="requested_bye_once"),
        )

    def __str__(self) -> str:
        return f"{self.entry} R{self.round_number} {self.kind}"
