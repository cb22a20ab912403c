"""The sentences about players' reports, by code; see :mod:`tournaments.core.messages`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

OF_PLAYERS_REPORTS: Final[Mapping[str, Promise]] = {
    "players_report.off": _("Results cannot be reported here now. Tell the arbiter your result."),
    "players_report.round_over": _(
        "The results of this round are published. If one is wrong, tell the arbiter."
    ),
    "players_report.entered": _(
        "An arbiter has already entered a result for this game. If it is wrong, tell the arbiter."
    ),
    "players_report.moved": _(
        "This board has changed in the meantime. Nothing was saved: look at it again."
    ),
    "players_report.unknown": _("Choose the player and one of the three results."),
    "players_report.busy": _(
        "Too many reports at once. Wait a minute, or tell the arbiter your result."
    ),
    "mistake.unknown": _("Choose the player, and what is right."),
    "mistake.same": _("This result was entered. Choose what is right."),
    "mistake.moved": _(
        "The result of this game has changed in the meantime. Nothing was sent: look at it again."
    ),
    "mistake.from_table": _(
        "This player has sent another report from the table. To change it, use the code of the "
        "table, or tell an arbiter."
    ),
    "mistake.nothing": _("There is no result yet that could be wrong."),
    "mistake.hidden": _(
        "Results are shown when the round is published; mistakes can be reported then."
    ),
    "mistake.too_late": _(
        "The time to report mistakes ended at %(until)s. Tell an arbiter: the Chief Arbiter decides."
    ),
    "mistake.final": _("The standings are final. Tell an arbiter if something is wrong."),
    "mistake.away": _("This copy of the event is not the live one. Tell an arbiter."),
    "table_codes.made_meanwhile": _(
        "Somebody has made new codes since you opened this page. Nothing was changed: print the "
        "codes shown now."
    ),
    "players_report.changed": _(
        "The players of board %(board)s now report something else. Nothing was saved: look at the "
        "board again."
    ),
}
