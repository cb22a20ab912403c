"""The page “Your account”: password, address for a forgotten one, and where signed in."""

from __future__ import annotations

import logging
from typing import cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _, ngettext
from django.views.decorators.cache import cache_control
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from config.middleware import visitor_address
from tournaments.people.accounts.forms import EmailForm, OwnPasswordForm
from tournaments.people.accounts.second_step import is_on
from tournaments.people.accounts.sessions import end_others, sign_ins

logger = logging.getLogger(__name__)
private = cache_control(private=True, no_store=True)


@private
@login_required
@require_safe
def account(request: HttpRequest) -> HttpResponse:
    """Show the page."""
    return _page(request)


@private
@login_required
@sensitive_post_parameters()
@require_http_methods(["POST"])
def password(request: HttpRequest) -> HttpResponse:
    """Set a new password and end all other sessions.

    A person with a link and a PIN has none to set.
    """
    user = _with_password(request)
    if user is None:
        return redirect("account")
    form = OwnPasswordForm(request, user, request.POST)
    if not form.is_valid():
        return _page(request, password_form=form)
    ended = end_others(user, request.session.session_key, now=timezone.now())
    form.save()
    update_session_auth_hash(request, user)
    logger.info("Password changed: %r from %s", user.get_username(), visitor_address(request))
    messages.success(request, _("Your password is changed.") + " " + _ended_sessions_text(ended))
    return redirect("account")


@private
@login_required
@sensitive_post_parameters()
@require_POST
def email(request: HttpRequest) -> HttpResponse:
    """Keep the address to which a link for a new password may be sent."""
    user = _with_password(request)
    if user is None:
        return redirect("account")
    form = EmailForm(request, user, request.POST)
    if not form.is_valid():
        return _page(request, email_form=form)
    user.email = form.cleaned_data["email"]
    user.save(update_fields=["email"])
    messages.success(
        request,
        _("Your e-mail address is saved.") if user.email else _("Your e-mail address is deleted."),
    )
    return redirect("account")


@private
@login_required
@require_POST
def end_sessions(request: HttpRequest) -> HttpResponse:
    """End all other sessions of the person."""
    ended = end_others(_user(request), request.session.session_key, now=timezone.now())
    logger.info("All other sessions ended (%s): %r", ended, _user(request).get_username())
    messages.success(request, _ended_sessions_text(ended))
    return redirect("account")


def _ended_sessions_text(ended: int) -> str:
    if not ended:
        return _("You were not logged in anywhere else.")
    return ngettext(
        "You are logged out at %(number)s other place.",
        "You are logged out at %(number)s other places.",
        ended,
    ) % {"number": ended}


def _page(
    request: HttpRequest,
    *,
    password_form: OwnPasswordForm | None = None,
    email_form: EmailForm | None = None,
) -> HttpResponse:
    user = _user(request)
    context = {
        "password_form": password_form or OwnPasswordForm(request, user),
        "email_form": email_form or EmailForm(request, user),
        "has_second_step": is_on(user),
        "sends_mail": bool(settings.EMAIL_HOST),
        "sign_ins": sign_ins(user, request.session.session_key, now=timezone.now()),
    }
    return render(
        request,
        "accounts/account.html",
        context,
        status=422 if password_form or email_form else 200,
    )


def _user(request: HttpRequest) -> User:
    return cast(User, request.user)


def _with_password(request: HttpRequest) -> User | None:
    return _user(request) if _user(request).has_usable_password() else None
