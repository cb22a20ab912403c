"""The pages of the second step: the code at the log-in, and switching it on and off."""

from __future__ import annotations

import logging
from typing import cast
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods
from django_otp.plugins.otp_totp.models import default_key

from config.middleware import visitor_address
from tournaments.core.qr_codes import qr_path
from tournaments.people.accounts.forms import PasswordForm
from tournaments.people.accounts.passkeys import LOG_IN, opens, passkeys_of, question, site_of
from tournaments.people.accounts.second_step import (
    NEW_KEY,
    WAITING,
    codes_left,
    forget_app,
    has_app,
    is_on,
    is_right,
    new_device,
    new_recovery_codes,
    seconds_to_wait,
    switch_off,
    switch_on,
    typed_key,
    waiting_user,
)
from tournaments.people.accounts.sessions import FIELD, end_others
from tournaments.web.people.accounts.pages import private

logger = logging.getLogger(__name__)
BACKEND = "django.contrib.auth.backends.ModelBackend"


@private
@sensitive_post_parameters("code")
@require_http_methods(["GET", "HEAD", "POST"])
def code(request: HttpRequest) -> HttpResponse:
    """Ask for a passkey or a code after the right password; POST logs in."""
    back = request.GET.get("next", "")
    user = waiting_user(request, now=timezone.now())
    if user is None:
        request.session.pop(WAITING, None)
        return redirect_to_login(back or "/")
    site = site_of(request)
    error = ""
    if request.method == "POST" and "answer" in request.POST:
        if site and opens(request, user, site, request.POST["answer"], now=timezone.now()):
            return _let_in(request, user, back)
        error = _("This passkey was not accepted. Try again, or use a code.")
    elif request.method == "POST":
        if is_right(user, request.POST.get("code", "")):
            return _let_in(request, user, back)
        logger.warning("Wrong code: %r from %s", user.get_username(), visitor_address(request))
        error = _("This code is wrong, was used already, or came too soon after a wrong one.")
    context = {
        "error": error,
        "wait": seconds_to_wait(user) if error else 0,
        "is_shared": request.session[WAITING][FIELD],
        "address": request.path + (f"?{urlencode({'next': back})}" if back else ""),
        "has_app": has_app(user),
        "question": site and question(request.session, user, site, now=timezone.now()),
        "hosts": sorted({one.host for one in passkeys_of(user)}),
    }
    return render(request, "accounts/code.html", context, status=403 if error else 200)


def _let_in(request: HttpRequest, user: User, back: str) -> HttpResponse:
    request.session.pop(WAITING)
    request.session.pop(LOG_IN, None)
    login(request, user, backend=BACKEND)
    safe = url_has_allowed_host_and_scheme(
        back, {request.get_host()}, require_https=request.is_secure()
    )
    return redirect(back if safe else "/")


class FirstCodeForm(PasswordForm):
    """The password, and the first code of the app."""

    code = forms.CharField(
        label=gettext_lazy("Code from the app"),
        max_length=12,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "one-time-code"}),
    )
    field_order = ("code", "password")


@private
@login_required
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def second_step(request: HttpRequest) -> HttpResponse:
    """Switch the codes of an app on with a first code;
    off, or make other recovery codes, with the password.
    """
    user = cast(User, request.user)
    if not user.has_usable_password():
        return redirect("account")
    what = request.POST.get("do", "") if is_on(user) else ""
    first, sure = FirstCodeForm(request), PasswordForm(request, auto_id="sure_%s")
    codes: list[str] | None = None
    if request.method == "POST" and what:
        sure = PasswordForm(request, request.POST, auto_id="sure_%s")
        if sure.is_valid() and what == "codes":
            codes = new_recovery_codes(user)
        elif sure.is_valid() and what in ("app", "off"):
            return _switched_off(request, user, app_alone=what == "app")
    elif request.method == "POST" and not has_app(user):
        first = FirstCodeForm(request, request.POST)
        if first.is_valid():
            codes = _switched_on(request, user, first)
    context: dict[str, object] = {
        "first": first,
        "sure": sure,
        "codes": codes,
        "left": codes_left(user),
    }
    context |= {"has_app": has_app(user), "passkeys": passkeys_of(user)}
    if not context["has_app"]:
        device = new_device(user, request.session.setdefault(NEW_KEY, default_key()))
        context["modules"], context["path"] = qr_path(device.config_url)
        context["key"] = typed_key(device)
    return render(
        request,
        "accounts/second_step.html",
        context,
        status=422 if first.errors or sure.errors else 200,
    )


def _switched_on(request: HttpRequest, user: User, form: FirstCodeForm) -> list[str] | None:
    """Switch the app's codes on; return recovery codes, or None with the reason in *form*."""
    was_on = is_on(user)
    codes = switch_on(user, request.session.get(NEW_KEY, ""), form.cleaned_data["code"])
    if codes is None:
        form.add_error("code", _("This code is wrong. Compare the clocks of phone and server."))
        return None
    request.session.pop(NEW_KEY, None)
    if not was_on:
        end_others(user, request.session.session_key, now=timezone.now())
    return codes


def _switched_off(request: HttpRequest, user: User, *, app_alone: bool) -> HttpResponse:
    if app_alone:
        forget_app(user)
        messages.success(request, _("The log-in no longer asks for a code from the app."))
        return redirect("second-step")
    switch_off(user, by=user)
    messages.success(request, _("The log-in no longer asks for a code."))
    return redirect("account")
