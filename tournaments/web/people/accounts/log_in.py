"""Count wrong passwords, decide who has to wait, and write the log.

A playing hall has one address, and a stranger in it must not lock the arbiters out. So a browser
that has signed in with a name before (it keeps a signed cookie) is counted separately for that
name. For all other browsers wrong passwords are counted per name and address, per address over all
names, and, over a whole day, per name over all addresses. A new password ends the wait for that
name.
"""

from __future__ import annotations

import hashlib
import logging
import math
import re
import secrets
from collections.abc import Callable
from datetime import timedelta
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlencode, urlsplit

from axes.attempts import get_cool_off_threshold
from axes.handlers.database import AxesDatabaseHandler
from axes.helpers import get_client_username
from axes.models import AccessAttempt, AccessFailureLog
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.auth import get_user_model
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import AbstractBaseUser
from django.contrib.auth.views import LoginView, LogoutView
from django.core import signing
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from config.middleware import visitor_address
from tournaments.people.accounts import second_step
from tournaments.people.accounts.sessions import ENDED, begin, ended_after, is_shared

logger = logging.getLogger(__name__)

MOST_FROM_ONE_ADDRESS = 50
"""The number of wrong passwords over all names, from unknown browsers,
after which the address has to wait.
"""
MOST_FOR_ONE_NAME = 100
"""The number of wrong passwords for one name in :data:`LONG`,
from unknown browsers at all addresses together.
"""
LONG = timedelta(days=1)
STRANGER = "unknown browser"
YEAR = 365 * 24 * 3600  # seconds

Credentials = dict[str, Any] | None


class SignInHandler(AxesDatabaseHandler):  # type: ignore[misc]  # axes has no types
    """Count in axes' table, where ``user_agent`` is the known browser, or :data:`STRANGER`."""

    def get_failures(self, request: HttpRequest, credentials: Credentials = None) -> int:
        """Return the failures for this name in this browser;
        the limit if address or name has reached its own.
        """
        if _browser(request, credentials) == STRANGER:
            address = request.axes_ip_address  # type: ignore[attr-defined]
            here = self._recent(request).filter(ip_address=address, user_agent=STRANGER)
            if _sum(here) >= MOST_FROM_ONE_ADDRESS or is_guessed_at(
                get_client_username(request, credentials)
            ):
                return settings.AXES_FAILURE_LIMIT
        return _sum(self._of_name(request, credentials) & self._recent(request))

    def user_login_failed(
        self,
        sender: object,
        credentials: dict[str, Any],
        request: HttpRequest | None = None,
        **kwargs: object,
    ) -> None:
        if request is None:
            return
        request.axes_user_agent = _browser(request, credentials)  # type: ignore[attr-defined]
        was_locked_out = request.axes_locked_out  # type: ignore[attr-defined]
        # axes keeps the last thousand of each name for ever; what somebody typed there may be a
        # password.
        AccessFailureLog.objects.filter(attempt_time__lt=timezone.now() - LONG).delete()
        super().user_login_failed(sender, credentials, request, **kwargs)
        what = (
            "Sign-in refused after too many wrong passwords" if was_locked_out else "Wrong password"
        )
        name = get_client_username(request, credentials) or ""
        logger.warning("%s: %s from %s", what, _readable(name), visitor_address(request))
        if request.axes_locked_out and not was_locked_out:  # type: ignore[attr-defined]
            logger.warning("Locked out: %s from %s", _readable(name), visitor_address(request))

    def user_logged_in(
        self, sender: object, request: HttpRequest, user: AbstractBaseUser, **kwargs: object
    ) -> None:
        super().user_logged_in(sender, request, user, **kwargs)
        begin(request, now=timezone.now())
        if not is_shared(request):
            request.signed_in_as = user.get_username()  # type: ignore[attr-defined]  # for KnownBrowserMiddleware
        logger.info("Signed in: %s from %s", _account(user), visitor_address(request))
        if can_be_read(request) and hasattr(request, "_messages"):
            messages.warning(
                request,
                _(
                    "This connection is not encrypted: others in this network can read along, "
                    "passwords and PINs too."
                ),
            )

    def user_logged_out(
        self, sender: object, request: HttpRequest, user: AbstractBaseUser | None, **kwargs: object
    ) -> None:
        super().user_logged_out(sender, request, user, **kwargs)
        if user is not None:
            logger.info("Signed out: %s from %s", _account(user), visitor_address(request))

    def reset_user_attempts(self, request: HttpRequest, credentials: Credentials = None) -> int:
        """Delete the failures for this name in this browser; those of unknown browsers are kept."""
        count: int = self._of_name(request, credentials).delete()[0]
        return count

    def _of_name(self, request: HttpRequest, credentials: Credentials) -> QuerySet[Any]:
        """Return the failures for this name: a known browser counts at all addresses,
        others at their address.
        """
        browser = _browser(request, credentials)
        name = get_client_username(request, credentials)
        found: QuerySet[Any] = AccessAttempt.objects.filter(username=name, user_agent=browser)
        return found.filter(ip_address=request.axes_ip_address) if browser == STRANGER else found  # type: ignore[attr-defined]

    def _recent(self, request: HttpRequest) -> QuerySet[Any]:
        found: QuerySet[Any] = AccessAttempt.objects.filter(
            attempt_time__gte=get_cool_off_threshold(request)
        )
        return found


