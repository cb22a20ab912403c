"""The sentences about dates of games and sent reports; see :mod:`tournaments.core.messages`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

OF_GAMES: Final[Mapping[str, Promise]] = {
    # Dates
    "game_date.round_not_published": _(
        "The pairings of round %(round)s are not published. Publish them, then set the date."
    ),
    "game_date.has_result": _(
        "This game of round %(round)s has a result, so it needs no date. If the result is wrong, "
        "change it first."
    ),
    "game_date.moved_meanwhile": _(
        "Somebody else has changed the date of this game since you opened this page. Nothing was "
        "saved: check the "
        "date, then repeat."
    ),
    "game_date.no_date": _("Enter the date too, or remove the place."),
    "game_date.place": _(
        "The place must have at most %(most)s characters, without control characters."
    ),
    # Reports to the rating officer
    "report.nothing_new": _(
        "There is nothing to report: every game that is over was sent, and none was corrected since."
    ),
    "report.moved_meanwhile": _(
        "The report is another one now: a result was entered or corrected, or somebody else has "
        "confirmed it. Nothing "
        "was saved. Compare with the list of reports sent; if yours is not in it, download the "
        "report again and send "
        "that one."
    ),
    "report.no_record": _(
        "This is not the file of a record. Choose the file record.jsonl that you downloaded."
    ),
    "report.file_too_large": _(
        "The file is larger than %(limit)s MB, too large for a record. Nothing was changed."
    ),
    "report.other_record": _(
        "This file is the record of another tournament: “%(name)s”. Nothing was changed."
    ),
    "report.faulty_record": _(
        "The record in this file cannot be trusted (%(problem)s). Nothing was changed."
    ),
    "report.nothing_to_restore": _(
        "This record knows every report that is in the file. Nothing was changed."
    ),
    "report.reason_missing": _("Say why the report was not sent."),
    "report.not_the_newest": _(
        "Report %(number)s is not the newest report that was sent. Nothing was changed."
    ),
}
