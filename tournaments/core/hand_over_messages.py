"""The sentences about the hand-over of an event to another computer."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _, ngettext_lazy

OF_HAND_OVERS: Final[dict[str, Promise]] = {
    "hand_over.is_away": _(
        "This event was handed over to %(to)s on %(at)s: go on there. Nothing was changed here. "
        "The Chief Arbiter can "
        "bring it back."
    ),
    "hand_over.is_here": _("This event is not handed over: go on with it here."),
    "hand_over.no_name": _(
        "Type which computer, or who, goes on with the event, with at most %(limit)s characters. "
        "Nothing was changed."
    ),
    "hand_over.address": _(
        "“%(value)s” is not an address: type one that begins with http:// or https://, or none."
    ),
    "hand_over.not_confirmed": _(
        "Confirm that nobody goes on with the event on the other computer. Two live copies make a "
        "fork of the record."
    ),
    "take_over.no_file": _(
        "This is not the file of a hand-over, or its end is missing. Nothing was changed. Copy it "
        "again from the other "
        "computer, or download it there again."
    ),
    "take_over.damaged": _(
        "The file was changed or damaged on its way. Nothing was changed here. Copy it again from "
        "the other computer, "
        "or download it there again."
    ),
    "take_over.unreadable": _(
        "The file cannot be read as an event of this program (%(problem)s). Nothing was changed. "
        "Download it again on "
        "the other computer."
    ),
    "take_over.whole_site": _(
        "This file is a copy of a whole site, not of one event. Nothing was changed. The help "
        "page about a failed "
        "laptop says how to restore it."
    ),
    "take_over.too_large": _(
        "The file is larger than %(limit)s MB, too large for one event. Nothing was changed."
    ),
    "take_over.other_version": _(
        "The file is from version %(version)s of the program, and this is version %(own)s with "
        "other tables. Nothing "
        "was changed. Bring both computers to the same version, then download the file again."
    ),
    "take_over.not_handed_over": _(
        "“%(name)s” was not handed over: the other computer has the live copy. Nothing was "
        "changed. Hand it over "
        "there, then choose the file that you can download after that."
    ),
    "take_over.is_here": _(
        "“%(name)s” is here already, at /t/%(slug)s/, with all actions of the file (%(here)s "
        "here, %(file)s in the "
        "file). Nothing was changed."
    ),
    "take_over.is_away": _(
        "“%(name)s” was handed over from this computer to %(to)s on %(at)s: go on there. The file "
        "has no action after "
        "that. Nothing was changed. To go on here again, hand it over there, and choose that "
        "file. If nobody goes on "
        "there, the Chief Arbiter can bring it back here."
    ),
    "take_over.fork": _(
        "Both computers went on with “%(name)s”: from action %(number)s on the records are "
        "different, and they cannot "
        "be put together. Nothing was changed. Decide which copy is right."
    ),
    "take_over.is_live": _(
        "“%(name)s” is live here and was not handed over from here, but another computer signed "
        "action %(number)s of "
        "the file. Nothing was changed. Ask who made the file. If it is right, take it over on "
        "the console of the "
        "server: ./run manage import_event FILE."
    ),
    "take_over.player": _(
        "%(name)s has the number %(number)s in the file, and here it belongs to %(other)s of "
        "“%(tournament)s”. A "
        "record names players by number. Nothing was changed. Start the program with a new data "
        "folder, and take the "
        "event over there."
    ),
    "take_over.account": _(
        "Account %(number)s is “%(name)s” in the file and “%(other)s” here. A record names "
        "accounts by number. Nothing "
        "was changed. Start the program with a new data folder, and take the event over there."
    ),
    "take_over.faults": ngettext_lazy(
        "The check of the file found %(count)s fault (the first: %(first)s). Nothing was changed. "
        "Download the file "
        "again on the other computer.",
        "The check of the file found %(count)s faults (the first: %(first)s). Nothing was "
        "changed. Download the file "
        "again on the other computer.",
        "count",
    ),
}
