"""The sentences about rating lists, by code; see :mod:`tournaments.core.messages`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

OF_RATING_LISTS: Final[Mapping[str, Promise]] = {
    "rating_list.loading": _(
        "A rating list is being loaded. Wait until it is finished, or cancel it first."
    ),
    "rating_list.not_loading": _("This rating list is not being loaded any more."),
    "rating_list.interrupted": _("The loading was interrupted. Start it again."),
    "rating_list.disk": _(
        "The list could not be saved (%(problem)s). Check the disk of the server."
    ),
    "rating_list.federation_missing": _(
        "This is not a list of FIDE. Enter the federation whose list it is, three letters such as FRA."
    ),
    "rating_list.other_federation": _(
        "This is the list of %(federation)s (%(list)s), not of %(entered)s. Enter %(federation)s, or "
        "choose another file."
    ),
    "rating_list.not_renewable": _(
        "Only a list from an address that is the same each month can be loaded by itself."
    ),
    "rating_list.not_dbf": _("This dBASE file is damaged. Download it again."),
    "rating_list.nothing_ticked": _("No difference is ticked. Nothing was changed."),
    "rating_list.differences_moved": _(
        "An entry or the rating list has changed since this page was opened. Nothing was saved: "
        "check the differences "
        "again."
    ),
    "rating_list.entry_refused": _("%(name)s: %(problem)s Nothing was saved."),
    "rating_list.no_players": _("The file contains no players."),
    "rating_list.nobody_rated": _(
        "No player in the file has a rating. Its rows are probably separated in another way than "
        "its headings: open it in a spreadsheet, and save it as CSV again."
    ),
    "rating_list.web_page": _(
        "This is a web page, not a list: the address has changed, or asks for a log-in. Enter the "
        "address of the file itself, or download the file and upload it."
    ),
    "rating_list.unknown": _(
        "this is not a rating list: expected FIDE’s XML or text file, or a CSV file."
    ),
    "rating_list.no_ratings": _(
        "there is no rating column, such as “Elo” or “Rating”; found: %(found)s. A list of "
        "entries is imported on the "
        "page Entries of its tournament."
    ),
    "rating_list.report": _(
        "This is the report of a tournament (TRF), not a rating list. Open it with “Open a TRF "
        "file”, or import its "
        "players on the page Entries of a tournament."
    ),
    "rating_list.sheet": _(
        "This is a spreadsheet. If it is the rating list of a federation, save it as CSV and load "
        "that file; a list of "
        "entries is imported on the page Entries of its tournament."
    ),
    "rating_list.not_xml": _("the XML cannot be read (%(problem)s). Is the file complete?"),
    "rating_list.doctype": _(
        "the file declares a document type. Rating lists have none, and it is refused."
    ),
    "rating_list.cut_off": _("the last line is incomplete. Download the file again."),
    "rating_list.too_long": _("this line or element is far too long for a rating list."),
    "rating_list.number": _("“%(value)s” is not a rating or FIDE ID."),
    "rating_list.too_many_faults": _(
        "more than %(limit)s lines cannot be read. The first is this one: %(problem)s"
    ),
    "rating_list.too_large": _(
        "The file is larger than %(limit)s MB, too large for a rating list."
    ),
    "rating_list.unpacks_too_far": _(
        "The packed file would unpack to far more than its size, or to more than %(limit)s MB. It is refused."
    ),
    "rating_list.not_unpacked": _(
        "The packed file cannot be unpacked. Is it complete? Download it again."
    ),
    "rating_list.not_one_file": _(
        "The packed file must contain one list (.xml, .txt, .csv, .tsv, .lst, .dbf or .xlsx); found: %(found)s."
    ),
    "rating_list.address": _("This is not an address that starts with http:// or https://."),
    "rating_list.private_address": _(
        "The address is in a private network. Enter a public address, or upload the file."
    ),
    "rating_list.not_fetched": _(
        "The file could not be downloaded (%(problem)s). Try again, or upload the file."
    ),
    "rating_list.not_there": _(
        "This list cannot be used any more. Nothing was changed. Load it again."
    ),
    "rating_list.replaced_meanwhile": _(
        "Another list is in use by now. Nothing was changed. Look at the page again."
    ),
    "rating_list.wrong_letters": _(
        "Names with wrong letters: %(count)s. The first is “%(value)s”, which probably means "
        "“%(meant)s”."
    ),
    "rating_list.no_columns": _(
        "the line does not have the same columns as the others: number, name, federation, rating."
    ),
    "rating_list.encoding_assumed": _(
        "The file is not in UTF-8 and was read as %(value)s. If letters of names are wrong, save "
        "it as UTF-8 first."
    ),
    "rating_list.fetch_too_slow": _(
        "The download took more than %(limit)s minutes. Upload the file instead."
    ),
}
