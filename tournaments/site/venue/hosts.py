"""Answer under every name and address of this machine, also those since the start."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port, validate_host

from tournaments.site.venue.addresses import is_own


class OwnAddressesMiddleware:
    """With ``SWISS_OWN_ADDRESSES``, which ``./run --host`` sets,
    add an own name or address to ``ALLOWED_HOSTS``.

    Names are those of the machine only: a stranger's name that leads here (DNS rebinding) is still
    refused.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.OWN_ADDRESSES:
            host, _ = split_domain_port(request.META.get("HTTP_HOST", ""))
            if host and not validate_host(host, settings.ALLOWED_HOSTS) and is_own(host):
                settings.ALLOWED_HOSTS.append(host)
        return self.get_response(request)
