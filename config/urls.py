"""All addresses of the site, from the root."""

from django.contrib import admin
from django.urls import include, path

from config.health import alive, ready

urlpatterns = [
    path("api/v1/", include("tournaments.api.urls")),
    path("livez", alive, name="alive"),
    path("readyz", ready, name="ready"),
    path("healthz", ready),  # the former name
    path("", include("tournaments.web.urls")),
    path("", include("tournaments.web.people.accounts.urls")),
    path("admin/", admin.site.urls),
    path("", include("tournaments.site.urls")),
]

handler400 = "config.unavailable.bad_request"
handler403 = "tournaments.web.refused.permission_denied"
handler404 = "tournaments.web.refused.page_not_found"
handler500 = "config.unavailable.server_error"
