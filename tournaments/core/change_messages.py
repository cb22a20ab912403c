"""The sentences about pairing changes, estimates and pairings by hand, by code."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _, ngettext_lazy

OF_CHANGES: Final[dict[str, Promise]] = {
    "change.not_published": _(
        "The pairings of round %(round)s are not published: pair the draft again or arrange it by hand."
    ),
    "change.round_over": _(
        "The results of round %(round)s are published: its pairings can no longer change."
    ),
    "change.two_places": _("These players are in two places at once: %(players)s."),
    "change.no_place": _("These players have no place: %(players)s."),
    "change.two_allocated_byes": _("Only one player can have the pairing-allocated bye."),
    "change.nothing": _("The pairings are the same as before: there is nothing to change."),
    "change.played": _("There is already a result on board %(boards)s: that game cannot change."),
    "change.would_meet_again": _("The players of board %(board)s have played each other before."),
    "change.prohibited": _("The regulations prohibit pairing the players of board %(board)s."),
    "change.newcomer": _(
        "These players are not in this round: %(players)s. Only a late entry can be added, in "
        "the situation for late entries."
    ),
    "change.not_arrived": _(
        "Late entries are paired only after they arrive: %(players)s. Check them in under Entries first."
    ),
    "correction.estimate_changed_meanwhile": _(
        "Somebody else changed the estimate of %(name)s: it is %(estimate)s. Nothing was saved: "
        "start again if needed."
    ),
    "change.nobody_met": _("No players in this round have met before."),
    "change.still_meet": _(
        "On board %(boards)s, two players would still meet for the second time."
    ),
    "change.no_clause": _("No regulation that allows this was entered before round 1."),
    "change.not_alone": _(
        "Only one new board is allowed, for two players without an opponent. Players without an "
        "opponent: %(players)s."
    ),
    "change.others_touched": _("Other players would lose their opponents."),
    "change.not_close": _(
        "%(one)s and %(other)s are more than a win apart, so they are not close in the standings."
    ),
    "change.no_late_entry": _("This change does not admit a late entry."),
    "change.not_minimal": ngettext_lazy(
        "The change breaks up %(broken)s published game; %(least)s would be enough. Use the "
        "smallest change, or give "
        "a reason for the further changes if the article allows them.",
        "The change breaks up %(broken)s published games; %(least)s would be enough. Use the "
        "smallest change, or give "
        "a reason for the further changes if the article allows them.",
        "broken",
    ),
    "change.others_concerned": _(
        "Board %(boards)s should change and stays: change it, or choose other boards."
    ),
    "change.colours_avoidable": _(
        "On board %(boards)s a player would get a third game in a row with the same colour, or a "
        "colour difference of "
        "more than two. Exchange the colours of that board."
    ),
    "change.colours_need_not_break": _(
        "On board %(boards)s a player would get a third game in a row with the same colour, or a "
        "colour difference of "
        "more than two. The smallest change avoids it: use that one."
    ),
    "change.exception_missing": _(
        "On board %(boards)s a player gets a third game in a row with the same colour, or a "
        "colour difference of more "
        "than two: give a reason for it, or choose other opponents."
    ),
    "change.confirm_start": _(
        "The announced start has passed, and these boards would change: %(boards)s. Confirm that "
        "their games are "
        "stopped."
    ),
    "change.more_than_needed": _(
        "The change moves more players than the late entry needs: %(players)s."
    ),
    "change.missing_paid": _(
        "%(players)s did not come to the game and gets no bye with points for it."
    ),
    "change.not_last_round": _("Round %(round)s is not the last round."),
    "change.below_top_boards": _(
        "Board %(boards)s is not one of the %(top)s top boards that were announced."
    ),
    "change.second_bye": _(
        "%(players)s cannot get the pairing-allocated bye: they already had one, or the "
        "points of a win without playing."
    ),
    "change.sent_home": _("These players are present and would have no game: %(players)s."),
    "change.board_moved": _(
        "The players of board %(boards)s stay together: keep them on their board."
    ),
    "change.begun": _("Play has started: the games on board %(boards)s cannot be broken up."),
    "change.bye_still_broken": _("The bye still goes to a player who may not get it."),
    "change.no_such_situation": _(
        "The handling rules of this tournament do not have this situation."
    ),
    "change.nothing_broken": _("No board of this round breaks an absolute criterion."),
    "change.still_broken": _("Board %(boards)s still breaks an absolute criterion."),
    "change.nothing_corrected": _(
        "There has been no correction since these pairings were published."
    ),
    "change.nothing_follows": _("The correction does not change the pairing of this round."),
    "change.does_not_follow": _(
        "Board %(boards)s does not follow from the correction: use the engine’s new pairing of "
        "the round, or "
        "change nothing."
    ),
    "change.being_played": _("The round is being played: there is a result on board %(boards)s."),
    "change.consent_missing": _("Some of the players involved have not agreed: %(players)s."),
    "change.reason_missing": _("Enter a reason. It is saved in the record."),
    "opponent.not_possible": _(
        "This player cannot get this opponent any more. Choose again from the list."
    ),
    "change.unknown": _("A player in these pairings is not in the tournament."),
    "change.moved_on": _("The round has changed in the meantime. Check it, then try again."),
    "tournament.last_round": _(
        "The last round is already paired: “%(setting)s” can no longer change."
    ),
    "tournament.chief_arbiter_changes": _(
        "Round 1 has already been paired once and “%(setting)s” was announced before the start: "
        "only the Chief "
        "Arbiter can change it now."
    ),
    "tournament.reason_missing": _(
        "Round 1 has already been paired once: enter a reason for the change of a setting "
        "announced before the "
        "start. It is saved in the record."
    ),
    "tournament.top_boards_reason": _(
        "The tournament has begun: enter a reason for the number of top boards. It is saved in the record."
    ),
    "tournament.chief_arbiter_declares": _("Only the Chief Arbiter can change “%(setting)s”."),
    "schedule.chief_arbiter_changes": _(
        "The pairings of round %(round)s are published: only the Chief Arbiter can change its "
        "announced times."
    ),
    "schedule.reason_missing": _(
        "The pairings of round %(round)s are published: enter a reason for the change of its "
        "announced times. It is "
        "saved in the record and in the report."
    ),
    "swap.does_not_fit": _(
        "The draft has changed in the meantime, and this change no longer fits."
    ),
    "swap.too_many": _(
        "There can be at most %(most)s unsaved changes: save these, then make the others."
    ),
    "swap.nobody_left": _("Nobody is left over."),
    "swap.one_too_many": _(
        "An odd number of players is left over, and the bye is taken: take out one more player, "
        "or the player with the "
        "bye."
    ),
    "swap.no_legal_pairing": _(
        "There is no legal pairing of the players left over: take out another board."
    ),
    "manual.legal_pairing_exists": _(
        "There is a legal pairing: pair the round, then arrange the draft by hand."
    ),
    "round.byes_only": _(
        "Nobody is left to be paired in round %(round)s: all players have a bye or are away. To "
        "close the round with "
        "byes only, confirm it on the page of the round."
    ),
    "round.byes_only_decided": _(
        "Nobody is left to be paired in round %(round)s: all players have a bye or are away. "
        "Only the Chief Arbiter can confirm a round with byes only."
    ),
    "manual.absent": _("These players cannot be paired in this round: %(players)s."),
    "manual.no_board": _("No board has players yet."),
    "round.unknown": ngettext_lazy(
        "There is no round %(round)s: the tournament has %(total)s round.",
        "There is no round %(round)s: the tournament has %(total)s rounds.",
        "total",
    ),
    "check_in.ask_again": ngettext_lazy(
        "%(missing)s of %(due)s player would not be paired. This is more than a fifth: please confirm.",
        "%(missing)s of %(due)s players would not be paired. This is more than a fifth: please confirm.",
        "due",
    ),
    "rounds.acceleration": ngettext_lazy(
        "With %(rounds)s round, some rounds would have other virtual points than announced with "
        "the acceleration.",
        "With %(rounds)s rounds, some rounds would have other virtual points than announced with "
        "the acceleration.",
        "rounds",
    ),
    # Undo
    "undo.fide_mode_left": _(
        "With this change the tournament left FIDE mode permanently: it cannot be undone."
    ),
    "undo.not_this": _("This action cannot be undone. Use a correction instead."),
    "undo.of_another": _("Somebody else did this: only they or the Chief Arbiter can undo it."),
    "undo.moved_on": _(
        "This can no longer be undone: a later action is about the same thing. Nothing was "
        "changed. Undo the later "
        "action first, or make the change on its page."
    ),
    "undo.already": _("%(name)s has undone this already. Nothing was changed."),
    "undo.too_late": _(
        "This can no longer be undone: more than ten minutes have passed, and other actions "
        "followed. Make the change "
        "on its page."
    ),
    "undo.entry_had_more": _(
        "This cannot be undone: byes, prohibited pairs or data of the check-in desk were deleted "
        "with the entry. Nothing was changed. Enter the player again."
    ),
    "undo.no_line": _("The record has no such action. Nothing was changed: load the page again."),
    "undo.not_now": _("This cannot be undone now: %(problem)s"),
    "undo.not_the_same": _(
        "This cannot be undone: the old values no longer fit what was entered since. Nothing was "
        "changed. Make the "
        "change on its page."
    ),
}
