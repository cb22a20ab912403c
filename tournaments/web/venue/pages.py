"""*Is my venue ready?*: what the computer and the browser tell,
for Chief Arbiters and site administrators.
"""

from __future__ import annotations

import time
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournaments.core.permissions import may_check_venue
from tournaments.core.public_address import printed_address
from tournaments.core.qr_codes import qr_path
from tournaments.site.venue import capacity
from tournaments.site.venue.checks import Level, findings, worst
from tournaments.web.access import signed_in
from tournaments.web.htmx import HtmxHttpRequest


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def venue(request: HtmxHttpRequest) -> HttpResponse:
    """Show the findings; POST measures the speed for a second;
    ``?clock`` answers the time alone, as JSON.
    """
    if not may_check_venue(request.user):
        raise PermissionDenied(_("This page is for Chief Arbiters and site administrators."))
    if "clock" in request.GET:
        return JsonResponse({"now": time.time_ns() // 1_000_000})
    if request.method == "POST":
        try:
            done = capacity.measure(now=timezone.now())
        except OSError:
            done = None
        if done is None:
            messages.error(
                request, _("The speed could not be measured. Wait a moment, then measure again.")
            )
        return redirect("venue")
    found = findings(now=timezone.now(), is_secure=request.is_secure())
    public = printed_address("/")
    offset = timezone.localtime().utcoffset()
    context: dict[str, Any] = {
        "findings": found,
        "counts": [
            (level, sum(1 for each in found if each.level == level)) for level in reversed(Level)
        ],
        "worst": worst(found),
        "offset": int(offset.total_seconds() // 60) if offset else 0,
    }
    if public is not None:
        context["modules"], context["path"] = qr_path(public)
    return render(request, "venue/venue.html", context)
