"""A draft of more than 200 boards, arranged in parts; players can change between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic

from tournaments.web.rounds.board_parts import (
    MOST_NAMED,
    BoardPart,
    Row,
    fitting,
    nearest_part,
    part_with,
)


@dataclass(frozen=True, slots=True)
class PartRequest:
    """What the address asks for: a part, or the boards that fit the words of a search."""

    page: str = ""
    find: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """A link to part ``page`` of the draft."""

    label: str
    page: int
    url: str


@dataclass(frozen=True, slots=True)
class BoardLink(Generic[Row]):
    """A board, with the address of its row."""

    row: Row
    url: str


@dataclass(frozen=True, slots=True)
class SwapParts(Generic[Row]):
    """What the page of ``part``, with the number ``page``, says about the others.

    ``find`` is the address of the search and ``sent`` what it sends besides the words. ``only`` is
    the only board that fits, ``found`` are several; ``finds_nothing``: none does. ``changed`` are
    changed boards of other parts.
    """

    part: BoardPart
    links: tuple[Link, ...]
    find: str
    sent: tuple[tuple[str, str], ...] = ()
    found: tuple[BoardLink[Row], ...] = ()
    changed: tuple[BoardLink[Row], ...] = ()
    only: BoardLink[Row] | None = None
    finds_nothing: bool = False

    @property
    def page(self) -> int:
        return self.part.number


@dataclass(frozen=True, slots=True)
class Search(Generic[Row]):
    """The rows that fit the words of a search: ``words`` are empty if nobody searches."""

    words: str
    found: Sequence[Row]

    @property
    def only(self) -> int | None:
        """The board, if only one fits."""
        return self.found[0].board if len(self.found) == 1 else None


def shown_part(
    rows: Sequence[Row], requested: PartRequest, *, last: int, mark: int | None = None
) -> tuple[BoardPart, Search[Row]]:
    """Return the part of the *last* boards to show, and what a search has found in all of them.

    It is the part of the only board that fits, or the one *requested* for, or that of the player
    *mark* (entry id).
    """
    words = requested.find.strip()
    search = Search(words, fitting(rows, words) if words else [])
    board = search.only
    if board is None and not requested.page:
        board = next(
            (row.board for row in rows if mark in (row.white.entry_id, row.black.entry_id)), None
        )
    return part_with(board, last) if board is not None else nearest_part(
        requested.page, last
    ), search


def swap_parts(
    part: BoardPart,
    place: Callable[[int], str],
    find: str,
    *,
    sent: Iterable[tuple[str, str]] = (),
    search: Search[Row] | None = None,
    changed: Iterable[Row] = (),
) -> SwapParts[Row] | None:
    """Return what the page of *part* says about the others; None if there is only this part.

    *place* returns the address of the row of a board, *find* is the address of the search.
    """
    if not part.is_long:
        return None
    links = tuple(
        Link(f"{first}–{last}", number, place(first).partition("#")[0])
        for number, first, last in part.pages
    )
    search = search or Search("", ())
    found = [BoardLink(row, place(row.board)) for row in search.found[: 2 * MOST_NAMED]]
    is_one = search.only is not None
    return SwapParts(
        part,
        links,
        find,
        tuple(sent),
        found=() if is_one else tuple(found),
        changed=tuple(
            BoardLink(row, place(row.board)) for row in changed if row.board not in part.boards
        ),
        only=found[0] if is_one else None,
        finds_nothing=bool(search.words) and not found,
    )
