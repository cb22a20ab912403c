"""The sentences about FIDE mode and announced times; see :mod:`tournaments.core.messages`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

OF_HANDLING: Final[Mapping[str, Promise]] = {
    # Results before the announced time
    "results.before_the_time": _(
        "These results are announced for later, in %(minutes)s. Wait, or confirm that you publish "
        "them earlier; the time to report mistakes runs from the announced time."
    ),
    # The bye of a player who was not seen
    "bye.not_seen": _(
        "The bye goes to %(name)s, who is not checked in. Check the player in, answer that the "
        "player is not coming "
        "and pair again, or confirm it."
    ),
    # The end of the time for reports
    "deadline.next_pairings_end_it": _(
        "The time to report mistakes ends when the next pairings are published. Only after the "
        "last round is it ended "
        "by itself."
    ),
    "deadline.not_running": _("No time to report mistakes is running now. Nothing was changed."),
    "deadline.reason_missing": _("Enter a reason for ending the time to report mistakes."),
    # FIDE mode
    "fide_mode.chief_arbiter_decides": _(
        "These pairings break a basic rule: only the Chief Arbiter can publish them."
    ),
    "fide_mode.confirm": _(
        "These pairings break a basic rule: with them the tournament leaves FIDE mode "
        "permanently. Confirm this, or "
        "discard the draft."
    ),
    "fide_mode.chief_arbiter_chooses": _(
        "These rules were no longer in force on the first day. With them the tournament leaves "
        "FIDE mode permanently: "
        "only the Chief Arbiter can choose them."
    ),
    "fide_mode.confirm_rules": _(
        "These rules were no longer in force on the first day: with them the tournament leaves "
        "FIDE mode permanently. "
        "Confirm both sentences, or choose the rules in force or another first day."
    ),
    "fide_mode.confirm_import": _(
        "With this file the tournament leaves FIDE mode permanently. Read why, and confirm both "
        "sentences. Nothing was "
        "saved."
    ),
}
