"""Public pages for a hall of phones: rendered once for all, sent once to each phone.

A page is rendered for a request of our own, which has the address, the known parameters, the
language and no other data of the visitor: no cookie, no session, no message. Its name in the store
(``core.page_store``) and its ETag are made from the same data and from the public state of the
tournament. Logged-in users get the same bytes; their browser adds the tabs and the log-out button
from ``session_fragment.py``. Only on the few pages made by :func:`page_with_more_for_arbiters` does
an arbiter of the tournament read more, and such an answer is never stored.

docs/developer/pages.md explains the journey from *Publish* to a phone.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial, wraps
from io import BytesIO
from threading import RLock
from typing import Any, Concatenate, Final, ParamSpec, TypeAlias, cast
from urllib.parse import urlencode

from django.contrib.auth.models import AnonymousUser
from django.core.handlers.wsgi import WSGIRequest
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified, QueryDict
from django.shortcuts import get_object_or_404
from django.urls import ResolverMatch, get_script_prefix, resolve, reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags
from django.utils.translation import get_language
from django.views.decorators.http import require_safe
from django_htmx.middleware import HtmxDetails

from tournaments.core import page_store
from tournaments.core.build import build
from tournaments.core.frame import Frame, is_still, state_now, tournament_frame
from tournaments.core.page_store import State, Stored
from tournaments.core.permissions import may_read, role_of
from tournaments.core.public_address import printed_address
from tournaments.models import Tournament
from tournaments.web.access import not_to_be_stored
from tournaments.web.every_page import every_page
from tournaments.web.htmx import HtmxHttpRequest, wants_part

P = ParamSpec("P")
Page: TypeAlias = Callable[Concatenate[HtmxHttpRequest, Frame, P], HttpResponse]
View: TypeAlias = Callable[Concatenate[HttpRequest, str, P], HttpResponse]
Reader: TypeAlias = Callable[[str], str]
"""Takes the value of a parameter and returns it normalised; empty:
as if the parameter was not sent.
"""

FOR_A_MOMENT: Final = "public, max-age=2"
"""Everybody may store a page, and ask again after two seconds."""
FOR_A_YEAR: Final = "public, max-age=31536000, immutable"
"""At an address with ``?v=``, the key of the newest version, and ``&b=``, the build,
the page never changes.
"""
ENDLESS: Final = frozenset({"q", "p", "page", "line", "only", "other"})
"""Parameters with an unlimited number of values: the store limits the answers that have one."""
MOST_LETTERS: Final = 100
"""Only this many letters of a search are used; no name is longer."""

_one_at_a_time: Final = RLock()
"""Each process makes one page at a time for visitors: several would share its core and be ready
later, and two would often be the same. Meanwhile its other threads answer from the store, and
arbiters, whose results then never wait behind a hall of visitors (site/server.py)."""


def visitor_page(view: Page[P]) -> View[P]:
    """Make a public page of a tournament, without parameters.

    ``?v=…`` from a page that checks for news: 204 while the reader has the newest state. In a link
    with the build (``&b=…``) too, the page may be stored for a year; with an old or invalid version
    the answer is that of the plain address.
    """
    return _visitor_page(view, {})


def visitor_page_with(**known: Reader) -> Callable[[Page[P]], View[P]]:
    """Make a :func:`visitor_page` with these parameters; all others in a link are ignored."""
    return lambda view: _visitor_page(view, known)


def page_with_more_for_arbiters(**known: Reader) -> Callable[[Page[P]], View[P]]:
    """Make a :func:`visitor_page_with` that shows arbiters more, such as drafts."""
    return lambda view: _visitor_page(view, known, more_for_arbiters=True)


def words(text: str) -> str:
    """Normalise a search parameter: ``" DUPONT  Anne"`` finds the same as ``"dupont anne"``."""
    return " ".join(unicodedata.normalize("NFC", text).lower().split())[:MOST_LETTERS].rstrip()


def one_of(*values: str) -> Reader:
    """Return a reader for a parameter with one of *values*."""
    return lambda text: text if text in values else ""


def page_number(text: str) -> str:
    """Read a page number from 2 on; the first page has no parameter."""
    number = line_number(text)
    return "" if number == "1" else number


def line_number(text: str) -> str:
    """Read the number of a line of the record, from 1 on."""
    is_number = text.isascii() and text.isdecimal() and len(text) < 7 and int(text) > 0
    return str(int(text)) if is_number else ""


def _visitor_page(
    view: Page[P], known: Mapping[str, Reader], *, more_for_arbiters: bool = False
) -> View[P]:
    @require_safe
    @wraps(view)
    def answer(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        ours = cast(HtmxHttpRequest, request)
        now = timezone.now()
        if more_for_arbiters and request.user.is_authenticated:
            tournament = get_object_or_404(Tournament.objects.only("slug", "created_by"), slug=slug)
            if may_read(request.user, tournament):
                ours.role = role_of(request.user, tournament)
                return not_to_be_stored(
                    view(ours, _frame(tournament.pk, now, runs=True), *args, **kwargs)
                )
        # The front may have read the request, and found nothing in the store; ``still`` sees
        # whether the state has moved since.
        requested: PageRequest | None = getattr(request, "requested", None)
        if requested is None:
            state = state_now(slug)
            if state is None:
                raise Http404
            requested = PageRequest(request, state, known)
        with _one_at_a_time:
            if (found := requested.found()) is not None:  # Somebody has made it meanwhile.
                return found
            frame = _frame(int(requested.state.owner), now, runs=False)
            texts = requested.plain.every_page = every_page(frame)
            response = view(requested.plain, frame, *args, **kwargs)
            still = partial(texts.is_kept, lambda: requested.state == state_now(slug))
            return requested.kept(response, still=still)

    answer.view, answer.known, answer.more = view, known, more_for_arbiters  # type: ignore[attr-defined]
    return answer  # type: ignore[return-value]  # wraps() forgets that the first arguments are positional


class PageRequest:
    """What a request asks for, without reader: a page of *state*, or htmx's part."""

    def __init__(
        self,
        request: HttpRequest,
        state: State,
        known: Mapping[str, Reader],
        *,
        match: ResolverMatch | None = None,
        language: str = "",
    ) -> None:
        match = match or request.resolver_match
        assert match is not None
        self.state = state
        self.plain = request_of(match, request.GET, known, is_part=_is_part(request))
        """The same request without a visitor: a page may depend on nothing else."""
        self._language = language or get_language() or ""
        self._name = name_of(self.plain, self._language)
        self._etag = etag_of(state, self._name)
        self._accepted = page_store.compression(request.headers.get("Accept-Encoding", ""))
        self._known_tags = request.headers.get("If-None-Match", "")
        is_newest = request.GET.get("v") == state.key and not state.key.endswith(".")
        self._has_newest = is_newest and request.headers.get("HX-Request") == "true"
        self._never_changes = is_newest and request.GET.get("b") == build()

    def found(self) -> HttpResponse | None:
        """Return 204 or 304 to a reader who has the page, or the page from the store;
        None if it is not there.
        """
        if self._has_newest:
            return not_to_be_stored(HttpResponse(status=204))
        if self._etag in parse_etags(self._known_tags):
            return self._dressed(HttpResponseNotModified())
        stored = page_store.get(self.state, self._name, self._accepted)
        return self._sent(stored) if stored is not None else None

    def kept(self, response: HttpResponse, *, still: Callable[[], bool]) -> HttpResponse:
        """Return *response* as sent, and keep it while the state is *still* the same."""
        if response.status_code != 200 or response.has_header("Cache-Control"):
            return response
        endless = bool(ENDLESS & self.plain.GET.keys())
        if endless and not getattr(self.plain, "finds", True):
            # A typed name that matches nobody is stored nowhere.
            return self._sent(page_store.packed(response.headers, response.content, self._accepted))
        stored = page_store.put(
            self.state,
            self._name,
            response.headers,
            response.content,
            self._accepted,
            endless=endless,
            still=still,
        )
        return not_to_be_stored(response) if stored is None else self._sent(stored)

    def _sent(self, stored: Stored) -> HttpResponse:
        page_store.note_language(self.state, self._language)
        response = HttpResponse(stored.body, headers=stored.headers)
        if stored.encoding:
            response.headers["Content-Encoding"] = stored.encoding
        return self._dressed(response)

    def _dressed(self, response: HttpResponse) -> HttpResponse:
        response.headers["ETag"] = self._etag
        response.headers["Cache-Control"] = FOR_A_YEAR if self._never_changes else FOR_A_MOMENT
        patch_vary_headers(response, ["HX-Request", "HX-Boosted", "Cookie", "Accept-Encoding"])
        return response


