"""Add headers to all answers, and read the address of the visitor."""

from collections.abc import Callable
from contextlib import suppress
from ipaddress import IPv6Address

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from django.utils.cache import patch_vary_headers

from config.addresses import address_of


class ContentSecurityPolicyMiddleware:
    """Send ``settings.CONTENT_SECURITY_POLICY``: browsers only run and load files of this site.

    ``settings.PERMISSIONS_POLICY`` takes camera, microphone and place from every page: none uses
    them. JSON is not a page: its policy is nothing at all, and what a page may know and do is not
    said. The news of open pages are 59 bytes.
    """

    NOT_A_PAGE = "default-src 'none'; frame-ancestors 'none'"
    PARTS_OF_PAGES = ("text/css", "text/javascript", "application/javascript")
    """These have the policy of scripts, which workers need, and nothing that is about windows."""
    ONLY_FOR_PAGES = ("Referrer-Policy", "Cross-Origin-Opener-Policy")

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.policy = "; ".join(
            f"{directive} {sources}" for directive, sources in settings.CONTENT_SECURITY_POLICY
        )

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.headers.get("Content-Type") == "application/json":
            response.headers.setdefault("Content-Security-Policy", self.NOT_A_PAGE)
            for name in self.ONLY_FOR_PAGES:
                response.headers.pop(name, None)
            return response
        response.headers.setdefault("Content-Security-Policy", self.policy)
        if response.headers.get("Content-Type", "").startswith(self.PARTS_OF_PAGES):
            response.headers.pop("Cross-Origin-Opener-Policy", None)
            return response
        response.headers.setdefault("Permissions-Policy", settings.PERMISSIONS_POLICY)
        return response


class ErrorsAreNotStoredMiddleware:
    """Send ``no-store`` with every error that says nothing else.

    What is missing now may be public in a second.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code >= 400:
            response.headers.setdefault("Cache-Control", "no-store")
        return response


class PagesOnlyInSearchMiddleware:
    """Ask search engines to leave out every file; a page says itself if it is to be found."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if not response.headers.get("Content-Type", "text/html").startswith("text/html"):
            response.headers["X-Robots-Tag"] = "noindex"
        return response


class Utf8OnlyMiddleware:
    """400 for a request in another encoding: Django would read it by any codec of Python.

    Browsers send forms in UTF-8, and JSON is nothing else.
    """

    CHARSETS = ("utf-8", "utf8", "us-ascii")

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if (request.content_params or {}).get("charset", "utf-8").lower() not in self.CHARSETS:
            raise BadRequest("not in UTF-8")
        return self.get_response(request)


class CrossOriginReadsMiddleware:
    """Let pages of other sites read the API as anonymous visitors: GET and HEAD, no cookies.

    Answers to requests with credentials, or to requests that could change something, never get the
    header, so a browser hides them from the page that made the request. All sites have the same
    rights, so ``*`` is enough.
    """

    PREFIX = "/api/"
    METHODS = ("GET", "HEAD")

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith(self.PREFIX):
            return self.get_response(request)
        if (
            request.method == "OPTIONS"
            and request.headers.get("Access-Control-Request-Method") in self.METHODS
        ):
            response = HttpResponse(status=204)
            response.headers["Access-Control-Allow-Methods"] = ", ".join(self.METHODS)
            response.headers["Access-Control-Allow-Headers"] = "If-None-Match"
            response.headers["Access-Control-Max-Age"] = "86400"
        else:
            response = self.get_response(request)
            # With a cookie, the answer at the same address may be for a logged-in user.
            patch_vary_headers(response, ["Cookie"])
            if request.method not in self.METHODS or self._has_credentials(request):
                return response
            response.headers["Access-Control-Expose-Headers"] = "ETag, Retry-After"
        response.headers["Access-Control-Allow-Origin"] = "*"
        return response

    @staticmethod
    def _has_credentials(request: HttpRequest) -> bool:
        return settings.SESSION_COOKIE_NAME in request.COOKIES or "Authorization" in request.headers


def visitor_address(request: HttpRequest) -> str | None:
    """Return the address from which a request came; None if there is none (a Unix socket)."""
    return address_of(request.META, trust_proxy=settings.TRUST_PROXY)


def client_address(request: HttpRequest) -> str | None:
    """Return the address by which a visitor is counted; of IPv6 the household's /64 network."""
    address = visitor_address(request)
    if address is None or ":" not in address:
        return address
    return str(IPv6Address(int(IPv6Address(address.partition("%")[0])) >> 64 << 64))


class WithoutSessionMiddleware:
    """Answer what is the same for everybody before session, language and form are read.

    These are the news files, which every open page asks for every two seconds, and the answers
    about the state of the program: a session is in the database, which may be away.
    """

    NEWS = frozenset({"news", "event-news"})
    STATES = frozenset({"/livez", "/readyz", "/healthz"})

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        is_state = request.path_info in self.STATES
        if is_state or request.path_info.endswith("/news.json"):
            with suppress(Resolver404):
                match = resolve(request.path_info)
                if is_state or match.url_name in self.NEWS:
                    # Refuses a name that is not ours, as CommonMiddleware does for other pages
                    request.get_host()
                    response: HttpResponse = match.func(request, *match.args, **match.kwargs)
                    return response
        return self.get_response(request)
