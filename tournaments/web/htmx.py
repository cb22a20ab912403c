"""Answer with a whole page, or with the part that htmx requests."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from tournaments.models import Role, Tournament
from tournaments.web.every_page import EveryPage
from tournaments.web.templatetags.once import IN_COMMON


class HtmxHttpRequest(HttpRequest):
    """A request with ``htmx`` from its middleware, the type in our views.

    ``role`` and ``tournament`` are set on pages of a tournament, ``event_keys`` on those of an
    event, for people with a role in one of its sections. ``part_too`` is only set on a request of
    our own for a page that is stored: there :func:`page_or_partial` adds the part to it, and
    ``every_page`` only on a request of our own for a page of a tournament. A page with a search
    sets ``finds``: whether it has an answer.
    """

    htmx: HtmxDetails
    user: User | AnonymousUser
    role: Role | None
    tournament: Tournament
    event_keys: object
    part_too: list[HttpResponse]
    every_page: EveryPage
    finds: bool


def wants_part(request: HtmxHttpRequest) -> bool:
    """Return whether htmx requests a part of a page, not a whole page instead (a boosted link)."""
    return bool(request.htmx) and not request.htmx.boosted


def page_or_partial(
    request: HtmxHttpRequest,
    template: str,
    partial: str,
    context: dict[str, Any],
    *,
    status: int = 200,
) -> HttpResponse:
    """Render the page *template*, or only its ``#partial`` if htmx requests it;
    caches store the two separately.

    In the template ``is_part`` says which of them is rendered: a part also contains the changes
    around it.
    """
    parts: list[HttpResponse] | None = getattr(request, "part_too", None)
    if parts is not None:
        context = context | {IN_COMMON: {}}
        parts.append(_rendered(request, template, partial, context, is_part=True, status=status))
    return _rendered(
        request, template, partial, context, is_part=wants_part(request), status=status
    )


def _rendered(
    request: HtmxHttpRequest,
    template: str,
    partial: str,
    context: dict[str, Any],
    *,
    is_part: bool,
    status: int,
) -> HttpResponse:
    name = f"{template}#{partial}" if is_part else template
    response = render(request, name, context | {"is_part": is_part}, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response


def go_to(request: HtmxHttpRequest, url: str) -> HttpResponse:
    """Send the reader to *url*: a redirect for a plain form, ``HX-Redirect`` for htmx."""
    return HttpResponseClientRedirect(url) if request.htmx else redirect(url)


def page_before(request: HtmxHttpRequest) -> str:
    """Return path and query of our page of an htmx request; ``""`` if there is none."""
    try:
        return (request.htmx.current_url_abs_path or "") if request.htmx else ""
    except ValueError:  # http://[
        return ""


def log_in_first(request: HtmxHttpRequest) -> HttpResponse:
    """Redirect to the log-in page and back again.

    If a session has expired, htmx and our own scripts get a redirect header, so that no log-in page
    appears inside a table. After an action (POST) the user returns to the page of the action.
    """
    back = request.get_full_path()
    page = page_before(request)
    if page:
        back = page
    elif request.method != "GET":
        back = reverse("home")
    response = redirect_to_login(back)
    return HttpResponseClientRedirect(response.url) if request.htmx else response