class SignInView(LoginView):
    """The log-in page.

    It does not lead back to itself, nor to the log-out, which no link can do.
    """

    redirect_authenticated_user = True

    @property
    def extra_context(self) -> dict[str, object]:  # type: ignore[override]
        """Return what the page shows besides the form."""
        cookie = self.request.COOKIES.get(ENDED, "")
        minutes = ended_after(self.request) or (
            int(cookie) if re.fullmatch("[0-9]{1,4}", cookie) else 0
        )
        return {"sends_mail": bool(settings.EMAIL_HOST), "unused_minutes": minutes}

    def get(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        """Show the form; it says once that nobody has used a shared computer for too long."""
        response: HttpResponse = super().get(request, *args, **kwargs)
        if ENDED in request.COOKIES:
            response.delete_cookie(ENDED, path=reverse("login"), samesite="Lax")
        return response

    def get_form(self, form_class: type[AuthenticationForm] | None = None) -> AuthenticationForm:
        """Return the form; the password has the focus if the account name is filled in."""
        form = super().get_form(form_class)
        if self.get_initial()["username"]:
            form.fields["username"].widget.attrs.pop("autofocus", None)
            form.fields["password"].widget.attrs["autofocus"] = True
        return form

    def get_initial(self) -> dict[str, object]:
        """Return the account name in the address: the page of a new password puts it there."""
        return {"username": self.request.GET.get("name", "")[:150]}

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Log in; with a second step, ask for its code first."""
        user = form.get_user()
        if not second_step.is_on(user):
            return super().form_valid(form)
        second_step.wait_for_code(self.request, user, now=timezone.now())
        return redirect(
            f"{reverse('second-step-code')}?{urlencode({'next': self.get_success_url()})}"
        )

    def get_redirect_url(self) -> str:
        back = super().get_redirect_url()
        return "" if urlsplit(back).path in (reverse("login"), reverse("logout")) else back


class AdminSignInView(SignInView):
    """Show the log-in page of the admin site: 403 for people without rights there.

    The page would lead back to the admin site, and that here again.
    """

    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        """Refuse an account without rights."""
        if request.user.is_authenticated and not admin.site.has_permission(request):
            raise PermissionDenied
        return super().dispatch(request, *args, **kwargs)


class SignOutView(LogoutView):
    """Log out, and ask the browser (over https) to forget the pages it has stored.

    Not everything of the site: results that were not sent yet must not be lost with it.
    """

    def post(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        response: HttpResponse = super().post(request, *args, **kwargs)
        response.headers["Clear-Site-Data"] = '"cache"'
        return response


class KnownBrowserMiddleware:
    """Store in a cookie that this name has signed in with this browser."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        name = getattr(request, "signed_in_as", None)
        if name is not None:
            browser = known_browser(request, name) or secrets.token_hex(16)
            response.set_cookie(
                _cookie(name),
                _signer(name).sign(browser),
                max_age=YEAR,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        return response


class SignedInMarkMiddleware:
    """Tell our own scripts in a cookie that somebody is logged in:
    the cookie of the session is hidden from them.

    It proves nothing to the server. An answer that may be stored for other readers never gets it.
    Nor does 503: that would ask the database once more, and wait for it again.
    """

    NAME = "signed_in"

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code == 503 or "no-store" not in response.headers.get(
            "Cache-Control", ""
        ):
            return response
        is_marked = self.NAME in request.COOKIES
        if request.user.is_authenticated and not is_marked:
            response.set_cookie(
                self.NAME,
                "1",
                max_age=None if is_shared(request) else settings.SESSION_COOKIE_AGE,
                secure=settings.SESSION_COOKIE_SECURE,
                samesite="Lax",
            )
        elif is_marked and not request.user.is_authenticated:
            response.delete_cookie(self.NAME, samesite="Lax")
        return response


def can_be_read(request: HttpRequest) -> bool:
    """Return whether the network can read along: plain http between machines."""
    address = visitor_address(request)
    return not request.is_secure() and address is not None and not ip_address(address).is_loopback


class EndOfWaiting:
    """Let somebody with a new password log in at once, however the password was changed.

    Django tells the validators of passwords of each one that was saved, so this is one of them. It
    refuses none.
    """

    def validate(self, password: str, user: object = None) -> None:
        """Accept every password."""

    def password_changed(self, password: str, user: AbstractBaseUser) -> None:
        """Forget the wrong passwords for *user*; those for other names still count."""
        for model in (AccessAttempt, AccessFailureLog):
            model.objects.filter(username=user.get_username()).delete()

    def get_help_text(self) -> str:
        """Return the line for the pages of the administration."""
        return _("A new password also ends the wait after too many wrong ones.")


def locked(
    request: HttpRequest, response: HttpResponse | None = None, credentials: Credentials = None
) -> HttpResponse:
    """Return the page that says how long to wait."""
    is_known = _browser(request, credentials) != STRANGER
    wait = timedelta() if is_known else waiting_for(get_client_username(request, credentials))
    return render(
        request,
        "registration/locked.html",
        {"hours": math.ceil(wait / timedelta(hours=1))},
        status=429,
    )


def is_guessed_at(name: str | None) -> bool:
    """Return whether unknown browsers have to wait for *name*, wherever they are.

    Known ones never do.
    """
    return waiting_for(name) > timedelta()


def waiting_for(name: str | None) -> timedelta:
    """Return how long unknown browsers have to wait for *name*.

    They wait until too few of its failures are of the last day.
    """
    tries: QuerySet[Any] = AccessFailureLog.objects.filter(username=name, user_agent=STRANGER)
    times = tries.order_by("-attempt_time").values_list("attempt_time", flat=True)
    at_the_limit = times[MOST_FOR_ONE_NAME - 1 : MOST_FOR_ONE_NAME]
    return max((at + LONG - timezone.now() for at in at_the_limit), default=timedelta())


def known_browser(request: HttpRequest, name: str) -> str | None:
    """Return the random name of the browser, if *name* has signed in with it within a year."""
    try:
        return _signer(name).unsign(request.COOKIES.get(_cookie(name), ""), max_age=YEAR)
    except signing.BadSignature:
        return None


def _browser(request: HttpRequest, credentials: Credentials) -> str:
    return known_browser(request, get_client_username(request, credentials) or "") or STRANGER


def _cookie(name: str) -> str:
    return "known-" + hashlib.sha256(name.encode("utf-8", "replace")).hexdigest()[:16]


def _signer(name: str) -> signing.TimestampSigner:
    return signing.TimestampSigner(salt=f"tournaments.web.people.accounts.log_in:{name}")


def _account(user: AbstractBaseUser) -> str:
    """Return the name of the account, with the name of the person if it is known:
    accounts with a link have numbers.
    """
    person = getattr(user, "get_full_name", str)()
    return repr(user.get_username()) + (f" ({person})" if person else "")


def _sum(attempts: QuerySet[Any]) -> int:
    return attempts.aggregate(all=Sum("failures_since_start"))["all"] or 0


def _readable(name: str) -> str:
    """Return *name* if it is known; otherwise its beginning: it may be a password."""
    if get_user_model().objects.filter(username=name).exists():
        return repr(name)
    return f"no account {name[:2]!r}… ({len(name)} characters)"
