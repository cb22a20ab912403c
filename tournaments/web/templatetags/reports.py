"""Words for one player's result of one round in reports."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from django import template
from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import (
    get_language,
    gettext,
    gettext_lazy as _,
    pgettext,
    pgettext_lazy,
)

from pairing.engine.model import Result
from tournaments.standings import prize_plan
from tournaments.standings.crosstable import Cell
from tournaments.web.templatetags.numbers import decimal_mark, points
from tournaments.web.templatetags.results import colour_letter

register = template.Library()

_SHORT = {
    Result.WIN: "1",
    Result.DRAW: "½",
    Result.LOSS: "0",
    Result.UNRATED_WIN: "1*",
    Result.UNRATED_DRAW: "½*",
    Result.UNRATED_LOSS: "0*",
    Result.FORFEIT_WIN: "+",
    Result.FORFEIT_LOSS: "−",
    # Translators: a bye that the player requested; French has another word for the
    # pairing-allocated bye.
    Result.FULL_POINT_BYE: pgettext_lazy("asked for", "bye 1"),
    Result.HALF_POINT_BYE: pgettext_lazy("asked for", "bye ½"),
    Result.ZERO_POINT_BYE: "–",
    Result.PAIRING_ALLOCATED_BYE: pgettext_lazy("by the pairing", "bye"),
    Result.UNKNOWN: "?",
}
_SHORT_OF_A_MATCH = {
    # The points of a requested bye in each of the two games, like the two results of a match.
    Result.FULL_POINT_BYE: pgettext_lazy("asked for", "bye 1·1"),
    Result.HALF_POINT_BYE: pgettext_lazy("asked for", "bye ½·½"),
}
_LONG = {
    Result.WIN: _("won"),
    Result.DRAW: _("drawn"),
    Result.LOSS: _("lost"),
    Result.UNRATED_WIN: _("won, not rated"),
    Result.UNRATED_DRAW: _("drawn, not rated"),
    Result.UNRATED_LOSS: _("lost, not rated"),
    Result.FORFEIT_WIN: _("won by forfeit"),
    Result.FORFEIT_LOSS: _("lost by forfeit"),
    Result.FULL_POINT_BYE: _("full-point bye"),
    Result.HALF_POINT_BYE: _("half-point bye"),
    Result.ZERO_POINT_BYE: _("absent (zero-point bye)"),
    Result.PAIRING_ALLOCATED_BYE: _("pairing-allocated bye"),
    Result.UNKNOWN: _("no result yet"),
}


@register.filter
def money(cents: int) -> str:
    """Return *cents* as money: 15050 is ``150.50``, in French ``150,50``."""
    return prize_plan.money(cents).replace(".", decimal_mark())


def outcome_short(result: Result) -> str:
    """Return *result* from one player's view, for a narrow cell."""
    return str(_SHORT[result])


def outcome_long(result: Result) -> str:
    """Return *result* from one player's view, in words."""
    return str(_LONG[result])


@register.filter
def made_short(seen: Cell) -> str:
    """Return a player's round for a narrow cell: both games, or the points of a bye."""
    if seen.second is not None:
        return f"{outcome_short(seen.result)}·{outcome_short(seen.second)}"
    if seen.result is Result.PAIRING_ALLOCATED_BYE:
        return pgettext("by the pairing", "bye %(points)s") % {"points": points(seen.points)}
    if seen.games > 1 and seen.result in _SHORT_OF_A_MATCH:
        return str(_SHORT_OF_A_MATCH[seen.result])
    return outcome_short(seen.result)


@register.filter
def no_opponent(seen: Cell) -> str:
    """Return why the player had no opponent: a bye, or a round before the entry."""
    return gettext("not yet entered") if seen.is_before_entry else outcome_long(seen.result)


@register.filter
def made_long(seen: Cell) -> str:
    """Return one player's round in words."""
    if seen.is_before_entry:
        has_points = seen.result is not Result.ZERO_POINT_BYE
        return ", ".join([no_opponent(seen), *([outcome_long(seen.result)] if has_points else [])])
    if seen.second is None:
        return outcome_long(seen.result)
    return f"{outcome_long(seen.result)}, {outcome_long(seen.second)}"


class Words(NamedTuple):
    """What a cell says of its round, as in HTML: ``long`` for its title, ``against`` and the letter
    of the colour where there was an opponent.
    """

    long: str
    short: str
    against: str
    letter: str


def words_of(seen: Cell) -> Words:
    """Return the words of *seen* in the reader's language.

    A table has thousands of cells and a few dozen kinds: the words of each are looked up once.
    """
    kind = (
        get_language(),
        seen.colour,
        seen.result,
        seen.second,
        seen.games,
        seen.points,
        seen.is_before_entry,
    )
    if (known := _words.get(kind)) is None:
        if len(_words) >= MOST_KINDS:
            _words.clear()
        known = _words[kind] = Words(escape(made_long(seen)), escape(made_short(seen)), *_met(seen))
    return known


MOST_KINDS: Final = 10_000
_words: Final[dict[tuple[object, ...], Words]] = {}


def _met(seen: Cell) -> tuple[str, str]:
    if not seen.colour:
        return "", ""
    of_white = seen.colour == "w"
    against = gettext("White against %(name)s") if of_white else gettext("Black against %(name)s")
    return escape(against), escape(colour_letter(seen.colour))


@register.simple_tag
def cell(seen: Cell) -> SafeString:
    """Return a cell of the crosstable: ``12w1`` (French ``12B1``), or a bye, with words.

    There may be thousands of cells: therefore only the head of the column has the round, and cells
    have no class that their element makes unnecessary.
    """
    words = words_of(seen)
    if seen.number is None:
        return format_html('<abbr class="bye" title="{}">{}</abbr>', words.long, words.short)
    return format_html(
        '<abbr title="{}, {}"><i>{}</i>{}<b>{}</b></abbr>',
        words.long,
        SafeString(words.against % {"name": escape(seen.met)}),
        seen.number,
        words.letter,
        words.short,
    )


@register.inclusion_tag("reports/_list_files.html")
def list_files(csv: str, of: str) -> dict[str, str]:
    """Show the links to the files of a list, with heads in words: *csv* is its address."""
    csv = f"{csv}{'&' if '?' in csv else '?'}heads=words"
    return {"csv": csv, "semicolon": f"{csv}&as=semicolon", "xlsx": f"{csv}&as=xlsx", "of": of}


@register.inclusion_tag("reports/_downloads.html")
def downloads(
    of: str,
    name: str,
    slug: str,
    *,
    number: int | None = None,
    query: str = "",
    is_csv_only: bool = False,
) -> dict[str, Any]:
    """Show the line *of* a table with its files: addresses *name* and *name*``-csv``.

    *number* is the round of the table, *query* the parameters of the JSON file.
    """
    arguments: list[str | int] = [slug] if number is None else [slug, number]
    parts = [slug, name.removeprefix("event-"), *map(str, arguments[1:])]
    return {
        "of": of,
        "csv": reverse(f"api:{name}-csv", args=arguments),
        "json": "" if is_csv_only else reverse(f"api:{name}", args=arguments) + query,
        "file": "-".join(parts),
    }
