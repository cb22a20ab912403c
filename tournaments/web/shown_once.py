"""Show a new secret once, on the page after the action that made it.

It travels in a cookie of the browser that shows it anyway. In the session it would be in the
database, and so in every copy of the site, where only hashes of links and PINs are.
"""

from __future__ import annotations

from typing import Any, Final

from django.conf import settings
from django.core import signing
from django.http import HttpResponse

from tournaments.web.htmx import HtmxHttpRequest

SECONDS: Final = 600
"""How long the next page may take; afterwards the browser has forgotten the secret."""


def show_next(
    request: HtmxHttpRequest, response: HttpResponse, name: str, value: object, *, to: str
) -> None:
    """Let the page *to* find *value* by :func:`shown_once`; this user and browser only."""
    response.set_cookie(
        name,
        signing.dumps(value, salt=_salt(request, name), compress=True),
        max_age=SECONDS,
        path=to,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Strict",
    )


def shown_once(request: HtmxHttpRequest, name: str) -> Any:
    """Return the value of :func:`show_next`, or None.

    The page shows it and calls :func:`forget`.
    """
    if request.method != "GET":
        return None
    try:
        return signing.loads(
            request.COOKIES.get(name, ""), salt=_salt(request, name), max_age=SECONDS
        )
    except signing.BadSignature:
        return None


def forget(request: HtmxHttpRequest, response: HttpResponse, name: str) -> HttpResponse:
    """Return *response*, with which the browser forgets the secret that it shows."""
    if request.method == "GET" and name in request.COOKIES:
        response.delete_cookie(name, path=request.path, samesite="Strict")
    return response


def _salt(request: HtmxHttpRequest, name: str) -> str:
    return f"{__name__} {name} {request.user.pk}"
