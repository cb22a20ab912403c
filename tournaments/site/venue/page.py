"""The page for a screen in the hall: address, QR code, and https fingerprint."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournaments.core.qr_codes import qr_path
from tournaments.site.venue.addresses import LOOPBACK, bracketed, is_own, own_addresses, own_names
from tournaments.site.venue.certificate import fingerprint


@require_safe
@never_cache
def hall(request: HttpRequest) -> HttpResponse:
    """Show it to everybody: who reads it is in the hall.

    A public site has no other address than its own.
    """
    best = settings.PUBLIC_ADDRESS or f"{request.scheme}://{request.get_host()}"
    parts = urlsplit(best)
    others = []
    if settings.OWN_ADDRESSES:
        port = f":{parts.port}" if parts.port else ""
        others = [
            f"{parts.scheme}://{bracketed(host)}{port}/"
            for host in [*own_addresses(), *own_names()]
        ]
    modules, drawn = qr_path(f"{best}/")
    digits = fingerprint(settings.DATA_DIR) if settings.VENUE_HTTPS else ""
    context = {
        "address": f"{best}/",
        "others": [other for other in others if other != f"{best}/"],
        "is_only_here": parts.hostname in LOOPBACK,
        "has_moved": settings.OWN_ADDRESSES and not is_own(parts.hostname or ""),
        "modules": modules,
        "path": drawn,
        "fingerprint": digits,
        "can_be_read": not request.is_secure() and parts.hostname not in LOOPBACK,
    }
    return render(request, "venue/hall.html", context)
