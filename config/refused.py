"""The pages for a forbidden (403) or unknown (404) address. Nobody stores them: it can exist a moment later."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views import defaults


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Handle 403."""
    return _not_to_be_stored(defaults.permission_denied(request, exception))


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Handle 404."""
    return _not_to_be_stored(defaults.page_not_found(request, exception))


def _not_to_be_stored(response: HttpResponse) -> HttpResponse:
    response.headers["Cache-Control"] = "private, no-store"
    return response