def _is_part(request: HttpRequest) -> bool:
    """Return what :func:`wants_part` does, also before the middleware of htmx."""
    return (
        request.headers.get("HX-Request") == "true" and request.headers.get("HX-Boosted") != "true"
    )


def name_of(plain: HtmxHttpRequest, language: str) -> str:
    """Return the name in the store of the page, or part, that *plain* asks for.

    It depends on the address of the site too, which is in words and as a QR code on each printed
    page.
    """
    parts = (
        plain.get_full_path(),
        language,
        "part" if wants_part(plain) else "page",
        printed_address("/") or "",
    )
    return hashlib.sha256(chr(0).join(parts).encode()).hexdigest()[:32]


def etag_of(state: State, name: str) -> str:
    """Return the ETag of the page *name* of *state*."""
    # The number of the tournament, not the slug: that can be used again after a tournament is
    # deleted. Weak, because the compressed answer has the same content in other bytes.
    return f'W/"{hashlib.sha256(chr(0).join((*state, name, build())).encode()).hexdigest()[:32]}"'


def known_parameters(view: Callable[..., HttpResponse]) -> Mapping[str, Reader] | None:
    """Return the parameters of a visitor page; None if *view* is another page."""
    known: Mapping[str, Reader] | None = getattr(view, "known", None)
    return known


