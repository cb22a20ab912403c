"""Cut the lists of a screen into pages that fit it: no line is ever on two of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Any, Final

from tournaments.models import Screen, ScreenContent, ScreenSize
from tournaments.web.screens.listings import (
    LISTS,
    Listing,
    Source,
    awards,
    found_by,
    listings,
    times_of,
)

ROWS: Final[Mapping[str, int]] = {
    ScreenSize.AUTOMATIC: 20,
    ScreenSize.SMALL: 30,
    ScreenSize.NORMAL: 20,
    ScreenSize.LARGE: 15,
    ScreenSize.HUGE: 10,
}
"""The lines of half a page. A page is two halves: the left and the right of a wide screen, the
upper and the lower of a high one."""
PAGES_IN_LARGE: Final = 2
"""The most pages of a list for which the automatic size is large: nobody waits long for the next."""
SHORT_LINES: Final = frozenset({"names", "missing"})
SHORT_ENOUGH_FOR_TWO: Final[Mapping[str, frozenset[str]]] = {
    ScreenSize.LARGE: SHORT_LINES,
    ScreenSize.HUGE: frozenset({"missing"}),
}
"""The lists of which two lines fit next to each other in this type; in smaller type all do."""
ROWS_IN_CSS: Final = (5, 6, 8, 10, 12, 15, 20, 25, 30)
"""The numbers of lines that ``screen.css`` knows: the next one is taken."""
SHORT_NOTICE: Final = 80
LONG_NOTICE: Final = 250


@dataclass(frozen=True, slots=True)
class Half:
    """Half a page, or a whole one: some lines of a list."""

    listing: Listing
    lines: Sequence[Any]


@dataclass(frozen=True, slots=True)
class Slide:
    """A page of a screen: ``number`` of ``of`` pages about the same; ``about`` names what it shows.

    ``rows`` are the lines for which it has room.
    """

    kind: str
    about: str
    title: str = ""
    halves: tuple[Half, ...] = ()
    rows: int = 0
    number: int = 1
    of: int = 1
    is_side_by_side: bool = False
    content: Mapping[str, Any] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The title, or else the name of the content."""
        return self.title or str(ScreenContent(self.kind).label)

    @property
    def template(self) -> str:
        return f"screens/_{'boards' if self.kind == 'results' else self.kind}.html"


def slides_of(screen: Screen, sources: Sequence[Source]) -> list[Slide]:
    """Return the pages of *screen*: at least one, which has the clock if there is nothing else, and
    only one if an arbiter turns them at the desk.
    """
    found = pages_of(screen, sources)
    if found and screen.page_now:
        found = [found[min(screen.page_now, len(found)) - 1]]
    return found or [Slide("clock", "empty", content=_clock(sources))]


def pages_of(screen: Screen, sources: Sequence[Source]) -> list[Slide]:
    """Return all pages of what *screen* shows now, also while an arbiter turns them."""
    wanted = [screen.shown_now] if screen.shown_now else screen.contents
    return [slide for kind in wanted for slide in _of_kind(screen, sources, kind)]


def found_slides(screen: Screen, sources: Sequence[Source], letter: str) -> list[Slide]:
    """Return the pages with the players whose names begin with *letter*."""
    return list(_of_lists(screen, found_by(sources, letter)))


def _of_kind(screen: Screen, sources: Sequence[Source], kind: str) -> Iterator[Slide]:
    if kind in LISTS:
        yield from _of_lists(screen, listings(screen, sources, kind))
    elif kind == ScreenContent.CLOCK:
        yield Slide("clock", "clock", content=_clock(sources))
    elif kind == ScreenContent.NOTICE and screen.notice:
        length = len(screen.notice)
        size = "short" if length <= SHORT_NOTICE else "long" if length > LONG_NOTICE else "usual"
        yield Slide("notice", f"notice-{screen.version}", content={"size": size})
    elif kind == ScreenContent.PRIZES:
        found = [award for source in sources for award in awards(source)]
        for number, award in enumerate(found, start=1):
            yield Slide("prizes", "prizes", number=number, of=len(found), content=award)


def _clock(sources: Sequence[Source]) -> dict[str, Any]:
    return {"times": [times_of(source) for source in sources]}


def _of_lists(screen: Screen, found: Sequence[Listing]) -> Iterator[Slide]:
    if not screen.are_side_by_side:
        for listing in found:
            yield from _pages(screen, listing)
        return
    for first, second in zip(found[::2], [*found[1::2], None], strict=False):
        yield from _pages(screen, first) if second is None else _pairs(screen, first, second)


def _pages(screen: Screen, listing: Listing) -> Iterator[Slide]:
    size = _size(screen, listing)
    rows = ROWS[size]
    has_two = listing.kind in SHORT_ENOUGH_FOR_TWO.get(size, LISTS)
    # So few lines are larger in the whole width: two names on a line, or one.
    has_two = has_two and len(listing.lines) > (8 if listing.kind in SHORT_LINES else 15)
    pages = cut(listing.lines, rows * (1 + has_two))
    title = " · ".join(filter(None, (listing.label, listing.title)))
    for number, lines in enumerate(pages, start=1):
        middle = ceil(len(pages[0]) / 2) if has_two else len(lines)
        halves = tuple(Half(listing, part) for part in (lines[:middle], lines[middle:]) if part)
        yield Slide(
            listing.kind, listing.about, title, halves, _rows(pages, has_two), number, len(pages)
        )


def _size(screen: Screen, listing: Listing) -> str:
    """Return the size of a list in the whole width."""
    if screen.size != ScreenSize.AUTOMATIC:
        return screen.size
    on_a_page = ROWS[ScreenSize.LARGE] * (1 + (listing.kind in SHORT_LINES))
    is_short = len(listing.lines) <= PAGES_IN_LARGE * on_a_page
    return ScreenSize.LARGE if is_short else ScreenSize.NORMAL


def _pairs(screen: Screen, first: Listing, second: Listing) -> Iterator[Slide]:
    """Yield the pages of two lists side by side; the shorter one begins again."""
    both = [(listing, cut(listing.lines, ROWS[screen.size])) for listing in (first, second)]
    most = max(len(pages) for _, pages in both)
    for number in range(most):
        yield Slide(
            first.kind,
            f"{first.about} {second.about}",
            halves=tuple(Half(listing, pages[number % len(pages)]) for listing, pages in both),
            rows=max(_rows(pages, False) for _, pages in both),
            number=number + 1,
            of=most,
            is_side_by_side=True,
        )


def cut(lines: Sequence[Any], most: int) -> list[Sequence[Any]]:
    """Cut *lines* into as few pages of at most *most* lines as possible, equally long."""
    pages = ceil(len(lines) / most)
    length = ceil(len(lines) / pages)
    return [lines[start : start + length] for start in range(0, len(lines), length)]


def _rows(pages: Sequence[Sequence[Any]], has_two: bool) -> int:
    lines = ceil(len(pages[0]) / 2) if has_two else len(pages[0])
    return next(rows for rows in ROWS_IN_CSS if rows >= lines)
