"""How chess values are written on a page."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from django import template
from django.utils.formats import date_format, get_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy as _, pgettext, pgettext_lazy

from pairing.engine.systems import SYSTEMS
from pairing.rules.handling import HANDLING, NEWEST
from tournaments.models import (
    ByeKind,
    Decision,
    GameResult,
    RoundState,
    StrengthSource,
)
from tournaments.pairing_systems import ACCELERATIONS, NAMES, SENTENCES
from tournaments.selectors.points import ADJUSTED, WITHDRAWN
from tournaments.selectors.rounds import BoardLine

register = template.Library()

_SHORT_RESULTS = {
    GameResult.WHITE_WINS: "1 – 0",
    GameResult.DRAW: "½ – ½",
    GameResult.BLACK_WINS: "0 – 1",
    GameResult.BOTH_LOSE: "0 – 0",
    GameResult.HALF_ZERO: "½ – 0",
    GameResult.ZERO_HALF: "0 – ½",
    GameResult.BLACK_FORFEITS: "+ / −",
    GameResult.WHITE_FORFEITS: "− / +",
    GameResult.BOTH_FORFEIT: "− / −",
    GameResult.WHITE_WINS_UNRATED: "1 – 0 *",
    GameResult.DRAW_UNRATED: "½ – ½ *",
    GameResult.BLACK_WINS_UNRATED: "0 – 1 *",
    GameResult.ADJOURNED: _("adj."),
    GameResult.NOT_YET: "",
}
_LONG_RESULTS = {
    GameResult.WHITE_WINS: _("White wins"),
    GameResult.DRAW: _("draw"),
    GameResult.BLACK_WINS: _("Black wins"),
    GameResult.BOTH_LOSE: _("both players lose"),
    GameResult.HALF_ZERO: _("half a point for White, none for Black"),
    GameResult.ZERO_HALF: _("half a point for Black, none for White"),
    GameResult.BLACK_FORFEITS: _("White wins by forfeit"),
    GameResult.WHITE_FORFEITS: _("Black wins by forfeit"),
    GameResult.BOTH_FORFEIT: _("double forfeit"),
    GameResult.WHITE_WINS_UNRATED: _("White wins, not rated"),
    GameResult.DRAW_UNRATED: _("draw, not rated"),
    GameResult.BLACK_WINS_UNRATED: _("Black wins, not rated"),
    GameResult.ADJOURNED: _("adjourned"),
    GameResult.NOT_YET: _("no result yet"),
}
_STATE_MARKS = {
    RoundState.PLANNED: "",
    RoundState.DRAFT: "✎",
    RoundState.PUBLISHED: "●",
    RoundState.RESULTS_PUBLISHED: "✓",
}


@register.filter(expects_localtime=True)
def day(value: date | None) -> str:
    """A day as the reader's language writes it: 21 Nov 2026, 21 nov. 2026."""
    # Translators: a date in the format of Django's date filter.
    return date_format(value, gettext("j M Y")) if value else ""


@register.filter(expects_localtime=True)
def moment(value: datetime | None) -> str:
    """A day and a time of 24 hours."""
    # Translators: a date and a time in the format of Django's date filter.
    return date_format(value, gettext("j M Y, H:i")) if value else ""


@register.filter
def points(tenths: int) -> str:
    """Points in tenths as people write them: 25 is ``2½``, 5 is ``½``, 13 is ``1.3``, in French ``1,3``."""
    if tenths < 0:
        return f"−{points(-tenths)}"
    whole, rest = divmod(tenths, 10)
    if rest == 5:
        return f"{whole}½" if whole else "½"
    return f"{whole}{decimal_mark()}{rest}" if rest else str(whole)


@register.filter
def point_count(tenths: int) -> int:
    """A whole number with the plural of *tenths* of points: English has ½ point and 1½ points, French 1½ point.

    English takes 1 alone for one point, French whatever is less than 2.
    """
    return 1 if abs(tenths) in (5, 10) else 0 if abs(tenths) < 20 else 2


def decimal_mark() -> str:
    """What stands before the decimals in the reader's language."""
    return str(get_format("DECIMAL_SEPARATOR"))


def colon() -> str:
    """The colon after a name in a line put together, with the space that the reader's language wants before it."""
    return gettext(":")


# Translators: the letter of a colour beside a board or in a history of colours.
_LETTERS = {"w": pgettext_lazy("letter of White", "w"), "b": pgettext_lazy("letter of Black", "b")}


@register.filter
def colour_letter(colour: str) -> str:
    """The letter of a colour as the reader's language has it, small or large as *colour* is: ``b`` is Black."""
    letter = str(_LETTERS[colour.lower()])
    return letter.upper() if colour.isupper() else letter


@register.filter
def history(colours: str) -> str:
    """The colours of the games played, a letter each; ``·`` is a round without a game."""
    return "".join(colour if colour == "·" else colour_letter(colour) for colour in colours)


