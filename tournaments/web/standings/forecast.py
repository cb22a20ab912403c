"""The forecast as a page, if the arbiters show one."""

from __future__ import annotations

import hashlib

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import condition, require_safe

from tournaments.core.build import build
from tournaments.core.frame import tournament_frame
from tournaments.models import Tournament
from tournaments.standings.forecasts import forecast_page
from tournaments.web.public_page import FOR_A_MOMENT, without_visitor


def _etag(request: HttpRequest, slug: str) -> str:
    """Return the tag of the page.

    It is not a stored page, because a forecast is made after the publication.
    """
    state_fields = (
        "pk",
        "public_version",
        "public_fingerprint",
        "forecast_public",
        "forecast__made_at",
    )
    row = get_object_or_404(Tournament.objects.values_list(*state_fields), slug=slug)
    parts = (*map(str, row), get_language() or "", request.path, build())
    return f'W/"{hashlib.sha256(chr(0).join(parts).encode()).hexdigest()[:32]}"'


@require_safe
@gzip_page  # the page contains no secret
@condition(etag_func=_etag)
def forecast(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the newest forecast if the arbiters allow it, otherwise say so.

    Two queries besides frame and tag.
    """
    tournament = get_object_or_404(Tournament.objects.select_related("section__event"), slug=slug)
    frame = tournament_frame(tournament, runs=False, now=timezone.now())
    page = forecast_page(tournament) if tournament.forecast_public else None
    context = {"frame": frame, "section": "standings", "page": page}
    response = render(without_visitor(request), "standings/forecast.html", context)
    response.headers["Cache-Control"] = FOR_A_MOMENT
    patch_vary_headers(response, ["Cookie"])
    return response
