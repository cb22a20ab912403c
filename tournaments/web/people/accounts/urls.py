"""The addresses of the log-in and of a person's own account."""

from django.urls import path

from tournaments.web.people.accounts import new_password, pages, passkey_pages, second_step_pages
from tournaments.web.people.accounts.log_in import AdminSignInView, SignInView, SignOutView

urlpatterns = [
    path("admin/login/", AdminSignInView.as_view()),  # the same steps as everywhere
    path("accounts/login/", SignInView.as_view(), name="login"),
    path("accounts/logout/", SignOutView.as_view(), name="logout"),
    path("accounts/", pages.account, name="account"),
    path("accounts/login/code/", second_step_pages.code, name="second-step-code"),
    path("accounts/second-step/", second_step_pages.second_step, name="second-step"),
    path("accounts/passkeys/", passkey_pages.passkeys, name="passkeys"),
    path(
        "accounts/passkeys/<int:number>/remove/",
        passkey_pages.passkey_remove,
        name="passkey-remove",
    ),
    path("accounts/password/", pages.password, name="account-password"),
    path("accounts/email/", pages.email, name="account-email"),
    path("accounts/end-sessions/", pages.end_sessions, name="account-end-sessions"),
    path("accounts/new-password/", new_password.AskView.as_view(), name="new-password-ask"),
    path(
        "accounts/new-password/<uidb64>/<token>/",
        new_password.SetView.as_view(),
        name="new-password",
    ),
]
