"""The page “Passkeys” of a person's own account.

The log-in asks for them in ``second_step_pages.code``.
"""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from tournaments.models import Passkey
from tournaments.people.accounts.forms import PasswordForm
from tournaments.people.accounts.passkeys import (
    MOST,
    add,
    passkeys_of,
    question_for_new,
    remove,
    site_of,
)
from tournaments.people.accounts.second_step import is_on
from tournaments.people.accounts.sessions import described, end_others
from tournaments.web.people.accounts.pages import private


class NewPasskeyForm(PasswordForm):
    """The password, and a name for the new passkey; at first that of the browser."""

    name = forms.CharField(label=gettext_lazy("Name of the passkey"), max_length=60)
    field_order = ("name", "password")

    def __init__(self, request: HttpRequest, data: Any = None) -> None:
        super().__init__(
            request, data, initial={"name": described(request.headers.get("User-Agent", ""))}
        )

    def clean(self) -> None:
        """Refuse more passkeys than an account may have."""
        if Passkey.objects.filter(user=self.user).count() >= MOST:
            raise ValidationError(
                _("You have %(most)s passkeys already. That is the maximum.") % {"most": MOST},
                code="most",
            )


@private
@login_required
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def passkeys(request: HttpRequest) -> HttpResponse:
    """List the passkeys.

    POST with name and password asks the browser for a new one; its answer adds it.
    """
    user = cast(User, request.user)
    site = site_of(request)
    if not user.has_usable_password():
        return redirect("account")
    ask = error = ""
    form = NewPasskeyForm(request)
    if request.method == "POST" and site and "answer" in request.POST:
        was_on = is_on(user)
        codes = add(request.session, user, site, request.POST["answer"], now=timezone.now())
        if codes is not None:
            if not was_on:
                end_others(user, request.session.session_key, now=timezone.now())
            messages.success(request, _("The passkey is added."))
            return (
                render(request, "accounts/second_step.html", {"codes": codes})
                if codes
                else redirect("passkeys")
            )
        error = _(
            "The passkey was not added: the answer was not right, came too late or came twice. Try again."
        )
    elif request.method == "POST" and site:
        form = NewPasskeyForm(request, request.POST)
        if form.is_valid():
            ask = question_for_new(
                request.session, user, site, form.cleaned_data["name"], now=timezone.now()
            )
    rows = passkeys_of(user)
    context = {"site": site, "form": form, "question": ask, "error": error, "passkeys": rows}
    return render(
        request, "accounts/passkeys.html", context, status=422 if error or form.errors else 200
    )


@private
@login_required
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def passkey_remove(request: HttpRequest, number: int) -> HttpResponse:
    """Remove a passkey of the person, with the password."""
    user = cast(User, request.user)
    passkey = get_object_or_404(Passkey, user=user, pk=number)
    form = PasswordForm(request, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        if remove(user, passkey):
            messages.success(request, _("The passkey is removed."))
        else:
            messages.success(request, _("The log-in no longer asks for a code."))
        return redirect("passkeys")
    context = {"form": form, "passkey": passkey}
    return render(
        request, "accounts/passkey_remove.html", context, status=422 if form.errors else 200
    )
