"""The rows of the crosstable as a picture."""

from __future__ import annotations

from collections.abc import Mapping

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from tournaments.standings.crosstable import CrosstablePicture, DrawnCell, DrawnLine
from tournaments.web.templatetags.numbers import colon, points
from tournaments.web.templatetags.reports import words_of

register = template.Library()

MOST_LETTERS = 26
"""A longer name is cut."""


@register.simple_tag
def drawn_lines(picture: CrosstablePicture) -> SafeString:
    """Return the rows of *picture* as SVG; the title of a cell says it in words.

    There may be 45,000 cells, and a template needs 0.2 ms and more for each: therefore they are put
    together here.
    """
    rounds = {
        number: escape(gettext("Round %(n)s") % {"n": number}) for number, _x in picture.rounds
    }
    mark = escape(colon())
    lines = [_line(line, picture.width, rounds, mark) for line in picture.lines]
    return mark_safe("\n".join(lines))  # noqa: S308 - names and words are escaped, everything else is a number


def _line(drawn: DrawnLine, width: int, rounds: Mapping[int, str], mark: str) -> str:
    line = drawn.line
    name = f"{line.tpn} {line.name}" if line.is_namesake and line.number != line.tpn else line.name
    if len(name) > MOST_LETTERS:
        name = f"{name[: MOST_LETTERS - 1].rstrip()}…"
    return (
        f'<g transform="translate(0 {drawn.y})">'
        f'<text x="28" y="15" text-anchor="end" fill="currentColor">{drawn.line.number}</text>'
        f'<text x="38" y="15" text-anchor="start" fill="currentColor">{escape(name)}</text>'
        f"{''.join([_cell(box, rounds, mark) for box in drawn.cells])}"
        f'<text x="{width}" dx="-24" y="15" font-weight="bold" '
        f'fill="currentColor">{points(drawn.line.points)}</text>'
        "</g>"
    )


def _cell(box: DrawnCell, rounds: Mapping[int, str], mark: str) -> str:
    cell = box.cell
    words = words_of(cell)
    against = f", {escape(cell.met)}" if cell.met else ""
    number = f"{cell.number} " if cell.number else ""
    piece = (
        f'<rect x="4" y="5" width="9" height="9" fill="{box.piece}" stroke="#222222"></rect>'
        if cell.colour
        else ""
    )
    return (
        f'<g transform="translate({box.x} 0)">'
        f"<title>{rounds[cell.round_number]}{against}{mark} {words.long}</title>"
        f'<rect width="52" height="19" rx="3" fill="{box.fill}" stroke="#b9b5a6"></rect>{piece}'
        f'<text x="31" y="14" fill="#222222" font-size="11">{number}{words.short}</text>'
        "</g>"
    )
