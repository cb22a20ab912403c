"""The rounds of one player as rows of a table: six hundred tables are made with each publication."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from django import template
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from pairing.engine.model import Result
from pairing.rounds.open_games import OpenGame
from tournaments.models import GameResult
from tournaments.standings.crosstable import Cell
from tournaments.standings.player import RoundOfPlayer
from tournaments.templatetags.numbers import moment_at, points
from tournaments.templatetags.players import entry_url, numbered
from tournaments.templatetags.reports import made_long, made_short, no_opponent
from tournaments.templatetags.results import in_a_match, piece_and_name, result_long

register = template.Library()

_ROW = """
<tr>
  <th scope="row" class="number">{}</th>
  <td class="number hide-narrow">{}</td>
  <td class="colour">{}</td>
  <td>{}</td>
  <td class="number hide-narrow muted">{}</td>
  <td>{}</td>
  <td class="number points">{}</td>
</tr>"""


@register.simple_tag
def rounds_of_player(rounds: Sequence[RoundOfPlayer], slug: str) -> SafeString:
    """Return a row for each of *rounds*: round, board, colour, opponent, rating, result, and the points after it.

    A function instead of a template, because it takes a tenth of the time.
    """
    language = get_language() or ""
    rows = (_row(line, slug, language) for line in rounds)
    return mark_safe("".join(rows))  # noqa: S308 - every part of a row is escaped


def _row(line: RoundOfPlayer, slug: str, language: str) -> str:
    cell = line.cell
    if cell.opponent and cell.opponent_id:
        name = numbered(cell.opponent, cell.opponent_name) if cell.met_namesake else escape(cell.opponent_name)
        other = f'<a href="{entry_url("player-page", slug, cell.opponent_id)}">{name}</a>'
    else:
        other = _no_opponent(cell.result, cell.is_before_entry, language)
    if line.adjourned:
        other += f' <span class="small muted game-date">{_adjourned(line.adjourned)}</span>'
    return _ROW.format(
        cell.round_number,
        "–" if line.board is None else line.board,
        _colour(cell.colour, language),
        other,
        line.opponent_rating or "–",
        _result(cell.result, cell.second, cell.points, cell.games, cell.is_before_entry, language),
        points(line.total),
    )


def _adjourned(games: Sequence[OpenGame]) -> str:
    """Return that a game is adjourned, its date and its place, as far as they are known; of a match perhaps both."""
    word = result_long(GameResult.ADJOURNED)
    said = (" · ".join(filter(None, (word, moment_at(game.starts_at, game.place)))) for game in games)
    return escape("; ".join(map(in_a_match, games, said)))


@lru_cache(10)
def _colour(colour: str, language: str) -> str:
    return piece_and_name(colour) if colour else ""


@lru_cache(100)
def _no_opponent(result: Result, is_before_entry: bool, language: str) -> str:
    seen = Cell(0, None, None, None, "", "", result, None, 0, 1, is_before_entry)
    return format_html('<span class="muted">{}</span>', no_opponent(seen))


@lru_cache(500)
def _result(
    result: Result, second: Result | None, tenths: int, games: int, is_before_entry: bool, language: str
) -> str:
    seen = Cell(0, None, None, None, "", "", result, second, tenths, games, is_before_entry)
    return format_html('<abbr title="{}">{}</abbr>', made_long(seen), made_short(seen))
