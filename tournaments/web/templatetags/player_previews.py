"""What a message with a link to a player's page shows: rank, prizes, and the next board."""

from __future__ import annotations

from collections.abc import Iterator

from django import template
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from tournaments.core.frame import Frame
from tournaments.standings.player import NextSeat, PlayerPage
from tournaments.web.templatetags.labels import bye_label
from tournaments.web.templatetags.numbers import points
from tournaments.web.templatetags.reports import money

register = template.Library()


@register.simple_tag
def player_preview(page: PlayerPage, frame: Frame) -> str:
    """Return the state of the player in one line, as everybody may read it."""
    return " · ".join(_parts(page, frame)) or frame.tournament.name


def _parts(page: PlayerPage, frame: Frame) -> Iterator[str]:
    if page.next_seat is not None:
        yield _next(page.next_seat)
    if page.rank and page.prospect is not None:
        values = {"rank": page.rank, "n": page.prospect.players, "points": points(page.points)}
        if frame.tournament.final_at:
            yield _("Final rank %(rank)s of %(n)s, points: %(points)s") % values
        else:
            values["round"] = page.after_round
            yield _("Rank %(rank)s of %(n)s after round %(round)s, points: %(points)s") % values
        for prize in page.prospect.prizes if frame.is_over else ():
            sum_of_money = f"{money(prize.amount)} {page.prospect.currency}" if prize.amount else ""
            yield " ".join(filter(None, (sum_of_money, prize.thing, f"({prize.heading})")))


def _next(place: NextSeat) -> str:
    values = {"n": place.round_number, "board": place.board, "name": place.opponent}
    if place.bye:
        return f"{_('Round %(n)s') % values}{_(':')} {bye_label(place.bye)}"
    if not place.board:
        return f"{_('Round %(n)s') % values}{_(':')} {capfirst(_('no game'))}"
    if place.colour == "w":
        return _("Round %(n)s: board %(board)s, White, against %(name)s") % values
    return _("Round %(n)s: board %(board)s, Black, against %(name)s") % values
