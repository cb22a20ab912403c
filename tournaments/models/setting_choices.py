"""The values of the settings of a tournament that have a list of choices."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


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
    """The rating that ranks a player with a FIDE and a national one [C.04.2/2026 2.1].

    The values are the words of record 172.
    """

    FIDE_ELSE_NATIONAL = "FIDON", _("FIDE rating, otherwise the national rating")
    NATIONAL_ELSE_FIDE = "NIDOF", _("national rating, otherwise the FIDE rating")
    HIGHER = "HBFN", _("the higher of both ratings")
    LOWER = "LBFN", _("the lower of both ratings")
    FIDE = "FIDE", _("FIDE rating only")
    NATIONAL = "NRO", _("national rating only")
    OTHER = "OTHER", _("entered by the arbiter")


class SecondRatingMethod(models.TextChoices):
    """The rating for a player without one by the :class:`RatingMethod` [C.04.2/2026 2.1]."""

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


class ReportProfile(models.TextChoices):
    """The federation that gets the report, by the codes of :mod:`pairing.rules.report_profiles`."""

    BY_FEDERATION = "", _("that of the event")
    FIDE = "fide", "FIDE"
    FFE = "ffe", "FFE (FRA)"
    DSB = "dsb", "DSB (GER)"
    ECF = "ecf", "ECF (ENG)"
    KNSB = "knsb", "KNSB (NED)"
    US_CHESS = "us_chess", "US Chess (USA)"


class KindOfEvent(models.TextChoices):
    """Events that title regulations tell apart, as in :class:`~pairing.ratings.model.EventKind`."""

    ORDINARY = "ordinary", _("ordinary tournament")
    NATIONAL_FINAL = "national_final", _("final of a national championship")
    NATIONAL_TEAM = "national_team", _("national team championship")
    ZONAL = "zonal", _("zonal or sub-zonal tournament")
    TEAM_CHAMPIONSHIP = "team_championship", _("world or continental team championship")
    WORLD_CUP = "world_cup", _("World Cup")


class LateEntryBye(models.TextChoices):
    """The bye of a late entry for each missed round [C.04.2/2026 2.4], by TRF letter."""

    NOTHING = "Z", _("nothing")
    HALF_POINT = "H", _("half a point")


class EnteredResults(models.TextChoices):
    """Who reads the result of a game before the results of its round are published."""

    OWN = "own", _("the players of the game, on My board and at their table")
    ALL = "all", _("everybody, on a page that marks them as provisional")
    NONE = "none", _("nobody")


class AccelerationMethod(models.TextChoices):
    """The acceleration of the first rounds; [C.04.2/2026 1.1] allows published methods."""

    NONE = "", _("none")
    BAKU = "baku", _("Baku acceleration")


class TieBreakEdition(models.TextChoices):
    """The edition of C.07 for tie-breaks, with the codes of ``pairing.standings.editions``."""

    FIDE_2026 = "fide-2026", _("C.07, applied from 1 March 2026")
    FIDE_2024 = "fide-2024", _("C.07, applied from 1 August 2024 to 28 February 2026")
