"""Answers to searches, made of parts: no name that a visitor types is rendered as a page of its own.

A third of the requests after a publication are searches, each for another name. The first search in a list of a version
renders the page with marks: for the words, and for the lines of each list. Every other search finds its lines, takes
each as it was rendered once, and puts them into that page. The answer is the same, byte for byte, as if the page was
rendered for it. Nothing is kept of what somebody typed.
"""

from __future__ import annotations

import re
import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from threading import Lock
from typing import Any, Final, NamedTuple, TypeAlias, cast
from urllib.parse import quote, quote_plus, urlencode

from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.html import escape
from django.utils.translation import get_language
from django_htmx.middleware import HtmxDetails

from tournaments.templatetags.lines import Lines
from tournaments.web.htmx import HtmxHttpRequest, wants_part

Found: TypeAlias = Mapping[str, Sequence[Any]]
"""The lines for some words, by the name of their list in the template."""
Finder: TypeAlias = Callable[[str], Found]

MOST: Final = 200
"""An answer with more lines in one list is rendered: its list is in parts (:mod:`tournaments.web.parts`)."""
MOST_PAGES: Final = 48
"""So many pages are kept, the latest used last: lists, their order, languages, page or part."""
MOST_LINES: Final = 2_000
"""So many lines are kept for each of them."""
_TYPED: Final = f"typed{secrets.token_hex(8)}"
_IN_ADDRESS: Final = f"address{secrets.token_hex(8)}"
"""Stand for the words in a page, and in its address. Nobody can guess them."""
_MARK: Final = re.compile(rf"(\0[a-z]+\0|{_TYPED}|{_IN_ADDRESS})")


class _TooManyError(Exception):
    """The answer is a list in parts."""


class Search:
    """What a page tells while it is rendered with marks, for the *words* of the first visitor."""

    def __init__(self, words: str) -> None:
        self.words = words
        self.find: Finder | None = None
        self.slots: dict[str, Lines] = {}

    def slot(self, name: str, lines: Lines) -> str:
        """Return the mark for the list *name*, whose lines are rendered by *lines*."""
        self.slots[name] = lines
        return f"\0{name}\0"


def found_by(request: HttpRequest, find: Finder) -> Found:
    """Return what *find* finds for the words of *request*, and let the next search use it.

    *find* belongs to the version and the order of the page, and depends on nothing else. Whatever else the page shows
    may only depend on which of the lists are empty.
    """
    search: Search | None = getattr(request, "search", None)
    if search is None:
        return find(request.GET.get("q", ""))
    found = find(search.words)
    if any(len(lines) > MOST for lines in found.values()):
        raise _TooManyError
    search.find = find
    return found


class _Key(NamedTuple):
    """A page in which somebody searches; ``state`` is the tournament, its public state and the build."""

    state: tuple[object, ...]
    path: str
    parameters: str
    language: str | None
    is_part: bool


@dataclass
class _Page:
    """The kept parts of one page: ``pieces`` by which of its lists are empty."""

    find: Finder
    slots: dict[str, Lines]
    pieces: dict[tuple[bool, ...], tuple[Sequence[str], Mapping[str, str]]] = field(default_factory=dict)
    lines: dict[tuple[str, object], str] = field(default_factory=dict)

    def answer(self, words: str) -> HttpResponse | None:
        """Return the answer for *words*; None if a page like it was not rendered yet, or if it is too long."""
        found = self.find(words)
        known = self.pieces.get(_shape(found))
        if known is None or any(len(lines) > MOST for lines in found.values()):
            return None
        pieces, headers = known
        text = "".join(self._piece(piece, before, words, found) for before, piece in pairwise(["", *pieces]))
        return HttpResponse(text, headers=headers)

    def _piece(self, piece: str, before: str, words: str, found: Found) -> str:
        if piece == _TYPED:
            return escape(words) if before.endswith('value="') else quote(words)
        if piece == _IN_ADDRESS:
            return quote(quote_plus(words)) if before.endswith("%3D") else quote_plus(words)
        if piece.startswith("\0"):
            name = piece.strip("\0")
            return "".join([self._line(name, line) for line in found[name]])
        return piece

    def _line(self, name: str, line: object) -> str:
        slot = self.slots[name]
        key = name, slot.key(line)
        if (text := self.lines.get(key)) is None:
            if len(self.lines) >= MOST_LINES:
                self.lines.clear()
            text = self.lines[key] = slot.render(line)
        return text


class _Kept:
    """The pages of this process."""

    def __init__(self) -> None:
        self._pages: OrderedDict[_Key, _Page] = OrderedDict()
        self._lock = Lock()

    def get(self, key: _Key) -> _Page | None:
        with self._lock:
            if key in self._pages:
                self._pages.move_to_end(key)
            return self._pages.get(key)

    def add(self, key: _Key, page: _Page) -> None:
        with self._lock:
            self._pages[key] = page
            while len(self._pages) > MOST_PAGES:
                self._pages.popitem(last=False)

    def forget(self) -> None:
        """Forget everything, for tests: the tournaments of the next one have the same keys."""
        with self._lock:
            self._pages.clear()


KEPT: Final = _Kept()


def answer(
    plain: HtmxHttpRequest, state: tuple[object, ...], render: Callable[[HtmxHttpRequest], HttpResponse]
) -> HttpResponse:
    """Return the answer to the search of *plain*, a request without a visitor, in the version *state*.

    *render* is the ordinary way to make the page; it forbids to store a page that may mix two versions.
    """
    words = plain.GET["q"]
    others = {name: value for name, value in plain.GET.items() if name != "q"}
    key = _Key(state, plain.path, urlencode(others), get_language(), wants_part(plain))
    kept = KEPT.get(key)
    known = kept.answer(words) if kept is not None else None
    if known is not None:
        return known
    marked = _marked(plain)
    try:
        response = render(marked)
    except _TooManyError:
        return render(plain)
    search: Search = marked.search
    if response.status_code != 200 or search.find is None:
        return response
    page = _Page(search.find, search.slots)
    page.pieces[_shape(search.find(words))] = _MARK.split(response.content.decode()), dict(response.headers)
    made = page.answer(words)
    assert made is not None
    if not response.has_header("Cache-Control"):
        if kept is None:
            KEPT.add(key, page)
        else:
            kept.slots.update(page.slots)
            kept.pieces.update(page.pieces)
    return made


def _shape(found: Found) -> tuple[bool, ...]:
    return tuple(bool(lines) for _name, lines in sorted(found.items()))


def _marked(plain: HtmxHttpRequest) -> Any:
    """Return the same request with marks instead of the words."""
    query = dict(plain.GET.items())
    in_address = {"QUERY_STRING": urlencode(query | {"q": _IN_ADDRESS})}
    marked: Any = WSGIRequest(cast(WSGIRequest, plain).environ | in_address)
    marked.GET = QueryDict(urlencode(query | {"q": _TYPED}))
    marked.resolver_match, marked.user = plain.resolver_match, plain.user
    marked.htmx = HtmxDetails(marked)
    marked.search = Search(plain.GET["q"])
    return marked
