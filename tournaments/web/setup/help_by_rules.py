"""Help texts of settings for tournaments with other rules than those of 2026."""

from __future__ import annotations

from django.utils.translation import gettext as _

from pairing.engine.systems import games_a_round
from pairing.rules.corrections import CorrectionKind
from pairing.rules.handling import HANDLING
from pairing.rules.published import Situation
from tournaments.models import Tournament


def help_by_rules(tournament: Tournament) -> dict[str, str]:
    """Return the help texts of settings that differ for *tournament*, by the name of the field.

    Settings unknown to its handling rules have no effect. If a round is one game, the help does not
    mention matches.
    """
    rules = HANDLING[tournament.handling_edition]
    values = {}
    if games_a_round(tournament.system) == 1:
        values["pab"] = _("A win, unless the rules of the tournament say otherwise [C.04.1 3].")
    for name, situation in (
        ("change_clause", Situation.REGULATIONS),
        ("top_boards", Situation.TOP_BOARDS),
    ):
        if situation not in rules.situations:
            values[name] = _without_effect(rules.changes)
    if not rules.has_deadline:
        values["correction_minutes"] = _without_effect(rules.corrections[CorrectionKind.RESULT])
    return values


def _without_effect(article: str) -> str:
    return _("Has no effect under the handling rules of this tournament [%(article)s].") % {
        "article": article
    }
