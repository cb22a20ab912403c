"""The sentences about registration, by code; see :mod:`tournaments.core.messages`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

OF_REGISTRATION: Final[Mapping[str, Promise]] = {
    # Settings
    "registration.moved_meanwhile": _(
        "Somebody else has changed the registration settings since you opened this page. Nothing "
        "was saved: check "
        "them, then repeat."
    ),
    "registration.places": _("The number of places must be from 1 to %(most)s."),
    "registration.hours": _("The hours must be from 1 to %(most)s."),
    "registration.text": _(
        "This text must have at most %(most)s characters, without control characters."
    ),
    # Visitors
    "registration.off": _("Registration is not open. Ask the organiser."),
    "registration.over": _("Registration is closed. Ask the organiser whether you can still play."),
    "registration.list_closed": _(
        "Registration is closed, because the list of participants is closed. Ask the organiser "
        "whether you can still "
        "play."
    ),
    "registration.begun": _(
        "Registration is closed, because the tournament has begun. Ask the arbiter whether a late "
        "entry is possible."
    ),
    "registration.full": _(
        "All places are taken. Ask the organiser whether a place may become free."
    ),
    "registration.busy": _(
        "There were too many requests from your network. Wait a few minutes, then try again."
    ),
    "registration.too_many": _(
        "Too many registrations are waiting for the arbiters. Ask the organiser."
    ),
    "registration.gone": _(
        "This registration no longer exists: it was not confirmed in time. Register again."
    ),
    "registration.changed": _(
        "Your registration was changed in another window. Nothing was saved: check the data, then repeat."
    ),
    "registration.decided": _(
        "An arbiter has decided about your registration, or you have withdrawn it."
    ),
    "registration.trap": _("One field must stay empty. Clear it, then send the form again."),
    "registration.list_moved": _("The rating list has changed in the meantime. Choose again."),
    "registration.no_contact": _("Enter an e-mail address or a phone number."),
    "registration.email": _("This is not an e-mail address."),
    "registration.mails_without_address": _(
        "Enter the e-mail address to which your pairings shall go."
    ),
    "registration.mails_elsewhere": _(
        "Pairings go only to the address that got the link. Untick the e-mails, or withdraw this "
        "registration and register again with the other address."
    ),
    "registration.phone": _("This is not a phone number of at most %(most)s characters."),
    "registration.national_id": _("The national ID has at most %(most)s characters."),
    "registration.no_consent": _("The registration needs your consent."),
    "registration.bye_round": _("The regulations allow no half-point bye in round %(round)s."),
    "registration.entered": _("%(name)s has this FIDE ID and is already in the list of players."),
    "registration.rating_low": _(
        "Section %(label)s is for players rated %(limit)s or more; your rating is %(rating)s. "
        "Choose another section."
    ),
    "registration.rating_high": _(
        "Section %(label)s is for players rated %(limit)s or less; your rating is %(rating)s. "
        "Choose another section."
    ),
    "registration.birth_needed": _("Section %(label)s has an age limit: enter the year of birth."),
    "registration.too_old": _(
        "Section %(label)s is for players born in %(limit)s or later. Choose another section."
    ),
    "registration.too_young": _(
        "Section %(label)s is for players born in %(limit)s or earlier. Choose another section."
    ),
    # The queue
    "registration.decided_meanwhile": _(
        "This registration is no longer waiting: it was accepted, refused or withdrawn, or it has expired."
    ),
    "registration.corrected_meanwhile": _(
        "The visitor has corrected or confirmed the registration of %(name)s since you opened "
        "this page. Nothing was "
        "saved: check the data, then repeat."
    ),
    "registration.new_doubts": _(
        "There is something new to check: %(doubts)s Nothing was saved. Accept again if it is right."
    ),
    "registration.no_reason": _(
        "Enter a reason of at most %(most)s characters; the visitor can read it."
    ),
    "registration.unconfirmed": _("Not confirmed by the visitor."),
    "registration.not_listed": _(
        "Not chosen from the rating list: check the name, the FIDE ID and the rating."
    ),
    "registration.unreadable": _("The data cannot be entered as they are: correct them."),
    "registration.namesake": _("%(name)s is already entered: the same person twice?"),
    "registration.double": _("Another registration has the same name or FIDE ID."),
    "registration.late": _(
        "The list of participants is closed or round 1 is published: this would be a late entry "
        "[C.04.2 2.4]."
    ),
    "registration.waits": _("Number %(number)s on the waiting list: all places are taken."),
}
