"""All addresses of the site, from the root."""

from django.contrib import admin
from django.urls import include, path

from config.accounts import new_password, pages as accounts, passkey_pages, second_step_pages
from config.health import alive, ready
from config.metrics_page import metrics
from config.sign_in import AdminSignInView, SignInView, SignOutView
from config.venue.page import hall

urlpatterns = [
    path("accounts/login/", SignInView.as_view(), name="login"),
    path("accounts/logout/", SignOutView.as_view(), name="logout"),
    path("accounts/", accounts.account, name="account"),
    path("accounts/login/code/", second_step_pages.code, name="second-step-code"),
    path("accounts/second-step/", second_step_pages.second_step, name="second-step"),
    path("accounts/passkeys/", passkey_pages.passkeys, name="passkeys"),
    path("accounts/passkeys/<int:number>/remove/", passkey_pages.passkey_remove, name="passkey-remove"),
    path("accounts/password/", accounts.password, name="account-password"),
    path("accounts/email/", accounts.email, name="account-email"),
    path("accounts/end-sessions/", accounts.end_sessions, name="account-end-sessions"),
    path("accounts/new-password/", new_password.AskView.as_view(), name="new-password-ask"),
    path("accounts/new-password/<uidb64>/<token>/", new_password.SetView.as_view(), name="new-password"),
    path("hall/", hall, name="hall"),
    path("admin/login/", AdminSignInView.as_view()),  # the same steps as everywhere
    path("admin/", admin.site.urls),
    path("api/v1/", include("tournaments.api.urls")),
    path("livez", alive, name="alive"),
    path("readyz", ready, name="ready"),
    path("healthz", ready),  # the former name
    path("metrics", metrics, name="metrics"),
    path("", include("tournaments.web.urls")),
]

handler400 = "config.unavailable.bad_request"
handler403 = "config.refused.permission_denied"
handler404 = "config.refused.page_not_found"
handler500 = "config.unavailable.server_error"
