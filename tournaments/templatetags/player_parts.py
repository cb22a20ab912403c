"""What is a player's own on the player's page: six hundred of each part are made with each publication.

Functions instead of templates, because they take a tenth of the time, while nobody else may write.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

from django import template
from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.timezone import localtime
from django.utils.translation import get_language, gettext, ngettext

from tournaments.core.frame import Frame
from tournaments.standings.player import ComingRound, NextSeat, PlayerPage
from tournaments.templatetags.labels import bye_label, source_label
from tournaments.templatetags.numbers import moment, moment_at, point_count, points
from tournaments.templatetags.players import entry_url, numbered
from tournaments.templatetags.results import in_a_match, piece

register = template.Library()


class HasSeat(Protocol):
    """A place of a player in a round, at a board."""

    @property
    def board(self) -> int | None: ...
    @property
    def table(self) -> int | None: ...
    @property
    def colour(self) -> str: ...


@register.simple_tag
def facts_of_player(page: PlayerPage, frame: Frame) -> SafeString:
    """Return number, rating, federation and club of a player, and whether the player withdrew."""
    entry = page.entry
    facts = [gettext("number (TPN) %(tpn)s") % {"tpn": entry.tpn}]
    if entry.rating:
        rating = gettext("rating %(rating)s") % {"rating": entry.rating}
        is_other = entry.rating_source and entry.rating_source != "fide"
        facts.append(f"{rating} ({source_label(entry.rating_source, frame.tournament)})" if is_other else rating)
    facts += [escape(fact) for fact in (entry.federation, entry.club) if fact]
    if entry.withdrawn_from:
        facts.append(gettext("withdrawn"))
    return mark_safe(" · ".join(facts))  # noqa: S308 - every part is escaped


@register.simple_tag
def seat(place: HasSeat, separator: str = "", is_of_matches: bool = False) -> SafeString:
    """Return board, table if it has another number, and colour of a *place*."""
    board = gettext("Board %(n)s") % {"n": place.board}
    return mark_safe(f"{board}{_table(place)} {separator} {_colour(place.colour, is_of_matches, get_language() or '')}")  # noqa: S308


def _table(place: HasSeat) -> str:
    if place.table == place.board:
        return ""
    return ", " + gettext("table %(n)s") % {"n": place.table}


@lru_cache(20)
def _colour(colour: str, is_of_matches: bool, language: str) -> str:
    name = gettext("White") if colour == "w" else gettext("Black")
    seen = f'<span class="nowrap">{piece(colour, beside_name=True)} {name}</span>'
    first = gettext("in the first game")
    return f'{seen} <span class="muted small">{first}</span>' if is_of_matches else seen


@register.simple_tag
def next_place(page: PlayerPage, frame: Frame) -> SafeString:
    """Return the player's next board or bye, or the time of the coming round; nothing if there is neither."""
    if page.next_seat:
        return mark_safe(_next_seat(page, page.next_seat, frame))  # noqa: S308 - every part is escaped
    return mark_safe(_coming(page.coming)) if page.coming else SafeString()  # noqa: S308


_PANEL = """
<section class="panel my-board next-board" aria-label="{label}"{data}>
  <p>{round}</p>
  {inside}
</section>"""


def _coming(coming: ComingRound) -> str:
    number = gettext("Round %(n)s") % {"n": coming.number}
    begins = gettext("play begins %(at)s") % {"at": moment(localtime(coming.starts_at))}
    return _PANEL.format(label=gettext("Next round"), data="", round=number, inside=f'<p class="when">{begins}</p>')


def _next_seat(page: PlayerPage, place: NextSeat, frame: Frame) -> str:
    if place.board:
        inside = _board(page, place, frame)
    else:
        where = capfirst(bye_label(place.bye)) if place.bye else gettext("No game in this round")
        inside = f'<p class="where">{where}</p>'
    data = f' data-entry="{page.entry.pk}" data-said="{announcement(place)}"'
    number = gettext("Round %(n)s") % {"n": place.round_number}
    return _PANEL.format(label=gettext("Next board"), data=data, round=number, inside=inside)


def _board(page: PlayerPage, place: NextSeat, frame: Frame) -> str:
    slug = frame.tournament.slug
    shown = numbered(place.opponent_tpn, place.opponent) if place.opponent_tpn else escape(place.opponent)
    other = f'<a href="{entry_url("player-page", slug, place.opponent_id or 0)}">{shown}</a>'
    against = gettext("against")
    lines = [f'<p class="where">{seat(place, is_of_matches=frame.is_of_matches)}</p>', f"<p>{against} {other}</p>"]
    if begins := _begins(place):
        lines.append(f'<p class="when">{begins}</p>')
    if frame.tournament.explanations_public:
        why, question = reverse("why-public", args=[slug, place.round_number]), gettext("Why this opponent?")
        link = f'<a class="alone" href="{why}?player={page.entry.tpn}">{question}</a>'
        lines.append(f'<p class="small only-screen">{link}</p>')
    return "\n  ".join(lines)


def _begins(place: NextSeat) -> str:
    """Return when the round begins; of a game with a date of its own, its date and place."""
    at = [in_a_match(game, moment_at(game.starts_at, game.place)) for game in place.dated]
    if place.starts_at and all(game.number == 2 for game in place.dated):
        at.insert(0, moment(localtime(place.starts_at)))
    return "; ".join(escape(gettext("play begins %(at)s") % {"at": said}) for said in at)


def announcement(place: NextSeat) -> str:
    """Return what the phone of the player says when the round is published."""
    values = {"n": place.round_number, "board": place.board}
    if place.bye:
        return gettext("Round %(n)s is published: %(bye)s") % {**values, "bye": bye_label(place.bye)}
    if not place.board:
        return gettext("Round %(n)s is published: you have no game") % values
    if place.colour == "w":
        said = gettext("Round %(n)s is published: board %(board)s, White") % values
    else:
        said = gettext("Round %(n)s is published: board %(board)s, Black") % values
    return said + _table(place)


@register.simple_tag
def rank_of_player(page: PlayerPage) -> SafeString:
    """Return the place and the points of a player after the last results; nothing before the first."""
    if not page.rank:
        return SafeString()
    said = ngettext(
        "After round %(n)s: rank %(rank)s with %(points)s point.",
        "After round %(n)s: rank %(rank)s with %(points)s points.",
        point_count(page.points),
    )
    values = {"n": page.after_round, "rank": page.rank, "points": points(page.points)}
    return mark_safe(f"<p>{said % values}</p>")  # noqa: S308 - numbers
