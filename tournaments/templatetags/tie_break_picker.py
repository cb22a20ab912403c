"""The list of tie-breaks in a form: each with its name and a sentence, and buttons that change the list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _, pgettext

from pairing.engine.errors import InputError
from pairing.engine.systems import SYSTEMS, games_a_round
from tournaments.setup.tie_break_lists import can_add, codes_of, lists_for
from tournaments.setup.usable_tie_breaks import bad_list
from tournaments.templatetags.tie_breaks import tie_break_name

register = template.Library()

SENTENCES: Final[Mapping[str, str | Promise]] = {
    "DE": _("The points in the games between the tied players, if these decide"),
    "WIN": _("The rounds that gave as many points as a win, played or not"),
    "WON": _("The games won at the board"),
    "BPG": _("The games played with Black"),
    "BWG": _("The games won with Black"),
    "PS": _("The points after each round, added up: early points count more"),
    "REP": _("All rounds, without requested byes and forfeit losses"),
    "STD": _("One for each round with more points than the opponent, half for as many"),
    "TPN": _("The pairing number: the smaller comes first"),
    "BH": _("The points of all opponents, added up"),
    "AOB": _("The average Buchholz of the opponents"),
    "FB": _("Buchholz as if all games of the last round were drawn"),
    "SB": _("The points of each opponent times the points scored against that opponent, added up"),
    "KS": _("The points against opponents with at least half of the possible points"),
    "ARO": _("The average rating of the opponents"),
    "TPR": _("The rating that the results correspond to, by FIDE’s table"),
    "PTP": _("The lowest rating with which the points scored would be expected"),
    "APRO": _("The average performance rating of the opponents"),
    "APPO": _("The average perfect performance of the opponents"),
    "RTNG": _("The player’s own rating: the higher comes first"),
}
"""A sentence for each tie-break, without its full stop."""
_CHANGES: Final[Mapping[str, str | Promise]] = {
    "C1": _("without the lowest value"),
    "C2": _("without the two lowest values"),
    "M1": _("without the lowest and the highest value"),
    "M2": _("without the two lowest and the two highest values"),
    "P": _("forfeited games count as played"),
    "F": _("with Fore Buchholz"),
    "R": _("in reversed order"),
}
"""The change that a modifier makes."""


@register.filter
def tie_break_sentence(code: str) -> str:
    """Explain a code in one sentence; a modifier adds to it what it changes."""
    name, *modifiers = code.split("/")
    parts = [str(SENTENCES[name])]
    for modifier in modifiers:
        if modifier.startswith("L"):
            parts.append(gettext("the limit moved by %(shift)s half points") % {"shift": modifier[1:]})
        else:
            parts.append(str(_CHANGES[modifier]))
    return f"{', '.join(parts)}."


@register.filter
def tie_break_names(codes: str) -> str:
    """Return the names of a list of codes, in order; a list that cannot be read stays as it is."""
    try:
        return " · ".join(tie_break_name(str(code)) for code in codes_of(codes, "")) or pgettext("tie-break", "none")
    except InputError:
        return codes


@dataclass(frozen=True, slots=True)
class Row:
    """One tie-break of the list."""

    code: str
    name: str
    sentence: str
    article: str


@register.inclusion_tag("setup/_tie_break_picker.html")
def tie_break_picker(form: Any) -> dict[str, Any]:
    """Return the list in *form*, which has the fields ``tie_breaks`` and ``tie_break_edition``."""
    return picker(form)


def picker(form: Any) -> dict[str, Any]:
    """Return the context of the list: its rows, or the problem with the typed text, and the tie-breaks to add."""
    text, edition = str(form["tie_breaks"].value() or ""), str(form["tie_break_edition"].value() or "")
    chosen = str(form["system"].value()) if "system" in form.fields else form.instance.system
    games = games_a_round(chosen) if chosen in SYSTEMS else 1
    rows, problem = [], ""
    try:
        rows = [
            Row(str(code), tie_break_name(str(code)), tie_break_sentence(str(code)), code.tie_break.article)
            for code in codes_of(text, edition)
        ]
    except InputError as error:
        problem = str(bad_list(error))
    return {
        "form": form,
        "rows": rows,
        "problem": "" if form["tie_breaks"].errors else problem,
        "locked": form.fields["tie_breaks"].disabled,
        "can_add": [(code, tie_break_name(code)) for code in can_add(text, edition, games)],
        "lists": lists_for(games),
        "can_try": "system" in form.fields,
    }
