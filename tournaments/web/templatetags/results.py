"""Template filters for results, colours and boards."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from django import template
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, gettext_lazy as _, pgettext_lazy

from pairing.rounds.open_games import OpenGame
from pairing.rounds.round_page import BoardLine
from tournaments.core.messages import listed
from tournaments.models import GameResult
from tournaments.web.templatetags.numbers import colon, moment, moment_at, points

register = template.Library()


_LONG_RESULTS = {
    GameResult.WHITE_WINS: _("White wins"),
    GameResult.DRAW: _("draw"),
    GameResult.BLACK_WINS: _("Black wins"),
    GameResult.BOTH_LOSE: _("both players lose"),
    GameResult.HALF_ZERO: _("half a point for White, none for Black"),
    GameResult.ZERO_HALF: _("half a point for Black, none for White"),
    GameResult.BLACK_FORFEITS: _("White wins by forfeit"),
    GameResult.WHITE_FORFEITS: _("Black wins by forfeit"),
    GameResult.BOTH_FORFEIT: _("double forfeit"),
    GameResult.WHITE_WINS_UNRATED: _("White wins, not rated"),
    GameResult.DRAW_UNRATED: _("draw, not rated"),
    GameResult.BLACK_WINS_UNRATED: _("Black wins, not rated"),
    GameResult.ADJOURNED: _("adjourned"),
    GameResult.NOT_YET: _("no result yet"),
}


# Translators: the letter of a colour beside a board or in a history of colours.
_LETTERS = {"w": pgettext_lazy("letter of White", "w"), "b": pgettext_lazy("letter of Black", "b")}


def colour_letter(colour: str) -> str:
    """Return a colour's letter, small or capital as *colour*: ``b`` is Black."""
    letter = str(_LETTERS[colour.lower()])
    return letter.upper() if colour.isupper() else letter


@register.filter
def history(colours: str) -> str:
    """Return the colours of the games played, a letter each; ``·`` is a round without a game."""
    return _history(colours, get_language())


@lru_cache(1000)
def _history(colours: str, language: str | None) -> str:
    return "".join(colour if colour == "·" else colour_letter(colour) for colour in colours)


@register.filter
def result_short(code: str) -> str:
    """Return a result to write between two names; ``*`` marks a game that is not rated."""
    return GameResult(code).short


@register.filter
def result_long(code: str) -> str:
    """Return a result in words."""
    return str(_LONG_RESULTS[GameResult(code)])


@register.filter
@lru_cache(1000)
def options(choices: tuple[tuple[str, str], ...], chosen: str) -> SafeString:
    """Return *choices*, codes with their labels, as options of a list with *chosen* selected.

    A page has hundreds of lists of fifteen results: each that differs is written once.
    """
    selected = SafeString(" selected")
    return format_html_join(
        "\n",
        '<option value="{}"{}>{}</option>',
        ((code, selected if code == chosen else "", label) for code, label in choices),
    )


@register.simple_tag
def result(code: str) -> SafeString | str:
    """Return a result with its words as a title and for screen readers."""
    if not code:
        return ""
    return format_html('<abbr title="{}">{}</abbr>', result_long(code), result_short(code))


@register.simple_tag
def board_result(line: BoardLine | None) -> SafeString | str:
    """Return the result of a board; of a match score and games, players in the same order."""
    if line is None:
        return ""
    if line.match_points is None or not any(game.result for game in line.games):
        return result(line.result)
    results = (
        (game.result if game.number == 1 else game.result[::-1], game.result) for game in line.games
    )
    games = format_html_join(
        ", ",
        '<abbr title="{}">{}</abbr>',
        ((result_long(own), result_short(shown) or "–") for shown, own in results),
    )
    white, black = line.match_points
    return format_html(
        '<b>{} – {}</b> <span class="games">{}</span>', points(white), points(black), games
    )


def game_name(board: int | str, game: int | None) -> str:
    """Return the *board* of a result, with the number of the *game* for a match."""
    if game is not None:
        return gettext("board %(board)s, game %(game)s") % {"board": board, "game": game}
    return f"{gettext('board')} {board}"


@register.filter
def adjourned_games(games: Iterable[OpenGame]) -> str:
    """Return that a game is adjourned, its date and its place, as far as they are known;
    of a match perhaps both.
    """
    word = result_long(GameResult.ADJOURNED)
    found = (
        " · ".join(filter(None, (word, moment_at(game.starts_at, game.place)))) for game in games
    )
    return "; ".join(map(in_a_match, games, found))


@register.filter
def in_a_match(game: OpenGame, text: str) -> str:
    """Return *text* about *game*, after its number if it is one of a match."""
    return f"{gettext('game %(n)s') % {'n': game.number}}{colon()} {text}" if game.number else text


@register.filter
def named_with_dates(games: Iterable[OpenGame]) -> str:
    """Return open *games*, each with round, board, players, and any date and place."""
    return "; ".join(map(_named_with_date, games))


def _named_with_date(game: OpenGame) -> str:
    number = gettext("game %(n)s") % {"n": game.number} if game.number else ""
    players = f"{game.white.name} – {game.black.name}"
    at = game.starts_at
    date = ", ".join(filter(None, (moment(at and timezone.localtime(at)), game.place)))
    message = " ".join(filter(None, (f"{game.round_number}/{game.board}", number, players)))
    return f"{message} ({date})" if date else message


@register.simple_tag
def piece(colour: str, *, with_name: bool = False) -> SafeString:
    """Return the sign of the colour played: a white disc or a black square.

    It has its name for screen readers, unless the name follows it (``with_name``).
    """
    shape, name = ("white", gettext("White")) if colour == "w" else ("black", gettext("Black"))
    if with_name:
        return format_html('<span class="piece {}" aria-hidden="true"></span>', shape)
    return format_html('<span class="piece {}" role="img" aria-label="{}"></span>', shape, name)


@register.simple_tag
def piece_and_name(colour: str) -> SafeString:
    """Return the sign of the colour played and its name, which is not printed."""
    name = gettext("White") if colour == "w" else gettext("Black")
    return format_html(
        '{} <span class="colour-name">{}</span>', piece(colour, with_name=True), name
    )


@register.filter
def boards(numbers: tuple[int, ...]) -> str:
    """Return board numbers for a sentence: the first twelve, then the number of the others."""
    return listed(numbers)
