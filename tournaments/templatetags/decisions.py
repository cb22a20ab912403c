"""Template filters for decisions: actions, grounds, cautions and articles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy as _

from pairing.engine.systems import SYSTEMS
from pairing.rules.handling import HANDLING, NEWEST
from tournaments.core.action_codes import ADJUSTED, WITHDRAWN
from tournaments.models import (
    Decision,
)
from tournaments.templatetags.numbers import colon, signed_points
from tournaments.templatetags.results import game_name, result_short

register = template.Library()


_ACTS = {
    "tournament.created": _("tournament set up"),
    "tournament.updated": _("settings changed"),
    "tie_breaks.changed": _("tie-breaks changed after the start"),
    "rounds.changed": _("number of rounds changed after the start"),
    "tournament.imported": _("tournament taken from a TRF file"),
    "colour.drawn": _("initial colour drawn"),
    "lots.drawn": _("lots drawn among the equal"),
    "entry.added": _("entry added"),
    "entry.updated": _("entry changed"),
    "entry.strength_changed": _("strength or title changed after the start"),
    "entry.removed": _("entry struck off"),
    "entry.withdrawn": _("player withdrawn"),
    "entry.returned": _("player back"),
    "entry.checked_in": _("player checked in"),
    "entry.checked_out": _("check-in taken back"),
    "absence.explained": _("absence explained"),
    "absence.withdrawn": _("player withdrawn: absent without notice"),
    "absence.lifted": _("withdrawal lifted: was not absent"),
    "act.undone": _("taken back:"),
    "result.undone": _("taken back: result entered"),
    "check_in.opened": _("check-in opened"),
    "check_in.closed": _("check-in closed"),
    "check_in.settled": _("decided about those missing at the check-in"),
    "entries.imported": _("entries imported"),
    "bye.requested": _("bye noted"),
    "bye.cancelled": _("bye taken back"),
    "numbers.assigned": _("numbers assigned"),
    "round.scheduled": _("round scheduled"),
    "round.paired": _("round paired (draft)"),
    "round.paired_by_hand": _("round paired by hand (draft)"),
    "round.discarded": _("draft discarded"),
    "round.published": _("pairings published"),
    "deadline.cut_short": _("time to report mistakes ended early"),
    "result.recorded": _("result entered"),
    "prizes.set": _("prizes defined"),
    "results.published": _("results published"),
    "games.adjourned": _("games adjourned: draws for pairing only"),
    "round.changed": _("published pairings changed"),
    "round.arranged": _("draft arranged by hand"),
    "result.corrected": _("result corrected"),
    "colours.corrected": _("colours corrected"),
    "rating.corrected": _("rating corrected"),
    "correction.applied": _("correction done that had to wait"),
    "points.adjusted": _("points given or taken by decision"),
    "points.withdrawn": _("points given or taken by decision: withdrawn"),
}


_GROUNDS = {
    "4.4.1": _("Two are paired who have played each other"),
    "4.4.2": _("The regulations allow it"),
    "4.4.3": _("Two without an opponent agree to play each other"),
    "4.4.4": _("A late entry is admitted, with the smallest change, and all involved agree"),
    "4.4.5": _("Something unforeseeable touches the top boards of the final round"),
    "absolute": _("A published board, or the bye, breaks an absolute criterion"),
    "correction": _("A correction is to count for this round, which is not played yet"),
}


_GROUNDS_MISSING = {
    "4.4.1": _("Nobody in this round is paired with an earlier opponent."),
    "4.4.2": _("No such regulation was entered before round 1."),
    "4.4.3": _("There are no two players without an opponent."),
    "4.4.4": _("There is no late entry: enter the player first."),
    "4.4.5": _("This is not the last round, or no top boards were declared."),
    "absolute": _("No board of this round breaks one."),
    "correction": _("No correction since the publication leads to another pairing, or the round is being played."),
}


_CAUTIONS = {
    "met_before": _("they have played each other"),
    "prohibited": _("they shall not be paired, by the regulations"),
    "third_colour": _("the same colour for the third time running"),
    "colour_difference": _("a colour difference of more than two"),
    "second_bye": _("has had the bye, or a win without playing"),
}


@register.filter
def ground_label(ground: str) -> str:
    """A situation in which published pairings may be changed."""
    return str(_GROUNDS[ground])


@register.filter
def ground_missing(ground: str) -> str:
    """Why a situation cannot be claimed now."""
    return str(_GROUNDS_MISSING[ground])


@register.filter
def caution_label(code: str) -> str:
    """What a board paired by hand would break."""
    return str(_CAUTIONS[code])


@register.simple_tag(takes_context=True)
def cite(context: Mapping[str, Any], article: str) -> str:
    """An article of 2026 in brackets, as the edition of the page's tournament numbers it; nothing where it has none.

    No line ends inside the brackets.
    """
    told = HANDLING[edition_of(context)].cited(article)
    return f"[{told}]".replace(" ", "\u00a0") if told else ""


def edition_of(context: Mapping[str, Any]) -> str:
    """The edition of the handling rules a page speaks of: that of its tournament or of the file it shows."""
    frame = context.get("frame")
    return str(frame.tournament.handling_edition if frame else context.get("handling_edition", NEWEST))


@register.filter
def retold(text: object, edition: str) -> str:
    """A sentence that ends with articles of 2026, by the numbers of *edition*; what is safe stays safe."""
    told = HANDLING[edition].retold(str(text))
    return SafeString(told) if isinstance(text, SafeString) else told


@register.simple_tag
def act(code: str) -> str:
    """An act of the record in words; one that has none yet shows its code."""
    return str(_ACTS.get(code, code))


@register.simple_tag
def act_detail(decision: Decision) -> SafeString | str:
    """What an act was about, for those who run the tournament: never shown to visitors."""
    before, after = decision.before, decision.after
    if decision.act == "act.undone":
        name = before.get("name") or ""
        return format_html('{} <span class="muted">{}</span>', act(after["act"]), name)
    if decision.act in ("result.recorded", "result.corrected", "result.undone"):
        return format_html(
            '<span class="muted">{}{} {} → {}</span>',
            game_name(after),
            colon(),
            result_short(before["result"]) or "–",
            result_short(after["result"]) or "–",
        )
    name = after.get("name") or before.get("name")
    if decision.act in (ADJUSTED, WITHDRAWN):
        name = f"{name} {signed_points((after or before)['points'])}"
    if explanation := after.get("explanation"):
        name = f"{name}{colon()} {explanation}"
    return format_html('<span class="muted">{}</span>', name) if name else ""


_DECLARED = {"tie_breaks.changed": "tie_breaks", "rounds.changed": "total_rounds"}


@register.simple_tag
def act_told(decision: Decision, *, detailed: bool = False) -> SafeString | str:
    """What everybody reads beside an act of the record; nothing for most. *detailed*: ``act_detail`` stands there."""
    if decision.act in (ADJUSTED, WITHDRAWN):
        detail = "" if detailed else act_detail(decision)
        return format_html('{} <span class="muted">({})</span>', detail, decision.reason)
    declared = _DECLARED.get(decision.act)
    if declared is None:
        return _punctuality(decision)
    before, after = decision.before[declared], decision.after[declared]
    return format_html('<span class="muted">{} → {}{} {}</span>', before or "–", after or "–", colon(), decision.reason)


def _punctuality(decision: Decision) -> SafeString | str:
    """Whether results were published when it was announced [C.04.2/2026 4.2]; nothing where no time was."""
    minutes = decision.after.get("minutes_late")
    if minutes is None:
        return ""
    if minutes == 0:
        said = gettext("as announced")
    elif minutes > 0:
        said = gettext("%(n)d min late") % {"n": minutes}
    else:
        said = gettext("%(n)d min early") % {"n": -minutes}
    return format_html('<span class="muted">{}</span>', said)


@register.filter
def by_hand_article(code: str) -> str:
    """Where a pairing system leaves the pairing to the arbiter."""
    return SYSTEMS[code].no_legal_pairing


@register.inclusion_tag("shared/_field.html", takes_context=True)
def field(context: Mapping[str, Any], bound_field: Any, width: str = "") -> dict[str, Any]:
    """A form field with its label, help and errors; *width* is ``half``, ``third`` or nothing."""
    return {"field": bound_field, "width": width, "edition": edition_of(context)}
