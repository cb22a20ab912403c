"""The pages of the second step: the code at the log-in, and switching it on and off."""

from __future__ import annotations

import logging
from typing import cast

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

from config.accounts.forms import checked
from config.accounts.pages import private
from config.accounts.second_step import (
    NEW_KEY,
    WAITING,
    codes_left,
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
from config.accounts.sessions import FIELD, end_others
from config.middleware import visitor_address
from tournaments.templatetags.paper import qr_path

logger = logging.getLogger(__name__)
BACKEND = "django.contrib.auth.backends.ModelBackend"


@private
@sensitive_post_parameters("code")
@require_http_methods(["GET", "HEAD", "POST"])
def code(request: HttpRequest) -> HttpResponse:
    """Ask for the code after the right password; POST logs in."""
    back = request.GET.get("next", "")
    user = waiting_user(request, now=timezone.now())
    if user is None:
        request.session.pop(WAITING, None)
        return redirect_to_login(back or "/")
    error = ""
    if request.method == "POST":
        if is_right(user, request.POST.get("code", "")):
            request.session.pop(WAITING)
            login(request, user, backend=BACKEND)
            safe = url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure())
            return redirect(back if safe else "/")
        logger.warning("Wrong code: %r from %s", user.get_username(), visitor_address(request))
        error = _("This code is wrong, was used already, or came too soon after a wrong one.")
    context = {
        "error": error,
        "wait": seconds_to_wait(user) if error else 0,
        "is_shared": request.session[WAITING][FIELD],
        "back": back,
    }
    return render(request, "accounts/code.html", context, status=403 if error else 200)


class SecondStepForm(forms.Form):
    """The password, because an open laptop must not decide this, and the first code."""

    code = forms.CharField(
        label=gettext_lazy("Code from the app"),
        max_length=12,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "one-time-code"}),
    )
    password = forms.CharField(
        label=gettext_lazy("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, request: HttpRequest, *, wants_code: bool) -> None:
        super().__init__(request.POST if request.method == "POST" else None)
        self.request = request
        if not wants_code:
            del self.fields["code"]

    def clean_password(self) -> str:
        """Return the password; refuse a wrong one."""
        return checked(self.request, cast(User, self.request.user), self.cleaned_data["password"])


@private
@login_required
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def second_step(request: HttpRequest) -> HttpResponse:
    """Switch the second step on with a first code; off, or make other recovery codes, with the password."""
    user = cast(User, request.user)
    if not user.has_usable_password():
        return redirect("account")
    was_on = is_on(user)
    form = SecondStepForm(request, wants_code=not was_on)
    codes: list[str] | None = None
    if request.method == "POST" and form.is_valid():
        if not was_on:
            codes = switch_on(user, request.session.get(NEW_KEY, ""), form.cleaned_data["code"])
            if codes is None:
                form.add_error("code", _("This code is wrong. Compare the clocks of phone and server."))
            else:
                request.session.pop(NEW_KEY, None)
                end_others(user, request.session.session_key, now=timezone.now())
        elif request.POST.get("do") == "codes":
            codes = new_recovery_codes(user)
        elif request.POST.get("do") == "off":
            switch_off(user, by=user)
            messages.success(request, _("No code is asked for at the log-in any more."))
            return redirect("account")
    context: dict[str, object] = {"form": form, "codes": codes, "is_on": is_on(user), "left": codes_left(user)}
    if not context["is_on"]:
        device = new_device(user, request.session.setdefault(NEW_KEY, default_key()))
        context["modules"], context["path"] = qr_path(device.config_url)
        context["key"] = typed_key(device)
    return render(request, "accounts/second_step.html", context, status=422 if form.errors else 200)
