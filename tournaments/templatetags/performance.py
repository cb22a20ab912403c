"""The performance of a player in numbers and as a picture; functions for the reason in :mod:`.player_parts`."""

from __future__ import annotations

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from tournaments.standings.performance_picture import EDGE, Curve, curve_of
from tournaments.standings.player import Performance, PlayerPage
from tournaments.templatetags.numbers import colon, hundredths
from tournaments.templatetags.players import entry_url

register = template.Library()

_SECTION = """
<section class="panel performance" aria-labelledby="performance-heading">
  <header><h2 id="performance-heading">{heading}</h2></header>
  <dl class="facts">
    <dt>{games}</dt><dd>{page.games}</dd>
    <dt>{average}</dt><dd>{page.average}</dd>
    <dt>{score}</dt><dd>{made}{expected}</dd>
    <dt>{rating}</dt><dd><strong>{page.rating}</strong> <span class="muted small">[C.07 10.2]</span></dd>
  </dl>
  {picture}
</section>"""

_PICTURE = """<div class="picture">
    {svg}
    <p class="small muted">{legend} <a class="only-screen" href="{address}" download>{download}</a></p>
  </div>"""

_SVG = """<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" {style}
     viewBox="0 0 {width} {height}" role="img"
     fill="none" font-size="12" text-anchor="middle" aria-labelledby="curve-title">
  <title id="curve-title">{title}</title>
  <path d="M{edge} {bottom}H{right}" stroke="currentColor" stroke-opacity="0.4"></path>
  <polyline points="{curve.expected}" stroke="currentColor" stroke-dasharray="5 4"></polyline>
  <polyline points="{curve.made}" stroke="#2f8f6d" stroke-width="3"></polyline>
  {labels}
</svg>"""

_LABEL = '<text x="{}" y="{}" fill="currentColor">{}</text>'


@register.simple_tag
def performance_of_player(page: PlayerPage, slug: str) -> SafeString:
    """Return the performance of a player, with its picture if the player has a rating [C.07/2026 10.2].

    Nothing without a game against a rated opponent.
    """
    if page.performance is None:
        return SafeString()
    return mark_safe(_section(page, page.performance, slug))  # noqa: S308 - numbers and our own words


def _section(page: PlayerPage, performance: Performance, slug: str) -> str:
    expected = ""
    if performance.expected is not None:
        said = gettext("expected by C.07: %(n)s") % {"n": hundredths(performance.expected)}
        expected = f' <span class="muted">({said})</span>'
    curve = curve_of(performance)
    return _SECTION.format(
        heading=gettext("Performance"),
        games=gettext("Games against rated opponents"),
        average=gettext("Their average rating"),
        score=gettext("Score"),
        rating=gettext("Performance rating"),
        page=performance,
        made=hundredths(performance.made),
        expected=expected,
        picture=_picture(curve, entry_url("performance-picture", slug, page.entry.pk)) if curve else "",
    )


def _picture(curve: Curve, address: str) -> str:
    return _PICTURE.format(
        svg=_svg(curve, 'class="curve"', _title()),
        legend=gettext("Line: score against rated opponents. Dashes: expected by C.07."),
        address=address,
        download=gettext("Picture (SVG)"),
    )


def picture_alone(curve: Curve, name: str) -> str:
    """Return the picture of the player called *name* as a file of its own."""
    return _svg(curve, 'font-family="sans-serif"', f"{escape(name)}{colon()} {_title()}")


def _title() -> str:
    return gettext("Scored against rated opponents (line) and expected by C.07 (dashes), game by game")


def _svg(curve: Curve, style: str, title: str) -> str:
    return _SVG.format(
        curve=curve,
        width=curve.width,
        height=curve.height,
        style=style,
        title=title,
        edge=EDGE,
        right=curve.width - EDGE,
        bottom=curve.height - EDGE,
        labels="".join(_LABEL.format(x, curve.height - 12, number) for x, number in curve.labels),
    )
