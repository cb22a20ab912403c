"""All actions of the record: one row for each, from which everything else is derived.

The words are in English; the pages look up their translations. The class of its data is in
:mod:`tournaments.models.payloads`, and the article is in each line, because it depends on the case.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final, NamedTuple, Self

from pairing.engine.errors import Text, text as _

from .powers import Power

RESULTS: Final = Power.RESULTS
CHECK_IN: Final = Power.CHECK_IN
RUN: Final = Power.RUN
DECIDE: Final = Power.DECIDE


class ActionRow(NamedTuple):
    """Describe an action.

    ``power`` is the least that it needs: the rules leave more to the Chief Arbiter, depending on
    the time. An undo of it is the ordinary action ``opposite``, often the same action, or
    ``reversed`` restores the values itself; without either it has no undo. ``who_plays``: to
    reverse it may put a draft made before out of date. ``thing`` is the one thing of the tournament
    that it changes. ``while_final``: it is possible while the standings are final, because it
    changes nothing of the event itself [C.04.2/2026 4.3].
    """

    code: str
    words: Text
    power: Power
    opposite: str = ""
    reversed: bool = False
    who_plays: bool = False
    thing: str = ""
    while_final: bool = False


class Action(StrEnum):
    """The actions of the record; the values are their codes there."""

    row: ActionRow

    def __new__(cls, code: str, *values: Any) -> Self:
        action = str.__new__(cls, code)
        action._value_ = code
        action.row = ActionRow(code, *values)
        return action

    TOURNAMENT_CREATED = ActionRow("tournament.created", _("tournament created"), RUN)
    TOURNAMENT_UPDATED = ActionRow(
        "tournament.updated", _("settings changed"), RUN, opposite="tournament.updated"
    )
    TIE_BREAKS_CHANGED = ActionRow(
        "tie_breaks.changed", _("tie-breaks changed after the start"), DECIDE
    )
    ROUNDS_CHANGED = ActionRow(
        "rounds.changed", _("number of rounds changed after the start"), DECIDE
    )
    TOURNAMENT_IMPORTED = ActionRow(
        "tournament.imported", _("tournament opened from a TRF file"), RUN
    )
    SECTION_SET = ActionRow("section.set", _("section set up"), DECIDE, thing="section")
    TOURNAMENT_DUPLICATED = ActionRow(
        "tournament.duplicated", _("tournament made as a copy of another one"), RUN
    )
    TOURNAMENT_LISTED = ActionRow(
        "tournament.listed",
        _("tournament shown in the public list"),
        RUN,
        opposite="tournament.unlisted",
        thing="listed",
        while_final=True,
    )
    TOURNAMENT_UNLISTED = ActionRow(
        "tournament.unlisted",
        _("tournament removed from the public list"),
        RUN,
        opposite="tournament.listed",
        thing="listed",
        while_final=True,
    )
    TOURNAMENT_ARCHIVED = ActionRow(
        "tournament.archived",
        _("tournament archived"),
        DECIDE,
        opposite="tournament.restored",
        thing="archived",
        while_final=True,
    )
    TOURNAMENT_RESTORED = ActionRow(
        "tournament.restored",
        _("tournament brought back from the archive"),
        DECIDE,
        opposite="tournament.archived",
        thing="archived",
        while_final=True,
    )
    TOURNAMENT_HANDED_OVER = ActionRow(
        "tournament.handed_over",
        _("tournament handed over to another computer"),
        DECIDE,
        thing="handed over",
        while_final=True,
    )
    TOURNAMENT_TAKEN_OVER = ActionRow(
        "tournament.taken_over",
        _("tournament taken over from another computer"),
        DECIDE,
        thing="handed over",
        while_final=True,
    )
    TOURNAMENT_BROUGHT_BACK = ActionRow(
        "tournament.brought_back",
        _("tournament brought back after a hand-over"),
        DECIDE,
        thing="handed over",
        while_final=True,
    )
    LOGO_SET = ActionRow("logo.set", _("logo set or removed"), RUN, thing="logo")
    PERSON_APPOINTED = ActionRow(
        "person.appointed", _("person appointed"), DECIDE, opposite="person.removed"
    )
    PERSON_REMOVED = ActionRow("person.removed", _("role ended"), DECIDE, while_final=True)
    ACCESS_RENEWED = ActionRow("access.renewed", _("new link and PIN"), DECIDE, while_final=True)
    CHIEF_HANDED_OVER = ActionRow(
        "chief.handed_over", _("Chief Arbiter replaced"), DECIDE, while_final=True
    )
    PASSWORD_SET = ActionRow(
        "password.set", _("log-in data of a person changed"), DECIDE, while_final=True
    )
    COLOUR_DRAWN = ActionRow("colour.drawn", _("initial colour drawn"), RUN)
    EQUALS_RANKED = ActionRow("equals.ranked", _("tied players ranked by decision"), DECIDE)
    LOTS_DRAWN = ActionRow("lots.drawn", _("lots drawn between tied players"), DECIDE, thing="lots")
    ENTRY_ADDED = ActionRow("entry.added", _("entry added"), RUN, opposite="entry.removed")
    ENTRY_UPDATED = ActionRow("entry.updated", _("entry changed"), RUN, opposite="entry.updated")
    ENTRY_RATING_CHANGED = ActionRow(
        "entry.rating_changed",
        _("rating or title changed after the start"),
        DECIDE,
        opposite="entry.rating_changed",
    )
    ENTRY_REMOVED = ActionRow("entry.removed", _("entry removed"), RUN, opposite="entry.added")
    ENTRY_WITHDRAWN = ActionRow(
        "entry.withdrawn", _("withdrawal"), RUN, reversed=True, who_plays=True
    )
    ENTRY_EXPELLED = ActionRow("entry.expelled", _("expulsion"), DECIDE)
    ENTRY_RETURNED = ActionRow(
        "entry.returned", _("return of a player"), DECIDE, reversed=True, who_plays=True
    )
    ENTRY_CHECKED_IN = ActionRow(
        "entry.checked_in", _("player checked in"), CHECK_IN, reversed=True
    )
    ENTRY_CHECKED_OUT = ActionRow(
        "entry.checked_out", _("check-in of a player cancelled"), CHECK_IN, reversed=True
    )
    ENTRIES_CHECKED_IN = ActionRow(
        "entries.checked_in", _("several players checked in"), CHECK_IN, reversed=True
    )
    ABSENCE_EXPLAINED = ActionRow("absence.explained", _("absence explained"), RUN)
    ABSENCE_WITHDRAWN = ActionRow("absence.withdrawn", _("withdrawal: absent without notice"), RUN)
    ABSENCE_LIFTED = ActionRow(
        "absence.lifted", _("withdrawal cancelled: the player was not absent"), RUN
    )
    ACTION_UNDONE = ActionRow("action.undone", _("undone:"), RUN)
    RESULT_UNDONE = ActionRow("result.undone", _("result undone"), RESULTS)
    CHECK_IN_OPENED = ActionRow("check_in.opened", _("check-in opened"), RUN, thing="check_in")
    CHECK_IN_CLOSED = ActionRow("check_in.closed", _("check-in closed"), RUN)
    CHECK_IN_SETTLED = ActionRow(
        "check_in.settled", _("decision about missing players"), RUN, reversed=True, who_plays=True
    )
    CHECK_IN_ANSWERED = ActionRow(
        "check_in.answered", _("answers about missing players"), RUN, reversed=True, who_plays=True
    )
    DESK_DATA_CHANGED = ActionRow(
        "desk_data.changed",
        _("phone number, note or fee of a player changed"),
        CHECK_IN,
        opposite="desk_data.changed",
    )
    FEE_SET = ActionRow("fee.set", _("entry fee set"), RUN, opposite="fee.set", thing="fee")
    SELF_CHECK_IN_OPENED = ActionRow("self_check_in.opened", _("self check-in switched on"), RUN)
    SELF_CHECK_IN_CLOSED = ActionRow("self_check_in.closed", _("self check-in switched off"), RUN)
    TABLE_CODES_MADE = ActionRow("table_codes.made", _("codes of the tables made"), RUN)
    PLAYERS_REPORTS_OPENED = ActionRow(
        "players_reports.opened", _("players' reports switched on"), RUN
    )
    PLAYERS_REPORTS_CLOSED = ActionRow(
        "players_reports.closed", _("players' reports switched off"), RUN
    )
    REGISTRATION_SET = ActionRow(
        "registration.set", _("registration set up"), RUN, thing="registration"
    )
    REGISTRATION_REFUSED = ActionRow("registration.refused", _("registration refused"), RUN)
    ENTRIES_IMPORTED = ActionRow("entries.imported", _("entries imported"), RUN)
    BYE_REQUESTED = ActionRow("bye.requested", _("bye granted"), RUN, reversed=True, who_plays=True)
    BYE_CANCELLED = ActionRow(
        "bye.cancelled", _("bye cancelled"), RUN, reversed=True, who_plays=True
    )
    NUMBERS_ASSIGNED = ActionRow(
        "numbers.assigned", _("pairing numbers assigned"), RUN, thing="numbers"
    )
    ROUND_SCHEDULED = ActionRow(
        "round.scheduled", _("schedule set"), RUN, opposite="round.scheduled"
    )
    ROUND_PAIRED = ActionRow("round.paired", _("round paired (draft)"), RUN, reversed=True)
    ROUND_PAIRED_BY_HAND = ActionRow(
        "round.paired_by_hand", _("round paired by hand (draft)"), DECIDE, reversed=True
    )
    ROUND_DISCARDED = ActionRow("round.discarded", _("draft discarded"), RUN)
    PAIRINGS_PUBLISHED = ActionRow("pairings.published", _("pairings published"), RUN)
    BOARDS_ANNOUNCED = ActionRow("boards.announced", _("certain boards announced"), RUN)
    ANNOUNCEMENT_WITHDRAWN = ActionRow(
        "announcement.withdrawn", _("announced boards withdrawn"), DECIDE
    )
    DEADLINE_CUT_SHORT = ActionRow(
        "deadline.cut_short", _("time to report mistakes ended early"), DECIDE
    )
    RESULT_RECORDED = ActionRow("result.recorded", _("result entered"), RESULTS, reversed=True)
    RESULT_READ = ActionRow("result.read", _("result read a second time"), RESULTS)
    READING_DECIDED = ActionRow("reading.decided", _("difference of two readings decided"), RUN)
    RESULT_CONFIRMED = ActionRow("result.confirmed", _("unusual result confirmed"), RESULTS)
    PROHIBITED_PAIRS_SET = ActionRow(
        "prohibited_pairs.set",
        _("prohibited pairs set"),
        RUN,
        opposite="prohibited_pairs.set",
        thing="pairs",
    )
    PRIZES_SET = ActionRow(
        "prizes.set", _("prizes defined"), RUN, opposite="prizes.set", thing="prizes"
    )
    EVENT_PRIZES_SET = ActionRow("event_prizes.set", _("prizes of the event defined"), RUN)
    RESULTS_PUBLISHED = ActionRow("results.published", _("results published"), RUN)
    GAME_SCHEDULED = ActionRow("game.scheduled", _("date of a game set"), RUN)
    GAMES_ADJOURNED = ActionRow("games.adjourned", _("games adjourned"), RUN)
    ROUND_CHANGED = ActionRow("round.changed", _("pairing change"), DECIDE)
    ROUND_ARRANGED = ActionRow(
        "round.arranged", _("draft arranged by hand"), DECIDE, opposite="round.arranged"
    )
    RESULT_CORRECTED = ActionRow("result.corrected", _("result corrected"), RUN)
    COLOURS_CORRECTED = ActionRow("colours.corrected", _("colours corrected"), RUN)
    RATING_CORRECTED = ActionRow("rating.corrected", _("rating corrected"), RUN)
    CORRECTION_APPLIED = ActionRow("correction.applied", _("waiting correction done"), RUN)
    POINTS_ADJUSTED = ActionRow("points.adjusted", _("point adjustment"), DECIDE)
    POINTS_WITHDRAWN = ActionRow("points.withdrawn", _("point adjustment withdrawn"), DECIDE)
    PROTEST_LODGED = ActionRow("protest.lodged", _("protest"), RUN, while_final=True)
    PROTEST_DECIDED = ActionRow(
        "protest.decided", _("ruling on a protest"), DECIDE, while_final=True
    )
    PROTEST_APPEALED = ActionRow("protest.appealed", _("appeal"), RUN, while_final=True)
    APPEAL_DECIDED = ActionRow(
        "appeal.decided", _("decision on an appeal"), DECIDE, while_final=True
    )
    REPORT_SENT = ActionRow("report.sent", _("rating report sent"), RUN, while_final=True)
    REPORT_WITHDRAWN = ActionRow(
        "report.withdrawn", _("rating report not sent after all"), DECIDE, while_final=True
    )
    DATA_DELETED = ActionRow("data.deleted", _("personal data deleted"), DECIDE, while_final=True)
    STANDINGS_MADE_FINAL = ActionRow("standings.made_final", _("standings made final"), DECIDE)
    STANDINGS_REOPENED = ActionRow(
        "standings.reopened", _("final standings reopened"), DECIDE, while_final=True
    )


_BY_CODE: Final = {action.value: action for action in Action}


def find(code: str) -> Action | None:
    """Return the action with this *code*; None if this version does not know it."""
    return _BY_CODE.get(code)


def power_of(code: str) -> Power:
    """Return the power that an action needs, that of arbiters if this version does not know it."""
    action = find(code)
    return action.row.power if action else RUN
