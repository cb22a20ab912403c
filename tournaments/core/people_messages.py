"""Sentences about roles, about ratings and names after the start, and initial colours."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

OF_PEOPLE: Final[dict[str, Promise]] = {
    "person.name": _("Enter a name of at most %(most)s characters."),
    "person.name_or_account": _("Enter a name or the username of an account, not both."),
    "person.role": _("There is no role “%(value)s”."),
    "person.is_there": _(
        "%(name)s has a role in this tournament already: %(role)s. Nothing was changed."
    ),
    "person.is_gone": _("The role of %(name)s has ended already. Nothing was changed."),
    "person.moved_meanwhile": _(
        "The role or the link of %(name)s has changed since you opened this page. Nothing was "
        "saved: read what has "
        "changed, then decide again."
    ),
    "person.chief_stays": _(
        "A tournament always has a Chief Arbiter: hand over to a deputy first."
    ),
    "person.no_account": _(
        "There is no account “%(username)s”. Enter the name of the person instead."
    ),
    "person.has_password": _("%(name)s logs in with a password and needs no link."),
    "invitation.is_there": _("The account “%(name)s” is invited already. Nothing was changed."),
    "invitation.is_gone": _(
        "This invitation was accepted or withdrawn already. Nothing was changed."
    ),
    "invitation.too_many": _("There are %(most)s invitations already: withdraw some first."),
    "invitation.void": _(
        "%(name)s, who invited you, is not the Chief Arbiter any more. Ask the Chief Arbiter to "
        "invite you again."
    ),
    "person.was_here": _(
        "%(name)s was on this computer before this tournament came with a file, and has no link "
        "for it. Nothing was "
        "changed. End the role here, then appoint the person again: that makes a link for this "
        "tournament alone."
    ),
    "person.has_a_link": _(
        "You log in with a link that was made for another event, so you cannot accept this role "
        "yourself. Nothing was "
        "changed. A site administrator confirms a Chief Arbiter on the page “Take over an event”; "
        "the Chief Arbiter "
        "appoints all others again."
    ),
    "person.nothing_offered": _(
        "This role was accepted or has ended already. Nothing was changed."
    ),
    "person.chief_declines": _(
        "A tournament always has a Chief Arbiter, so this role cannot be declined. Nothing was "
        "changed. Ask the people "
        "who run this site to make somebody else the Chief Arbiter: ./run manage appoint %(slug)s "
        "NAME. Or accept the "
        "role, then hand over to a deputy on the page People."
    ),
    "person.not_accepted": _(
        "%(name)s has not accepted the role yet, and cannot become the Chief Arbiter before."
    ),
    "person.not_deputy": _("%(name)s is not a deputy. Only a deputy can become the Chief Arbiter."),
    "rating.chief_arbiter_decides": _(
        "A round has been paired: only the Chief Arbiter can now change the rating or title of a player."
    ),
    "rating.final": _("The final standings are published: use a rating correction instead."),
    "rating.reason_missing": _(
        "A round has been paired: enter a reason for the change of rating or title. It is saved "
        "in the record."
    ),
    "entry.reason_missing": _(
        "A round has been paired: enter a reason for the change of name, FIDE ID or date of "
        "birth. It is saved in the "
        "record."
    ),
    "name.chief_arbiter_decides": _(
        "A round has been paired, and with this name players of equal rating would get other "
        "pairing numbers: only the "
        "Chief Arbiter can enter it."
    ),
    "name.reason_missing": _(
        "With this name players of equal rating would get other pairing numbers: enter a reason. "
        "It is saved in the "
        "record."
    ),
    "colour.not_drawn": _("The initial colour is not drawn yet: draw it first."),
    "colour.event_begun": _("Round 1 is paired: the initial colour can no longer be drawn."),
    "colour.drawn_once": _(
        "The program has drawn the initial colour already, and draws it only once."
    ),
    "draw.one_of_two": _("Enter both the choice of the witness and the name of the witness."),
    "draw.text": _("Enter one line of at most %(most)s letters."),
    "colour.reason_missing": _(
        "The initial colour is already drawn: enter a reason for the new draw. It is saved in the record."
    ),
    "draft.stale": _(
        "The draft of round %(round)s is out of date. Pair the round again, then publish the pairings."
    ),
    "automatic.nobody": _(
        "%(name)s, who switched on the automatic publication, is not an arbiter of this "
        "tournament any more. Switch it "
        "off and on again in the settings, or publish by hand."
    ),
    "automatic.restored": _(
        "This tournament was restored from a copy. Compare the rounds with what was published; "
        "then switch the "
        "automatic publication off and on again in the settings, or publish by hand."
    ),
    "automatic.reports_open": _("Mistakes can still be reported for %(minutes)s."),
    "automatic.by_hand": _(
        "Boards differ from the engine’s pairing, or it is not on record: check them and publish."
    ),
    "automatic.adjourned": _(
        "Games (round/board) are adjourned: %(games)s. Check the pairing and publish."
    ),
    "automatic.questions": _("A result is unusual and not confirmed: board %(boards)s."),
    "announcement.not_certain": _(
        "Not every board of this form is certain for round %(round)s. Nothing was announced: look "
        "at the provisional "
        "pairing again in a few seconds."
    ),
    "announcement.none": _(
        "No boards of round %(round)s are announced, or its pairings are published already."
    ),
    "announcement.moved_meanwhile": _(
        "The announced boards of round %(round)s have changed since you opened this page. Nothing "
        "was withdrawn: check "
        "them, then repeat."
    ),
    "announcement.reason_missing": _(
        "Enter a reason for withdrawing the announced boards. Players see it."
    ),
    "announcement.contradicted": _(
        "These boards of round %(round)s were announced as certain and are not in this draft: "
        "%(boards)s. Find out "
        "what has changed, or withdraw the announcement with a reason; then publish."
    ),
    "no_legal_pairing": _(
        "There is no legal pairing of round %(round)s. The round stays unpaired: the Chief "
        "Arbiter decides what to do."
    ),
    "round.paired_meanwhile": _(
        "%(name)s paired round %(round)s a moment ago. This page now shows that pairing."
    ),
    "facts.changed_meanwhile": _(
        "The data changed while round %(round)s was being paired. Nothing was saved: pair the "
        "round again."
    ),
    "round.changed_meanwhile": _(
        "Round %(round)s changed after you opened this page. Nothing was saved: check the round, "
        "then try again."
    ),
    "form.no_version": _(
        "This page is out of date, or the form was incomplete. Nothing was saved: check the page, "
        "then try again."
    ),
}
