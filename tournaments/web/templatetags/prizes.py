"""The calculation of each prize, and the warnings about the rules, in plain sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from django import template
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from pairing.engine.model import TPN
from pairing.standings.last_round import Bounds
from pairing.standings.prize_shares import Share
from pairing.standings.prize_warnings import CostsMoney
from pairing.standings.prizes import TeamAward
from tournaments.models import Entry
from tournaments.standings.prize_conditions import more_words
from tournaments.standings.prizes import CategoryList, PrizeList, Winner
from tournaments.web.templatetags.numbers import decimal_mark
from tournaments.web.templatetags.reports import money

register = template.Library()


@register.filter
def conditions(of: CategoryList) -> str:
    """Return the conditions of a category that its heading does not name."""
    return more_words(of.category)


@register.filter
def calculation(award: Winner | TeamAward) -> str:
    """Return how the money of *award* comes about, to the cent."""
    share = award.share
    if share is None:
        return ""
    uncapped = award.uncapped if isinstance(award, Winner) else award.amount
    return " ".join(_sentences(share, uncapped, award.amount))


def _sentences(share: Share, uncapped: int, amount: int) -> Iterator[str]:
    total = sum(share.prizes)
    if share.sharers == 1:
        yield _("Prize of place %(place)s: %(sum)s.") % {"place": share.first, "sum": money(total)}
    else:
        values = {
            "first": share.first,
            "last": share.first + share.sharers - 1,
            "sum": " + ".join(map(money, share.prizes))
            + (f" = {money(total)}" if len(share.prizes) > 1 else ""),
            "n": share.sharers,
            "each": exactly(Fraction(total, share.sharers)),
        }
        yield _("Places %(first)s to %(last)s: %(sum)s, divided by %(n)s: %(each)s.") % values
    if share.own is not None and share.sharers > 1:
        values = {"own": exactly(share.own), "exact": exactly(share.exact)}
        yield _("Hort: half of it and half of the own prize of %(own)s: %(exact)s.") % values
    if share.exact != uncapped:
        yield _("Rounded with the largest remainder: %(sum)s.") % {"sum": money(uncapped)}
    if amount < uncapped:
        yield _("Cut to the most money for one player: %(sum)s.") % {"sum": money(amount)}
    elif amount > uncapped:
        yield _("With a part of what others may not get: %(sum)s.") % {"sum": money(amount)}


def exactly(cents: Fraction) -> str:
    """Return *cents* as money, with two more digits and ``…`` if it is not whole."""
    if cents.denominator == 1:
        return money(int(cents))
    fine = int(cents * 100)
    text = f"{fine // 10_000}{decimal_mark()}{fine % 10_000:04d}"
    return f"{text}…" if cents * 100 != fine else text


@register.filter
def ending_label(result: str) -> str:
    """Return the words for a ``result`` of the last game; empty: without a game."""
    match result:
        case "win":
            return _("with a win")
        case "draw":
            return _("with a draw")
        case "loss":
            return _("with a loss")
        case _:
            return capfirst(_("without a game"))


@register.filter
def between(places: Bounds) -> str:
    """Return the places from the best to the worst, or the only one."""
    return _range(str(places.best), str(places.worst))


@register.filter
def money_between(cents: tuple[int, int], currency: str) -> str:
    """Return the money from the least to the most."""
    least, most = cents
    if least:
        return f"{_range(money(least), money(most))} {currency}"
    return _("up to %(sum)s") % {"sum": f"{money(most)} {currency}"}


def _range(first: str, last: str) -> str:
    return first if first == last else f"{first}–{last}"


def warning_sentences(prizes: PrizeList) -> list[str]:
    """Return a sentence for each player whom the rules cost money, and for each open decision."""
    found = []
    for warning in prizes.warnings:
        heading = prizes.categories[warning.index].heading
        values = {
            "name": _name(prizes, warning.tpn),
            "amount": money(warning.amount),
            "more": money(warning.more),
            "category": heading,
        }
        if isinstance(warning, CostsMoney):
            found.append(
                _(
                    "%(name)s gets %(amount)s and would get %(more)s in the category "
                    "“%(category)s” without the limit of prizes."
                )
                % values
            )
        else:
            found.append(
                _(
                    "%(name)s gets %(amount)s, and %(other)s gets %(more)s with a weaker result "
                    "in the category “%(category)s”, which is open to both."
                )
                % {**values, "other": _name(prizes, warning.weaker)}
            )
    for of in prizes.categories:
        tied = [_numbered(winner) for winner in of.winners if winner.is_tied]
        tied += [team.team.name for team in of.teams if team.is_tied]
        if tied:
            found.append(
                _("%(names)s: equal on all tie-breaks; decide who gets “%(things)s”.")
                % {"names": "; ".join(tied), "things": ", ".join(of.category.things)}
            )
        amounts = of.category.amounts
        if list(amounts) != sorted(amounts, reverse=True):
            found.append(
                _("In “%(category)s” a lower place has the higher prize.")
                % {"category": of.heading}
            )
    return found


def _name(prizes: PrizeList, tpn: TPN) -> str:
    return _numbered((prizes.entries or {})[tpn])


def _numbered(player: Entry | Winner) -> str:
    return f"{player.name} ({player.tpn})" if player.is_namesake else player.name


@register.filter
def names_of(members: Iterable[TPN], prizes: PrizeList) -> str:
    """Return the names of the players of a team."""
    return "; ".join(_name(prizes, tpn) for tpn in members)