def rendered(frame: Frame, address: str) -> list[tuple[str, HttpResponse]]:
    """Render the visitor page at *address* in the active language, and any part of it.

    Return these answers with their names in the store, the page first. *frame* is that of a
    visitor.
    """
    view, kwargs, plain, part = _parsed(address)
    plain.part_too = []
    plain.every_page = every_page(frame)
    answers = [(_name_now(plain), view(plain, frame, **kwargs))]
    plain.every_page.keep()
    return [*answers, *((_name_now(part), answer) for answer in plain.part_too)]


def body_of(frame: Frame, address: str) -> bytes | None:
    """Return the bytes of the visitor page at *address*, from the store or rendered and put there;
    None without 200.

    Raise Http404 where there is no such page for the visitor of *frame*.
    """
    view, kwargs, plain, _part = _parsed(address)
    if (stored := page_store.get(frame.state, _name_now(plain))) is not None:
        return stored.body
    texts = plain.every_page = every_page(frame)
    response = view(plain, frame, **kwargs)
    if response.status_code != 200:
        return None
    page_store.put(
        frame.state,
        _name_now(plain),
        response.headers,
        response.content,
        still=partial(texts.is_kept, partial(is_still, frame.tournament)),
    )
    return response.content


def _parsed(
    address: str,
) -> tuple[Callable[..., HttpResponse], dict[str, Any], HtmxHttpRequest, HtmxHttpRequest]:
    """Return the view of *address*, its arguments, a request for page and one for part."""
    path, _, query = address.partition("?")
    match = resolve(f"/{path.removeprefix(get_script_prefix())}")
    view: Any = match.func
    page, part = (
        request_of(match, QueryDict(query), view.known, is_part=is_part)
        for is_part in (False, True)
    )
    return (
        view.view,
        {name: value for name, value in match.kwargs.items() if name != "slug"},
        page,
        part,
    )


def _name_now(plain: HtmxHttpRequest) -> str:
    return name_of(plain, get_language() or "")


def stored_for_visitors(
    request: HtmxHttpRequest,
    owner: str,
    key: str,
    read_key: Callable[[], str],
    render: Callable[[HtmxHttpRequest], HttpResponse],
    **known: Reader,
) -> HttpResponse:
    """Answer with the page *owner* of no single tournament: *render* it once for each *key*;
    *read_key* reads it again.

    For visitors without an account only. A browser that has it already gets 304.
    """
    state = State(owner, hashlib.sha256(key.encode()).hexdigest()[:16])
    requested = PageRequest(request, state, known)
    response = requested.found()
    if response is None:
        response = requested.kept(render(requested.plain), still=lambda: read_key() == key)
        page_store.drop_others(requested.state)
    if response.has_header("ETag"):
        response.headers["Cache-Control"] = "no-cache"
    return response


def request_for(address: str) -> HtmxHttpRequest:
    """Return a request without a visitor at *address*, to render a page nobody has asked for."""
    match = resolve(f"/{address.removeprefix(get_script_prefix())}")
    return request_of(match, QueryDict(), {}, is_part=False)


def without_visitor(request: HttpRequest) -> HtmxHttpRequest:
    """Return the request without visitor and parameters, for a page the same for all."""
    assert request.resolver_match is not None
    return request_of(request.resolver_match, QueryDict(), {}, is_part=_is_part(request))


def request_of(
    match: ResolverMatch, query: QueryDict, known: Mapping[str, Reader], *, is_part: bool
) -> HtmxHttpRequest:
    """Return a request of our own for the page of *match*.

    The address is built again from its parsed values (``/players/007/`` is ``/players/7/``).
    """
    read = {name: reader(query.get(name, "")) for name, reader in known.items()}
    path = reverse(match.view_name, args=match.args, kwargs=match.kwargs)
    prefix = get_script_prefix().rstrip("/")
    environ = {
        "REQUEST_METHOD": "GET",
        "SCRIPT_NAME": prefix,
        "PATH_INFO": path.removeprefix(prefix),
        "QUERY_STRING": urlencode({name: value for name, value in read.items() if value}),
        # No page may contain the host name by which one visitor found it: to read it is an error.
        "SERVER_NAME": "visitor.invalid",
        "SERVER_PORT": "80",
        "wsgi.url_scheme": "http",
        "wsgi.input": BytesIO(),
    }
    if is_part:
        environ["HTTP_HX_REQUEST"] = "true"
    plain = cast(HtmxHttpRequest, WSGIRequest(environ))
    plain.resolver_match = match
    plain.user = AnonymousUser()
    plain.htmx = HtmxDetails(plain)
    return plain


def _frame(pk: int, now: datetime, *, runs: bool) -> Frame:
    """Return the complete frame of a tournament. Two queries."""
    tournament = get_object_or_404(Tournament.objects.select_related("section__event"), pk=pk)
    return tournament_frame(tournament, runs=runs, now=now)
