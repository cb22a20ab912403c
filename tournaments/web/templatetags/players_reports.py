"""Template filters for the players' reports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django import template
from django.utils.translation import gettext_lazy as _

from pairing.rounds.players_reports import NOTHING, Reported, ReportedBy
from pairing.rounds.round_page import GameLine
from tournaments.web.templatetags.results import result_short

register = template.Library()

REPORT_WORDS: Final = {
    ReportedBy.WHITE: _("reported %r (White)"),
    ReportedBy.BLACK: _("reported %r (Black)"),
    ReportedBy.BOTH: _("reported %r (both)"),
    ReportedBy.DIFFERENT: _("reports differ"),
}
"""``%r`` is the result. They are short: they are in the column of the results."""


@register.filter
def of_game(reports: Mapping[int, Reported], game_id: int) -> Reported:
    """Return what the players of a game report."""
    return (reports or {}).get(game_id, NOTHING)


@register.simple_tag
def game_label(game: GameLine) -> str:
    """Return the board of a game for a list, with the number of the game in a match: ``4/2``."""
    return f"{game.board}/{game.number}" if game.number else str(game.board)


@register.filter
def report_words(reported: Reported) -> str:
    """Return in words what the players of a game report; empty for nothing."""
    words = REPORT_WORDS.get(reported.by)
    return str(words).replace("%r", result_short(reported.result)) if words else ""
