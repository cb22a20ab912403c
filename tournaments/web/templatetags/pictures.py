"""The rows of the crosstable as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from pairing.engine.model import Result
from tournaments.standings.crosstable import Cell, CrosstablePicture, DrawnCell, DrawnLine
from tournaments.web.templatetags.numbers import colon, points
from tournaments.web.templatetags.reports import made_long, made_short

register = template.Library()

MOST_LETTERS = 26
"""A longer name is cut."""

_Kind: TypeAlias = tuple[Result, Result | None, int, int, bool]


@dataclass(slots=True)
class _Words:
    """The words of a picture in the reader's language, each looked up once and escaped."""

    colon: str
    rounds: Mapping[int, str]
    made: dict[_Kind, tuple[str, str]] = field(default_factory=dict)

    def of(self, cell: Cell) -> tuple[str, str]:
        """Return what happened in *cell*: for its title, and short."""
        kind = cell.result, cell.second, cell.games, cell.points, cell.is_before_entry
        if kind not in self.made:
            self.made[kind] = escape(made_long(cell)), escape(made_short(cell))
        return self.made[kind]


@register.simple_tag
def drawn_lines(picture: CrosstablePicture) -> SafeString:
    """Return the rows of *picture* as SVG; the title of a cell says it in words.

    There may be 45,000 cells, and a template needs 0.2 ms and more for each: therefore they are put
    together here.
    """
    rounds = {
        number: escape(gettext("Round %(n)s") % {"n": number}) for number, _x in picture.rounds
    }
    words = _Words(escape(colon()), rounds)
    lines = [_line(line, picture.width, words) for line in picture.lines]
    return mark_safe("\n".join(lines))  # noqa: S308 - names and words are escaped, everything else is a number


def _line(drawn: DrawnLine, width: int, words: _Words) -> str:
    line = drawn.line
    name = f"{line.tpn} {line.name}" if line.is_namesake and line.number != line.tpn else line.name
    if len(name) > MOST_LETTERS:
        name = f"{name[: MOST_LETTERS - 1].rstrip()}…"
    return (
        f'<g transform="translate(0 {drawn.y})">'
        f'<text x="28" y="15" text-anchor="end" fill="currentColor">{drawn.line.number}</text>'
        f'<text x="38" y="15" text-anchor="start" fill="currentColor">{escape(name)}</text>'
        f"{''.join([_cell(box, words) for box in drawn.cells])}"
        f'<text x="{width}" dx="-24" y="15" font-weight="bold" '
        f'fill="currentColor">{points(drawn.line.points)}</text>'
        "</g>"
    )


def _cell(box: DrawnCell, words: _Words) -> str:
    cell = box.cell
    long, short = words.of(cell)
    against = f", {escape(cell.met)}" if cell.met else ""
    number = f"{cell.number} " if cell.number else ""
    piece = (
        f'<rect x="4" y="5" width="9" height="9" fill="{box.piece}" stroke="#222222"></rect>'
        if cell.colour
        else ""
    )
    return (
        f'<g transform="translate({box.x} 0)">'
        f"<title>{words.rounds[cell.round_number]}{against}{words.colon} {long}</title>"
        f'<rect width="52" height="19" rx="3" fill="{box.fill}" stroke="#b9b5a6"></rect>{piece}'
        f'<text x="31" y="14" fill="#222222" font-size="11">{number}{short}</text>'
        "</g>"
    )
