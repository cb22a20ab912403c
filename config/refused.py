"""The pages for what is not allowed (403) and what is not there (404)."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views import defaults


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _for_one_reader(request, defaults.permission_denied(request, exception))


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _for_one_reader(request, defaults.page_not_found(request, exception))


def _for_one_reader(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """*response*, of which nobody keeps a copy where it is for somebody logged in: their name stands on it."""
    user = getattr(request, "user", None)  # none where the address was refused before anybody was asked for
    if user is not None and user.is_authenticated:
        response.headers["Cache-Control"] = "private, no-store"
    return response
