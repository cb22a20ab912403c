"""A tournament and the settings that its regulations fix before the first round."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.core.validators import (
    MaxValueValidator,
    MinValueValidator,
    RegexValidator,
    URLValidator,
)
from django.db import models
from django.db.models import F, Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _, pgettext_lazy

from pairing.engine.systems import SYSTEMS
from pairing.rules.handling import HANDLING, NEWEST
from pairing.standings.codes import DEFAULT_LIST
from tournaments.models.pairing_systems import NAMES

from .fide_facts import FideFacts
from .setting_choices import (
    AccelerationMethod,
    EnteredResults,
    InitialColourMethod,
    LateEntryBye,
    ListState,
    RateOfPlay,
    RatingMethod,
    SecondRatingMethod,
    ThirdCriterion,
    TieBreakEdition,
)


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


class Tournament(FideFacts):
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
    name = models.CharField(_("Name"), max_length=200)
    city = models.CharField(pgettext_lazy("town", "Place"), max_length=100, blank=True)
    federation = models.CharField(
        _("Federation"), max_length=3, blank=True, help_text=_("Three letters, such as FRA.")
    )
    start_date = models.DateField(_("First day"), null=True, blank=True)
    end_date = models.DateField(_("Last day"), null=True, blank=True)
    chief_arbiter = models.CharField(
        _("Chief arbiter"),
        max_length=200,
        blank=True,
        help_text=_(
            "With title and FIDE ID, such as IA Rossi, Anna (2000016); the deputies too [B.01 1.1.5]."
        ),
    )
    """Read by :func:`pairing.rules.arbiters.arbiter_of`."""
    deputy_arbiters = models.TextField(
        _("Deputy arbiters"),
        blank=True,
        help_text=_(
            "All of them, one per line; a role may follow: FA Roy, Luc (2000024), fair play."
        ),
    )
    time_control = models.CharField(
        _("Time control"),
        max_length=100,
        blank=True,
        help_text=_("As in the regulations, such as 90 min + 30 s/move."),
    )

    total_rounds = models.PositiveSmallIntegerField(
        _("Number of rounds"),
        validators=[MinValueValidator(1), MaxValueValidator(99)],
        help_text=_("Announced before the start [C.04.1 1]."),
    )
    system = models.CharField(
        _("Pairing system"),
        max_length=30,
        choices=_system_choices,
        default="dutch_2026",
        help_text=_("Stored with the tournament; it cannot change once round 1 is paired."),
    )
    acceleration = models.CharField(
        _("Acceleration"),
        max_length=10,
        blank=True,
        choices=AccelerationMethod.choices,
        default=AccelerationMethod.NONE,
        help_text=_(
            "Announced before the start; it cannot change once round 1 is paired [C.04.2 1.1]."
        ),
    )
    group_a_last = models.ForeignKey(
        "Entry", on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    """The last player of group A [C.04.7/2026], fixed when round 1 is published."""
    handling_edition = models.CharField(
        _("Handling rules"), max_length=20, choices=_handling_choices, default=NEWEST
    )
    tie_break_edition = models.CharField(
        _("Edition of the tie-break rules"),
        max_length=20,
        choices=TieBreakEdition.choices,
        default=TieBreakEdition.FIDE_2026,
    )
    tie_breaks = models.CharField(
        _("Tie-breaks"),
        max_length=200,
        blank=True,
        default=",".join(DEFAULT_LIST),
        help_text=_(
            "Codes in order, such as BH-C1, BH, SB, DE, WIN; PTS may come first. Announced before "
            "the start [C.07 4.1.1]."
        ),
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

    points_win = models.PositiveSmallIntegerField(_("Win"), default=10)
    points_draw = models.PositiveSmallIntegerField(_("Draw"), default=5)
    points_loss = models.PositiveSmallIntegerField(_("Loss"), default=0)
    points_absence = models.PositiveSmallIntegerField(_("Points for an absence"), default=0)
    points_pab = models.PositiveSmallIntegerField(
        _("Points for the pairing-allocated bye"), default=10
    )

    correction_minutes = models.PositiveSmallIntegerField(
        _("Minutes to report mistakes"),
        null=True,
        blank=True,
        validators=[MaxValueValidator(10_080)],
        help_text=_(
            "After the publication of results, or after the announced time if that is later; "
            "players see the remaining time. Empty: until the next pairings are published "
            "[C.04.2 4.3]."
        ),
    )
    """Minutes to report mistakes [C.04.2/2026 4.3]; None: until the next pairings are published.

    They run from the publication of results, or from the announced time if that is later.
    """
    change_clause = models.TextField(
        _("Regulation that allows changes of published pairings"),
        blank=True,
        help_text=_("As in the regulations; empty if there is no such regulation [C.04.2 4.4.2]."),
    )
    """The clause of the regulations [C.04.2/2026 4.4.2]; empty: none."""
    top_boards = models.PositiveSmallIntegerField(
        _("Top boards of the last round"),
        default=0,
        help_text=_(
            "Number of boards; their pairings may change after an unforeseen event [C.04.2 4.4.5]."
        ),
    )
    """The number of top boards that the Chief Arbiter chose for
    the last round [C.04.2/2026 4.4.5].
    """
    rating_list = models.CharField(
        _("Rating list"),
        max_length=100,
        blank=True,
        help_text=_("Source of the ratings, such as FIDE standard, November 2026 [C.04.2 2.1]."),
    )
    """The common name of the list from which the ratings come [C.04.2/2026 2.1]."""
    rating_method = models.CharField(
        _("Rating that ranks the players"),
        max_length=5,
        choices=RatingMethod.choices,
        default=RatingMethod.FIDE_ELSE_NATIONAL,
        help_text=_(
            "If you change it, the ratings of all players are chosen again, except estimates "
            "[C.04.2 2.1]."
        ),
    )
    national_lists = models.CharField(
        _("National rating lists, in their order"),
        max_length=60,
        blank=True,
        default="",
        db_default="",
        validators=[
            RegexValidator(
                r"\A[A-Z]{3}( [A-Z]{3})*\Z",
                _("Write three letters for each list, such as FRA SUI."),
            )
        ],
        help_text=_(
            "Such as FRA SUI: the first list with a rating of the player gives the national "
            "rating, the next ones fill gaps. Empty: the list of the federation [C.04.2 2.1]."
        ),
    )
    second_rating_method = models.CharField(
        _("Second rating, for players without the first"),
        max_length=20,
        blank=True,
        choices=SecondRatingMethod.choices,
        default=SecondRatingMethod.NONE,
        help_text=_("Then the arbiter’s estimate; a player without any rating has 0 [C.04.2 2.1]."),
    )
    rate_of_play = models.CharField(
        _("Rate of play"),
        max_length=10,
        choices=RateOfPlay.choices,
        default=RateOfPlay.STANDARD,
        help_text=_(
            "Ratings from a list are those of this rate of play; without one, the standard ratings."
        ),
    )
    """The rate of play whose ratings are taken from a rating list."""
    third_criterion = models.CharField(
        _("Order of players with equal rating and title"),
        max_length=10,
        blank=True,
        choices=ThirdCriterion.choices,
        default=ThirdCriterion.NAME,
        help_text=_("Announced before the start [C.04.2 2.2.3]."),
    )
    late_entry_bye = models.CharField(
        _("Points of late entries for each missed round"),
        max_length=1,
        choices=LateEntryBye.choices,
        default=LateEntryBye.NOTHING,
        help_text=_("Nothing, unless the regulations say otherwise [C.04.2 2.4]."),
    )
    byes_in_advance = models.BooleanField(
        _("Byes with points are requested one round earlier"),
        default=False,
        help_text=_(
            "Otherwise, until the pairings of the round itself are published [C.04.2 3.3]."
        ),
    )
    """Before the pairings of the round before are published [C.04.2/2026 3.3];
    else until those of the round are.
    """
    max_byes = models.PositiveSmallIntegerField(
        _("Byes with points per player"),
        null=True,
        blank=True,
        help_text=_("Half- and full-point byes; empty: no limit [C.04.2 3.3]."),
    )
    """The most half- and full-point byes a player may request [C.04.2/2026 3.3]; None: no limit."""
    last_bye_round = models.PositiveSmallIntegerField(
        _("Last round for byes with points"),
        null=True,
        blank=True,
        help_text=_("Empty: no limit [C.04.2 3.3]."),
    )
    second_reading = models.BooleanField(
        _("Second reading of results required"),
        default=False,
        help_text=_(
            "Another person enters all results again without seeing them. They can be published "
            "once every difference is decided. Once pairings are published, only the Chief Arbiter "
            "can change this setting."
        ),
    )
    """Results are published only after another person has read them
    again and all differences are decided.
    """
    corrections_until = models.DateTimeField(null=True, blank=True)
    """The end of the current deadline; None without one. The public page counts it down."""

    left_fide_mode = models.PositiveSmallIntegerField(
        _("Round in which FIDE mode was left"), null=True, blank=True
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

    entered_results = models.CharField(
        _("Who reads results before they are published"),
        max_length=4,
        choices=EnteredResults.choices,
        default=EnteredResults.OWN,
        db_default=EnteredResults.OWN,
        help_text=_(
            "My board needs no account: whoever chooses a player's name there reads that player's "
            "result. What is published does not change [C.04.2 4.2]."
        ),
    )
    explanations_public = models.BooleanField(
        _("Players may read the explanations of pairings"),
        default=False,
        help_text=_("Why two players meet, for published rounds [C.04.1 9]."),
    )
    """Whether everybody may read why a published round was paired as it was [C.04.1/2026 9]."""
    forecast_public = models.BooleanField(
        _("Show everybody a forecast"),
        default=False,
        help_text=_(
            "After each publication the program plays the rest of the tournament up to a thousand "
            "times: likely opponents, and chances for places and prizes."
        ),
    )
    """Whether a forecast is made after each publication, and everybody may read it."""
    automatic_pairings = models.PositiveSmallIntegerField(
        _("Publish the pairings automatically (minutes before play begins)"),
        null=True,
        blank=True,
        validators=[MaxValueValidator(1440)],
        help_text=_(
            "The draft is published at this time if nothing on its checklist is open; empty: you "
            "publish it yourself [C.04.2 4.2]."
        ),
    )
    """Minutes before the start of play at which the program publishes
    a draft [C.04.2/2026 4.2]; None: by hand.
    """
    automatic_results = models.BooleanField(
        _("Publish the results automatically at the announced time"),
        default=False,
        help_text=_(
            "If every board has a result and no question is open. The times are under Rounds and "
            "times [C.04.2 4.2]."
        ),
    )
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
        _("Days until personal data are deleted"),
        null=True,
        blank=True,
        validators=[MaxValueValidator(3_650)],
        help_text=_(
            "After final standings and the last rating report: dates of birth, phone numbers, "
            "e-mail addresses, notes and reasons. Empty: as the site does it, or never."
        ),
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

    logo = models.CharField(max_length=40, blank=True, default="", db_default="", editable=False)
    """The name of the picture in ``logo_file``; empty: none."""
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
        """Whether the check-in was opened and then closed; nobody can be checked in now."""
        return self.check_in_round is not None and not self.check_in_open
