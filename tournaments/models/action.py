"""The codes of the actions in the record."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Action(models.TextChoices):
    """The actions of the record, with their names on pages."""

    TOURNAMENT_CREATED = "tournament.created", _("tournament created")
    TOURNAMENT_UPDATED = "tournament.updated", _("settings changed")
    TIE_BREAKS_CHANGED = "tie_breaks.changed", _("tie-breaks changed after the start")
    ROUNDS_CHANGED = "rounds.changed", _("number of rounds changed after the start")
    TOURNAMENT_IMPORTED = "tournament.imported", _("tournament opened from a TRF file")
    COLOUR_DRAWN = "colour.drawn", _("initial colour drawn")
    LOTS_DRAWN = "lots.drawn", _("lots drawn between tied players")
    ENTRY_ADDED = "entry.added", _("entry added")
    ENTRY_UPDATED = "entry.updated", _("entry changed")
    ENTRY_RATING_CHANGED = "entry.rating_changed", _("rating or title changed after the start")
    ENTRY_REMOVED = "entry.removed", _("entry removed")
    ENTRY_WITHDRAWN = "entry.withdrawn", _("withdrawal")
    ENTRY_RETURNED = "entry.returned", _("return of a player")
    ENTRY_CHECKED_IN = "entry.checked_in", _("player checked in")
    ENTRY_CHECKED_OUT = "entry.checked_out", _("check-in of a player cancelled")
    ABSENCE_EXPLAINED = "absence.explained", _("absence explained")
    ABSENCE_WITHDRAWN = "absence.withdrawn", _("withdrawal: absent without notice")
    ABSENCE_LIFTED = "absence.lifted", _("withdrawal cancelled: the player was not absent")
    ACTION_UNDONE = "action.undone", _("undone:")
    RESULT_UNDONE = "result.undone", _("result undone")
    CHECK_IN_OPENED = "check_in.opened", _("check-in opened")
    CHECK_IN_CLOSED = "check_in.closed", _("check-in closed")
    CHECK_IN_SETTLED = "check_in.settled", _("decision about missing players")
    ENTRIES_IMPORTED = "entries.imported", _("entries imported")
    BYE_REQUESTED = "bye.requested", _("bye granted")
    BYE_CANCELLED = "bye.cancelled", _("bye cancelled")
    NUMBERS_ASSIGNED = "numbers.assigned", _("pairing numbers assigned")
    ROUND_SCHEDULED = "round.scheduled", _("schedule set")
    ROUND_PAIRED = "round.paired", _("round paired (draft)")
    ROUND_PAIRED_BY_HAND = "round.paired_by_hand", _("round paired by hand (draft)")
    ROUND_DISCARDED = "round.discarded", _("draft discarded")
    PAIRINGS_PUBLISHED = "pairings.published", _("pairings published")
    DEADLINE_CUT_SHORT = "deadline.cut_short", _("time to report mistakes ended early")
    RESULT_RECORDED = "result.recorded", _("result entered")
    PROHIBITED_PAIRS_SET = "prohibited_pairs.set", _("prohibited pairs set")
    PRIZES_SET = "prizes.set", _("prizes defined")
    RESULTS_PUBLISHED = "results.published", _("results published")
    GAMES_ADJOURNED = "games.adjourned", _("games adjourned")
    ROUND_CHANGED = "round.changed", _("pairing change")
    ROUND_ARRANGED = "round.arranged", _("draft arranged by hand")
    RESULT_CORRECTED = "result.corrected", _("result corrected")
    COLOURS_CORRECTED = "colours.corrected", _("colours corrected")
    RATING_CORRECTED = "rating.corrected", _("rating corrected")
    CORRECTION_APPLIED = "correction.applied", _("waiting correction done")
    POINTS_ADJUSTED = "points.adjusted", _("point adjustment")
    POINTS_WITHDRAWN = "points.withdrawn", _("point adjustment withdrawn")
