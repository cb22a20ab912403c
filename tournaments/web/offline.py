"""Public pages without network: service worker, manifest, and reader of codes."""

from __future__ import annotations

import hashlib
import json
from typing import Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.http import parse_etags
from django.views.decorators.http import require_safe

from tournaments.core.build import build
from tournaments.core.frame import Frame
from tournaments.core.signing import public_key
from tournaments.reports.publications import publications_of, version_of
from tournaments.web.htmx import HtmxHttpRequest
from tournaments.web.public_page import visitor_page
from tournaments.web.templatetags.offline import scope

KEPT_PAGES: Final = (
    r"^(me/|follow/|names\.json|players/|pairings/\d+/|standings/(\d+/)?|player/\d+/|crosstable/|progress/|prizes/"
    r"|forecast/|offline/)?$"
)
"""The public pages of a tournament that a phone keeps, as JavaScript and Python read it:
without record and files.
"""
MODULES: Final = ("common.js", "follow.js", "names.js", "push.js", "push_sync.js", "round_code.js")
"""Scripts that others import by their plain names."""


ICONS: Final = (192, 512)
"""The sizes of the icons on a start screen, in pixels."""
SHORT: Final = 12
"""So many letters have room below an icon."""


def short_name(name: str) -> str:
    """Return the first words of *name* that fit below an icon; at least the first word."""
    short = ""
    for word in name.split():
        if short and len(f"{short} {word}") > SHORT:
            break
        short = f"{short} {word}".strip()
    return short


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker with its settings, the same until the next build.

    With ``SWISS_OFFLINE=no`` there is none, and the pages let browsers remove the one they have,
    and what it kept.
    """
    if not settings.OFFLINE_PAGES:
        raise Http404
    config = {
        "build": build(),
        "scope": scope(),
        "files": settings.STATIC_URL,
        "pages": KEPT_PAGES,
        "modules": [f"{settings.STATIC_URL}js/{name}" for name in MODULES],
    }
    script = static("js/offline_worker.js")
    text = (
        f'"use strict";\nconst config = '
        f"{json.dumps(config)};\nimportScripts({json.dumps(script)});\n"
    )
    etag = f'"{hashlib.sha256(text.encode()).hexdigest()[:16]}"'
    response: HttpResponse
    if etag in parse_etags(request.headers.get("If-None-Match", "")):
        response = HttpResponseNotModified()
    else:
        response = HttpResponse(text, "text/javascript")
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = "public, max-age=60"
    return response


@visitor_page
def manifest(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """Return the web app manifest: the tournament on a phone, beginning at *My board*."""
    slug = frame.tournament.slug
    root = reverse("tournament", args=[slug])
    content = {
        "id": root,
        "name": frame.tournament.name,
        "short_name": short_name(frame.tournament.name),
        "start_url": reverse("me", args=[slug]),
        "scope": root,
        "display": "minimal-ui",
        "theme_color": "#1a6b50",
        "background_color": "#ffffff",
        "icons": [
            {"src": static("img/mark.svg"), "sizes": "any", "type": "image/svg+xml"},
            *(
                {
                    "src": static(f"img/icon-{size}.png"),
                    "sizes": f"{size}x{size}",
                    "type": "image/png",
                }
                for size in ICONS
            ),
        ],
    }
    return JsonResponse(content, content_type="application/manifest+json")


@visitor_page
def reader(request: HtmxHttpRequest, frame: Frame) -> HttpResponse:
    """Show the pages that this phone keeps, and the code of a round that was scanned.

    The code is in the fragment of the address, which no server sees: the page is the same for
    everybody.
    """
    newest = frame.latest_published
    version = version_of(publications_of(frame.tournament, newest)) if newest else 0
    context = {
        "frame": frame,
        "section": "public",
        "key": public_key(),
        "build": build(),
        "version": version,
    }
    return render(request, "offline/reader.html", context)
