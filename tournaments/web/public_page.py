"""Public pages for a hall full of phones: rendered once for all readers, and sent only once to each phone.

A cached page is rendered for a request of our own, which has the address, the known parameters, the language and no
other data of the visitor: no cookie, no session, no message. Its cache key and its ETag are made from the same data and
from the public version of the tournament. Logged-in users get the same bytes; their browser adds the tabs and the
log-out button from ``own_part.py``. Only on the few pages made by :func:`page_with_more_for_arbiters` does an arbiter
of the tournament read more, and such an answer is never stored.
"""

from __future__ import annotations

import gzip
import hashlib
import unicodedata
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import lru_cache, wraps
from io import BytesIO
from threading import Lock
from typing import Any, Concatenate, Final, NamedTuple, ParamSpec, TypeAlias, cast
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.cache import caches
from django.core.cache.backends.base import BaseCache
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, QueryDict
from django.shortcuts import get_object_or_404
from django.urls import ResolverMatch, get_script_prefix, resolve, reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags
from django.utils.translation import get_language
from django.views.decorators.http import require_safe
from django_htmx.middleware import HtmxDetails

from tournaments.core import stored_pages
from tournaments.core.build import build
from tournaments.core.frame import Frame, state_key, tournament_frame
from tournaments.core.permissions import may_read, role_of
from tournaments.models import Tournament
from tournaments.web import searches
from tournaments.web.access import not_to_be_stored
from tournaments.web.htmx import HtmxHttpRequest, wants_part

P = ParamSpec("P")
Page: TypeAlias = Callable[Concatenate[HtmxHttpRequest, Frame, P], HttpResponse]
View: TypeAlias = Callable[Concatenate[HttpRequest, str, P], HttpResponse]
Reader: TypeAlias = Callable[[str], str]
"""Takes the value of a parameter and returns it normalised; empty: as if the parameter was not sent."""

KEPT_FOR: Final = 3600
"""Seconds."""
FOR_A_MOMENT: Final = "public, max-age=2"
"""Everybody may store a page, and ask again after two seconds."""
FOR_A_YEAR: Final = "public, max-age=31536000, immutable"
"""At an address with ``?v=``, the key of the newest version, and ``&b=``, the build, the page never changes."""
ENDLESS: Final = frozenset({"q", "page", "line", "other"})
"""Parameters with an unlimited number of values: they have a cache of their own, so that they displace
no other pages.
"""
STORED: Final = frozenset(
    {"tournament", "players", "pairings-public", "standings", "crosstable", "me", "names", "player-page"}
)
"""The names of the pages that ``tournaments.web.storing`` stores."""
MOST_LETTERS: Final = 100
"""Only this many letters of a search are used; no name is longer."""
_TOLD_BY: Final = (
    "slug",
    "created_by",
    "version",
    "fingerprint",
    "public_version",
    "public_fingerprint",
)
"""The columns that show whether a reader has the newest page; the others are only read to render a page."""
_RENDERING: Final = tuple(Lock() for _ in range(64))
"""If several readers request a page at once, it is rendered once in this process and the others wait. This is faster
than to render it several times in parallel.
"""


class _Kept(NamedTuple):
    """An answer as bytes, compressed for the wireless network of a full hall. It contains no secret.

    ``packed`` has it by the name of the compression; always with gzip.
    """

    packed: dict[str, bytes]
    headers: dict[str, str]


def visitor_page(view: Page[P]) -> View[P]:
    """Make a public page of a tournament, without parameters.

    ``?v=…`` from a page that checks for news: 204 while the reader has the newest state. In a link with the
    build (``&b=…``) too, the page may be stored for a year; with an old or invalid version the answer is that of the
    plain address.
    """
    return _visitor_page(view, {})


def visitor_page_with(**known: Reader) -> Callable[[Page[P]], View[P]]:
    """Make a :func:`visitor_page` with these parameters; all others in a link are ignored."""
    return lambda view: _visitor_page(view, known)


def page_with_more_for_arbiters(**known: Reader) -> Callable[[Page[P]], View[P]]:
    """Make a :func:`visitor_page_with` that shows arbiters of the tournament more: such as drafts in the record."""
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


