"""Words for the values of tie-breaks and their parts on a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import slugify
from django.utils.translation import gettext, gettext_lazy as _

from pairing.standings.ratings import BELOW_THE_LOWEST
from pairing.standings.tie_breaks import MODIFIERS, TIE_BREAKS
from pairing.standings.values import Cut, Formula, Reason
from tournaments.standings.standings import Amount, ShownPart, StandingLine, ValueOpened
from tournaments.web.templatetags.numbers import decimal_mark, hundredths, points

register = template.Library()

_REASONS: Final = {
    Reason.OPPONENT: _("the opponent’s"),
    Reason.OPPONENT_ADJUSTED: _("the opponent’s, the rounds missed at the end as draws"),
    Reason.FORFEIT_COUNTED: _("forfeited, but counts as played under the regulations"),
    Reason.DUMMY: _("not played: dummy opponent with the player’s own score"),
    Reason.DUMMY_CAPPED_BY_OPPONENT: _(
        "forfeited: dummy opponent worth at most as much as the opponent"
    ),
    Reason.DUMMY_CAPPED_BY_DRAWS: _(
        "not played: dummy opponent worth at most a draw in every round"
    ),
    Reason.COUNTED: _("counts"),
    Reason.BELOW_LIMIT: _("does not count: the opponent is below the limit"),
    Reason.RATING_DIFFERENCE: _("for the fraction of points, by the rating table"),
    Reason.OWN: _("own value of the player"),
}
_CUTS: Final = {
    Cut.LEAST: _("cut: the least significant"),
    Cut.MOST: _("cut: the most significant"),
    Cut.VOLUNTARY: _("cut: rounds missed by choice are cut first"),
}


@register.filter
def tie_break_value(value: Amount) -> str:
    """Return a value: 135 tenths are ``13½``, 925 hundredths ``9.25``, none a dash.

    A direct encounter of players who have not met is a dash too.
    """
    return "–" if value.amount is None or value.is_empty else _written(value.amount, value.scale)


@register.filter
def deciding(line: StandingLine, decided: Mapping[int, Sequence[Amount]]) -> SafeString:
    """Return the tie-breaks of *decided* that rank *line* apart from a neighbour, for phones."""
    amounts = decided.get(line.entry_id)
    if not amounts:
        return SafeString()
    words = " · ".join(f"{each.code} {tie_break_value(each)}" for each in amounts)
    return format_html(' <span class="only-narrow muted small">{}</span>', words)


@register.filter
def tie_break_name(code: str) -> str:
    """Return the name of a code with its modifiers: ``BH/C1`` is “Buchholz, Cut-1”."""
    name, *modifiers = code.split("/")
    words = [gettext(TIE_BREAKS[name].name)]
    for modifier in modifiers:
        if modifier.startswith("L"):
            words.append(gettext("limit %(shift)s") % {"shift": modifier[1:]})
        else:
            words.append(gettext(MODIFIERS[modifier].name))
    return ", ".join(words)


def tie_break_sentence(code: str) -> str:
    """Explain a code in one sentence; a modifier adds to it what it changes."""
    name, *modifiers = code.split("/")
    parts = [gettext(TIE_BREAKS[name].sentence)]
    for modifier in modifiers:
        if modifier.startswith("L"):
            parts.append(
                gettext("the limit moved by %(shift)s half points") % {"shift": modifier[1:]}
            )
        else:
            parts.append(gettext(MODIFIERS[modifier].change))
    return f"{', '.join(parts)}."


@register.filter
def slug_of_code(code: str) -> str:
    """Return a code as an anchor on a page: ``BH/C1`` is ``bh-c1``."""
    return slugify(code.replace("/", "-").replace("+", "p").replace("L-", "Lm"))


@register.simple_tag
def tie_break_part(value: ValueOpened, seen: ShownPart) -> str:
    """Return the contribution of one part; for Sonneborn-Berger as a product."""
    part = seen.part
    match value.formula:
        case Formula.PLACE:
            return points(part.points)
        case Formula.LOWEST_RATING:
            return hundredths(part.amount)
        case Formula.SUM if value.amount.scale == 100:
            return f"{points(part.worth)} × {points(part.points)}"
        case Formula.AVERAGE_AND_DIFFERENCE if part.reason is Reason.RATING_DIFFERENCE:
            return f"{part.amount:+d}"
        case _:
            return _written(part.amount, value.amount.scale)


@register.simple_tag
def tie_break_sum(value: ValueOpened) -> str:
    """Return the sum of the parts: ``13½ = 4 + 3½ + …``, without those that are cut."""
    total = tie_break_value(value.amount)
    if value.amount.amount is None:
        return gettext("All parts are cut: the tie-break has no value.")
    kept = [
        seen
        for seen in value.parts
        if seen.part.cut is None and seen.part.reason is not Reason.RATING_DIFFERENCE
    ]
    summands = " + ".join(tie_break_part(value, seen) for seen in kept) or "0"
    match value.formula:
        case Formula.SUM:
            return f"{total} = {summands}"
        case Formula.AVERAGE:
            return f"{total} = ({summands}) : {len(kept)}"
        case Formula.AVERAGE_AND_DIFFERENCE:
            last = value.parts[-1].part
            return (
                f"{total} = ({summands}) : {len(kept)} {last.amount:+d} ({hundredths(last.points)})"
            )
        case Formula.LOWEST_RATING:
            return _lowest_rating(value, summands)
        case Formula.PLACE:
            return gettext(
                "rank %(place)s among the players still tied: %(points)s in the games between "
                "them (%(summands)s)"
            ) % {
                "place": total,
                "points": points(sum(seen.part.points for seen in kept)),
                "summands": summands,
            }
        case Formula.OWN:
            return total


def _lowest_rating(value: ValueOpened, summands: str) -> str:
    """Explain a perfect performance; without a point its value is fixed [C.07/2026 10.3]."""
    expected = sum(seen.part.amount for seen in value.parts)
    lowest = min(seen.part.worth for seen in value.parts)
    given = {
        "rating": tie_break_value(value.amount),
        "summands": summands,
        "expected": hundredths(expected),
    }
    if value.amount.amount == lowest - BELOW_THE_LOWEST and not any(
        seen.part.points for seen in value.parts
    ):
        message = gettext(
            "%(rating)s = %(lowest)s − %(below)s: no points scored, so the lowest-rated opponent decides"
        )
        return message % {**given, "lowest": lowest, "below": BELOW_THE_LOWEST}
    return (
        gettext(
            "%(rating)s is the lowest rating with at least this expected score: %(summands)s = "
            "%(expected)s"
        )
        % given
    )


@register.simple_tag
def tie_break_reason(value: ValueOpened, seen: ShownPart) -> SafeString:
    """Explain the contribution of a part, with the article."""
    words: object = _REASONS[seen.part.reason]
    if value.formula is Formula.LOWEST_RATING:
        words = gettext("expected against a rating of %(rating)s") % {"rating": seen.part.worth}
    if seen.part.cut is not None:
        return format_html(
            "{}{} {} [C.07 {}]", words, gettext(";"), _CUTS[seen.part.cut], seen.article
        )
    return format_html("{} [C.07 {}]", words, seen.article)


def _written(amount: int, scale: int) -> SafeString:
    match scale:
        case 1:
            return SafeString(amount)
        case 10:
            return points(amount)
        case 100:
            return hundredths(amount)
        case _:
            return SafeString(f"{amount / scale:.2f}".replace(".", decimal_mark()))
