"""The tie-breaks in a form, with name and sentence, and buttons that change the list."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import template
from django.utils.translation import pgettext

from pairing.engine.errors import InputError
from pairing.engine.systems import SYSTEMS, games_a_round
from tournaments.setup.tie_break_lists import can_add, codes_of, lists_for
from tournaments.setup.usable_tie_breaks import bad_list
from tournaments.web.templatetags.tie_breaks import tie_break_name, tie_break_sentence

register = template.Library()


def tie_break_names(codes: str) -> str:
    """Return the names of a list of codes, in order; a list that cannot be read stays as it is."""
    try:
        return " · ".join(tie_break_name(str(code)) for code in codes_of(codes, "")) or pgettext(
            "tie-break", "none"
        )
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
    """Return the context of the list: rows, or the problem, and tie-breaks to add."""
    text, edition = (
        str(form["tie_breaks"].value() or ""),
        str(form["tie_break_edition"].value() or ""),
    )
    chosen = str(form["system"].value()) if "system" in form.fields else form.instance.system
    games = games_a_round(chosen) if chosen in SYSTEMS else 1
    rows, problem = [], ""
    try:
        rows = [
            Row(
                str(code),
                tie_break_name(str(code)),
                tie_break_sentence(str(code)),
                code.tie_break.article,
            )
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
