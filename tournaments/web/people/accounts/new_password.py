"""A forgotten password: a link that works once, by e-mail or made by a site administrator.

The link is Django's: it is signed, holds for a day, and dies with the next log-in or the next
password. It opens no session: whoever used it logs in with the new password, and with the second
step if there is one.
"""

from __future__ import annotations

import logging
from smtplib import SMTPException
from typing import Any, Final
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.forms import PasswordResetForm
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.contrib.auth.views import PasswordResetConfirmView, PasswordResetView
from django.core.mail import EmailMessage
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext as _, gettext_lazy

from config.middleware import client_address, visitor_address
from tournaments.core.errors import RuleRefused
from tournaments.core.public_address import printed_address
from tournaments.core.request_limits import MAIL, SEND, count_request
from tournaments.people.accounts.forms import NewPasswordForm
from tournaments.people.accounts.sessions import end_others
from tournaments.people.log_in_changes import lock_events_of, password_set_with_link

logger = logging.getLogger(__name__)

MAIL_TEXT: Final = gettext_lazy(
    "Somebody, probably you, asked for a new password for the account %(name)s.\n\n"
    "This link works once, within a day:\n%(address)s\n\n"
    "If it was not you, do nothing: the old password stays.\n"
)


def link_for(user: User) -> str:
    """Return the path of a link with which *user* sets a new password, once.

    It is valid for ``PASSWORD_RESET_TIMEOUT``.
    """
    secret = default_token_generator.make_token(user)
    return reverse("new-password", args=[urlsafe_base64_encode(force_bytes(user.pk)), secret])


class MailForm(PasswordResetForm):
    """The address of the account. Whether there is one, the page never says."""

    def send_links(self) -> None:
        """Send the link to each account with the address, at most three a day to one address."""
        email = self.cleaned_data["email"]
        for user in self.get_users(email):
            try:
                count_request(MAIL, f"new-password {user.pk}", now=timezone.now())
            except RuleRefused:
                continue
            address = printed_address(link_for(user))
            if address is None:
                logger.error("No link for a new password was sent: SWISS_PUBLIC_ADDRESS is not set")
                return
            text = MAIL_TEXT % {"address": address, "name": user.get_username()}
            message = EmailMessage(
                subject=_("Swiss Arbiter: a new password"), body=text, to=[user.email]
            )
            try:
                message.send()
                logger.info("Link for a new password sent: %r", user.get_username())
            except (SMTPException, OSError, ValueError) as error:
                logger.warning(
                    "The link for a new password could not be sent: %s", type(error).__name__
                )


class AskView(PasswordResetView):
    """Ask for the e-mail address and send the link; 404 if the site sends no e-mail."""

    form_class = MailForm
    template_name = "accounts/new_password_ask.html"
    success_url = reverse_lazy("login")

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if not settings.EMAIL_HOST:
            raise Http404
        return super().dispatch(request, *args, **kwargs)

    def form_valid(self, form: Any) -> HttpResponse:
        try:
            count_request(SEND, client_address(self.request), now=timezone.now())
        except RuleRefused as busy:
            return render(
                self.request,
                "accounts/new_password_ask.html",
                {"form": form, "busy": busy},
                status=429,
            )
        form.send_links()
        messages.success(
            self.request,
            _(
                "If an account has this address, a link for a new password is on its way. It "
                "holds for a day."
            ),
        )
        return redirect("login")


class SetView(PasswordResetConfirmView):
    """Set the new password with the link.

    All sessions of the account end, and the records say so. Of two requests at once with the same
    link the first sets the password; the second gets the page of a link that no longer works.
    The log-in page then has the name of the account.
    """

    form_class = NewPasswordForm
    template_name = "accounts/new_password_set.html"
    success_url = reverse_lazy("login")

    def form_valid(self, form: Any) -> HttpResponse:
        with transaction.atomic():
            lock_events_of(self.user)
            unchanged = User.objects.filter(pk=self.user.pk, password=self.user.password)
            if unchanged.select_for_update().first() is None:
                # Another request used or ended the link after this one had checked it.
                self.validlink = False
                return self.render_to_response(self.get_context_data())
            response = super().form_valid(form)
            end_others(self.user, None, now=timezone.now())
            password_set_with_link(person=self.user, now=timezone.now())
        name = self.user.get_username()
        logger.info("New password set with a link: %r from %s", name, visitor_address(self.request))
        # The holder of the link need not wait because strangers guess: this browser counts as known
        # (tournaments.web.people.accounts.log_in).
        self.request.signed_in_as = name  # type: ignore[attr-defined]
        messages.success(self.request, _("Your new password is set. Log in with it."))
        return redirect(f"{response.headers['Location']}?{urlencode({'name': name})}")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add whether the holder of the link gets a first password: an account just made."""
        return super().get_context_data(
            **kwargs, is_first=self.validlink and not self.user.has_usable_password()
        )