@register.filter
def signed_points(tenths: int) -> str:
    """Points in tenths that are added or taken: ``+½``, ``−1``."""
    return points(tenths) if tenths < 0 else f"+{points(tenths)}"


@register.filter
def hundredths(value: int) -> str:
    """A value in hundredths with its two decimals: 1225 is ``12.25``, in French ``12,25``."""
    return f"{'−' if value < 0 else ''}{abs(value) // 100}{decimal_mark()}{abs(value) % 100:02d}"


@register.filter
def result_short(code: str) -> str:
    """A result as it stands between two names; ``*`` marks a game that is not rated."""
    return str(_SHORT_RESULTS[GameResult(code)])


@register.filter
def result_long(code: str) -> str:
    """A result in words."""
    return str(_LONG_RESULTS[GameResult(code)])


@register.simple_tag
def result(code: str) -> SafeString | str:
    """A result with its words for whoever points at it or listens to it."""
    if not code:
        return ""
    return format_html('<abbr title="{}">{}</abbr>', result_long(code), result_short(code))


@register.simple_tag
def board_result(line: BoardLine | None) -> SafeString | str:
    """What stands at a board: the result; or the score of the match and its games, both players in the same order."""
    if line is None:
        return ""
    if line.match_points is None or not any(game.result for game in line.games):
        return result(line.result)
    told = ((game.result if game.number == 1 else game.result[::-1], game.result) for game in line.games)
    games = format_html_join(
        ", ", '<abbr title="{}">{}</abbr>', ((result_long(own), result_short(seen) or "–") for seen, own in told)
    )
    white, black = line.match_points
    return format_html('<b>{} – {}</b> <span class="games">{}</span>', points(white), points(black), games)


def game_name(told: dict[str, Any]) -> str:
    """The board of a result in the record, with the number of the game where it was one of a match."""
    if "game" in told:
        return gettext("board %(board)s, game %(game)s") % {"board": told["board"], "game": told["game"]}
    return f"{gettext('board')} {told['board']}"


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
    """An article of 2026 in brackets, as the edition of the page's tournament numbers it; nothing where it has none."""
    told = HANDLING[_edition(context)].cited(article)
    return f"[{told}]" if told else ""


def _edition(context: Mapping[str, Any]) -> str:
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
"""Acts that change what was declared beforehand, and the field: everybody reads from what to what, and why."""


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
def bye_label(kind: str) -> str:
    """Why somebody has no game."""
    return str(ByeKind(kind).label)


@register.filter
def bye_short(kind: str) -> str:
    """What a bye is worth, for a narrow column; the word is in its title."""
    return {ByeKind.HALF_POINT: "½", ByeKind.FULL_POINT: "1", ByeKind.ZERO_POINT: "0"}.get(ByeKind(kind), "+")


@register.filter
def system_name(code: str) -> str:
    """The name of a pairing system."""
    return str(NAMES[code])


@register.filter
def system_sentence(code: str) -> str:
    """What a pairing system is, in one sentence."""
    return str(SENTENCES[code])


@register.filter
def colour_article(code: str) -> str:
    """Where a pairing system has the initial colour drawn."""
    return SYSTEMS[code].initial_colour


@register.filter
def by_hand_article(code: str) -> str:
    """Where a pairing system leaves the pairing to the arbiter."""
    return SYSTEMS[code].no_legal_pairing


@register.filter
def acceleration_sentence(code: str) -> str:
    """What an acceleration is, in one sentence."""
    return str(ACCELERATIONS[code])


@register.filter
def source_label(source: str) -> str:
    """Where a measure of strength comes from."""
    return str(StrengthSource(source).label)


@register.filter
def state_label(state: str) -> str:
    """The state of a round in words."""
    return str(RoundState(state).label)


@register.filter
def state_mark(state: str) -> str:
    """The state of a round as a sign, so that it does not rest on colour alone."""
    return _STATE_MARKS[RoundState(state)]


@register.simple_tag
def piece(colour: str) -> SafeString:
    """A small square of the colour played, with its name for those who listen."""
    if colour == "w":
        return format_html('<span class="piece white" role="img" aria-label="{}"></span>', gettext("White"))
    return format_html('<span class="piece black" role="img" aria-label="{}"></span>', gettext("Black"))


@register.filter
def boards(numbers: tuple[int, ...]) -> str:
    """Board numbers as a sentence names them: the first twelve, then how many more."""
    shown = ", ".join(str(number) for number in numbers[:12])
    more = len(numbers) - 12
    return (
        shown
        if more <= 0
        else pgettext("list of boards", "%(boards)s and %(more)d more")
        % {
            "boards": shown,
            "more": more,
        }
    )


@register.inclusion_tag("_field.html", takes_context=True)
def field(context: Mapping[str, Any], bound_field: Any, width: str = "") -> dict[str, Any]:
    """A form field with its label, help and errors; *width* is ``half``, ``third`` or nothing."""
    return {"field": bound_field, "width": width, "edition": _edition(context)}
