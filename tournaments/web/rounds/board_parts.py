"""The boards of a large round in parts of 200: work on one, search through all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypedDict, TypeVar
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from pairing.rounds.round_page import BoardLine, PlayerLine, RoundPage, find_players
from tournaments.models import Game, GameResult, Role, Tournament
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.public_page import page_number
from tournaments.web.templatetags.board_links import BOARDS_IN_PART as PART, board_link

MOST_NAMED: Final = 8
"""At most so many boards of other parts are named; a search names at most twice as many."""


class Board(Protocol):
    """A board with its players, as a page shows it."""

    @property
    def board(self) -> int: ...
    @property
    def white(self) -> PlayerLine: ...
    @property
    def black(self) -> PlayerLine: ...


Row = TypeVar("Row", bound=Board)


@dataclass(frozen=True, slots=True)
class BoardPart:
    """The part ``number``, from 1, of a round up to board ``last``: 200 in each."""

    number: int
    last: int

    @property
    def is_long(self) -> bool:
        """Whether the round has more than one part."""
        return self.last > PART

    @property
    def count(self) -> int:
        """The number of all boards."""
        return self.last

    @property
    def boards(self) -> range:
        first = (self.number - 1) * PART + 1
        return range(first, min(first + PART - 1, self.last) + 1)

    @property
    def pages(self) -> list[tuple[int, int, int]]:
        """Number, first and last board of each part."""
        firsts = range(1, self.last + 1, PART)
        return [
            (page, first, min(first + PART - 1, self.last))
            for page, first in enumerate(firsts, start=1)
        ]

    @property
    def query(self) -> str:
        """What the addresses that belong to this page end with; empty if all boards are on it."""
        return f"?page={self.number}" if self.is_long else ""


class Place(TypedDict):
    """A game of another part, with the address of its row."""

    label: str
    url: str


class Elsewhere(TypedDict):
    """The games of the other parts: how many have a result, and the sum of their versions.

    ``open`` are the first games that still wait for a result, ``more`` counts the others, and
    ``next`` is the address of the next one after this part, empty if there is none.
    """

    entered: int
    versions: int
    open: list[Place]
    more: int
    next: str


@dataclass(frozen=True, slots=True)
class GameState:
    """The state of a game; ``number`` is its number in a match, None if a round is one game."""

    board: int
    number: int | None
    result: str
    version: int

    @property
    def label(self) -> str:
        return str(self.board) if self.number is None else f"{self.board}/{self.number}"

    @property
    def place(self) -> str:
        """The end of an address of the round, which leads to the row of the game."""
        return board_link(self.board, self.number)


def boards_address(request: HtmxHttpRequest, tournament: Tournament, number: int) -> str:
    """Return the page on which this person enters the results of round *number*."""
    name = "round-results" if request.role is Role.RESULT_DESK else "round"
    return reverse(name, args=[tournament.slug, number])


def part_with(board: int, last: int) -> BoardPart:
    """Return the part of the *last* boards with *board*."""
    return BoardPart((board - 1) // PART + 1, last)


def board_part(requested: str, last: int) -> BoardPart:
    """Return the part *requested* of the boards up to *last*; the first for an empty text.

    Raise Http404 if there is no such part.
    """
    number = int(page_number(requested) or 1)
    if number > 1 and (number - 1) * PART >= last:
        raise Http404
    return BoardPart(number, last)


def same_part(address: str, request: HtmxHttpRequest) -> str:
    """Return *address* with what *request* says about the part of the boards or its search."""
    requested = {name: request.GET[name] for name in ("page", "find") if name in request.GET}
    return f"{address}?{urlencode(requested)}" if requested else address


def nearest_part(requested: str, last: int) -> BoardPart:
    """Return the part *requested* as :func:`board_part`, or the last if there are fewer now."""
    return BoardPart(min(int(page_number(requested) or 1), max(1, -(-last // PART))), last)


def part_of_round(
    request: HtmxHttpRequest, boards: RoundPage, *, board: int | None = None
) -> BoardPart:
    """Return the part of the round with *board*, or that of ``?page=`` in *request*."""
    last = boards.boards[-1].board if boards.boards else 0
    return part_with(board, last) if board else board_part(request.GET.get("page", ""), last)


def elsewhere(
    part: BoardPart, games: Iterable[GameState], address: str, *, is_past: bool = False
) -> Elsewhere | None:
    """Return what the page of *part* says about the *games* of all other parts;
    None if there is only this part.

    *address* is that of the first part. With *is_past* the results are published: only adjourned
    games wait.
    """
    if not part.is_long:
        return None
    others = [game for game in games if game.board not in part.boards]
    waiting = GameResult.ADJOURNED if is_past else GameResult.NOT_YET
    missing = [game for game in others if game.result == waiting]
    following = next(
        (game for game in missing if game.board > part.boards[-1]), missing[0] if missing else None
    )
    return Elsewhere(
        entered=len(others) - len(missing),
        versions=sum(game.version for game in others),
        open=[Place(label=game.label, url=address + game.place) for game in missing[:MOST_NAMED]],
        more=max(0, len(missing) - MOST_NAMED),
        next=address + following.place if following else "",
    )


def states_of(boards: RoundPage) -> Iterator[GameState]:
    """Return the state of every game of *boards*."""
    return (GameState(game.board, game.number, game.result, game.version) for game in boards.games)


def states_now(round_id: int) -> list[GameState]:
    """Return the state of every game of a round, by board. One query."""
    games = Game.objects.filter(round=round_id).order_by("board", "pk")
    rows = list(games.values_list("board", "first", "result", "version"))
    matches = {board for board, first, _result, _version in rows if first is not None}
    return [
        GameState(board, (1 if first is None else 2) if board in matches else None, result, version)
        for board, first, result, version in rows
    ]


def searched(
    request: HtmxHttpRequest, boards: RoundPage, address: str
) -> tuple[HttpResponse | None, list[BoardLine]]:
    """Answer the search ``?find=`` for a board or name in all parts at *address*.

    One board that fits is a redirect to its row; several are returned for the page to choose from.
    If none fits, a message says so.
    """
    words = request.GET.get("find", "").strip()
    if not words or request.method == "POST":
        return None, []
    found = fitting(boards.boards, words)
    if not found:
        messages.info(request, _("No board of this round fits."))
    if len(found) != 1:
        return None, found[: 2 * MOST_NAMED]
    (line,) = found
    game = next((game for game in line.games if game.result == GameResult.NOT_YET), line.games[0])
    return HttpResponseRedirect(address + board_link(game.board, game.number)), []


def fitting(rows: Sequence[Row], words: str) -> list[Row]:
    """Return the *rows* whose board, or a player's name or number, fits *words*."""
    if words.isascii() and words.isdecimal():
        return [row for row in rows if row.board == int(words)]
    players = find_players([player for row in rows for player in (row.white, row.black)], words)
    found = {player.entry_id for player in players}
    return [row for row in rows if row.white.entry_id in found or row.black.entry_id in found]
