"""Where an account is signed in, and when a session on a shared computer ends.

The session holds the facts of its sign-in, so there is no table to keep in step. The sessions of
one account are found by reading all that have not expired: that is for the page of the account
only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from config.middleware import visitor_address
from tournaments.people.accounts.store import IDLE_MINUTES, USED, is_idle, stored_key

SIGN_IN: Final = "sign_in"
"""The key of what a session says about its sign-in: ``at``, ``browser``, ``address``."""
FIELD: Final = "shared_computer"
"""The name of the box “This is a shared computer” in the forms."""
ENDED: Final = "ended_after"
"""The cookie for the log-in page: after how many minutes without use the session has ended."""
ENDED_SHOWN: Final = 600
"""Seconds in which the log-in page says so."""
NOTED_EVERY: Final = timedelta(minutes=1)
"""How exactly the time of the last use is kept: a request in between writes nothing."""
BROWSERS: Final = (
    ("Edge", r"\bEdgA?/|\bEdgiOS/"),
    ("Opera", r"\bOPR/"),
    ("Firefox", r"\bFirefox/|\bFxiOS/"),
    ("Chrome", r"\bChrome/|\bCriOS/|\bChromium/"),
    ("Safari", r"\bSafari/"),
)
SYSTEMS: Final = (
    ("Android", r"\bAndroid\b"),
    ("iPhone", r"\biPhone\b"),
    ("iPad", r"\biPad\b"),
    ("Windows", r"\bWindows\b"),
    ("macOS", r"\bMac OS X\b|\bMacintosh\b"),
    ("Linux", r"\bLinux\b"),
)


@dataclass(frozen=True, slots=True)
class SignIn:
    """One place where an account is signed in.

    ``at`` is None for a session from before this was kept.
    """

    key: str
    at: datetime | None
    browser: str
    address: str
    is_shared: bool
    is_here: bool


def begin(request: HttpRequest, *, now: datetime) -> None:
    """Note in the new session of *request* where and when it began,
    and whether the computer is shared.

    On a shared computer the session ends with the browser, and when nobody has used it for a while.
    """
    request.session[SIGN_IN] = {
        "at": now.isoformat(),
        "browser": described(request.headers.get("User-Agent", "")),
        "address": visitor_address(request) or "",
    }
    if FIELD in request.POST:
        request.session[USED] = now.isoformat()
        request.session[IDLE_MINUTES] = settings.IDLE_MINUTES
        request.session.set_expiry(0)
    else:
        request.session.pop(USED, None)
        request.session.pop(IDLE_MINUTES, None)
        request.session.set_expiry(None)


def ended_after(request: HttpRequest) -> int:
    """Return the idle minutes after which the session has just ended; 0 if it has not."""
    return int(getattr(request.session, "ended_after", 0))


def is_shared(request: HttpRequest) -> bool:
    """Return whether the session of *request* is on a shared computer."""
    return USED in request.session


def sign_ins(user: User, here: str | None, *, now: datetime) -> list[SignIn]:
    """Return where *user* is signed in, newest first; *here* is the cookie of this session."""
    found = [_sign_in(key, data, here) for key, data in _sessions_of(user, now=now)]
    return sorted(
        found, key=lambda one: (one.is_here, one.at.timestamp() if one.at else 0.0), reverse=True
    )


def end_others(user: User, here: str | None, *, now: datetime) -> int:
    """End all sessions of *user* but the one with the cookie *here*; return how many there were."""
    own = None if here is None else stored_key(here)
    others = [key for key, _ in _sessions_of(user, now=now) if key != own]
    Session.objects.filter(session_key__in=others).delete()
    return len(others)


def described(agent: str) -> str:
    """Return browser and system by ``User-Agent``, such as ``Firefox, Linux``, or empty."""
    named = (
        next((name for name, sign in kinds if re.search(sign, agent)), "")
        for kinds in (BROWSERS, SYSTEMS)
    )
    return ", ".join(filter(None, named))


def _sessions_of(user: User, *, now: datetime) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield key and data of sessions that open the account by its present password."""
    for session in Session.objects.filter(expire_date__gt=now).iterator():
        data = session.get_decoded()
        if data.get(SESSION_KEY) != str(user.pk) or is_idle(data, now=now):
            continue
        if constant_time_compare(data.get(HASH_SESSION_KEY, ""), user.get_session_auth_hash()):
            yield session.session_key, data


def _sign_in(key: str, data: dict[str, Any], here: str | None) -> SignIn:
    kept = data.get(SIGN_IN, {})
    return SignIn(
        key=key,
        at=datetime.fromisoformat(kept["at"]) if kept else None,
        browser=kept.get("browser", ""),
        address=kept.get("address", ""),
        is_shared=USED in data,
        is_here=here is not None and key == stored_key(here),
    )


class SharedComputerMiddleware:
    """Note when somebody uses a shared computer; ``tournaments.people.accounts.store``
    ends the session if nobody does.

    Open pages ask for news by themselves, through htmx; this does not count as use. A cookie lets
    the log-in page, to which the answer leads, say why the session has ended. If the answer is 503,
    the database is not asked again.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code == 503:
            return response
        # A page that has not read the session is the same for everybody, and stays so.
        if request.session.accessed and USED in request.session and _by_a_person(request):
            now = timezone.now()
            if now - datetime.fromisoformat(request.session[USED]) > NOTED_EVERY:
                request.session[USED] = now.isoformat()
        minutes = ended_after(request)
        # An answer that may be stored for other readers never gets the cookie.
        if minutes and (
            response.status_code == 302 or "no-store" in response.headers.get("Cache-Control", "")
        ):
            response.set_cookie(
                ENDED,
                str(minutes),
                max_age=ENDED_SHOWN,
                path=reverse("login"),
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        return response


def _by_a_person(request: HttpRequest) -> bool:
    is_part = "HX-Request" in request.headers and "HX-Boosted" not in request.headers
    return request.method not in ("GET", "HEAD") or not is_part
