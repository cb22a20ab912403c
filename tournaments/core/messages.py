"""Turn a code into a sentence in the reader's language, with the article if a rule decided."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Protocol

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _, pgettext

from pairing.engine.errors import InputError, Text
from pairing.trf.editions import RulesUsed
from tournaments.core.change_messages import OF_CHANGES
from tournaments.core.file_messages import OF_FILES
from tournaments.core.game_messages import OF_GAMES
from tournaments.core.hand_over_messages import OF_HAND_OVERS
from tournaments.core.handling_messages import OF_HANDLING
from tournaments.core.mirror_messages import OF_MIRRORS
from tournaments.core.moments import duration, exact
from tournaments.core.participant_messages import OF_PARTICIPANTS
from tournaments.core.people_messages import OF_PEOPLE
from tournaments.core.players_report_messages import OF_PLAYERS_REPORTS
from tournaments.core.push_messages import OF_PUSH
from tournaments.core.rating_list_messages import OF_RATING_LISTS
from tournaments.core.registration_messages import OF_REGISTRATION
from tournaments.core.setting_labels import SETTING_LABELS
from tournaments.core.tournament_messages import OF_TOURNAMENTS

MOST_LISTED: Final = 12


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
    "round.already_paired": _(
        "Round %(round)s is already paired: publish the pairings, or discard the draft to pair it again."
    ),
    "round.already_published": _(
        "The pairings of round %(round)s are published and can no longer be changed."
    ),
    "round.players_moved": _(
        "Players have changed since you opened this page, and round %(round)s is not paired yet. "
        "Check the changes, "
        "then pair."
    ),
    "round.not_paired": _("Round %(round)s is not paired yet."),
    "round.older_adjourned": _(
        "These games (round/board) were adjourned before the last round and are still open: "
        "%(games)s. They would "
        "count as draws once more. Enter their results, or confirm the pairing."
    ),
    "previous.not_paired": _("Round %(round)s is not paired yet: pair the rounds in order."),
    "previous.not_published": _(
        "Round %(round)s is still a draft: publish its pairings and play it first."
    ),
    "previous.results_not_published": _(
        "All results of round %(round)s are entered: publish them before the next pairing."
    ),
    "players.too_few": _("No player is entered yet."),
    "numbers.missing": _(
        "These players have no pairing number (TPN) yet: %(names)s. Assign pairing numbers first."
    ),
    "numbers.nobody": _(
        "There are no players yet: enter players before you assign pairing numbers."
    ),
    "numbers.frozen": _("Pairing numbers can no longer change once round %(round)s is paired."),
    "list.moved_meanwhile": _(
        "The list of participants has changed since you opened this page. Nothing was saved: "
        "check the list, then "
        "repeat."
    ),
    "colour.drawn_meanwhile": _(
        "The initial colour was drawn after you had opened this page. Nothing was saved: this "
        "page now shows that "
        "colour."
    ),
    "numbers.moved_meanwhile": _(
        "The tournament has changed since this order was shown. Nothing was saved: check the "
        "order, then assign the "
        "numbers."
    ),
    "numbers.final": _("The final standings are published: pairing numbers can no longer change."),
    **OF_PEOPLE,
    # Results
    "result.round_not_published": _(
        "The pairings of round %(round)s are not published: results cannot be entered yet."
    ),
    "result.closed": _(
        "The results of round %(round)s are published: use a correction to change a wrong result."
    ),
    "result.not_the_draw": _(
        "This adjourned game counted as a draw in the pairings made so far. Published pairings "
        "stay as they are; a "
        "draft has to be paired again. Check the result with both players, then confirm it."
    ),
    "result.unknown": _("“%(value)s” is not a result; use one of %(expected)s."),
    "result.changed_meanwhile": _(
        "Somebody else entered a result for board %(board)s in the meantime: it is now %(result)s "
        "(%(by)s, %(at)s)."
    ),
    "results.missing": _("Round %(round)s: results are missing on board %(boards)s."),
    "results.adjourned": _(
        "The final standings cannot be published while games are adjourned (round/board): %(games)s."
    ),
    "results.already_published": _("The results of round %(round)s are published already."),
    "reading.own": _(
        "You entered the result of board %(board)s yourself: another person has to enter the "
        "second reading."
    ),
    "reading.by_another": _(
        "Another person has already entered the second reading of board %(board)s."
    ),
    "reading.closed": _(
        "The results of round %(round)s are published: the second reading is over."
    ),
    "reading.stale": _(
        "The second reading of board %(board)s, or its colours, have changed since you opened "
        "this page. Nothing was "
        "saved: load the page again before you enter the result."
    ),
    "reading.changed_meanwhile": _(
        "The result or the second reading of board %(board)s has changed since you opened this "
        "page. Nothing was "
        "saved: check both, then decide again."
    ),
    "reading.no_difference": _(
        "The two readings of board %(board)s do not differ: there is nothing to decide."
    ),
    "reading.different": _(
        "Round %(round)s: the second reading differs on board %(boards)s. Decide the differences first."
    ),
    "reading.unread": _(
        "Round %(round)s: a second reading is required, and is missing on board %(boards)s."
    ),
    "question.gone": _(
        "This result has changed since you opened this page. Nothing was saved: check the result "
        "on the page."
    ),
    # Corrections
    "correction.choice_needed": _(
        "The rules do not decide this case: the Chief Arbiter chooses the effect of the correction."
    ),
    "correction.chief_arbiter_decides": _(
        "The rules do not decide this case: only the Chief Arbiter can decide it."
    ),
    "correction.not_open": _(
        "With this time of the report the effect is different: check the effect of the correction again."
    ),
    "correction.enter_the_result": _(
        "The results of round %(round)s are not published yet: change the result on the result page."
    ),
    "correction.not_played": _(
        "This game of round %(round)s was not played, so it has no colours to correct."
    ),
    "correction.nothing_wrong": _(
        "The new value is the same as the saved one: there is nothing to correct."
    ),
    "correction.rating_changed_meanwhile": _(
        "Somebody else changed the ratings of %(name)s while this page was open: FIDE "
        "%(fide_rating)s, national "
        "%(national_rating)s. Nothing was saved: start the correction again if it is still needed."
    ),
    "correction.reason_missing": _(
        "Enter the person who reported the mistake and the mistake itself. Both are saved in the record."
    ),
    "correction.from_the_future": _("The time of the report cannot be in the future."),
    "correction.before_pairings": _(
        "The time of the report cannot be before the publication of the pairings."
    ),
    "correction.backdated": _(
        "The time of this report is %(minutes)s in the past: only the Chief Arbiter can enter it."
    ),
    "correction.backdated_over_deadline": _(
        "The time of this report is before the deadline, which has passed: only the Chief Arbiter "
        "can enter it."
    ),
    "correction.backdated_over_publication": _(
        "The time of this report is before the last publication: only the Chief Arbiter can enter it."
    ),
    "deadline.running": _(
        "Mistakes can still be reported for %(minutes)s: wait, or end that time now and give a reason."
    ),
    "deadline.chief_arbiter_decides": _(
        "Mistakes can still be reported for %(minutes)s: only the Chief Arbiter can end that time early."
    ),
    # Protests
    "protest.text": _("Enter a text of 3 to %(most)s letters."),
    "protest.article": _(
        "Name the article of the ruling in up to %(most)s letters, such as “Laws 11.5”."
    ),
    "protest.in_the_future": _("This time is in the future."),
    "consent.in_the_future": _(
        "The players cannot have agreed in the future: correct the time, or leave it empty."
    ),
    "consent.before_publication": _(
        "The players cannot have agreed before the pairings of round %(round)s were published: "
        "correct the time, or "
        "leave it empty."
    ),
    "consent.witness_missing": _("Enter the name of the person who heard the players agree."),
    "protest.before_tournament": _(
        "The time is before this tournament was created in the program (%(at)s): correct the time."
    ),
    "protest.before_publication": _(
        "The time is before the first publication of this tournament (%(at)s): correct the time."
    ),
    "protest.before_round": _(
        "The time is before the pairings of round %(value)s were published (%(at)s): correct the time."
    ),
    "protest.round": _("The pairings of round %(value)s are not published."),
    "protest.moved": _("Protest %(number)s is at another step now. Load the page again."),
    "protest.appeal_before_ruling": _(
        "The appeal cannot have been made before the ruling: correct the time."
    ),
    "protest.moved_meanwhile": _(
        "Another protest was recorded in the meantime. Check the list, then repeat."
    ),
    # Sections of an event
    "section.is_one": _("This tournament is already a section of an event."),
    "section.too_many": _("An event can have at most %(limit)s sections."),
    "section.limits": _("The upper limit %(last)s is below the lower limit %(first)s."),
    "section.position": _("The order is a number between 1 and %(most)s."),
    "section.label_taken": _("Another section of this event is called %(label)s."),
    "section.moved_meanwhile": _(
        "This section has changed since you opened this page. Nothing was saved."
    ),
    "section.unknown": _("This is not a section of this event. Load the page again."),
    "section.player_gone": _(
        "A player was moved or removed in the meantime. Check the list, then repeat."
    ),
    "section.withdrawn": _("%(name)s has withdrawn and cannot move to another section."),
    "section.begun": _(
        "Round 1 of %(name)s is paired: players can no longer move. Withdraw the player there, "
        "then add the player as "
        "a late entry to the other section."
    ),
    # The end of the event
    "standings.final": _(
        "The standings are final: players, results, rounds and settings stay as they are, and "
        "nobody can be appointed. "
        "The Chief Arbiter can reopen them, with a reason."
    ),
    "final.not_over": _(
        "The standings can be made final after the results of the last round are published."
    ),
    "final.reports_open": _(
        "Mistakes can still be reported for %(minutes)s: the standings can be made final after that."
    ),
    "final.tied": _(
        "%(count)s players are still tied: draw lots first, or confirm that they share their rank."
    ),
    "final.not_final": _("The standings are not final."),
    "final.reason_missing": _("Give a reason for reopening the standings. Everybody can read it."),
    "final.moved_meanwhile": _(
        "The tournament has changed since you opened this page. Check it again, then repeat."
    ),
    "rating.results_published": _("Results are published: use a correction to change a rating."),
    **OF_CHANGES,
    **OF_GAMES,
    **OF_PARTICIPANTS,
    **OF_TOURNAMENTS,
    # Values that a page sends back
    "request.number": _(
        "The page sent an invalid number for “%(name)s”: it must be a whole number from %(least)s "
        "to %(most)s. "
        "Load the page again and repeat the action."
    ),
    "request.choice": _("The form has no valid choice in “%(name)s”: open the page again."),
    "request.file": _("The file changed between the preview and this step. Choose it again."),
    # Hall screens
    "screen.content": _("Choose what the screen shows."),
    "screen.page": _("The screen has no such page: load this page again."),
    "screen.section": _("Choose sections of this event of which you are an arbiter."),
    "screen.too_many": _("A tournament has at most %(most)s screens. Remove one first."),
    "screen.message": _("A message has at most %(most)s characters."),
    "screen.moved_meanwhile": _(
        "Somebody else has changed this screen since you opened the page. Nothing was saved: check "
        "it, then repeat."
    ),
    "recheck.running": _(
        "A re-check of this tournament is running. Wait until it is finished, or cancel it first."
    ),
    "recheck.not_running": _("This re-check is not running any more."),
    "trf_opening.moved": _(
        "The work on this file went on after this page was shown. The page now shows how far it is."
    ),
    "trf_opening.over": _(
        "This file is not open any more: it was closed before, or its tournament was saved."
    ),
    "report.games_open": _(
        "The report for the rating officer needs a result for every game. Open in round "
        "%(round)s: %(games)s."
    ),
    **OF_FILES,
    **OF_HANDLING,
    **OF_HAND_OVERS,
    **OF_MIRRORS,
    **OF_RATING_LISTS,
    **OF_PLAYERS_REPORTS,
    **OF_PUSH,
    **OF_REGISTRATION,
}


def sentence(problem: Problem) -> str:
    """Return the sentence of *problem*, with its line, column and article if it has them.

    Lists among the parameters are joined with commas. A code without a sentence raises
    ``KeyError``; a test keeps the table complete.
    """
    words = _words(problem.params)
    if "field" in words:
        field = str(words["field"])
        words["setting"] = str(SETTING_LABELS.get(field, field))
    text = _filled(problem.code, words)
    place = _place(
        getattr(problem, "line", None),
        getattr(problem, "column", None),
        getattr(problem, "sheet", ""),
    )
    if place:
        text = gettext("%(place)s: %(text)s") % {"place": place, "text": text}
    return f"{text} ({problem.article})" if problem.article else text


def input_sentence(error: InputError) -> str:
    """Return the sentence of *error* without its place, translated if it can be."""
    if error.template is not None:
        words = {
            name: gettext(value) if isinstance(value, Text) else value
            for name, value in error.params.items()
        }
        return gettext(error.template) % words
    if error.code in SENTENCES:
        return _filled(error.code, _words(error.params))
    return error.message


def reason(used: RulesUsed) -> str:
    """Return why the rules *used* apply, in the reader's language."""
    return gettext(used.reason) % used.params