def _visitor_page(view: Page[P], known: Mapping[str, Reader], *, more_for_arbiters: bool = False) -> View[P]:
    @require_safe
    @wraps(view)
    def answer(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        ours = cast(HtmxHttpRequest, request)
        tournament = get_object_or_404(Tournament.objects.only(*_TOLD_BY), slug=slug)
        now = timezone.now()
        if more_for_arbiters and may_read(request.user, tournament):
            ours.role = role_of(request.user, tournament)
            return not_to_be_stored(view(ours, _frame(tournament, now, runs=True), *args, **kwargs))
        key = state_key(tournament, runs=False)

        def render(plain: HtmxHttpRequest) -> HttpResponse:
            return _of_one_version(tournament, view(plain, _frame(tournament, now, runs=False), *args, **kwargs))

        newest = request.GET.get("v") == key and bool(tournament.public_fingerprint)
        if newest and ours.htmx:
            nothing = not_to_be_stored(HttpResponse(status=204))
            mark_public(nothing, tournament.pk, key, visitors_only=more_for_arbiters)
            return nothing
        response: HttpResponse
        plain = _plain(ours, known)
        etag = _etag(plain, tournament, key)
        if etag in parse_etags(request.headers.get("If-None-Match", "")):
            response = HttpResponseNotModified()
        else:
            response = _kept(
                caches["searches" if ENDLESS & plain.GET.keys() else "pages"],
                f"page:{etag}",
                lambda: _stored(plain, tournament, key),
                lambda: (
                    searches.answer(plain, (tournament.pk, key, build()), render)
                    if plain.GET.get("q")
                    else render(plain)
                ),
                accepted=request.headers.get("Accept-Encoding", ""),
            )
        if response.status_code in (200, 304) and not response.has_header("Cache-Control"):
            response.headers["ETag"] = etag
            never_changes = newest and request.GET.get("b") == build()
            response.headers["Cache-Control"] = FOR_A_YEAR if never_changes else FOR_A_MOMENT
            patch_vary_headers(response, ["HX-Request", "HX-Boosted", "Cookie", "Accept-Encoding"])
            mark_public(response, tournament.pk, key, visitors_only=more_for_arbiters)
        return response

    answer.view, answer.known = view, known  # type: ignore[attr-defined]  # for rendered()
    return answer  # type: ignore[return-value]  # wraps() forgets that the first arguments are positional


def known_parameters(view: Callable[..., HttpResponse]) -> Mapping[str, Reader] | None:
    """Return the parameters of a visitor page; None if *view* is another page."""
    known: Mapping[str, Reader] | None = getattr(view, "known", None)
    return known


def mark_public(response: HttpResponse, tournament_id: int, key: str, *, visitors_only: bool = False) -> None:
    """Allow ``web.front`` to send *response* again while the tournament has the state *key*.

    *visitors_only*: people with a session may get more.
    """
    response.public_state = tournament_id, key  # type: ignore[attr-defined]
    response.visitors_only = visitors_only  # type: ignore[attr-defined]


def rendered(frame: Frame, address: str, page: Page[[]] | None = None) -> tuple[str, list[HttpResponse]]:
    """Render the visitor page at *address* in the active language, and its part if open pages ask for one.

    Return the normalised address and these answers, the page first. *frame* is that of a visitor. With *page*, this is
    rendered instead of the page at *address*.
    """
    path, _, query = address.partition("?")
    match = resolve(f"/{path.removeprefix(get_script_prefix())}")
    plain = _request_for(match, QueryDict(query), cast(Any, match.func).known, is_part=False)
    plain.part_too = []
    kwargs = {name: value for name, value in match.kwargs.items() if name != "slug"}
    answer = page(plain, frame) if page else cast(Any, match.func).view(plain, frame, **kwargs)
    return plain.get_full_path(), [answer, *plain.part_too]


def kept_for_visitors(
    request: HtmxHttpRequest, state: str, render: Callable[[HtmxHttpRequest], HttpResponse], **known: Reader
) -> HttpResponse:
    """Answer with a page of no single tournament: *render* it once for each *state*, which tells all it shows apart.

    For visitors without an account only. A browser that has it already gets 304.
    """
    plain = _plain(request, known)
    parts = (state, plain.get_full_path(), get_language() or "", "part" if wants_part(plain) else "page", build())
    etag = f'W/"{hashlib.sha256(chr(0).join(parts).encode()).hexdigest()[:32]}"'
    response: HttpResponse
    if etag in parse_etags(request.headers.get("If-None-Match", "")):
        response = HttpResponseNotModified()
    else:
        cache = caches["searches" if ENDLESS & plain.GET.keys() else "pages"]
        accepted = request.headers.get("Accept-Encoding", "")
        response = _kept(cache, f"page:{etag}", lambda: None, lambda: render(plain), accepted=accepted)
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = "no-cache"
    patch_vary_headers(response, ["HX-Request", "HX-Boosted", "Cookie", "Accept-Encoding"])
    return response


def request_for(address: str) -> HtmxHttpRequest:
    """Return a request without a visitor for the page at *address*, to render it where nobody has asked for it."""
    match = resolve(f"/{address.removeprefix(get_script_prefix())}")
    return _request_for(match, QueryDict(), {}, is_part=False)


def without_visitor(request: HttpRequest) -> HtmxHttpRequest:
    """Return the same request without its visitor and its parameters, to render a page that is the same for all."""
    return _plain(cast(HtmxHttpRequest, request), {})


def _plain(request: HtmxHttpRequest, known: Mapping[str, Reader]) -> HtmxHttpRequest:
    """Return the same request without a visitor: a cached page may depend on nothing else."""
    assert request.resolver_match is not None
    return _request_for(request.resolver_match, request.GET, known, is_part=wants_part(request))


def _request_for(
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


def _kept(
    cache: BaseCache,
    key: str,
    stored: Callable[[], _Kept | None],
    render: Callable[[], HttpResponse],
    *,
    accepted: str,
) -> HttpResponse:
    """Return the answer cached under *key*, or the *stored* one, or render it; only pages that may be stored are
    cached.
    """
    kept: _Kept | None = cache.get(key)
    if kept is None:
        with _RENDERING[hash(key) % len(_RENDERING)]:
            kept = cache.get(key) or stored()
            if kept is None:
                response = render()
                if response.status_code != 200 or response.has_header("Cache-Control"):
                    return response
                kept = _Kept({"gzip": stored_pages.packed(response.content)}, dict(response.headers))
            cache.set(key, kept, KEPT_FOR)
    for name in compression(accepted):
        if content := kept.packed.get(name):
            return HttpResponse(content, headers=kept.headers | {"Content-Encoding": name})
    return HttpResponse(gzip.decompress(kept.packed["gzip"]), headers=kept.headers)


@lru_cache(maxsize=100)
def compression(accepted: str) -> tuple[str, ...]:
    """Return which of our compressions the header Accept-Encoding *accepted* allows, the smallest first."""
    allowed = set()
    for part in accepted.lower().replace(" ", "").split(","):
        name, _, weight = part.partition(";q=")
        if not weight or weight.strip("0."):
            allowed.add(name)
    return tuple(name for name in ("br", "gzip") if name in allowed)


def _of_one_version(tournament: Tournament, response: HttpResponse) -> HttpResponse:
    """Forbid to store *response* if something was published while it was rendered: it may mix two versions."""
    newest = Tournament.objects.filter(pk=tournament.pk).values_list("public_version", "public_fingerprint").first()
    if newest == (tournament.public_version, tournament.public_fingerprint):
        return response
    return not_to_be_stored(response)


def _stored(plain: HtmxHttpRequest, tournament: Tournament, key: str) -> _Kept | None:
    """Return the page as it was stored when the version was published. One query, if it can be stored."""
    assert plain.resolver_match is not None
    name = plain.resolver_match.url_name
    if name not in STORED or not settings.STORE_PAGES or ENDLESS & plain.GET.keys():
        return None
    path, language = plain.get_full_path(), get_language() or ""
    has_shell = name == "player-page"
    page = stored_pages.find(tournament.pk, key, path, language, is_part=wants_part(plain), has_shell=has_shell)
    return _Kept({"br": bytes(page.brotli), "gzip": bytes(page.gzip)}, page.headers) if page else None


def _frame(tournament: Tournament, now: datetime, *, runs: bool) -> Frame:
    """Return the complete frame of *tournament*. Two queries."""
    return tournament_frame(
        Tournament.objects.select_related("section__event").get(pk=tournament.pk), runs=runs, now=now
    )


def _etag(plain: HtmxHttpRequest, tournament: Tournament, news: str) -> str:
    parts = (
        # Not the slug: it can be used again after a tournament is deleted.
        str(tournament.pk),
        news,
        plain.get_full_path(),
        get_language() or "",
        "part" if wants_part(plain) else "page",
        build(),
    )
    # Weak, because the compressed answer has the same content in other bytes.
    return f'W/"{hashlib.sha256(chr(0).join(parts).encode()).hexdigest()[:32]}"'
