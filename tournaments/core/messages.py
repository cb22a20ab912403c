"""Turn a code into a sentence in the reader's language, with the article if a rule decided."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _

from pairing.engine.errors import InputError, Text
from pairing.trf.editions import RulesUsed
from tournaments.core.setting_labels import SETTING_LABELS


class Problem(Protocol):
    """The source of a sentence: a refusal of a policy, or an error of a service."""

    @property
    def code(self) -> str: ...
    @property
    def article(self) -> str: ...
    @property
    def params(self) -> Mapping[str, object]: ...


SENTENCES: dict[str, Promise] = {
    # Rounds
    "round.already_paired": _("Round %(round)s is paired already: publish it, or discard the draft to pair it again."),
    "round.already_published": _("The pairings of round %(round)s are published and shall not be changed."),
    "round.not_paired": _("Round %(round)s is not paired yet."),
    "round.unknown": _("There is no round %(round)s: %(total)s rounds are declared."),
    "previous.not_paired": _("Round %(round)s is not paired yet: rounds are paired in order."),
    "previous.not_published": _("Round %(round)s is still a draft: publish it and play it first."),
    "previous.results_not_published": _("All results of round %(round)s are in: publish them before the next pairing."),
    "players.too_few": _("A round needs two players; %(present)s would be paired."),
    "numbers.missing": _("These players have no pairing number (TPN) yet: %(names)s. Assign the numbers first."),
    "numbers.nobody": _("There are no participants to number."),
    "numbers.frozen": _("Pairing numbers do not change any more once round %(round)s is paired."),
    "numbers.final": _("The final standings are published: pairing numbers do not change any more."),
    "strength.chief_arbiter_decides": _(
        "A round has been paired: only the Chief Arbiter changes the strength or title of a player now."
    ),
    "strength.final": _("The final standings are published: correct a rating instead."),
    "strength.reason_missing": _("A round has been paired: say why the strength or title changes, for the record."),
    "colour.not_drawn": _("The initial colour has not been drawn yet."),
    "colour.event_begun": _("Round 1 is paired: the initial colour can no longer be drawn."),
    "colour.reason_missing": _("The initial colour is drawn already: say why it is drawn again, for the record."),
    "draft.stale": _(
        "Something this draft of round %(round)s was made from has changed since. Pair the round again, then publish."
    ),
    "no_legal_pairing": _(
        "No legal pairing of round %(round)s exists. The round stays unpaired: the Chief Arbiter decides what to do."
    ),
    "round.paired_meanwhile": _("%(name)s paired round %(round)s a moment ago. You see that pairing now."),
    "facts.changed_meanwhile": _(
        "While round %(round)s was being paired, something it depends on changed. Nothing was saved: pair it again."
    ),
    "round.changed_meanwhile": _(
        "Round %(round)s changed after this page was opened. Nothing was saved: check the round, then try again."
    ),
    "form.no_version": _(
        "This page is out of date, or was sent incomplete. Nothing was saved: check the page, then try again."
    ),
    # Results
    "result.round_not_published": _("The pairings of round %(round)s are not published: there are no results yet."),
    "result.closed": _("The results of round %(round)s are published: a wrong one is changed by a correction only."),
    "result.unknown": _("“%(value)s” is not a result; use one of %(expected)s."),
    "result.changed_meanwhile": _("Somebody else entered board %(board)s in the meantime: it is now %(result)s."),
    "results.missing": _("Round %(round)s: no result yet on board %(boards)s."),
    "results.adjourned": _("No final standings while games are adjourned (round/board): %(games)s."),
    "results.already_published": _("The results of round %(round)s are published already."),
    # Corrections
    "correction.choice_needed": _("The rules are silent here: the Chief Arbiter says what the correction touches."),
    "correction.chief_arbiter_decides": _("The rules are silent here: only the Chief Arbiter decides it."),
    "correction.not_open": _("From the time it was reported something else follows: see what the correction touches."),
    "correction.enter_the_result": _("This result of round %(round)s is no correction: enter it on the result page."),
    "correction.not_played": _("This game of round %(round)s was not played: it has no colours."),
    "correction.nothing_wrong": _("This is what stands there already: there is nothing to correct."),
    "correction.rating_changed_meanwhile": _(
        "Somebody else changed the ratings of %(name)s while this page was open: FIDE %(fide_rating)s, national"
        " %(national_rating)s. Nothing was saved: begin the correction again if it is still needed."
    ),
    "correction.reason_missing": _("Say who reported what: it goes into the record."),
    "correction.from_the_future": _("It cannot be reported later than now."),
    "correction.before_pairings": _("It cannot be reported before the pairings were published."),
    "correction.backdated": _(
        "This report is dated %(minutes)s min back, or before a deadline or a publication that is over: only the Chief"
        " Arbiter enters it."
    ),
    "deadline.running": _(
        "Mistakes can be reported for another %(minutes)s min: wait, or decide to end that time now and say why."
    ),
    "deadline.chief_arbiter_decides": _(
        "Mistakes can be reported for another %(minutes)s min: only the Chief Arbiter ends that time early."
    ),
    "rating.results_published": _("Results are published: a rating is mended by a correction only."),
    # Pairing changes
    "change.not_published": _("Round %(round)s is not published: a draft is paired again or arranged by hand."),
    "change.round_over": _("The results of round %(round)s are published: its pairings stay as they were played."),
    "change.two_places": _("In two places at once: %(players)s."),
    "change.no_place": _("Without a place: %(players)s."),
    "change.two_allocated_byes": _("Only one player can have the pairing-allocated bye."),
    "change.nothing": _("Everybody sits where they sat before: there is nothing to change."),
    "change.played": _("There is a result on board %(boards)s already: that game stays."),
    "change.would_meet_again": _("The players of board %(board)s have played each other before."),
    "change.prohibited": _("The players of board %(board)s shall not be paired, by the regulations."),
    "change.newcomer": _("Not in this round so far: %(players)s. Only a late entry comes in, and as such."),
    "change.nobody_met": _("Nobody in this round is paired with an earlier opponent."),
    "change.still_meet": _("On board %(boards)s two players still meet for the second time."),
    "change.no_clause": _("No regulation that allows it was entered before round 1."),
    "change.not_alone": _("One new board for two players without an opponent, no more. Without one are: %(players)s."),
    "change.others_touched": _("Other players would lose their opponents."),
    "change.not_close": _("%(one)s and %(other)s are more than a win apart: not close in the standings."),
    "change.no_late_entry": _("No late entry is admitted by this change."),
    "change.not_minimal": _("It breaks up %(broken)s published games; %(least)s would do."),
    "change.more_than_needed": _("More than the late entry needs: %(players)s would get another place too."),
    "change.not_last_round": _("Round %(round)s is not the last one."),
    "change.below_top_boards": _("Board %(boards)s is below the %(top)s top boards that were declared."),
    "change.second_bye": _("No second pairing-allocated bye for %(players)s, who had one, or the points of a win."),
    "change.sent_home": _("They are here and would have no game: %(players)s."),
    "change.board_moved": _("The players of board %(boards)s stay together: leave them at their board."),
    "change.begun": _("Play has begun: the games of board %(boards)s are not broken up."),
    "change.bye_still_broken": _("The bye still goes to a player who shall not have it."),
    "change.no_such_ground": _("The handling rules of this tournament know no such situation."),
    "change.nothing_broken": _("No board of this round breaks an absolute criterion."),
    "change.still_broken": _("Board %(boards)s still breaks an absolute criterion."),
    "change.nothing_corrected": _("Nothing was corrected since these pairings were published."),
    "change.nothing_follows": _("The pairing of this round does not change by what was corrected."),
    "change.does_not_follow": _(
        "Board %(boards)s does not follow from the correction: change the round as the engine pairs it now, or not at"
        " all."
    ),
    "change.being_played": _("The round is being played: there is a result on board %(boards)s."),
    "change.consent_missing": _("Not everybody involved has agreed: %(players)s."),
    "change.reason_missing": _("Say why: it goes into the record."),
    "change.unknown": _("Somebody in this arrangement is not in the tournament."),
    "change.moved_on": _("Something else happened in the meantime: look at the round as it is now."),
    "tournament.last_round": _("The last round has been paired. “%(setting)s” can no longer change."),
    "tournament.chief_arbiter_changes": _(
        "Round 1 has been paired once: only the Chief Arbiter changes “%(setting)s” now, which was declared beforehand."
    ),
    "tournament.reason_missing": _(
        "Round 1 has been paired once: say why what was declared beforehand changes, for the record."
    ),
    "tournament.chief_arbiter_declares": _("Only the chief arbiter may change “%(setting)s”."),
    "manual.legal_pairing_exists": _("There is a legal pairing: pair the round, then arrange the draft by hand."),
    "manual.absent": _("Not to be paired in this round: %(players)s."),
    "manual.no_board": _("Nobody has a board."),
    # Participants
    "entry.too_late": _("The last round is published: nobody can enter any more."),
    "entry.too_late_in_edition": _("A late entry is admitted for a round up to round %(round)s only."),
    "entry.takes_part": _(
        "Round %(round)s is published, and the player takes part since then: give a bye, or withdraw the player."
    ),
    "entry.not_arrived": _(
        "Late entries are paired when they arrive: %(names)s. Check them in, give them a bye, or withdraw them."
    ),
    "entry.list_closed": _(
        "The list of participants is closed and its numbers are definitive: open it again before somebody enters."
    ),
    "entry.round_published": _("Round %(round)s is published: a late entry is paired from a later round."),
    "entry.event_begun": _("Round 1 is paired: a participant is not removed any more, but withdraws."),
    "entry.chief_arbiter_removes": _(
        "Round 1 has been paired once: only the Chief Arbiter strikes a player off the list now."
    ),
    "entry.removal_reason_missing": _(
        "Round 1 has been paired once: say why the player is struck off, for the record."
    ),
    "entry.not_withdrawn": _("This player has not withdrawn."),
    "entry.fide_id_taken": _("The FIDE ID %(fide_id)s belongs to %(name)s, who is entered already."),
    "withdrawal.round_published": _("Round %(round)s is published: the withdrawal counts from a later round."),
    "withdrawal.later": _(
        "This player has been withdrawn since round %(round)s: only a return by the Chief Arbiter brings a player back."
    ),
    "return.reason_missing": _("Say why the player comes back: it goes into the record."),
    "check_in.no_round": _("All rounds are published: there is no check-in any more."),
    "check_in.open_already": _("The check-in for round %(round)s is open already."),
    "check_in.not_open": _("The check-in is not open."),
    "check_in.closed": _("The check-in is closed: open it again to change who is there."),
    "check_in.not_closed": _("Close the check-in first: until then everybody can still confirm."),
    "check_in.round_published": _("Round %(round)s is published: open the check-in for the next round."),
    "check_in.nobody_missing": _("Nobody is missing."),
    "check_in.chief_arbiter_decides": _("Who is missing is excluded; only the Chief Arbiter decides otherwise."),
    "check_in.ask_again": _("%(missing)s of %(due)s would go, more than a fifth. Are you sure?"),
    "check_in.unsettled": _(
        "Not checked in for round %(round)s: %(names)s. Close the check-in and settle what happens to them first."
    ),
    "check_in.moved_on": _("Others are missing by now: look at the list again."),
    "check_in.consequence": _("“%(value)s” cannot be done to those who are missing; use one of %(expected)s."),
    "absence.not_absent": _("This player did not lose by forfeit in round %(round)s."),
    "absence.explanation_missing": _("Say how the absence is explained: it goes into the record."),
    "absence.too_late": _("An absence in round %(round)s cannot be explained any more."),
    "undo.not_this": _("This action cannot be undone. Correct it with the action meant for it."),
    "undo.of_another": _("Somebody else did this: only they or the Chief Arbiter take it back."),
    "undo.moved_on": _("Something else was done in the meantime. Look at the last action again."),
    "bye.round_published": _("Round %(round)s is published: a bye for it had to be asked for in advance."),
    "bye.too_many": _("The regulations give a player %(limit)s bye(s) with points at most."),
    "bye.too_late": _("By the regulations a bye with points is possible up to round %(last)s."),
    "bye.not_in_advance": _(
        "By the regulations a bye with points is asked for before the pairings of round %(round)s are published."
    ),
    "bye.not_requested": _("No bye was asked for in round %(round)s."),
    "bye.kind_unknown": _("“%(value)s” is no bye a player can ask for; use one of %(expected)s."),
    # Tournaments
    "tournament.begun": _("Round 1 is paired. “%(setting)s” was declared beforehand and can no longer change."),
    "rounds.not_begun": _("Round 1 is not paired yet: change the number of rounds in the settings."),
    "rounds.below_paired": _("Round %(round)s is paired: there cannot be fewer rounds."),
    "rounds.lots_drawn": _("Lots are drawn among the equal: the standings are final, and so is the number of rounds."),
    "rounds.final": _("The final standings are published: no round can be added."),
    "rounds.acceleration": _(
        "With %(rounds)s rounds some round would have other virtual points than were announced with the acceleration."
    ),
    "rounds.same": _("This is the number of rounds that stands already."),
    "rounds.reason_missing": _("Say why the number changes: it goes into the record."),
    "rounds.moved_meanwhile": _("Something else was done in the meantime: look at what follows again."),
    "points.not_begun": _("Round 1 is not published yet: points are given or taken from then on."),
    "points.of_matches": _(
        "A round of this tournament is a match of two games, for which the report file has no points given or taken by"
        " hand: change the result of a game instead."
    ),
    "points.lots_drawn": _("Lots are drawn among the equal: the standings are final, and so are the points."),
    "points.counted": _(
        "The pairings of round %(next)s are published and count the points of round %(round)s as they are. Points given"
        " or taken now belong to round %(now)s: even it out there."
    ),
    "points.to_come": _("Round %(round)s is not published yet: points given or taken now belong to round %(now)s."),
    "points.too_many": _("All that one player is given, or loses, cannot be more than %(most)s points."),
    "points.amount": _(
        "Scores of this tournament differ by %(unit)s points, or several times that: choose such a number."
    ),
    "points.no_number": _("%(name)s has no pairing number (TPN) yet: assign the numbers first."),
    "points.article_missing": _(
        "Say under which rule: an article of the Laws of Chess, or a clause of the regulations."
    ),
    "points.article": _("The rule is one line of up to %(most)s letters, digits or signs."),
    "points.reason_missing": _("Say why: it goes into the record, and players read it."),
    "points.moved_meanwhile": _("Points were given or taken in the meantime: look at what follows again."),
    "points.not_there": _("There are no such points of this player any more: look at the list again."),
    "tie_break.not_begun": _("Round 1 is not paired yet: change the list in the settings."),
    "tie_break.final": _("The final standings are published: they keep the tie-breaks they were made by."),
    "tie_break.reason_missing": _("Say why the list changes: it goes into the record."),
    "tie_break.same": _("This is the list that stands already."),
    "tie_break.moved_meanwhile": _("Something else changed in the meantime: look at the effect again."),
    "tie_break.unknown": _("There is no tie-break “%(tie_break)s”; known: %(known)s."),
    "tie_break.modifier": _("“%(tie_break)s” has a modifier it cannot have; possible: %(allowed)s."),
    "tie_break.twice": _("%(tie_break)s stands twice in the list, at places %(first)s and %(second)s."),
    "tie_break.not_in_edition": _("%(tie_break)s is not in the text of C.07 chosen: it came with a later one."),
    "tie_break.of_games": _(
        "%(tie_break)s counts single games; a round of this system is a match, for which C.07 has no such count."
    ),
    "tie_break.ratings_missing": _("%(tie_break)s cannot be used: there is no rating of %(players)s."),
    "lots.not_over": _("Lots are drawn when the results of the last round are published."),
    "lots.drawn": _("Lots have been drawn, and are drawn once: a second draw would be a choice between two."),
    "lots.nobody_tied": _("Nobody is equal in everything: there is nothing to draw."),
    "lots.seed": _("A seed is one line of up to 100 letters, digits or signs."),
    "tie_break.left_out": _("%(tie_break)s does not count: there is no rating of the players %(players)s (C.07 10)."),
    "acceleration.system": _(
        "Baku acceleration goes with the Dutch Systems of 2017 and of 2026 and with Double-Swiss, not with the system"
        " “%(system)s”."
    ),
    "acceleration.points": _("Baku acceleration needs a win to be worth two draws, and a loss nothing."),
    "points.out_of_order": _("A win is worth no less than a draw, a draw no less than a loss."),
    "points.nothing_to_win": _("A win has to be worth more than a loss."),
    "points.two_draws": _("Two draws may not be worth more than a win and a loss together: lower the draw."),
    "field.unknown": _("There is no field “%(name)s”."),
    "field.invalid": _("%(problem)s"),
    "method.unknown": _("“%(value)s” is no way to draw the initial colour; use one of %(expected)s."),
    "prohibited.unknown_pair": _("%(value)s are not two participants of this tournament."),
    "tournament.name_taken_meanwhile": _("Somebody else made a tournament called %(name)s a moment ago."),
    "colour.unknown": _("“%(value)s” is not a colour; use w or b."),
    "prizes.value": _("The category “%(name)s” is open to “%(value)s”, which says nothing here."),
    "prizes.amounts": _("The category “%(name)s” needs a name and prizes, each a sum above zero."),
    # Values that a page sends back
    "request.number": _(
        "The page sent no usable number for “%(name)s”: it has to be a whole number from %(least)s to %(most)s."
        " Load the page again and repeat what you did."
    ),
    "request.file": _("The file did not come back from the preview as it was. Choose it again."),
    "report.games_open": _(
        "The report for the rating officer waits until every game has a result. Open in round %(round)s: %(games)s."
    ),
    # Files
    "file.too_large": _("The file is larger than %(limit)s MB: that is no list of participants."),
    "file.empty": _("The file is empty."),
    "file.nul": _("a zero byte: this is not a text file."),
    "csv.no_name_column": _(
        "there is no column with names. Expected a header such as “Name”, or “Last name” and “First name”;"
        " found: %(found)s."
    ),
    "csv.column_twice": _("the column “%(column_name)s” says the same as column %(first)s (%(field_name)s)."),
    "csv.no_rows": _("The file has a header, but no participants."),
    "csv.too_many_rows": _("A list can have %(limit)s players at most. Split the file and import the parts."),
    "csv.broken_cell": _("a cell that begins with a quotation mark does not end with one, or is far too long."),
    "csv.too_many_columns": _("%(found)s columns; at most %(limit)s are read. Delete those that are not needed."),
    "csv.too_many_cells": _("%(found)s columns, but the header has %(expected)s."),
    "csv.name_missing": _("the name is missing."),
    "csv.too_long": _("“%(value)s” is longer than %(limit)s characters."),
    "csv.not_a_number": _("“%(value)s” is not a whole number (%(field_name)s)."),
    "csv.number_range": _("%(value)s is not between %(low)s and %(high)s (%(field_name)s)."),
    "csv.title_unknown": _("“%(value)s” is not a FIDE title; expected one of GM IM WGM FM WIM CM WFM WCM or nothing."),
    "csv.sex_unknown": _("“%(value)s” is neither m nor w."),
    "csv.federation_unknown": _("“%(value)s” is not a federation; expected three letters such as FRA."),
    "csv.birth_unknown": _("“%(value)s” is not a date; expected a year, YYYY-MM-DD or DD/MM/YYYY."),
    "csv.fide_id_twice": _("the FIDE ID %(fide_id)s is on line %(first)s too (%(name)s)."),
    "csv.name_twice": _("%(name)s is on line %(first)s too: the same person twice?"),
    "csv.name_entered": _("%(name)s is entered already: the same person twice?"),
    "csv.column_ignored": _("The column “%(column_name)s” is not used."),
    "trf.invalid": _("%(problem)s"),
    "trf.no_players": _("The file names no players."),
    "trf.result_pair": _(
        "board %(white)s – %(black)s of round %(round)s has the results “%(result)s”, which no game has."
    ),
    "trf.more_rounds_than_declared": _("The file declares %(declared)s rounds and holds %(played)s."),
    "trf.points_unsupported": _(
        "The file gives points in a way no tournament here can: see its records 162, BB? and XXS."
    ),
    "trf.acceleration": _(
        "the pairings are accelerated, but the virtual points are not those of Baku acceleration (C.04.7): such a"
        " tournament cannot be continued here."
    ),
    "trf.date_unreadable": _(
        "“%(value)s” is no date we can read (%(record)s): it is kept as it stands. Enter the day in the settings."
    ),
    "trf.date_ambiguous": _("“%(value)s” could mean two days (%(record)s): it is read as %(day)s."),
    "trf.system_guessed": _("The pairing system is a guess, because %(reason)s."),
    "trf.edition_guessed": _("The edition of the tie-break rules is a guess, because %(reason)s."),
    "trf.no_tie_breaks": _("The file lists no tie-breaks (202, 212): we take %(tie_breaks)s."),
    "trf.colours_missing": _(
        "Round %(round)s: the forfeited game %(white)s – %(black)s has no colours: %(white)s gets White."
    ),
    "trf.baku_implied": _(
        "No record 250 says who is accelerated: group A ends with player %(tpn)s, by those paired in round 1 (C.04.7)."
    ),
    "trf.points_by_hand": _("points were given or taken by decision (299): they are taken over."),
    "trf.rank_otherwise": _("player %(tpn)s has rank %(rank)s in the file; by its own tie-breaks it is %(first)s."),
    "trf.rank_shared": _(
        "player %(tpn)s has rank %(rank)s in the file; by its own tie-breaks it is %(first)s, shared or drawn up to"
        " %(last)s."
    ),
    "trf.lots_too_early": _("Lots were drawn in this file, but its last round is not over."),
    "trf.not_paired_again": _(
        "The file is too large to pair its rounds again here: “python -m pairing check” does it, without hurry."
    ),
    "trf.rounds_undeclared": _("The file does not say how many rounds there are (142): we take %(rounds)s."),
    "trf.prohibited_for_some_rounds": _("prohibited pairs of some rounds only: here they hold for all rounds to come."),
    "trf.title_dropped": _("“%(value)s” is not a FIDE title and is left out."),
    "trf.fide_id_dropped": _("“%(value)s” is not a FIDE ID and is left out."),
}


def sentence(problem: Problem) -> str:
    """Return the sentence of *problem*, with its line, column and article if it has them.

    Lists among the parameters are joined with commas. A code without a sentence raises ``KeyError``; a test keeps the
    table complete.
    """
    words = {name: _spoken(value) for name, value in problem.params.items()}
    if "field" in words:
        words["setting"] = str(SETTING_LABELS.get(words["field"], words["field"]))
    text = str(SENTENCES[problem.code]) % words
    place = _place(getattr(problem, "line", None), getattr(problem, "column", None))
    if place:
        text = gettext("%(place)s: %(text)s") % {"place": place, "text": text}
    return f"{text} ({problem.article})" if problem.article else text


def said(error: InputError) -> str:
    """Return the sentence of *error* without its place, in the reader's language if it can be translated."""
    if error.template is not None:
        words = {name: gettext(value) if isinstance(value, Text) else value for name, value in error.params.items()}
        return gettext(error.template) % words
    if error.code in SENTENCES:
        return str(SENTENCES[error.code]) % {name: _spoken(value) for name, value in error.params.items()}
    return error.message


def reason(used: RulesUsed) -> str:
    """Return why the rules *used* apply, in the reader's language."""
    return gettext(used.reason) % used.params


def _place(line: int | None, column: int | None) -> str:
    if line is None:
        return ""
    if column is None:
        return gettext("Line %(line)s") % {"line": line}
    return gettext("Line %(line)s, column %(column)s") % {"line": line, "column": column}


def _spoken(value: object) -> str:
    if isinstance(value, InputError):
        return said(value)
    if isinstance(value, RulesUsed):
        return reason(value)
    if isinstance(value, (list, tuple)):
        return ", ".join(str(item) for item in value)
    return str(value)
