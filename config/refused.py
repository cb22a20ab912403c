"""The pages for a forbidden (403) or unknown (404) address."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views import defaults


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Handle 403."""
    return _for_one_reader(request, defaults.permission_denied(request, exception))


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Handle 404."""
    return _for_one_reader(request, defaults.page_not_found(request, exception))


def _for_one_reader(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Forbid to store *response* if the reader is logged in: the page shows their name."""
    user = getattr(request, "user", None)  # None if the request was refused before the session was read.
    if user is not None and user.is_authenticated:
        response.headers["Cache-Control"] = "private, no-store"
    return response
