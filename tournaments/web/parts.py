"""Long lists in parts: pages of 200 lines with an index, not too large for a phone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from django.core.paginator import Page, Paginator
from django.http import Http404

from pairing.rules.names import fold
from tournaments.web.public_page import page_number

Line = TypeVar("Line")

PART: Final = 200
"""A list with more lines is shown in parts."""
ELEMENTS: Final = 2_750
"""So many elements of a page may belong to its list; 3,000 are the most for a whole page."""
WHOLE: Final = "all"
"""The value of ``page`` for the whole list, which an arbiter prints."""


@dataclass(frozen=True, slots=True)
class Pointer:
    """A link of the index: to the line with the id *anchor* on page *page*."""

    label: str
    page: int
    anchor: str

    @property
    def requested(self) -> int | None:
        """The value of ``page`` in the address; None for the first page."""
        return self.page if self.page > 1 else None


@dataclass(frozen=True, slots=True)
class Part(Generic[Line]):
    """The ``lines`` of one page of a list of ``count`` lines, with ``size`` on each page.

    A list of up to ``whole`` lines is one page, whatever the size.
    """

    lines: Sequence[Line]
    count: int
    size: int
    requested: str
    """The value of ``page`` in the address; empty for the first page."""
    index: tuple[Pointer, ...] = ()
    whole: int = PART

    @property
    def is_long(self) -> bool:
        """Whether the list has more than one page, even if all of it is shown."""
        return _is_long(self.count, self.size, self.whole)

    @property
    def has_room(self) -> bool:
        """Whether the list is so short that two flags in each line fit into :data:`ELEMENTS`."""
        return self.count <= PART // 2

    @property
    def number(self) -> int:
        """The number of the page; 0 for the whole list."""
        return 0 if self.requested == WHOLE or not self.is_long else int(self.requested or 1)

    @property
    def pages(self) -> list[tuple[int, int, int]]:
        """Number, first and last line of each page."""
        firsts = range(0, self.count, self.size)
        return [
            (page, first + 1, min(first + self.size, self.count))
            for page, first in enumerate(firsts, start=1)
        ]

    @property
    def is_last(self) -> bool:
        return self.number in (0, len(self.pages))


def requested_page(text: str) -> str:
    """Read the parameter ``page``: a number from 2 on, or ``all``; the first page has none."""
    return WHOLE if text == WHOLE else page_number(text)


def rows_of(count: int, requested: str, *, size: int = PART, whole: int = PART) -> slice:
    """Return the rows of the page *requested* of a list of *count* rows.

    Raise Http404 if there is no such page.
    """
    if requested == WHOLE or not _is_long(count, size, whole):
        if requested not in ("", WHOLE):
            raise Http404
        return slice(0, count)
    first = (int(requested or 1) - 1) * size
    if first >= count:
        raise Http404
    return slice(first, first + size)


def part_of(
    lines: Sequence[Line],
    requested: str,
    *,
    size: int = PART,
    whole: int = PART,
    label: Callable[[Line], str] = lambda line: "",
    anchor: Callable[[Line], str] = lambda line: "",
) -> Part[Line]:
    """Return the page *requested* (:func:`requested_page`) of *lines*;
    up to *whole* are one page, else each has *size*.

    The index of a long list has the first line of each *label*; *anchor* is the id of its row.
    Raise Http404 if there is no such page.
    """
    index: dict[str, Pointer] = {}
    if _is_long(len(lines), size, whole):
        for row, line in enumerate(lines):
            name = label(line)
            if name and name not in index:
                index[name] = Pointer(name, row // size + 1, anchor(line))
    return Part(
        lines[rows_of(len(lines), requested, size=size, whole=whole)],
        len(lines),
        size,
        requested,
        tuple(index.values()),
        whole,
    )


def part_that_is(
    lines: Sequence[Line],
    requested: str,
    *,
    label: Callable[[Line], str] = lambda line: "",
    anchor: Callable[[Line], str] = lambda line: "",
) -> Part[Line]:
    """Return *requested* as :func:`part_of`, or the last part of a shorter list."""
    last = max(1, -(-len(lines) // PART))
    if requested not in ("", WHOLE) and int(requested) > last:
        requested = str(last) if last > 1 else ""
    return part_of(lines, requested, label=label, anchor=anchor)


def numbered_page(lines: Sequence[Line], requested: str, *, size: int) -> Page[Line]:
    """Return the page *requested* of *lines*, with *size* of them; ``all``: one page.

    A number that does not exist is the nearest page.
    """
    return Paginator(lines, max(1, len(lines)) if requested == WHOLE else size).get_page(requested)


def first_letter(name: str) -> str:
    """Return the letter under which *name* is found: ``Łukasiewicz`` is under L."""
    return fold(name)[:1].upper()


def _is_long(count: int, size: int, whole: int = PART) -> bool:
    return count > max(size, whole)
