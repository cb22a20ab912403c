"""The sentences about entries, check-in and byes; see :mod:`tournaments.core.messages`."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _, ngettext_lazy

OF_PARTICIPANTS: Final[dict[str, Promise]] = {
    "entry.too_late": _(
        "The pairings of the last round are published: players can no longer enter."
    ),
    "entry.too_late_in_edition": _("Late entries are admitted up to round %(round)s only."),
    "entry.takes_part": _(
        "The pairings of round %(round)s are published and the player has taken part since then: "
        "grant a bye, or "
        "withdraw the player."
    ),
    "entry.not_arrived": _(
        "Late entries are paired only after they arrive: %(names)s. Check them in, grant them a "
        "bye, or withdraw them."
    ),
    "entry.list_closed": _(
        "The list of participants is closed and its numbers are definitive: reopen the list "
        "before you add an entry."
    ),
    "entry.round_published": _(
        "The pairings of round %(round)s are published: choose a later first round for the late entry."
    ),
    "entry.event_begun": _(
        "Round 1 is paired: entries can no longer be removed. Withdraw the player instead."
    ),
    "entry.chief_arbiter_removes": _(
        "Round 1 has already been paired once: only the Chief Arbiter can now remove an entry."
    ),
    "entry.removal_reason_missing": _(
        "Round 1 has already been paired once: enter a reason for the removal of the entry. It is "
        "saved in the record."
    ),
    "entry.moved_meanwhile": _(
        "%(name)s has changed since you opened this page. Nothing was saved: read what has "
        "changed, then decide again."
    ),
    "entry.not_withdrawn": _("This player is not withdrawn."),
    "entry.fide_id_taken": _("The FIDE ID %(fide_id)s belongs to %(name)s, already on the list."),
    "withdrawal.round_published": _(
        "The pairings of round %(round)s are published: choose a later round for the withdrawal."
    ),
    "withdrawal.later": _(
        "This player withdrew from round %(round)s: only the Chief Arbiter can bring the player back."
    ),
    "withdrawal.over": _("The results of the last round are published: nobody withdraws any more."),
    "expulsion.done": _("This player is expelled already."),
    "expulsion.not_begun": _("Round 1 is not paired yet: remove the entry instead."),
    "expulsion.reason_missing": _(
        "Enter a reason for the expulsion of the player. It is saved in the record."
    ),
    "return.reason_missing": _(
        "Enter a reason for the return of the player. It is saved in the record."
    ),
    "check_in.no_round": _(
        "The pairings of all rounds are published: check-in is no longer possible."
    ),
    "check_in.open_already": _("The check-in for round %(round)s is already open."),
    "check_in.not_open": _("The check-in is not open."),
    "check_in.closed": _(
        "The check-in is closed: reopen it to change the players who are present."
    ),
    "check_in.not_closed": _("Close the check-in first: until then, players can still check in."),
    "check_in.round_published": _(
        "The pairings of round %(round)s are published: open the check-in for the next round."
    ),
    "check_in.nobody_missing": _("There are no missing players."),
    "check_in.chief_arbiter_decides": _(
        "Missing players are excluded. Only the Chief Arbiter can decide otherwise."
    ),
    "check_in.unsettled": _(
        "Not checked in for round %(round)s: %(names)s. Decide about the missing players first."
    ),
    "self_check_in.off": _("You cannot check in here now. Please go to the check-in desk."),
    "self_check_in.busy": _(
        "Too many attempts in this minute. Wait a minute, or go to the check-in desk."
    ),
    "self_check_in.code": _("This code is wrong. You are not checked in."),
    "self_check_in.locked": _("Too many wrong codes: please go to the check-in desk."),
    "desk_data.moved_on": _(
        "Somebody else changed this card in the meantime. Nothing was saved: look at it again."
    ),
    "desk_data.text": _(
        "This text must have at most %(most)s characters, without control characters."
    ),
    "desk_data.amount": _("Enter an amount such as 25 or 25.50, at most 100,000."),
    "check_in.moved_on": _("The missing players have changed: check the list again."),
    "check_in.turned_meanwhile": _(
        "The check-in has changed since you opened this page. Nothing was saved: read what has "
        "changed, then decide "
        "again."
    ),
    "check_in.consequence": _(
        "“%(value)s” is not possible for missing players; use one of %(expected)s."
    ),
    "absence.not_absent": _("This player did not lose by forfeit in round %(round)s."),
    "absence.explanation_missing": _(
        "Enter the explanation of the absence. It is saved in the record."
    ),
    "absence.too_late": _("An absence in round %(round)s can no longer be explained."),
    "bye.round_published": _(
        "The pairings of round %(round)s are published: a bye for this round had to be requested earlier."
    ),
    "bye.too_many": ngettext_lazy(
        "The regulations allow at most %(limit)s bye with points per player.",
        "The regulations allow at most %(limit)s byes with points per player.",
        "limit",
    ),
    "bye.too_late": _("The regulations allow byes with points up to round %(last)s only."),
    "bye.not_in_advance": _(
        "The regulations require byes with points to be requested before the pairings of round "
        "%(round)s are published."
    ),
    "bye.not_entitled": _(
        "This player is not entitled to byes with points: only a bye without points is possible."
    ),
    "bye.not_requested": _("No bye was requested for round %(round)s."),
    "bye.kind_unknown": _(
        "Players cannot request a bye of type “%(value)s”; use one of %(expected)s."
    ),
}