def _place(line: int | None, column: int | None, sheet: str) -> str:
    if line is None:
        return ""
    if sheet:
        place = {"sheet": sheet, "row": line, "column": column_letters(column or 1)}
        return gettext("Sheet “%(sheet)s”, row %(row)s, column %(column)s") % place
    if column is None:
        return gettext("Line %(line)s") % {"line": line}
    return gettext("Line %(line)s, column %(column)s") % {"line": line, "column": column}


def column_letters(column: int) -> str:
    """Return the letters of a *column* of a spreadsheet, from 1: A, B, …, Z, AA."""
    letters = ""
    while column:
        column, digit = divmod(column - 1, 26)
        letters = chr(ord("A") + digit) + letters
    return letters


def _filled(code: str, words: Mapping[str, str | int]) -> str:
    text: Any = SENTENCES[code]  # A sentence with a plural chooses its form by one of the words.
    filled = str(text % words)
    if not code.endswith(".reason_missing"):
        return filled
    enough = gettext("A reason needs at least three letters.")
    return f"{filled} {enough}"


def _words(params: Mapping[str, object]) -> dict[str, str | int]:
    """Return *params* for a sentence: whole numbers stay numbers,
    because they choose between singular and plural.

    ``minutes`` become a time in hours and minutes.
    """
    words = {
        name: value if isinstance(value, int) else _spoken(value) for name, value in params.items()
    }
    if isinstance(minutes := words.get("minutes"), int):
        words["minutes"] = duration(minutes)
    return words


def _spoken(value: object) -> str:
    if isinstance(value, InputError):
        return input_sentence(value)
    if isinstance(value, RulesUsed):
        return reason(value)
    if isinstance(value, datetime):
        return exact(value)
    if isinstance(value, (list, tuple)):
        return listed(value)
    return str(value)


def listed(items: Sequence[object]) -> str:
    """Return *items* for a sentence: the first twelve, then the number of the others.

    Names with a comma are separated by semicolons.
    """
    texts = [str(item) for item in items]
    shown = ("; " if any("," in text for text in texts) else ", ").join(texts[:MOST_LISTED])
    more = len(texts) - MOST_LISTED
    if more <= 0:
        return shown
    return pgettext("list of boards", "%(boards)s and %(more)d more") % {
        "boards": shown,
        "more": more,
    }
