"""What every answer carries."""

from collections.abc import Callable
from ipaddress import ip_address

from django.conf import settings
from django.http import HttpRequest, HttpResponse


class ContentSecurityPolicyMiddleware:
    """Send ``settings.CONTENT_SECURITY_POLICY``: the browser runs and loads only what this site serves itself."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.policy = "; ".join(f"{directive} {sources}" for directive, sources in settings.CONTENT_SECURITY_POLICY)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", self.policy)
        return response


def client_address(request: HttpRequest) -> str | None:
    """The address that log-in attempts are counted by; None where there is none (a Unix socket).

    Behind a proxy that we trust it is the last entry of ``X-Forwarded-For``, the one the proxy itself wrote; what
    stands before it is what the visitor claims.
    """
    addresses = [request.META.get("REMOTE_ADDR", "")]
    if settings.TRUST_PROXY:
        addresses.insert(0, request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip())
    return next(filter(_is_address, addresses), None)


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
