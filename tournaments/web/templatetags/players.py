"""Template tags for a player in one line."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Protocol
from unicodedata import bidirectional

from django import template
from django.urls import get_script_prefix, reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from tournaments.standings.player import NextSeat
from tournaments.web.templatetags.flags import flag as picture
from tournaments.web.templatetags.labels import bye_label

register = template.Library()


class HasName(Protocol):
    """A player of any page; those with ``rating`` have one too."""

    @property
    def tpn(self) -> int | None: ...
    @property
    def title(self) -> str: ...
    @property
    def name(self) -> str: ...


@register.simple_tag
def player_line(player: HasName | None, rating: bool = False, flag: bool = False) -> SafeString:
    """Return number, title and name of *player*, and *rating* and *flag*; or nothing.

    A page has hundreds of them: a template for each line took a quarter of the time of a draft of
    150 boards.
    """
    if not player:
        return SafeString()
    needed = " needed" if getattr(player, "is_namesake", False) else ""
    rated = getattr(player, "rating", None) if rating else None
    # One call for the line: each has a price for itself.
    parts = (
        f'<span class="tpn{needed}">{{tpn}}</span> ' if player.tpn else "",
        "{flag}" if flag else "",
        '<span class="title">{title}</span> ' if player.title else "",
        "{name}",
        ' <span class="rating">{rating}</span>' if rated else "",
    )
    return format_html(
        "".join(parts),
        tpn=player.tpn,
        flag=picture(getattr(player, "federation", "")) if flag else "",
        title=player.title,
        name=isolated(player.name),
        rating=rated,
    )


@register.simple_tag
def withdrawal(number: int, total: int) -> str:
    """Return from which round a player of an event of *total* rounds is withdrawn:
    *number*, or during the last one.
    """
    if number > total:
        return gettext("withdrawn during the last round")
    return gettext("withdrawn from round %(n)s") % {"n": number}


class MayBeNamesake(HasName, Protocol):
    """A player who knows whether another player has the same name."""

    @property
    def is_namesake(self) -> bool: ...


@register.filter
def distinct_name(player: MayBeNamesake) -> SafeString:
    """Return the name of *player*; after the number, if another player has the same name."""
    if player.is_namesake and player.tpn:
        return numbered(player.tpn, player.name)
    return format_html("{}", isolated(player.name))


@register.filter
def fide_profile(fide_id: int) -> str:
    """Return the address of the page of a player at FIDE."""
    return f"https://ratings.fide.com/profile/{fide_id}"


@register.filter
def numbered(tpn: int, name: str) -> SafeString:
    """Return *name* after its number *tpn*, also where pages leave numbers out:
    another player has the same name.
    """
    return format_html('<span class="tpn needed">{}</span> {}', tpn, isolated(name))


@register.simple_tag
def entry_url(name: str, slug: str, *numbers: int) -> SafeString:
    """Return the address of a page of an entry, whose id is the last of *numbers*.

    As ``{% url name slug … entry_id %}`` for a tenth of its time.
    """
    *others, entry_id = numbers
    return address_in(entry_id, addresses(name, slug, *others))


@register.simple_tag
def addresses(name: str, slug: str, *numbers: int) -> tuple[str, str]:
    """Return the addresses of a page of every entry, or board: what is before and after its number.

    A long list asks once for them; :func:`address_in` makes that of each line.
    """
    return _around(name, slug, numbers, get_script_prefix())


@register.filter
def address_in(number: int, found: tuple[str, str]) -> SafeString:
    """Return that of the addresses *found* by :func:`addresses` which ends with *number*."""
    before, after = found
    return SafeString(f"{before}{number}{after}")


_ENTRY: Final = 907_199_254_740_991_907
"""No entry has this number."""


@lru_cache(1000)
def _around(name: str, slug: str, numbers: tuple[int, ...], prefix: str) -> tuple[str, str]:
    """Return the text around the last number of an address; *prefix*: where the site is."""
    before, number, after = reverse(name, args=[slug, *numbers, _ENTRY]).partition(str(_ENTRY))
    assert number, name
    return escape(before), escape(after)


@register.filter
def announcement(place: NextSeat) -> str:
    """Return what the phone of the player says when the round is published."""
    values = {"n": place.round_number, "board": place.board}
    if place.bye:
        return gettext("Round %(n)s is published: %(bye)s") % {
            **values,
            "bye": bye_label(place.bye),
        }
    if not place.board:
        return gettext("Round %(n)s is published: you have no game") % values
    if place.colour == "w":
        message = gettext("Round %(n)s is published: board %(board)s, White") % values
    else:
        message = gettext("Round %(n)s is published: board %(board)s, Black") % values
    return (
        message
        if place.table == place.board
        else f"{message}, {gettext('table %(n)s') % {'n': place.table}}"
    )


@register.filter
def isolated(name: str) -> str:
    """Return *name*, isolated from the text around it if it is written from right to left."""
    return format_html("<bdi>{}</bdi>", name) if _runs_to_the_left(name) else name


def _runs_to_the_left(name: str) -> bool:
    """Return whether *name* has letters as of Arabic, which would move the rating."""
    return not name.isascii() and any(bidirectional(letter) in ("R", "AL") for letter in name)
