"""The facts of a tournament that FIDE asks for and that nothing else needs: columns of
:class:`~tournaments.models.tournament.Tournament`.
"""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Value
from django.utils.translation import gettext_lazy as _

from pairing.ratings.time_controls import read_time_control

from .setting_choices import KindOfEvent, ReportProfile


def require_encoded(text: str) -> None:
    """Refuse a *text* that is not a time control of record 222."""
    if read_time_control(text) is None:
        raise ValidationError(
            _("Write seconds, such as 5400+30, 40/6000+30:900+30 or W300-B240."), code="encoded"
        )


class FideFacts(models.Model):
    """The facts for the conditions of norms [B.01 1.1] and for the sheets of FIDE.

    What follows from other settings, the rounds or the players is not here. The last five are
    confirmations of the arbiter; none of them can be computed.
    """

    encoded_time_control = models.CharField(
        _("Time control in the report file"),
        max_length=60,
        blank=True,
        default="",
        db_default="",
        validators=[require_encoded],
        help_text=_(
            "In seconds, such as 5400+30. Empty: from the time control, if it is one of minutes "
            "and seconds."
        ),
    )
    """Record 222, if the words are not clear
    (:func:`~tournaments.standings.rating_facts.encoded_time_control`).
    """
    organiser = models.CharField(
        _("Organiser"),
        max_length=200,
        blank=True,
        default="",
        db_default="",
        help_text=_("With FIDE ID, such as Rossi, Anna (2000016)."),
    )
    event_code = models.CharField(
        _("FIDE event number"),
        max_length=10,
        blank=True,
        default="",
        db_default="",
        validators=[RegexValidator(r"\A[0-9]+\Z", _("Digits only."))],
        help_text=_("From the registration on ratings.fide.com; each section has its own."),
    )
    report_profile = models.CharField(
        _("Federation that gets the report"),
        max_length=10,
        blank=True,
        choices=ReportProfile.choices,
        default=ReportProfile.BY_FEDERATION,
        db_default=ReportProfile.BY_FEDERATION,
        help_text=_("It decides what is checked before sending, and the files."),
    )
    registered_on = models.DateField(
        _("Registered with FIDE on"),
        null=True,
        blank=True,
        help_text=_("For norms at least 30 days before the first day [B.01 1.1.1]."),
    )
    event_kind = models.CharField(
        _("Kind of event for norms"),
        max_length=20,
        choices=KindOfEvent.choices,
        default=KindOfEvent.ORDINARY,
        db_default=KindOfEvent.ORDINARY,
        help_text=_("Some need fewer games, or no other federations [B.01 1.4.1, 1.4.3]."),
    )
    time_approved = models.BooleanField(
        _("Shorter time control approved by the FIDE Qualification Commission"),
        default=False,
        db_default=False,
        help_text=_("Then no game is too short for the rating [B.02 1.1]; norms stay impossible."),
    )
    arbiter_in_hall = models.BooleanField(
        _("An IA or FA is always in the hall"),
        default=False,
        db_default=False,
        help_text=_("Confirmed for norms [B.01 1.1.5]."),
    )
    no_arbiter_plays = models.BooleanField(
        _("No arbiter plays"),
        default=False,
        db_default=False,
        help_text=_("Found by the FIDE IDs of all arbiters, or confirmed here [B.01 1.1.6]."),
    )
    no_favour = models.BooleanField(
        _("No round, order or opponent was changed in favour of a player"),
        default=False,
        db_default=False,
        help_text=_("Confirmed for norms [B.01 1.4.2d]."),
    )
    system_approved = models.BooleanField(
        _("Pairing system approved by the FIDE Qualification Commission"),
        default=False,
        db_default=False,
        help_text=_("Needed if there are matches of two games [B.01 1.4.2e]."),
    )
    federation_ids = models.JSONField(
        default=dict, db_default=Value({}, models.JSONField()), blank=True, editable=False
    )
    """The key at chess-results and the numbers for US Chess, by field of the form. The record does
    not have them: whoever knows the key can replace the event at chess-results.
    """

    title_claims = models.JSONField(
        default=dict, db_default=Value({}, models.JSONField()), blank=True, editable=False
    )
    """The titles that are claimed for players on the sheet IT4, by the number of the entry; see
    :mod:`tournaments.reports.title_claims`. The record does not have them.
    """

    class Meta:
        abstract = True
