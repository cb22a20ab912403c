"""What compares the players of an event, in words and figures."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from django import template
from django.utils.translation import gettext as _, pgettext

from pairing.engine.model import TPN
from pairing.standings.prizes import TeamAward
from tournaments.models import Entry
from tournaments.standings.event_prizes import Criterion, EventPrizeList
from tournaments.standings.prizes import Winner
from tournaments.web.templatetags.fide_ratings import signed_hundredths
from tournaments.web.templatetags.numbers import decimal_mark, points

register = template.Library()


@register.filter
def result_label(prizes: EventPrizeList) -> str:
    """Return the head of the column with the results."""
    match prizes.plan.criterion:
        case Criterion.SHARE:
            return pgettext("of the points", "Share")
        case Criterion.POINTS:
            return _("Points")
        case Criterion.PERFORMANCE:
            return _("Performance")
        case Criterion.CHANGE:
            return pgettext("of a rating", "Change")


@register.filter
def criterion_sentence(prizes: EventPrizeList) -> str:
    """Return how players of different sections are compared, with its article if there is one."""
    match prizes.plan.criterion:
        case Criterion.SHARE:
            return _(
                "Players of different sections are compared by their points divided by the most "
                "that the rounds of their section allow; FIDE has no rule for this."
            )
        case Criterion.POINTS:
            return _(
                "Players of different sections are compared by their points; FIDE has no rule for "
                "this."
            )
        case Criterion.PERFORMANCE:
            return _(
                "Players of different sections are compared by their performance in rated games by "
                "the tables of FIDE [B.01 1.4.8]."
            )
        case Criterion.CHANGE:
            return _(
                "Players of different sections are compared by the change of their FIDE rating, "
                "with K [B.02 8.3]; players without a rating do not compete."
            )


@register.filter
def result_of(award: Winner | TeamAward, prizes: EventPrizeList) -> str:
    """Return the result of a winner as people write it; of a team the sum of points and changes,
    else the mean.
    """
    if isinstance(award, TeamAward):
        value = prizes.result(award.team.points, len(award.team.members))
    else:
        value = prizes.result(award.points)
    match prizes.plan.criterion:
        case Criterion.SHARE:
            tenths = _rounded(value * 1000)
            return f"{tenths // 10}{decimal_mark()}{tenths % 10}\N{NO-BREAK SPACE}%"
        case Criterion.POINTS:
            return points(_rounded(value * 10))
        case Criterion.PERFORMANCE:
            return str(_rounded(value))
        case Criterion.CHANGE:
            return signed_hundredths(_rounded(value * 100))


def _rounded(value: Fraction) -> int:
    return int(value + Fraction(1, 2)) if value >= 0 else -int(-value + Fraction(1, 2))


@register.filter
def entry_of(winner: Winner, prizes: EventPrizeList) -> Entry:
    """Return the entry of a winner."""
    return prizes.entries[winner.entry_id]


@register.filter
def section_of(entry: Entry, prizes: EventPrizeList) -> str:
    """Return the name of the section of a player."""
    return prizes.sections[entry.tournament_id]


@register.filter
def members_of(members: Iterable[TPN], prizes: EventPrizeList) -> str:
    """Return the names of the players of a team with their sections."""
    entries = [(prizes.prizes.entries or {})[number] for number in members]
    return "; ".join(f"{entry.name} ({section_of(entry, prizes)})" for entry in entries)
