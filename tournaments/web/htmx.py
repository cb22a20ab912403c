"""How a page answers: whole, or the one part htmx asked for."""

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


class HtmxHttpRequest(HttpRequest):
    """A request as our views get it: with ``htmx`` from its middleware."""

    htmx: HtmxDetails
    user: User | AnonymousUser


def wants_part(request: HtmxHttpRequest) -> bool:
    """Whether htmx asks for a part of a page, not for the whole in its place (a boosted link)."""
    return bool(request.htmx) and not request.htmx.boosted


def page_or_partial(
    request: HtmxHttpRequest, template: str, partial: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    """The page *template*, or only its ``#partial`` when htmx asks; caches keep the two apart.

    In the template ``is_part`` tells which of them it is: a part brings along what has to change around it.
    """
    is_part = wants_part(request)
    name = f"{template}#{partial}" if is_part else template
    response = render(request, name, context | {"is_part": is_part}, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response


def go_to(request: HtmxHttpRequest, url: str) -> HttpResponse:
    """Send the reader to *url*: a redirect for a plain form, ``HX-Redirect`` for htmx."""
    return HttpResponseClientRedirect(url) if request.htmx else redirect(url)


def page_before(request: HtmxHttpRequest) -> str:
    """The page of ours that htmx asks from, as path and query; ``""`` without one, or where it is no address."""
    try:
        return (request.htmx.current_url_abs_path or "") if request.htmx else ""
    except ValueError:  # http://[
        return ""


def log_in_first(request: HtmxHttpRequest) -> HttpResponse:
    """To the log-in page and back again.

    An expired session answers htmx, and our own scripts, with a redirect header: never with a log-in
    page inside a table. After an action (POST) the way back leads to the page the action was done from.
    """
    back = request.get_full_path()
    seen = page_before(request)
    if seen:
        back = seen
    elif request.method != "GET":
        back = reverse("home")
    response = redirect_to_login(back)
    return HttpResponseClientRedirect(response.url) if request.htmx else response
