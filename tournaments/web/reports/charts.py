"""Charts of the arbiter's report: bars with their numbers, as SVG and as PNG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from tournaments.reports.event_figures import YEARS, Counts, EventFigures
from tournaments.web.templatetags.numbers import points

WIDTH: Final = 640
ROW: Final = 22
BAR: Final = 15
"""The heights of a row and of its bar."""
LEFT: Final = 150
RIGHT: Final = 110
"""The widths of the labels, and of the numbers behind the longest bar."""
TOP: Final = 34
"""The height of the title."""
ONE: Final = ("#2f8f6d",)
WHITE_TO_BLACK: Final = ("#ffffff", "#b9b5a6", "#222222")
"""The fills of the segments of a bar."""
MOST_FEDERATIONS: Final = 15
"""The others are counted together."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a bar."""

    x: float
    width: float
    fill: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A row of a chart: a label, the numbers of its segments, and where they are drawn."""

    label: str
    numbers: tuple[int, ...]
    segments: tuple[Segment, ...]
    y: int
    end: float


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart to draw; ``of`` heads its labels, ``legend`` its numbers with fills."""

    name: str
    title: str
    of: str
    legend: tuple[tuple[str, str], ...]
    bars: tuple[Bar, ...]

    width = WIDTH
    bar_height = BAR
    middle = LEFT - 8

    @property
    def legend_y(self) -> int:
        return TOP + ROW * len(self.bars) + 6

    @property
    def height(self) -> int:
        return self.legend_y + (22 if len(self.legend) > 1 else 4)

    @property
    def legend_at(self) -> list[tuple[int, str, str]]:
        """The places of the legend of a bar with several segments."""
        if len(self.legend) == 1:
            return []
        step = (WIDTH - LEFT) // len(self.legend)
        return [(LEFT + step * at, *each) for at, each in enumerate(self.legend)]


def charts(figures: EventFigures) -> list[Chart]:
    """Return the charts of *figures* that have something to show, in the order of the page."""
    made = [
        _one("federations", _("Players by federation"), _("Federation"), _federations(figures)),
        _one("titles", _("Players by title"), _("Title"), _titles(figures)),
        _one("ages", _("Players by the age they reach this year"), _("Age"), _ages(figures)),
        _one(
            "scores",
            _("Players by score"),
            _("Points"),
            tuple((points(score), count) for score, count in figures.scores)
            if figures.after_round
            else (),
        ),
        _three(
            "colours",
            _("Games by the winner’s colour"),
            _("Round"),
            (_("White won"), _("drawn"), _("Black won")),
            [(str(line.number), (line.white, line.drawn, line.black)) for line in figures.colours],
        ),
        _three(
            "upsets",
            _("Games by the difference of the ratings"),
            _("Difference"),
            (_("higher rating won"), _("drawn"), _("lower rating won")),
            [
                (
                    f"{gap.least}–{gap.most}"
                    if gap.most
                    else _("%(n)s or more") % {"n": gap.least},
                    (gap.higher, gap.drawn, gap.lower),
                )
                for gap in figures.gaps
            ],
        ),
    ]
    return [chart for chart in made if any(any(bar.numbers) for bar in chart.bars)]


def _federations(figures: EventFigures) -> Counts:
    named = tuple((code or _("none"), count) for code, count in figures.federations)
    if len(named) <= MOST_FEDERATIONS:
        return named
    others = named[MOST_FEDERATIONS - 1 :]
    label = _("%(n)s others") % {"n": len(others)}
    return (*named[: MOST_FEDERATIONS - 1], (label, sum(count for _code, count in others)))


def _titles(figures: EventFigures) -> Counts:
    return tuple((title or _("no title"), count) for title, count in figures.titles)


def _ages(figures: EventFigures) -> Counts:
    classes = tuple((f"{least}–{least + YEARS - 1}", count) for least, count in figures.ages)
    if not classes or not figures.without_age:
        return classes
    return (*classes, (_("not known"), figures.without_age))


def _one(name: str, title: str, of: str, counts: Counts) -> Chart:
    rows = [(label, (count,)) for label, count in counts]
    return _chart(name, title, of, ((_("Players"), ONE[0]),), rows)


def _three(
    name: str,
    title: str,
    of: str,
    legend: tuple[str, str, str],
    rows: Sequence[tuple[str, tuple[int, ...]]],
) -> Chart:
    return _chart(name, title, of, tuple(zip(legend, WHITE_TO_BLACK, strict=True)), rows)


def _chart(
    name: str,
    title: str,
    of: str,
    legend: tuple[tuple[str, str], ...],
    rows: Sequence[tuple[str, tuple[int, ...]]],
) -> Chart:
    longest = max((sum(numbers) for _label, numbers in rows), default=0) or 1
    scale = (WIDTH - LEFT - RIGHT) / longest
    bars = []
    for place, (label, numbers) in enumerate(rows):
        x, segments = float(LEFT), []
        for number, (_words, fill) in zip(numbers, legend, strict=True):
            width = round(number * scale, 1)
            if number:
                segments.append(Segment(round(x, 1), width, fill))
            x += width
        bars.append(Bar(label, numbers, tuple(segments), TOP + ROW * place, round(x + 8, 1)))
    return Chart(name, title, of, legend, tuple(bars))
