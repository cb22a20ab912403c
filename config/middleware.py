"""What every answer carries."""

from collections.abc import Callable
from ipaddress import IPv6Address, ip_address

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers


class ContentSecurityPolicyMiddleware:
    """Send ``settings.CONTENT_SECURITY_POLICY``: the browser runs and loads only what this site serves itself."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.policy = "; ".join(f"{directive} {sources}" for directive, sources in settings.CONTENT_SECURITY_POLICY)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", self.policy)
        return response


class CrossOriginReadsMiddleware:
    """Let pages of every other site read the API as a stranger reads it: GET and HEAD, without cookies.

    An answer to a request with credentials never gets the header, nor does one to a request that could change anything:
    a browser then keeps it from the page that asked. There is nothing to allow per site, so ``*`` is enough.
    """

    PREFIX = "/api/"
    METHODS = ("GET", "HEAD")

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith(self.PREFIX):
            return self.get_response(request)
        if request.method == "OPTIONS" and request.headers.get("Access-Control-Request-Method") in self.METHODS:
            response = HttpResponse(status=204)
            response.headers["Access-Control-Allow-Methods"] = ", ".join(self.METHODS)
            response.headers["Access-Control-Allow-Headers"] = "If-None-Match"
            response.headers["Access-Control-Max-Age"] = "86400"
        else:
            response = self.get_response(request)
            # With a cookie the same address may answer somebody who is logged in.
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
    """The address that a request came from; None where there is none (a Unix socket).

    Behind a proxy that we trust it is the last entry of ``X-Forwarded-For``, the one the proxy itself wrote; what
    stands before it is what the visitor claims. An IPv4 address in the clothes of IPv6 is an IPv4 address.
    """
    addresses = [request.META.get("REMOTE_ADDR", "")]
    if settings.TRUST_PROXY:
        addresses.insert(0, request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip())
    found = next(filter(_is_address, addresses), None)
    if found is None:
        return None
    address = ip_address(found)
    return str(address.ipv4_mapped or address) if isinstance(address, IPv6Address) else str(address)


def client_address(request: HttpRequest) -> str | None:
    """The address that a visitor is counted by: of IPv6 the network of 64 bits, for one household has all of it."""
    address = visitor_address(request)
    if address is None or ":" not in address:
        return address
    return str(IPv6Address(int(IPv6Address(address.partition("%")[0])) >> 64 << 64))


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
