"""Words for corrections: the mistake, the time of its report, and its effect [C.04.2/2026 4.3]."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext, gettext_lazy as _

from pairing.rules.corrections import CorrectionEffect, CorrectionKind
from tournaments.models import Correction
from tournaments.web.templatetags.numbers import colon
from tournaments.web.templatetags.results import game_name, result_short

register = template.Library()

_WRONG = {
    "result": _("The result is wrong"),
    "colours": _("The colours are wrong"),
    "rating": _("The rating is wrong"),
}
_EFFECTS = {
    "next_round": _(
        "The correction counts for the standings and for the pairing of the next round."
    ),
    "next_pairing": _(
        "The correction counts for the standings and for the next pairing to be made. Published "
        "pairings do not change."
    ),
    "rating_only": _("The correction counts for the rating report only."),
}
_AFTER_THE_LAST_ROUND = {
    "next_round": _("The correction counts for the final standings."),
    "silent": _(
        "Reported after the deadline, with no later round: the rules do not decide this case."
    ),
}
_MOMENTS = {
    "before_publication": _("Reported before the results were published."),
    "in_time": _("Reported in time."),
    "overtaken": _(
        "Reported in time, but the next pairings are already published and do not change."
    ),
    "silent": _(
        "Reported after the deadline and before the next pairings: the rules do not decide this case."
    ),
    "after_pairing": _("Reported after the next pairings were published."),
    "after_next_round": _("Reported after the end of the next round."),
    "entered_late": _("Reported before the end of the next round, but entered only after it."),
}


@register.filter
def wrong_label(kind: str) -> str:
    """Return the kind of mistake in words."""
    return str(_WRONG[kind])


@register.filter
def effect_label(effect: str, is_last: bool = False) -> str:
    """Return a correction's effect; *is_last*: no pairing follows its round."""
    return str((_EFFECTS | _AFTER_THE_LAST_ROUND if is_last else _EFFECTS)[effect])


@register.filter
def moment_label(moment: str, is_last: bool = False) -> str:
    """Return the time of a report as a sentence; *is_last* as in :func:`effect_label`."""
    return str((_MOMENTS | _AFTER_THE_LAST_ROUND if is_last else _MOMENTS)[moment])


@register.filter
def effect_of(correction: Correction, total_rounds: int) -> str:
    """Return the effect of a correction that was made, for a list;
    no pairing follows the last of *total_rounds*.
    """
    if correction.effect == CorrectionEffect.NEXT_ROUND and correction.round_number == total_rounds:
        return gettext("final standings")
    return correction.get_effect_display()


@register.simple_tag
def correction_words(correction: Correction) -> str:
    """Return a correction on one line: its subject, the old value and the right one."""
    before, after = correction.before, correction.after
    match CorrectionKind(correction.kind):
        case CorrectionKind.RESULT:
            board = correction.game.board if correction.game else ""
            what = game_name(board, before.get("game"))
            was, right = result_short(before["result"]), result_short(after["result"])
            return f"{what}{colon()} {was} → {right}"
        case CorrectionKind.COLOURS:
            board = correction.game.board if correction.game else ""
            return gettext("board %(board)s: colours reversed") % {"board": board}
        case CorrectionKind.RATING:
            was, right = (
                ", ".join(str(value or "–") for value in values.values())
                for values in (before, after)
            )
            return f"{correction.entry}{colon()} {was} → {right}"
