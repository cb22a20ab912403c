"""The sentences of refusals and warnings about files; see :mod:`tournaments.core.messages`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _, ngettext_lazy

OF_FILES: Final[Mapping[str, Promise]] = {
    "us_chess.matches": _("The format of US Chess has no rounds of two games."),
    "us_chess.no_round": _("No round of %(section)s is published yet: there is nothing to report."),
    "ecf.matches": _("The format of the ECF has no rounds of two games."),
    "ecf.time_control": _(
        "The ECF needs the time control of %(section)s: enter it under Setup, For FIDE, as 5400+30 "
        "or 40/6000+30:900+30, the same for White and Black."
    ),
    "chess_results.matches": _("The XML of chess-results has no rounds of two games."),
    "file.too_large": _(
        "The file is larger than %(limit)s MB, too large for a list of participants."
    ),
    "file.empty": _("The file is empty."),
    "file.nul": _("a zero byte: this is not a text file."),
    "file.sheet_old": _(
        "The file is in Excel’s old format (.xls), or it has a password. Save it as .xlsx without "
        "a password, then "
        "choose it again."
    ),
    "file.not_a_sheet": _(
        "The file is neither a spreadsheet (.xlsx, .ods) nor a text such as CSV."
    ),
    "file.sheet_broken": _(
        "The spreadsheet is damaged, has a password, or contains what no list of players needs. "
        "Save only the list as "
        "a new file."
    ),
    "file.sheet_too_large": _(
        "The spreadsheet is far too large: unpacked more than %(limit)s MB or too many cells. "
        "Save only the list as a "
        "new file."
    ),
    "csv.no_name_column": _(
        "there is no name column. Expected: a header such as “Name”, or “Last name” and “First "
        "name”; found: %(found)s."
    ),
    "csv.column_twice": _(
        "the column “%(column_name)s” has the same meaning as column %(first)s (%(field_name)s)."
    ),
    "csv.no_rows": _("The file has a header but no participants."),
    "csv.too_many_rows": _(
        "A list can have at most %(limit)s players. Split the file and import the parts."
    ),
    "csv.broken_cell": _(
        "a cell starts with a quotation mark but does not end with one, or is far too long."
    ),
    "csv.too_many_columns": _(
        "%(found)s columns; at most %(limit)s can be read. Delete the columns that are not needed."
    ),
    "csv.too_many_cells": ngettext_lazy(
        "%(found)s column, but the header has %(expected)s.",
        "%(found)s columns, but the header has %(expected)s.",
        "found",
    ),
    "csv.name_missing": _("the name is missing."),
    "csv.too_long": _("“%(value)s” is longer than %(limit)s characters."),
    "csv.not_a_number": _("“%(value)s” is not a whole number (%(field_name)s)."),
    "csv.number_range": _("%(value)s is not between %(low)s and %(high)s (%(field_name)s)."),
    "csv.title_unknown": _(
        "“%(value)s” is not a FIDE title; expected one of GM IM WGM FM WIM CM WFM WCM or nothing."
    ),
    "csv.sex_unknown": _("“%(value)s” is neither m nor w."),
    "csv.federation_unknown": _(
        "“%(value)s” is not a federation; expected three letters such as FRA."
    ),
    "csv.federation_meant": _(
        "“%(value)s” is not a code of a FIDE federation; did you mean %(meant)s?"
    ),
    "csv.federation_new": _("%(value)s is not on the list of FIDE’s federations: check it."),
    "csv.uncalculated": _(
        "the cell has a formula without a stored value, or with an error. Save the file in the "
        "spreadsheet program "
        "again, or type the value."
    ),
    "csv.unprintable": _("the name has a character that cannot be printed: %(value)s."),
    "csv.birth_unknown": _(
        "“%(value)s” is not a date; expected a year, YYYY-MM-DD, DD/MM/YYYY or DD.MM.YYYY."
    ),
    "csv.birth_century": _(
        "“%(value)s” has a year of two digits that could be 19.. or 20..: enter all four."
    ),
    "csv.name_without_letters": _("“%(value)s” is not a name: it has no letters."),
    "csv.total": _("this looks like a total or a bye, not like a player."),
    "csv.letters_lost": _("“%(value)s” has a question mark: the list has probably lost a letter."),
    "csv.columns_exchanged": _(
        "The headings “%(one)s” and “%(other)s” seem to be swapped. Their columns are read by "
        "their content; check "
        "them below."
    ),
    "csv.amount": _(
        "“%(value)s” is neither an amount such as 25.50 nor yes or no (%(field_name)s)."
    ),
    "csv.yes_or_no": _("“%(value)s” is neither yes nor no (%(field_name)s)."),
    "csv.no_fee": _(
        "The list marks players as paid, but the tournament has no entry fee. Set the fee on the "
        "check-in page first, "
        "or do not use this column."
    ),
    "csv.fide_id_twice": _("the FIDE ID %(fide_id)s is on line %(first)s too (%(name)s)."),
    "csv.name_twice": _("%(name)s is on line %(first)s too: the same person twice?"),
    "csv.name_entered": _("Already entered: %(name)s. Is it the same person twice?"),
    "section.not_named": _(
        "“%(value)s” is not a section of this event (%(labels)s): choose a section."
    ),
    "section.none_fits": _("No section fits the rating and year of birth: choose a section."),
    "section.undecided": _(
        "The section follows from rating and year of birth: correct them, or choose a section."
    ),
    "section.final": _("The standings of section %(label)s are final: choose another section."),
    "section.all_final": _("The standings of all sections are final: nobody can be entered."),
    "csv.column_ignored": _("The column “%(column_name)s” is not used."),
    "csv.column_nameless": _("A column without a heading is not used."),
    "csv.category_ignored": _(
        "The column “%(column_name)s” is not used: the categories of prizes follow from birth "
        "date, sex and rating. To keep its words at the check-in desk, choose “note” for it."
    ),
    "csv.column_second": _(
        "The column “%(column_name)s” is not used: “%(other)s” has the same meaning "
        "(%(field_name)s). You can choose "
        "another one."
    ),
    "csv.column_asks": _(
        "The column “%(column_name)s” is not used: it could be %(one)s or %(other)s. Choose what "
        "it contains."
    ),
    "csv.column_regions": _(
        "The column “%(column_name)s” is not used: it has codes of regions, not of federations. If "
        "they are federations, choose that."
    ),
    "csv.rating_assumed": _(
        "The column “%(column_name)s” is read as FIDE rating, because nothing in the list says "
        "whose ratings these are. If they are national ratings, choose that."
    ),
    "csv.column_not_chosen": _(
        "The column “%(column_name)s” could be %(one)s or %(other)s. Nothing was imported: say in "
        "“columns” what each "
        "column contains."
    ),
    "csv.title_or_sex": _(
        "“%(value)s” can be a title or the sex: other players here have full titles such as GM."
    ),
    "csv.cell_of_lines": _(
        "a cell contains several lines with the column separator: other players may be in it. Look "
        "for a quotation mark that should not be there."
    ),
    "csv.birth_order": _(
        "“%(value)s” can be %(one)s or %(other)s. Choose the order of day and month for the whole "
        "list in the preview, "
        "or write the date in one of these forms."
    ),
    "csv.birth_range": _(
        "“%(value)s” is not a player’s date of birth: it must be in %(low)s or later, and not in the future."
    ),
    "csv.rating_low": _(
        "%(value)s is too low for this kind of rating (%(field_name)s, at least %(low)s): check "
        "it and its column."
    ),
    "csv.fide_id_short": _("“%(value)s” is not a FIDE ID: these have at least five digits."),
    "csv.letters_doubled": _("“%(value)s” has wrong letters: did you mean “%(meant)s”?"),
    "csv.other_sheets": _(
        "Only the sheet “%(name)s” is read. These have players too: %(others)s. Save each as a "
        "file of its own, or copy its cells."
    ),
    "csv.row_hidden": _("the row is hidden in the spreadsheet: does the player take part?"),
    "waiting.gone": _(
        "The row “%(name)s” no longer waits: somebody else has entered or discarded it meanwhile."
    ),
    "waiting.changed_meanwhile": _(
        "Somebody else changed this row while this page was open. Current values: %(changes)s. "
        "Nothing was saved, and "
        "your input is still here. Compare the two, then save again."
    ),
    "waiting.check_again": _("The row is saved. Check the differences, then save the change."),
    "waiting.differences_moved": _(
        "The player or the row has changed since this page was opened. Nothing was saved: check "
        "the differences again."
    ),
    "waiting.too_many": _(
        "More than %(limit)s rows would wait. Correct the columns or the file, or enter or "
        "discard the rows that wait."
    ),
    "name.on_own_page": _(
        "A round has been paired: the Chief Arbiter changes the name on the player’s page, with a "
        "reason if needed."
    ),
    "entry.on_own_page": _(
        "A round has been paired: change the FIDE ID and the date of birth on the player’s page, "
        "with a reason."
    ),
    "rating.on_own_page": _(
        "A round has been paired: the Chief Arbiter changes ratings and titles on the player’s "
        "page, with a reason."
    ),
    "trf.invalid": _("%(problem)s"),
    "trf.no_players": _("The file contains no players."),
    "trf.result_pair": _(
        "board %(white)s – %(black)s of round %(round)s has the results “%(result)s”, which are "
        "not possible."
    ),
    "trf.more_rounds_than_declared": ngettext_lazy(
        "The file declares %(declared)s round but contains %(played)s.",
        "The file declares %(declared)s rounds but contains %(played)s.",
        "declared",
    ),
    "trf.points_unsupported": _(
        "The point system of the file is not possible in this program: see its records 162, BB? and XXS."
    ),
    "trf.acceleration": _(
        "the pairings are accelerated, but not with the virtual points of Baku acceleration "
        "(C.04.7). This "
        "program cannot continue such a tournament."
    ),
    "trf.date_unreadable": _(
        "“%(value)s” is not a date that can be read (%(record)s). The text is kept. Enter the day "
        "in the settings."
    ),
    "trf.date_ambiguous": _("“%(value)s” could mean two days (%(record)s): it is read as %(day)s."),
    "trf.system_guessed": _("The pairing system is a guess: %(reason)s."),
    "trf.edition_guessed": _("The edition of the tie-break rules is a guess: %(reason)s."),
    "trf.no_tie_breaks": _(
        "The file lists no tie-breaks (202, 212). These are used: %(tie_breaks)s."
    ),
    "trf.fide_mode_left": _(
        "The file says that the event left FIDE mode in round %(round)s (0: before the start)."
    ),
    "trf.older_rules": _(
        "The rules of this file were no longer in force on its first day: the event is outside "
        "FIDE mode from the "
        "start."
    ),
    "trf.breaks_met_before": _(
        "Round %(round)s, board %(board)s breaks a basic rule: %(players)s had already played "
        "each other [C.04.1 2]."
    ),
    "trf.breaks_prohibited": _(
        "Round %(round)s, board %(board)s breaks a basic rule: the regulations prohibit "
        "%(players)s [C.04.2 1.5]."
    ),
    "trf.breaks_second_bye": _(
        "Round %(round)s breaks a basic rule: %(players)s already had the bye or a win without "
        "playing [C.04.1 4]."
    ),
    "trf.breaks_third_colour": _(
        "Round %(round)s, board %(board)s breaks a basic rule: %(players)s has the same colour "
        "three times in a row "
        "[C.04.1 7]."
    ),
    "trf.breaks_colour_difference": _(
        "Round %(round)s, board %(board)s breaks a basic rule: %(players)s has a colour "
        "difference of more than two "
        "[C.04.1 6]."
    ),
    "trf.colours_missing": _(
        "Round %(round)s: the forfeited game %(white)s – %(black)s has no colours: %(white)s gets White."
    ),
    "trf.baku_implied": _(
        "No record 250 names the accelerated players. Group A ends with player %(tpn)s, from the "
        "players paired "
        "in round 1 (C.04.7)."
    ),
    "trf.point_adjustments": _("the file contains point adjustments (299): they are imported."),
    "trf.rank_otherwise": _(
        "player %(tpn)s has rank %(rank)s in the file, but rank %(first)s by the tie-breaks of the file."
    ),
    "trf.rank_shared": _(
        "player %(tpn)s has rank %(rank)s in the file, but rank %(first)s by the tie-breaks of "
        "the file, shared "
        "or drawn up to %(last)s."
    ),
    "trf.lots_too_early": _("The file contains a draw of lots, but its last round is not over."),
    "trf.not_paired_again": _(
        "The file is too large to pair its rounds again here: use “python -m pairing check” instead."
    ),
    "trf.rounds_undeclared": _(
        "The file does not give the number of rounds (142). %(rounds)s is used."
    ),
    "trf.prohibited_for_some_rounds": _(
        "prohibited pairs are given for some rounds only: here they apply to all remaining rounds."
    ),
    "trf.result_unknown": _(
        "Round %(round)s: “%(value)s” is not a result. The game is imported as adjourned: enter its result."
    ),
    "trf.kept_private": ngettext_lazy(
        "This program does not use %(count)s record of the file: %(codes)s. It may contain "
        "private data: only "
        "arbiters find it, in their own TRF files, and it is deleted with the personal data.",
        "This program does not use %(count)s records of the file: %(codes)s. They may contain "
        "private data: only "
        "arbiters find them, in their own TRF files, and they are deleted with the personal data.",
        "count",
    ),
    "trf.lots_no_seed": _(
        "This comment on lots does not contain a seed of this program (32 digits or letters from a "
        "to f). No lots are taken from it. It may contain private data: only arbiters see it, in "
        "their own TRF files."
    ),
    "trf.contact_data": _(
        "Record %(record)s has an e-mail address or telephone number. It is left out, because "
        "everybody reads that "
        "text."
    ),
    "trf.birth_date_dropped": _("“%(value)s” is not a date of birth and is ignored."),
    "trf.federation_dropped": _("“%(value)s” is not the code of a federation and is ignored."),
    "trf.rating_low": _(
        "%(count)s ratings are below %(floor)s, the lowest that FIDE ever gave; the first is "
        "%(value)s. Please check."
    ),
    "trf.rating_dropped": _("The rating %(value)s is above %(limit)s and is not used."),
    "trf.title_dropped": _("“%(value)s” is not a FIDE title and is ignored."),
    "trf.fide_id_dropped": _("“%(value)s” is not a FIDE ID and is ignored."),
}
