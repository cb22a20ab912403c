"""One line about each folded group of settings of a new tournament."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext as _, gettext_lazy, ngettext

from tournaments.models import AccelerationMethod, LateEntryBye
from tournaments.models.pairing_systems import NAMES
from tournaments.setup.presets import SCORINGS
from tournaments.web.templatetags.numbers import points
from tournaments.web.templatetags.tie_break_picker import tie_break_names

register = template.Library()

GROUPS: Final[Mapping[str, Mapping[str, str]]] = {
    "schedule": {"first_times": "third", "other_times": "third", "days_between": "third"},
    "tie_breaks": {"tie_breaks": "", "tie_break_edition": ""},
    "byes": {
        "max_byes": "half",
        "last_bye_round": "half",
        "byes_in_advance": "",
        "late_entry_bye": "",
    },
    "deadlines": {
        "correction_minutes": "half",
        "top_boards": "half",
        "entered_results": "",
        "explanations_public": "",
        "change_clause": "",
        "second_reading": "",
        "forecast_public": "",
        "automatic_pairings": "half",
        "automatic_results": "half",
        "keeps_data_days": "",
    },
    "points": {
        "scoring": "",
        "points_win": "third",
        "points_draw": "third",
        "points_loss": "third",
        "pab": "",
    },
    "pairing": {
        "system": "",
        "acceleration": "",
        "rating_list": "half",
        "rate_of_play": "half",
        "rating_method": "",
        "national_lists": "half",
        "second_rating_method": "half",
        "third_criterion": "half",
    },
    "place": {
        "end_date": "half",
        "city": "half",
        "federation": "half",
        "time_control": "half",
        "chief_arbiter": "half",
        "deputy_arbiters": "half",
    },
    "fide": {
        "event_code": "third",
        "report_profile": "third",
        "registered_on": "third",
        "encoded_time_control": "third",
        "organiser": "half",
        "event_kind": "half",
        "arbiter_in_hall": "half",
        "no_arbiter_plays": "half",
        "no_favour": "half",
        "system_approved": "half",
        "time_approved": "half",
    },
}
"""The fields of each group on both forms, with their widths on the form of a new tournament."""


@register.simple_tag
def group_fields(form: Any, group: str) -> list[tuple[Any, str]]:
    """Return the fields of *group*, with their widths."""
    return [(form[name], width) for name, width in GROUPS[group].items()]


@register.simple_tag
def group_has_errors(form: Any, group: str) -> bool:
    """Return whether a field of the group has an error, so that the group must be open."""
    return any(name in form.errors for name in GROUPS[group]) if form.is_bound else False


@register.simple_tag
def group_summary(form: Any, group: str) -> str:
    """Return the present values of the folded *group* of *form* in a few words."""
    value = {name: form[name].value() for name in GROUPS[group]}
    match group:
        case "schedule":
            return _schedule(value)
        case "tie_breaks":
            return tie_break_names(str(value["tie_breaks"] or ""))
        case "byes":
            return _byes(value)
        case "deadlines":
            minutes = value["correction_minutes"]
            if not minutes:
                return _("mistakes: until the next pairings are published")
            message = ngettext(
                "mistakes: %(n)s minute after the results",
                "mistakes: %(n)s minutes after the results",
                int(minutes) if str(minutes).isdigit() else 0,
            )
            return message % {"n": minutes}
        case "points":
            return _points(value)
        case "pairing":
            system = str(NAMES.get(str(value["system"]), value["system"]))
            return f"{system}, {AccelerationMethod.BAKU.label}" if value["acceleration"] else system
        case "fide":
            return str(value["event_code"] or "") or _("norms, arbiters’ reports, event number")
        case _:
            return ", ".join(str(each) for each in value.values() if each) or _("nothing yet")


def _schedule(value: Mapping[str, Any]) -> str:
    times = [value[name] for name in ("first_times", "other_times") if value[name]]
    every = str(value["days_between"] or "1")
    if every == "7":
        times.append(_("once a week"))
    elif times and every != "1":
        times.append(_("every %(n)s days") % {"n": every})
    return (
        " · ".join(times)
        if any(value[name] for name in ("first_times", "other_times"))
        else _("no times yet")
    )


def _byes(value: Mapping[str, Any]) -> str:
    most = str(value["max_byes"] if value["max_byes"] is not None else "")
    if most == "0":
        parts = [_("no byes with points")]
    elif most:
        count = int(most) if most.isdecimal() else 2
        parts = [ngettext("%(n)s bye with points", "%(n)s byes with points", count) % {"n": most}]
    else:
        parts = [_("byes with points without limit")]
    if value["last_bye_round"] and most != "0":
        parts.append(_("until round %(n)s") % {"n": value["last_bye_round"]})
    late = LateEntryBye.HALF_POINT if value["late_entry_bye"] == "H" else LateEntryBye.NOTHING
    parts.append(_("late entries: %(worth)s") % {"worth": late.label})
    return ", ".join(parts)


_BYES: Final[Mapping[str, str | Promise]] = {
    "win": gettext_lazy("bye: as a win"),
    "draw": gettext_lazy("bye: as a draw"),
    "none": gettext_lazy("bye: nothing"),
}


def _points(value: Mapping[str, Any]) -> str:
    worths: list[str]
    if value["scoring"] in SCORINGS:
        worths = [points(tenths) for tenths in SCORINGS[value["scoring"]]]
    else:
        worths = [str(value[f"points_{name}"] or "?") for name in ("win", "draw", "loss")]
    return f"{' – '.join(worths)} · {_BYES.get(value['pab'], '')}"
