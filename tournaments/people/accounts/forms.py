"""The forms of a person's own account."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.contrib.auth import authenticate
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

WRONG = _("This is not your present password.")


GOOD = _("At least ten characters, no common password, not only digits, nothing like your name.")


class NewPasswordForm(SetPasswordForm):  # type: ignore[type-arg]
    """A new password, with a link instead of the old one."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.fields["new_password1"].help_text = GOOD


class OwnPasswordForm(PasswordChangeForm):
    """A new password, with the old one, which counts like one at the log-in:
    nobody tries many at an open laptop.
    """

    def __init__(self, request: HttpRequest, user: User, data: Any = None) -> None:
        super().__init__(user, data)
        self.request = request
        # The page has other forms, and the focus belongs to its heading.
        self.fields["new_password1"].help_text = GOOD
        self.fields["old_password"].widget.attrs.pop("autofocus", None)

    def clean_old_password(self) -> str:
        """Return the old password; refuse a wrong one."""
        return checked(self.request, self.user, self.cleaned_data["old_password"])


class PasswordForm(forms.Form):
    """The present password, because an open laptop must not decide about the account."""

    password = forms.CharField(
        label=_("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, request: HttpRequest, data: Any = None, **named: Any) -> None:
        super().__init__(data, **named)
        self.request, self.user = request, cast(User, request.user)

    def clean_password(self) -> str:
        """Return the password; refuse a wrong one."""
        return checked(self.request, self.user, self.cleaned_data["password"])


class EmailForm(PasswordForm):
    """The address for a forgotten password."""

    email = forms.EmailField(label=_("E-mail address"), required=False, max_length=254)
    field_order = ("email", "password")

    def __init__(self, request: HttpRequest, user: User, data: Any = None) -> None:
        super().__init__(request, data, initial={"email": user.email}, prefix="email")


def checked(request: HttpRequest, user: User, password: str) -> str:
    """Return the present *password*; refuse a wrong one, which counts as at the log-in."""
    if authenticate(request, username=user.get_username(), password=password) != user:
        raise ValidationError(WRONG, code="wrong")
    return password
