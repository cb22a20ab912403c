"""What the help of a setting says where the rules of the tournament are not those of 2026."""

from __future__ import annotations

from django.utils.translation import gettext as _

from pairing.engine.systems import games_a_round
from pairing.rules.corrections import Wrong
from pairing.rules.handling import HANDLING
from pairing.rules.publication import Ground
from tournaments.models import Tournament


def help_by_rules(tournament: Tournament) -> dict[str, str]:
    """The help of single settings of *tournament*, by the name of the field.

    What its handling rules do not know has no effect; where a round is one game nothing is said of matches.
    """
    rules = HANDLING[tournament.handling_edition]
    told = {}
    if games_a_round(tournament.system) == 1:
        told["pab"] = _("A win, unless the rules of the tournament say otherwise [C.04.1 3].")
    for name, ground in (("change_clause", Ground.REGULATIONS), ("top_boards", Ground.TOP_BOARDS)):
        if ground not in rules.grounds:
            told[name] = _without_effect(rules.changes)
    if not rules.has_deadline:
        told["correction_minutes"] = _without_effect(rules.corrections[Wrong.RESULT])
    return told


def _without_effect(article: str) -> str:
    return _("Has no effect by the handling rules of this tournament [%(article)s].") % {"article": article}
