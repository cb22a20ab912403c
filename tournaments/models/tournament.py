"""A tournament and the settings that its regulations fix before the first round."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator, URLValidator
from django.db import models
from django.db.models import F, Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from pairing.engine.systems import SYSTEMS
from pairing.rules.handling import HANDLING, NEWEST
from pairing.standings.codes import DEFAULT_LIST
from tournaments.models.pairing_systems import NAMES


class ListState(models.TextChoices):
    """Whether late entries may still change the TPNs [C.04.2/2026 2.5]."""

    PROVISIONAL = "provisional", _("provisional")
    DEFINITIVE = "definitive", _("definitive")


class InitialColourMethod(models.TextChoices):
    """How the initial colour was decided [C.04.3/2026 5.1]."""

    DRAWN = "drawn", _("drawn by lot by this program")
    DRAWN_OUTSIDE = "drawn_outside", _("drawn by lot at the venue")
    IMPORTED = "imported", _("taken from an imported file")


class ThirdCriterion(models.TextChoices):
    """The criterion that orders players of equal rating and title [C.04.2/2026 2.2.3]."""

    NAME = "", _("alphabetical order")
    NATIONAL = "national", _("national rating, the higher first")
    ENTERED = "entered", _("order of entry")


class RatingMethod(models.TextChoices):
    """The rating that ranks a player with a FIDE and a national one [C.04.2/2026 2.1],
    by the words of record 172.
    """

    FIDE_ELSE_NATIONAL = "FIDON", _("FIDE rating, otherwise the national rating")
    NATIONAL_ELSE_FIDE = "NIDOF", _("national rating, otherwise the FIDE rating")
    HIGHER = "HBFN", _("the higher of both ratings")
    LOWER = "LBFN", _("the lower of both ratings")
    FIDE = "FIDE", _("FIDE rating only")
    NATIONAL = "NRO", _("national rating only")
    OTHER = "OTHER", _("entered by the arbiter")


class SecondRatingMethod(models.TextChoices):
    """The rating that ranks a player without a rating by the
    :class:`RatingMethod` [C.04.2/2026 2.1].
    """

    NONE = "", _("no other rating")
    FIDE_STANDARD = "fide_standard", _("FIDE standard rating")
    FIDE_RAPID = "fide_rapid", _("FIDE rapid rating")
    FIDE_BLITZ = "fide_blitz", _("FIDE blitz rating")
    NATIONAL_STANDARD = "national_standard", _("national standard rating")
    NATIONAL_RAPID = "national_rapid", _("national rapid rating")
    NATIONAL_BLITZ = "national_blitz", _("national blitz rating")


class RateOfPlay(models.TextChoices):
    """The rate of play, for which FIDE keeps a rating of its own."""

    STANDARD = "standard", _("standard")
    RAPID = "rapid", _("rapid")
    BLITZ = "blitz", _("blitz")


class LateEntryBye(models.TextChoices):
    """The bye of a late entry for each missed round [C.04.2/2026 2.4], by TRF letter."""

    NOTHING = "Z", _("nothing")
    HALF_POINT = "H", _("half a point")


class AccelerationMethod(models.TextChoices):
    """The acceleration of the first rounds; [C.04.2/2026 1.1] allows published methods."""

    NONE = "", _("none")
    BAKU = "baku", _("Baku acceleration")


class TieBreakEdition(models.TextChoices):
    """The edition of C.07 for the tie-breaks of a tournament, with the values of
    ``pairing.standings.editions``.
    """

    FIDE_2026 = "fide-2026", _("C.07, applied from 1 March 2026")
    FIDE_2024 = "fide-2024", _("C.07, applied from 1 August 2024 to 28 February 2026")


def new_secret() -> str:
    """Return a random secret of 256 bits."""
    return secrets.token_hex(32)


def new_identity() -> str:
    """Return a random identity of 128 bits."""
    return secrets.token_hex(16)


def _system_choices() -> list[tuple[str, str | Promise]]:
    return [(code, NAMES[code]) for code in SYSTEMS]


def _handling_choices() -> list[tuple[str, str]]:
    return [(rules.code, rules.name) for rules in HANDLING.values()]


class Tournament(models.Model):
    """One Swiss tournament. Points are whole numbers of tenths.

    ``version`` grows with every action; pages and caches use it to check for changes.
    ``public_version`` grows only with actions that change the data of visitors: not with a draft, a
    check-in, a bye in a coming round, or a result before the results of its round are published.
    ``fingerprint`` belongs to the newest line of the record, ``public_fingerprint`` to the newest
    one with an effect for visitors: after a backup is restored, the same version can have another
    content. ``pairing_version`` grows only with the data of pairings (a result, a number, a bye, a
    withdrawal): a pairing computed from an older version is discarded, and a draft made from an
    older version is out of date.
    """

    identity = models.CharField(max_length=32, default=new_identity, editable=False)
    """What the fingerprints of its record name it by:
    the number of a row is that of one database.
    """
    account_salt = models.CharField(max_length=64, default=new_secret, editable=False)
    """What hides the numbers of accounts in the fingerprints of its record."""
    slug = models.SlugField(_("address"), max_length=80, unique=True)
    name = models.CharField(_("name"), max_length=200)
    city = models.CharField(_("city"), max_length=100, blank=True)
    federation = models.CharField(_("federation"), max_length=3, blank=True)
    start_date = models.DateField(_("first day"), null=True, blank=True)
    end_date = models.DateField(_("last day"), null=True, blank=True)
    chief_arbiter = models.CharField(_("chief arbiter"), max_length=200, blank=True)
    deputy_arbiters = models.TextField(
        _("deputy arbiters"), blank=True, help_text=_("One per line.")
    )
    time_control = models.CharField(_("time control"), max_length=100, blank=True)

    total_rounds = models.PositiveSmallIntegerField(
        _("rounds"), validators=[MinValueValidator(1), MaxValueValidator(99)]
    )
    system = models.CharField(
        _("pairing system"), max_length=30, choices=_system_choices, default="dutch_2026"
    )
    acceleration = models.CharField(
        _("acceleration"),
        max_length=10,
        blank=True,
        choices=AccelerationMethod.choices,
        default=AccelerationMethod.NONE,
    )
    group_a_last = models.ForeignKey(
        "Entry", on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    """The last player of group A [C.04.7/2026], fixed when round 1 is published."""
    handling_edition = models.CharField(
        _("edition of the handling rules"), max_length=20, choices=_handling_choices, default=NEWEST
    )
    tie_break_edition = models.CharField(
        _("edition of the tie-break rules"),
        max_length=20,
        choices=TieBreakEdition.choices,
        default=TieBreakEdition.FIDE_2026,
    )
    tie_breaks = models.CharField(
        _("tie-breaks"), max_length=200, blank=True, default=",".join(DEFAULT_LIST)
    )
    """The codes in order, as in record 202 of a report; empty:
    players with equal points share the rank.
    """
    lots_seed = models.CharField(_("seed of the lots"), max_length=100, blank=True)
    """The seed of the lots between players equal at the end [C.07/2026 4.2]; empty:
    they share the rank.
    """
    order_of_equals = models.JSONField(default=list, blank=True)
    """The entries of players still equal at the end, in the order decided by the Chief Arbiter;
    empty: no decision.
    """
    expelled = models.JSONField(default=list, blank=True)
    """The entries of expelled players, who are left out of the standings."""
    draw_secret = models.CharField(max_length=64, default=new_secret, editable=False)
    """The secret from which the program draws (:mod:`pairing.rules.draws`);
    shown when nothing is left to draw.
    """
    initial_colour = models.CharField(
        _("initial colour"),
        max_length=1,
        blank=True,
        choices=[("w", _("White")), ("b", _("Black"))],
    )
    initial_colour_method = models.CharField(
        _("how the initial colour was drawn"),
        max_length=20,
        blank=True,
        choices=InitialColourMethod.choices,
    )

    points_win = models.PositiveSmallIntegerField(_("win"), default=10)
    points_draw = models.PositiveSmallIntegerField(_("draw"), default=5)
    points_loss = models.PositiveSmallIntegerField(_("loss"), default=0)
    points_absence = models.PositiveSmallIntegerField(_("absence or forfeit loss"), default=0)
    points_pab = models.PositiveSmallIntegerField(_("pairing-allocated bye"), default=10)

    correction_minutes = models.PositiveSmallIntegerField(
        _("deadline for reporting mistakes"),
        null=True,
        blank=True,
        validators=[MaxValueValidator(10_080)],
    )
    """Minutes to report mistakes [C.04.2/2026 4.3]; None: until the next pairings are published.

    They run from the publication of results, or from the announced time if that is later.
    """
    change_clause = models.TextField(
        _("regulation that allows changes of published pairings"), blank=True
    )
    """The clause of the regulations [C.04.2/2026 4.4.2]; empty: none."""
    top_boards = models.PositiveSmallIntegerField(_("top boards of the last round"), default=0)
    """The number of top boards that the Chief Arbiter chose for
    the last round [C.04.2/2026 4.4.5].
    """
    rating_list = models.CharField(_("rating list"), max_length=100, blank=True)
    """The common name of the list from which the ratings come [C.04.2/2026 2.1]."""
    rating_method = models.CharField(
        _("rating that ranks the players"),
        max_length=5,
        choices=RatingMethod.choices,
        default=RatingMethod.FIDE_ELSE_NATIONAL,
    )
    second_rating_method = models.CharField(
        _("second rating, for players without the first"),
        max_length=20,
        blank=True,
        choices=SecondRatingMethod.choices,
        default=SecondRatingMethod.NONE,
    )
    rate_of_play = models.CharField(
        _("rate of play"), max_length=10, choices=RateOfPlay.choices, default=RateOfPlay.STANDARD
    )
    """The rate of play whose ratings are taken from a rating list."""
    third_criterion = models.CharField(
        _("order of players with equal rating and title"),
        max_length=10,
        blank=True,
        choices=ThirdCriterion.choices,
        default=ThirdCriterion.NAME,
    )
    late_entry_bye = models.CharField(
        _("points of late entries for each missed round"),
        max_length=1,
        choices=LateEntryBye.choices,
        default=LateEntryBye.NOTHING,
    )
    byes_in_advance = models.BooleanField(
        _("byes with points requested one round earlier"), default=False
    )
    """Before the pairings of the round before are published [C.04.2/2026 3.3];
    else until those of the round are.
    """
    max_byes = models.PositiveSmallIntegerField(
        _("byes with points per player"), null=True, blank=True
    )
    """The most half- and full-point byes a player may request [C.04.2/2026 3.3]; None: no limit."""
    last_bye_round = models.PositiveSmallIntegerField(
        _("last round for byes with points"), null=True, blank=True
    )
    second_reading = models.BooleanField(_("second reading of results required"), default=False)
    """Results are published only after another person has read them
    again and all differences are decided.
    """
    corrections_until = models.DateTimeField(null=True, blank=True)
    """The end of the current deadline; None without one. The public page counts it down."""

    left_fide_mode = models.PositiveSmallIntegerField(
        _("round in which FIDE mode was left"), null=True, blank=True
    )
    """The first round whose pairings were published although they break a basic rule;
    None: there is none.
    """

    final_at = models.DateTimeField(_("standings final since"), null=True, blank=True)
    """When the Chief Arbiter made the standings final; from then on no action changes the event.

    None: not final.
    """

    handed_over_at = models.DateTimeField(_("handed over since"), null=True, blank=True)
    """Since when another computer has the live copy of the event; this one is read only.

    None: this is the live one.
    """
    handed_over_to = models.CharField(_("handed over to"), max_length=100, blank=True)
    """Where the event goes on, or with whom, as the Chief Arbiter typed it."""
    handed_over_address = models.CharField(
        _("address where the event goes on"),
        max_length=200,
        blank=True,
        validators=[URLValidator(schemes=("http", "https"))],
    )
    """Where visitors find the pages after the hand-over; empty:
    they read the last published ones here.
    """

    list_state = models.CharField(
        _("list of participants"),
        max_length=12,
        choices=ListState.choices,
        default=ListState.PROVISIONAL,
    )
    check_in_round = models.PositiveSmallIntegerField(null=True, blank=True)
    """The round of the last check-in [C.04.2/2026 4.1]; None: never opened."""
    check_in_open = models.BooleanField(default=False)
    trf_extras = models.JSONField(default=list, blank=True)
    """Records of an imported file that are kept but not used, as lines."""

    explanations_public = models.BooleanField(_("players may read explanations"), default=False)
    """Whether everybody may read why a published round was paired as it was [C.04.1/2026 9]."""
    forecast_public = models.BooleanField(_("forecast shown to everybody"), default=False)
    """Whether a forecast is made after each publication, and everybody may read it."""
    automatic_pairings = models.PositiveSmallIntegerField(
        _("pairings published automatically"),
        null=True,
        blank=True,
        validators=[MaxValueValidator(1440)],
    )
    """Minutes before the start of play at which the program publishes
    a draft [C.04.2/2026 4.2]; None: by hand.
    """
    automatic_results = models.BooleanField(_("results published automatically"), default=False)
    """Whether the program publishes the results of a round at
    their announced time [C.04.2/2026 4.2].
    """
    automatic_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        editable=False,
    )
    """The arbiter who set the automatic publication last: the program publishes in this name. None
    after a restore or an import: nothing is published automatically until an arbiter sets it again.
    """
    keeps_data_days = models.PositiveSmallIntegerField(
        _("days until personal data are deleted"),
        null=True,
        blank=True,
        validators=[MaxValueValidator(3_650)],
    )
    """Days after the final report until personal data are deleted; None:
    as the site does it, or never.
    """
    listed = models.BooleanField(_("in the public list"), default=False)
    """Whether the home page and the list of the API show it;
    with its address, everybody can read it anyway.
    """
    archived = models.BooleanField(_("archived"), default=False)
    """Whether it is hidden from the lists of its own arbiters; everything else stays as it is."""

    version = models.PositiveIntegerField(default=0)
    public_version = models.PositiveIntegerField(default=0)
    lists = models.PositiveIntegerField(default=0, editable=False)
    """How many lists of it were stored as published."""
    fingerprint = models.CharField(max_length=64, blank=True, default="", editable=False)
    public_fingerprint = models.CharField(max_length=64, blank=True, default="", editable=False)
    pairing_version = models.PositiveIntegerField(default=0)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="tournaments_created"
    )
    created_at = models.DateTimeField(_("created"))

    class Meta:
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        ordering = (F("start_date").desc(nulls_last=True), "name")
        constraints = (
            models.CheckConstraint(
                condition=Q(total_rounds__gte=1), name="tournament_rounds_at_least_one"
            ),
            models.CheckConstraint(
                condition=Q(points_win__gte=F("points_draw"))
                & Q(points_draw__gte=F("points_loss")),
                name="tournament_points_in_order",
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def check_in_closed(self) -> bool:
        """Whether the check-in was opened and then closed;
        no player can be checked in until it is opened again.
        """
        return self.check_in_round is not None and not self.check_in_open
